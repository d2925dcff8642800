// Rates and accelerations of motion that is prescribed: exact at any frequency, and across kinks.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <memory>

#include "tests/events/event_run.h"
#include "voigt/base/errors.h"
#include "voigt/constraints/row_writer.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::EventSettings;
using testing::RunByEvents;

std::string TimeSteps(double until, double step) {
  return fmt::format("simulation: {{formulation: compliant, until: {}, step: {}}}\n", until, step);
}

constexpr char kShaker[] = R"(
gravity: [0, 0, 0]
bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: rail, type: prismatic, axis: [1, 0, 0], child: a}]
)";

// 1 kg that is shaken by 1 mm at 50 Hz needs m A ω² = 98.7 N where it turns.
TEST(PrescribedRates, ShakerHasItsForce) {
  for (const double hertz : {5, 50, 500}) {
    const double w = 2 * kPi * hertz, quarter = 0.25 / hertz;
    const EventRun run = RunByEvents(
        std::string(kShaker) +
        fmt::format(
            "drives: [{{type: prescribed, joint: rail, position: 0.001 * sin(2 * pi * {} * t)}}]\n",
            hertz) +
        EventSettings(quarter, quarter / 3));
    EXPECT_NEAR(run.summary.prescribed_force[0], -1e-3 * w * w, 1e-9 * 1e-3 * w * w) << hertz;
    EXPECT_NEAR(run.end.q[0], 1e-3, 1e-15);
    EXPECT_NEAR(run.summary.Drift(), 0, 1e-9 * 0.5e-6 * w * w) << hertz;
  }
}

// However long steps may be: the error estimate of the integrator sees nothing of a function of
// time that is the same at both ends of a step.
TEST(PrescribedRates, StepsFollowWhatIsFast) {
  const double w = 100 * kPi, until = 1.003;
  for (const char* drive :
       {"drives: [{type: prescribed, joint: rail, position: 0.001 * sin(100 * pi * t)}]\n",
        "constraints: [{type: prescribed-point, body: a, position: [0.001 * sin(100 * pi * t), 0, "
        "0]}]\n"}) {
    const EventRun run =
        RunByEvents(std::string(kShaker) + "loads: [{body: a, force: [2 * t, 0, 0]}]\n" + drive +
                    EventSettings(until, until));
    EXPECT_NEAR(run.end.q[0], 1e-3 * std::sin(w * until), 1e-13) << drive;
    // Four times in each of fifty periods ½ m v² goes in or out.
    EXPECT_NEAR(run.summary.Drift(), 0, 1e-9 * 200 * 0.5e-6 * w * w) << drive;
  }
}

// In time steps it is the mean over the steps before and after: m A ω² (sin(ωh/2)/(ωh/2))².
TEST(PrescribedRates, ShakerInTimeSteps) {
  const double w = 100 * kPi, exact = 1e-3 * w * w;
  double last = 0;
  for (const double h : {5e-4, 2.5e-4}) {
    const Scene scene = ParseScene(
        std::string(kShaker) +
            "drives: [{type: prescribed, joint: rail, position: 0.001 * sin(2 * pi * 50 * t)}]\n" +
            TimeSteps(0.005 + h, h),
        "text");
    Simulator simulator(scene.model, scene.settings, scene.initial);
    const RunSummary summary = voigt::Run(&simulator, nullptr);
    const double half = 0.5 * w * h, mean = std::pow(std::sin(half) / half, 2);
    EXPECT_NEAR(summary.prescribed_force[0], -exact * mean, 1e-9 * exact) << h;
    const double error = 1 + summary.prescribed_force[0] / exact;
    if (last != 0) {  // of second order
      EXPECT_NEAR(last / error, 4, 0.02);
    }
    last = error;
  }
}

// The same by a point, a speed and a motor that are told what to do.
TEST(PrescribedRates, PointsAndSpeedsHaveTheirWork) {
  const double w = 100 * kPi;
  for (const char* drive :
       {"constraints: [{type: prescribed-point, body: a, position: [0.001 * sin(100 * pi * t), 0, "
        "0]}]\n",
        "constraints: [{type: constant-speed, terms: [{joint: rail, factor: 1}], speed: 0.1 * pi * "
        "cos(100 * pi * t)}]\n",
        "drives: [{type: motor, joint: rail, rate: 0.1 * pi * cos(100 * pi * t)}]\n"}) {
    const double until = 0.0125 + 1e-3;  // between turns
    const EventRun run = RunByEvents(std::string(kShaker) + drive + EventSettings(until, 1e-3));
    EXPECT_NEAR(run.end.v[0], 1e-3 * w * std::cos(w * until), 1e-10) << drive;
    EXPECT_NEAR(run.end.q[0], 1e-3 * std::sin(w * until), 1e-12) << drive;
    EXPECT_NEAR(run.summary.Drift(), 0, 1e-10) << drive;
    EXPECT_EQ(run.summary.moments.failed, 0) << drive;
  }
}

