#include "tests/support/rubbing_elements.h"

#include <fmt/format.h>

#include <cmath>

namespace voigt::testing {
namespace {

constexpr double kStatic = 0.5, kKinetic = 0.3;

constexpr const char* kRule = "friction: {static: 0.5, kinetic: 0.3, drop_speed: DROP";

std::string Replace(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

std::string Make(const std::string& joint, const std::string& constraint, const std::string& load) {
  std::string out =
      "gravity: [0, 0, -10]\nbodies: [{name: b, mass: 2, inertia: [0.1, 0.1, 0.1]}]\n";
  out += "joints: [{name: j, child: b, " + joint + "}]\n";
  if (!constraint.empty()) out += "constraints: [{body: b, " + constraint + "}]\n";
  return Replace(out + "loads: [{body: b, " + load + "}]\n", "RULE", kRule);
}

// 20 N on a slide, which 2 kg are pulled along, or in a bearing of 0.1 m.
double SlideGain(double t, double mu) { return (16 * t - 20 * mu) / 2; }
double BearingGain(double t, double mu) { return (2 * t - 0.1 * 20 * mu) / 0.1; }

// A screw of the radius r that rises by p a radian raises W = 20 N. Forces N across its thread and
// μ N along it are, along the axis, W + m p α = (N r − μ N p)/L with L = √(r² + p²), and about it
// I α = τ − r (N p + μ N r)/L.
constexpr double kScrewRadius = 0.05, kScrewPitch = 0.01;

double ScrewGain(double t, double mu) {
  const double r = kScrewRadius, p = kScrewPitch, W = 20, m = 2, I = 0.1;
  const double arm = r * (p + mu * r) / (r - mu * p);  // of the force along the axis
  return (2.1 * t - W * arm) / (I + m * p * arm);
}

}  // namespace

std::string RubbingElement::MakeScene(double drop_speed) const {
  return Replace(scene, "DROP", fmt::format("{}", drop_speed));
}

// The gain is linear in time.
double RubbingElement::CalcStart() const {
  const double at_zero = gain(0, kStatic);
  return at_zero / (at_zero - gain(1, kStatic));
}

double RubbingElement::CalcRate(double drop_speed) const {
  const auto calc = [&](double t, double rate) {
    const double part = lever * rate / drop_speed;
    const double drop = drop_speed > 0 ? std::exp(-part * part) : 0;
    return gain(t, kKinetic + (kStatic - kKinetic) * drop);
  };
  constexpr int kCount = 200000;
  double t = CalcStart(), rate = 0;
  const double h = (1 - t) / kCount;
  for (int k = 0; k < kCount; ++k, t += h) {
    const double a1 = calc(t, rate), a2 = calc(t + h / 2, rate + h / 2 * a1);
    const double a3 = calc(t + h / 2, rate + h / 2 * a2), a4 = calc(t + h, rate + h * a3);
    rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return rate;
}

std::vector<RubbingElement> ListRubbingElements() {
  const std::string pull = "force: [16*t, 0, 0]", aslant = "force: [9.6*t, 12.8*t, 0]";
  const auto held = [](const char* what) { return std::string(what) + ", RULE}"; };
  const std::string screw = fmt::format(
      "type: screw, axis: [0, 0, 1], pitch: {}, RULE, radius: {}}}", kScrewPitch, kScrewRadius);
  return {
      {"Pin",
       Make("type: revolute, axis: [0, 1, 0], RULE, radius: 0.1}", "", "torque: [0, 2*t, 0]"), 0.1,
       BearingGain},
      {"Ball", Make("type: ball, RULE, radius: 0.1}", "", "torque: [1.2*t, 1.6*t, 0]"), 0.1,
       BearingGain},
      {"Slider", Make("type: prismatic, axis: [1, 0, 0], RULE}", "", pull), 1, SlideGain},
      {"Screw", Make(screw, "", "torque: [0, 0, 2.1*t]"), std::hypot(kScrewRadius, kScrewPitch),
       ScrewGain},
      {"PointOnLine", Make("type: free", held("type: point-on-line, direction: [1, 0, 0]"), pull),
       1, SlideGain},
      {"PointInPlane", Make("type: free", held("type: point-in-plane"), aslant), 1, SlideGain},
      {"PointOnPlane", Make("type: free", held("type: point-in-plane, side: above"), aslant), 1,
       SlideGain},
  };
}

}  // namespace voigt::testing
