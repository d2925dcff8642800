// Friction in a plane and in space where sliding begins and inertia is not the same in all
// directions: the slip turns away from the force at once. Against fixed steps of their own.

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "tests/events/event_run.h"
#include "voigt/base/errors.h"

namespace voigt {
namespace {

// M v̇ = c(t, v) + g t f − R(‖v‖) v/‖v‖ from the moment t₀ = R(0)/g on at which g t f, with a unit
// vector f, is more than friction holds. From rest the solution that stays on v ∥ friction has the
// series v = c τ² (f + τ d₁), τ = t − t₀, with c = g/(2 f·M f), d₁ = (g f − 2 c M f)/R(0).
struct Breakaway {
  Vec3 inertia = Vec3::Ones(), f = Vec3::UnitX();
  double rate = 1;                         // g
  std::function<double(double)> friction;  // R
  bool turns = false;                      // a body about a fixed point, with f in world axes

  struct Moment {
    double t = 0;
    Vec3 v = Vec3::Zero();
    Mat3 R = Mat3::Identity();  // of the body
  };
  struct Rates {
    Vec3 v_dot = Vec3::Zero();
    Mat3 R_dot = Mat3::Zero();
  };

  Rates Calc(const Moment& at) const {
    Vec3 force = rate * at.t * (turns ? Vec3(at.R.transpose() * f) : f);
    force -= friction(at.v.norm()) * at.v.normalized();
    Rates out;
    if (turns) {
      force -= at.v.cross(inertia.cwiseProduct(at.v));
      for (int k = 0; k < 3; ++k) out.R_dot.col(k) = at.R * at.v.cross(Vec3::Unit(k).eval());
    }
    out.v_dot = force.cwiseQuotient(inertia);
    return out;
  }

  static Moment Move(const Moment& at, double h, const Rates& rates) {
    return {at.t + h, at.v + h * rates.v_dot, at.R + h * rates.R_dot};
  }

  Moment Step(const Moment& at, double h) const {
    const Rates a = Calc(at), b = Calc(Move(at, h / 2, a)), c = Calc(Move(at, h / 2, b)),
                d = Calc(Move(at, h, c));
    return Move(at, h,
                {(a.v_dot + 2 * b.v_dot + 2 * c.v_dot + d.v_dot) / 6,
                 (a.R_dot + 2 * b.R_dot + 2 * c.R_dot + d.R_dot) / 6});
  }

  Moment Start() const {
    constexpr double kLater = 1e-3;
    const double c = rate / (2 * f.dot(inertia.cwiseProduct(f)));
    const Vec3 d1 = (rate * f - 2 * c * inertia.cwiseProduct(f)) / friction(0);
    return {friction(0) / rate + kLater, c * kLater * kLater * (f + kLater * d1)};
  }