// A pendulum, m = 2, I = 0.1, centre of mass 0.5 below its pivot, which moves along x.
std::string Pendulum(const std::string& drive, double friction = 0, double speed = 0) {
  return fmt::format(R"(
bodies:
  - {{name: carriage, mass: 1, inertia: [1, 1, 1]}}
  - {{name: bob, mass: 2, inertia: [0.1, 0.1, 0.1]}}
joints:
  - {{name: rail, type: prismatic, axis: [1, 0, 0], child: carriage}}
  - {{name: pin, type: revolute, axis: [0, -1, 0], parent: carriage, child: bob,
     child_frame: {{position: [0, 0, 0.5]}}, friction: {{kinetic: {}, radius: 0.02}}}}
initial: {{rail: {{v: {}}}, pin: {{q: 0.4}}}}
)",
                     friction, speed) +
         drive;
}
constexpr double kInertia = 0.1 + 2 * 0.25, kMoment = 2 * 0.5;  // about the pivot, and m l

// θ̈ = −(m l/I) (g sin θ + ẍ cos θ), in 1e5 steps of Runge and Kutta.
std::array<double, 2> IntegratePendulum(std::array<double, 2> y, double until,
                                        const std::function<double(double)>& x_ddot) {
  const auto rate = [&](double t, const std::array<double, 2>& at) -> std::array<double, 2> {
    const double pull = 9.81 * std::sin(at[0]) + x_ddot(t) * std::cos(at[0]);
    return {at[1], -kMoment / kInertia * pull};
  };
  const int n = 100000;
  const double h = until / n;
  for (int k = 0; k < n; ++k) {
    const auto along = [&](const std::array<double, 2>& r, double s) {
      return std::array<double, 2>{y[0] + s * r[0], y[1] + s * r[1]};
    };
    const auto a = rate(k * h, y), b = rate((k + 0.5) * h, along(a, 0.5 * h));
    const auto c = rate((k + 0.5) * h, along(b, 0.5 * h)), d = rate((k + 1) * h, along(c, h));
    for (int i = 0; i < 2; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return y;
}

TEST(PrescribedRates, PendulumOnAShakenPivotKeepsItsBalance) {
  for (const double hertz : {15, 40}) {
    const double w = 2 * kPi * hertz;
    const std::string s = fmt::format("0.004 * sin(2 * pi * {} * t)", hertz);
    for (const std::string& drive :
         {fmt::format("drives: [{{type: prescribed, joint: rail, position: {}}}]\n", s),
          fmt::format(
              "constraints: [{{type: prescribed-point, body: carriage, position: [{}, 0, 0]}}]\n",
              s)}) {
      const auto exact = IntegratePendulum(
          {0.4, 0}, 1, [&](double t) { return -0.004 * w * w * std::sin(w * t); });
      for (const double step : {0.05, 1.0}) {
        const EventRun run = RunByEvents(Pendulum(drive, 0, 0.004 * w) + EventSettings(1, step));
        EXPECT_NEAR(run.end.q[1], exact[0], 1e-8) << drive << step;
        EXPECT_NEAR(run.end.v[1], exact[1], 1e-7) << drive << step;
        EXPECT_NEAR(run.summary.Drift(), 0, 1e-8) << drive << step;
      }
      const EventRun rubs = RunByEvents(Pendulum(drive, 0.3, 0.004 * w) + EventSettings(1, 0.05));
      EXPECT_NEAR(rubs.summary.Drift(), 0, 1e-7) << drive;
      EXPECT_GT(rubs.summary.events.events(), 0);
    }
  }
}

// A carriage that sets off at once with 0.3 m/s: its pendulum lags behind, θ̇ = −(m l/I) 0.3 cos θ,
// and swings as if in a frame that goes along. However the function is written, whatever moments
// the run is asked for, and by rows as well.
TEST(PrescribedRates, KinkIsAnImpulse) {
  const double until = 1.3, kink = 0.45;
  std::array<double, 2> exact = IntegratePendulum({0.4, 0}, kink, [](double) { return 0; });
  exact[1] -= kMoment / kInertia * 0.3 * std::cos(exact[0]);
  exact = IntegratePendulum(exact, until - kink, [](double) { return 0; });
  for (const char* s : {"t < 0.45 ? 0 : 0.3 * (t - 0.45)", "t <= 0.45 ? 0 : 0.3 * (t - 0.45)",
                        "0.3 * max(0, t - 0.45)", "0.15 * (t - 0.45 + abs(t - 0.45))"}) {
    for (const double step : {1.3, 0.1, 0.05}) {
      for (const std::string& drive :
           {fmt::format("drives: [{{type: prescribed, joint: rail, position: '{}'}}]\n", s),
            fmt::format("constraints: [{{type: prescribed-point, body: carriage, position: ['{}', "
                        "0, 0]}}]\n",
                        s)}) {
        const EventRun run = RunByEvents(Pendulum(drive) + EventSettings(until, step));
        EXPECT_NEAR(run.end.q[0], 0.3 * 0.85, 1e-12) << drive;
        EXPECT_NEAR(run.end.q[1], exact[0], 1e-9) << drive << step;
        EXPECT_NEAR(run.end.v[1], exact[1], 1e-8) << drive << step;
        EXPECT_NEAR(run.summary.Drift(), 0, 1e-9) << drive << step;
      }
    }
  }
}

// In time steps the same, to first order.
TEST(PrescribedRates, KinkInTimeStepsIsTheSame) {
  const std::string text =
      Pendulum("drives: [{type: prescribed, joint: rail, position: '0.3 * max(0, t - 0.45)'}]\n");
  const EventRun exact = RunByEvents(text + EventSettings(1.3, 1.3));
  double last = 0;
  for (const double h : {2e-3, 1e-3}) {
    const Scene scene = ParseScene(text + TimeSteps(1.3, h), "text");
    Simulator simulator(scene.model, scene.settings, scene.initial);
    voigt::Run(&simulator, nullptr);
    const double error = (simulator.state().q - exact.end.q).norm();
    EXPECT_LT(error, 5 * h);
    if (last > 0) {
      EXPECT_NEAR(last / error, 2, 0.3);
    }
    last = error;
  }
}

// A table that sets off upwards throws what lies on it, by the restitution of both.
TEST(PrescribedRates, KinkStrikesWhatLiesOnATable) {
  const std::string table = R"(
bodies:
  - {name: table, mass: 3, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1}]}
  - {name: ball, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1}]}
joints:
  - {name: lift, type: prismatic, axis: [0, 0, 1], child: table}
  - {name: fly, type: prismatic, axis: [0, 0, 1], child: ball, frame: {position: [0, 0, 0.2]}}
drives: [{type: prescribed, joint: lift, position: 't < 0.5 ? 0 : 0.4 * (t - 0.5)'}]
)";
  for (const double e : {0.0, 0.5}) {
    const EventRun run =
        RunByEvents(fmt::format("materials: {{default: {{friction: 0, restitution: {}}}}}\n", e) +
                    table + EventSettings(0.51, 0.02));
    EXPECT_NEAR(run.end.v[0], 0.4, 1e-12);
    EXPECT_NEAR(run.end.v[1], e == 0 ? 0.4 : 0.6 - 9.81 * 0.01, 1e-9) << e;
    EXPECT_EQ(run.summary.events.impacts, 1);
    EXPECT_EQ(run.TimesOf(EventKind::kImpact)[0], 0.5);
    EXPECT_NEAR(run.summary.Drift(), 0, 1e-9);
  }
}

TEST(PrescribedRates, JumpOfAPlaceEndsTheRunByName) {
  for (const char* drive :
       {"drives: [{name: hop, type: prescribed, joint: rail, position: 't < 0.5 ? 0 : 0.1'}]\n",
        "drives: [{name: hop, type: prescribed, joint: rail, position: 't <= 0.5 ? 0 : 0.1'}]\n",
        "constraints: [{name: hop, type: prescribed-point, body: a, position: ['0.1*step(t - "
        "0.5)', 0, 0]}]\n"}) {
    const Scene scene = ParseScene(std::string(kShaker) + drive + EventSettings(1, 0.1), "text");
    Simulator simulator(scene.model, scene.settings, scene.initial);
    const RunSummary summary = voigt::Run(&simulator, nullptr);
    EXPECT_EQ(summary.status, StepStatus::kContradiction);
    EXPECT_NE(summary.trouble.find("'hop'"), std::string::npos) << summary.trouble;
  }
}