  // To a time, or to a speed before that: steps as short as friction turns a slow slip.
  Moment Solve(double until, double speed = kInfinity) const {
    Moment at = Start();
    double shortest = 1;
    while (at.t < until && shortest > 1e-12) {
      const double turning = 0.2 * inertia.minCoeff() * at.v.norm() / friction(0);
      const double h = std::min({turning, 1e-4, until - at.t, shortest});
      const Moment next = Step(at, h);
      if (next.v.norm() < speed) {
        at = next;
      } else {
        shortest = h / 2;
      }
    }
    return at;
  }
};

struct EndOfBreakaway {
  VecX v;
  std::vector<Transition> changes;
};

// Energy has to add up, too: that of the end is what loads bring in and friction takes.
EndOfBreakaway RunBreakaway(const std::string& text, double until, double step,
                            const char* formulation = "working") {
  const Scene scene = ParseScene(
      text + fmt::format("simulation: {{integrator: event-driven, formulation: {}, until: {:.17g}, "
                         "step: {:.17g}}}\n",
                         formulation, until, step),
      "text");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  const double start = simulator.CalcEnergy().Total();
  EndOfBreakaway out;
  const RunSummary summary = voigt::Run(&simulator, nullptr, [&](double) {
    for (const Transition& change : simulator.last_transitions()) out.changes.push_back(change);
  });
  EXPECT_EQ(summary.status, StepStatus::kOk) << Explain(summary.status);
  out.v = simulator.state().v;
  const double gained = simulator.CalcEnergy().Total() - start;
  EXPECT_NEAR(gained, simulator.work() + simulator.constraint_work(), 1e-9) << step;
  return out;
}

// A point of 1 kg on a floor, under carriages: 4.5 kg move along x and 1.5 kg along y.
std::string CarriedPoint(const char* friction, const char* floor, double q_up) {
  return fmt::format(R"(
gravity: [0, 0, -10]
materials:
  point: {{{0}}}
  floor: {{{0}{1}}}
contact: {{creep_speed: 1e-3}}
world: {{geometry: [{{shape: half-space, material: floor}}]}}
bodies:
  - {{name: along_x, mass: 3, inertia: [1, 1, 1]}}
  - {{name: along_y, mass: 0.5, inertia: [1, 1, 1]}}
  - {{name: point, mass: 1, inertia: [1, 1, 1], geometry: [{{shape: points, positions: [[0, 0, 0]], material: point}}]}}
joints:
  - {{name: x, type: prismatic, axis: [1, 0, 0], child: along_x}}
  - {{name: y, type: prismatic, axis: [0, 1, 0], parent: along_x, child: along_y}}
  - {{name: up, type: prismatic, axis: [0, 0, 1], parent: along_y, child: point}}
initial: {{up: {{q: {2:.17g}}}}}
loads: [{{body: point, force: [3.2 * t, 2.4 * t, 0]}}]
)",
                     friction, floor, q_up);
}

Breakaway CarriedReference(std::function<double(double)> friction) {
  return {{4.5, 1.5, 1}, {0.8, 0.6, 0}, 4, std::move(friction)};
}

constexpr double kBreakawaySteps[] = {0.5, 0.125, 0.05, 0.01};

TEST(BreakawayDirection, RigidContactTurnsWithItsSlip) {
  const auto reference = CarriedReference([](double) { return 5.0; }).Solve(1.5);
  for (double step : kBreakawaySteps) {
    const VecX v = RunBreakaway(CarriedPoint("friction: 0.5", "", 0), 1.5, step).v;
    EXPECT_NEAR(v[0], reference.v[0], 1e-8) << step;
    EXPECT_NEAR(v[1], reference.v[1], 1e-8) << step;
  }
}

// Others keep the direction of the force up to a slip of 1e-5 m/s.
TEST(BreakawayDirection, OtherFormulationsAreOffByTheirSlowestSlip) {
  const auto reference = CarriedReference([](double) { return 5.0; }).Solve(1.5);
  for (double step : kBreakawaySteps) {
    const VecX v =
        RunBreakaway(CarriedPoint("friction: 0.5", "", 0), 1.5, step, "max-dissipation").v;
    EXPECT_NEAR(v[0], reference.v[0], 2e-5) << step;
    EXPECT_NEAR(v[1], reference.v[1], 2e-5) << step;
  }
}

// Below a tenth of the creep speed friction is against the slip that impends, and not against the
// slip itself: that is the law of creep here, and makes what is left of a difference.
TEST(BreakawayDirection, SoftContactCreepsAndSlipsOnTime) {
  constexpr double kOfLaw = 2e-6;  // s, m/s
  const Breakaway laws = CarriedReference([](double speed) {
    const double x = std::min(speed / 1e-3, 1.0);
    return 10 * (0.5 - 0.2 * x * x * x * (10 - 15 * x + 6 * x * x));
  });
  const double slips = laws.Solve(1.5, 1e-3).t;
  const Vec3 end = laws.Solve(1.5).v;
  double first_time = 0;
  for (double step : kBreakawaySteps) {
    const auto run = RunBreakaway(CarriedPoint("friction: 0.3, static_friction: 0.5",
                                               ", stiffness: 100000, damping: 100", -1e-4),
                                  1.5, step);
    std::vector<Transition> changes = run.changes;
    std::erase_if(changes, [](const Transition& change) { return change.t < 1; });
    ASSERT_EQ(changes.size(), 2) << step;
    EXPECT_EQ(changes[0].to, Stiction::kCreep);
    EXPECT_NEAR(changes[0].t, 1.25, 1e-8) << step;
    EXPECT_EQ(changes[1].to, Stiction::kSlip);
    EXPECT_NEAR(changes[1].t, slips, kOfLaw) << step;
    EXPECT_NEAR(run.v[0], end[0], kOfLaw) << step;
    EXPECT_NEAR(run.v[1], end[1], kOfLaw) << step;
    if (first_time == 0) first_time = changes[1].t;
    EXPECT_NEAR(changes[1].t, first_time, 1e-9) << step;
  }
}

// With another moment of inertia about each axis. The centre of mass is the joint: N = m g.
TEST(BreakawayDirection, BallJointTurnsWithItsRotation) {
  constexpr double kLimit = 0.5 * 0.1 * 2 * 9.81;
  Breakaway laws{{0.3, 0.1, 0.2}, {0.8, 0.6, 0}, 2, [](double) { return kLimit; }};
  laws.turns = true;
  const Vec3 end = laws.Solve(0.8).v;
  for (double step : {0.8, 0.1, 0.05, 0.01}) {
    const VecX v = RunBreakaway(R"(
bodies: [{name: ball, mass: 2, inertia: [0.3, 0.1, 0.2]}]
joints: [{name: socket, type: ball, child: ball, friction: {kinetic: 0.5, radius: 0.1}}]
loads: [{body: ball, torque: [1.6 * t, 1.2 * t, 0]}]
)",
                                0.8, step)
                       .v;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(v[k], end[k], 1e-7) << step << ' ' << k;
  }
}

}  // namespace
}  // namespace voigt