// Speeds are those of the moment, and may stay zero for long.
TEST(PrescribedRates, SpeedsBeginWhereTheyDo) {
  const auto drive = [](const char* speed) {
    return fmt::format(
        "constraints: [{{type: constant-speed, terms: [{{joint: rail, factor: 1}}], speed: "
        "'{}'}}]\n",
        speed);
  };
  const Scene scene =
      ParseScene(std::string(kShaker) + drive("2 + 5 * t") + EventSettings(1, 0.1), "text");
  EXPECT_EQ(scene.initial.v[0], 2);
  const EventRun late =
      RunByEvents(std::string(kShaker) + drive("t < 2 ? 0 : t - 2") + EventSettings(3, 0.5));
  EXPECT_NEAR(late.end.v[0], 1, 1e-12);
  EXPECT_NEAR(late.end.q[0], 0.5, 1e-12);
  // One that jumps takes an impulse.
  const EventRun jump =
      RunByEvents(std::string(kShaker) + drive("t < 2 ? 0 : 3") + EventSettings(3, 0.8));
  EXPECT_NEAR(jump.end.v[0], 3, 1e-12);
  EXPECT_NEAR(jump.end.q[0], 3, 1e-12);
  EXPECT_NEAR(jump.summary.Drift(), 0, 1e-10);
}

// A point of the only body that is told where to be by a function of one's own.
class LedPoint final : public Constraint {
 public:
  using Function = std::function<double(double)>;
  LedPoint(Function s, Function rate, Function curvature)
      : Constraint("led point"),
        s_(std::move(s)),
        rate_(std::move(rate)),
        curvature_(std::move(curvature)) {}

  bool IsHolonomic() const override { return true; }
  bool IsPrescribed() const override { return true; }
  bool AddTimeRates(const ConstraintContext& at, std::vector<TimeRates>* out) const override {
    if (!rate_) return false;
    out->push_back({-rate_(at.t), -curvature_(at.t)});
    return true;
  }
  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Vec3 p = CalcBodyPose(at.model, at.kin, 1).p;
    rows->BeginOnBodies(Law::kBilateral, 0, 1);
    Row* const row = rows->AddWrench(p[0] - s_(at.t), p, Vec3::Zero(), Vec3::UnitX());
    row->phi_t = -(s_(at.t + at.h) - s_(at.t)) / at.h;
    SetSpring({}, at.h, row);
  }

 private:
  Function s_, rate_, curvature_;
};

RunSummary RunLed(LedPoint::Function s, LedPoint::Function rate, LedPoint::Function curvature,
                  double until, State* end) {
  Scene scene = ParseScene(std::string(kShaker) + EventSettings(until, until / 3), "text");
  ModelSpec spec = scene.model.spec();
  spec.user_constraints.push_back(std::make_shared<LedPoint>(s, rate, curvature));
  const Model model = ModelBuilder(std::move(spec)).Build();
  State start = scene.initial;
  start.v[0] = rate ? rate(0) : 0;
  Simulator simulator(model, scene.settings, start);
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  *end = simulator.state();
  return summary;
}

// Without rates they are differences, as good as they say: at any of these frequencies.
TEST(PrescribedRates, FunctionsOfOnesOwnWithAndWithoutRates) {
  for (const double hertz : {0.5, 5.0, 50.0, 500.0}) {
    const double w = 2 * kPi * hertz, until = 0.4 / hertz;
    const auto s = [w](double t) { return 1e-3 * (1 - std::cos(w * t)); };
    const auto rate = [w](double t) { return 1e-3 * w * std::sin(w * t); };
    const auto curvature = [w](double t) { return 1e-3 * w * w * std::cos(w * t); };
    State end;
    const RunSummary exact = RunLed(s, rate, curvature, until, &end);
    EXPECT_EQ(exact.status, StepStatus::kOk);
    EXPECT_NEAR(end.v[0], rate(until), 1e-12 * w);
    EXPECT_NEAR(exact.Drift(), 0, 1e-7 * 0.5e-6 * w * w) << hertz;
    const RunSummary differences = RunLed(s, nullptr, nullptr, until, &end);
    EXPECT_EQ(differences.status, StepStatus::kOk) << hertz;
    EXPECT_NEAR(end.v[0], rate(until), 1e-6 * 1e-3 * w) << hertz;
    EXPECT_NEAR(differences.Drift(), 0, 1e-5 * 1e-6 * w * w) << hertz;
  }
}

// What differences cannot tell is no number: the run ends, and says where.
TEST(PrescribedRates, KinksOfFunctionsWithoutRatesAreNotSmoothedOver) {
  const auto ramp = [](double t) { return t < 0.5 ? 0 : 0.3 * (t - 0.5); };
  State end;
  const RunSummary run = RunLed(ramp, nullptr, nullptr, 1, &end);
  EXPECT_EQ(run.status, StepStatus::kToleranceNotReached);
  EXPECT_NE(run.trouble.find("led point"), std::string::npos) << run.trouble;
}

}  // namespace
}  // namespace voigt
