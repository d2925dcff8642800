// Bodies on two hinges, whose rows repeat each other: what is determined is met, and what is not is
// told.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/events/event_run.h"
#include "tests/support/scenes.h"
#include "voigt/events/undetermined_friction.h"
#include "voigt/sim/friction_element.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

// A bar that swings about y, its centre of mass 0.5 m below the axis. Hinges that lie to both sides
// of it bear forces of one direction: however they share them, the sum of N and with it friction is
// that of one hinge in the middle.
struct Hinges {
  const char* name;
  const char* joints;
  const char* initial;
  bool is_free;
  std::vector<std::string> open;
};

constexpr char kOneHinge[] =
    "  - {name: one, type: revolute, axis: [0, 1, 0], child: bar, child_frame: {position: [0, 0, "
    "0.5]}, friction: {kinetic: 0.3, radius: 0.05}}\n";
constexpr char kTwoHinges[] =
    "  - {name: left, type: revolute, axis: [0, 1, 0], child: bar, frame: {position: [0, -0.4, "
    "0]}, "
    "child_frame: {position: [0, -0.4, 0.5]}, friction: {kinetic: 0.3, radius: 0.05}}\n"
    "  - {name: right, type: revolute, axis: [0, 1, 0], child: bar, frame: {position: [0, 0.4, "
    "0]}, "
    "child_frame: {position: [0, 0.4, 0.5]}, friction: {kinetic: 0.3, radius: 0.05}}\n";

std::string BarOnHinges(const Hinges& hinges, const char* simulation) {
  std::string joints = hinges.joints;
  if (hinges.is_free) {
    joints = "  - {name: free, type: free, child: bar, tree: tree}\n" + joints;
    for (size_t at = 0; (at = joints.find("type: revolute,", at)) != std::string::npos; at += 15) {
      joints.insert(at, "tree: loop, ");
      at += 12;
    }
  }
  return fmt::format(
      "bodies: [{{name: bar, mass: 2, inertia: [0.3, 0.2, 0.1]}}]\njoints:\n{}"
      "initial: {{{}}}\nsimulation: {{{}}}\n",
      joints, hinges.initial, simulation);
}

const std::vector<Hinges>& HingeCases() {
  static const char* const kFree =
      "free: {position: [0, 0, -0.5], velocity: [-1.5, 0, 0], angular_velocity: [0, 3, 0]}";
  static const std::vector<Hinges> cases = {
      {"one", kOneHinge, "one: {v: 3}", false, {}},
      {"one beside a free joint", kOneHinge, kFree, true, {}},
      {"two",
       kTwoHinges,
       "left: {v: 3}",
       false,
       {"friction of joint 'left'", "friction of joint 'right'"}},
      {"two beside a free joint",
       kTwoHinges,
       kFree,
       true,
       {"friction of joint 'left'", "friction of joint 'right'"}}};
  return cases;
}

struct BarEnd {
  double angle = 0, normal_force = 0;
};

BarEnd RunBar(const Hinges& hinges, const char* simulation) {
  const Scene scene = ParseScene(BarOnHinges(hinges, simulation), "text");
  EXPECT_EQ(ListUndeterminedFriction(scene.model, scene.initial), hinges.open) << hinges.name;
  Simulator simulator(scene.model, scene.settings, scene.initial);
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  EXPECT_EQ(summary.status, StepStatus::kOk) << hinges.name;
  const VecX& q = simulator.state().q;
  BarEnd out;
  out.angle = hinges.is_free ? 2 * std::atan2(q[5], q[3]) : q[0];
  std::vector<GuideReport> guides;
  simulator.ListGuides(&guides);
  for (const GuideReport& guide : guides) out.normal_force += guide.normal_force;
  return out;
}

TEST(TwoHinges, RubTogetherAsOneByEvents) {
  const char* const settings =
      "integrator: event-driven, formulation: working, until: 0.7, step: 0.1";
  const BarEnd one = RunBar(HingeCases()[0], settings);
  EXPECT_GT(std::fabs(one.angle), 0.1);
  for (const Hinges& hinges : HingeCases()) {
    const BarEnd end = RunBar(hinges, settings);
    EXPECT_NEAR(end.angle, one.angle, 1e-9) << hinges.name;
    EXPECT_NEAR(end.normal_force, one.normal_force, 1e-7 * one.normal_force) << hinges.name;
  }
}

TEST(TwoHinges, RubTogetherAsOneInTimeSteps) {
  const BarEnd exact = RunBar(
      HingeCases()[0], "integrator: event-driven, formulation: working, until: 0.7, step: 0.1");
  for (const Hinges& hinges : HingeCases()) {
    for (const double h : {0.004, 0.002, 0.001}) {
      const BarEnd end =
          RunBar(hinges, fmt::format("formulation: compliant, until: 0.7, step: {}", h).c_str());
      EXPECT_NEAR(end.angle, exact.angle, 0.3 * h) << hinges.name << ", step " << h;
      EXPECT_NEAR(end.normal_force, exact.normal_force, 0.02 * exact.normal_force) << hinges.name;
    }
  }
}

// The door of scenes/door.yaml, of which the hinges at ± L/2 bear a pair of forces F, and half each
// of what the motion of the centre of mass, at b from the axis, takes: J α = −μ r (N₁ + N₂).
struct DoorOnHinges {
  double m = 20, b = 0.45, L = 1.6, mu = 0.5, r = 0.02, start = 0.9;  // start: rad/s
  bool has_balls = false;

  double weight() const { return m * 9.81; }
  // Balls bear F = W b/L. Hinges bear moments M besides, F L + 2 M = W b; the sum of F² and of
  // (M/r)², moments as forces at the radius of the bearing, is least where M/r : F = 2 r : L.
  double CalcPair() const { return weight() * b * L / (L * L + (has_balls ? 0 : 4 * r * r)); }
  // Balls rub by half of the weight each, too, in hinges it is along the axis.
  double CalcNormal(double w, double alpha, double sign) const {
    const double along = m * w * w * b / 2 + sign * CalcPair(), across = m * b * alpha / 2;
    return std::hypot(along, across, has_balls ? weight() / 2 : 0);
  }
  double CalcAlpha(double w) const {
    const double J = m * 4 * b * b / 3;
    double alpha = 0;
    for (int k = 0; k < 60; ++k) {
      alpha = -mu * r * (CalcNormal(w, alpha, -1) + CalcNormal(w, alpha, 1)) / J;
    }
    return alpha;
  }
};

// t = ∫ dω/α and the angle ∫ ω dω/α at which it stops, by Simpson's rule.
std::pair<double, double> CalcStop(const DoorOnHinges& door) {
  double t = 0, angle = 0;
  const int count = 200;
  for (int k = 0; k <= count; ++k) {
    const double w = door.start * k / count;
    const double part = (k == 0 || k == count ? 1.0 : k % 2 == 1 ? 4.0 : 2.0) / (3 * count);
    t -= door.start * part / door.CalcAlpha(w);
    angle -= door.start * part * w / door.CalcAlpha(w);
  }
  return {t, angle};
}

void ExpectDoorStops(const DoorOnHinges& door) {
  std::vector<Override> overrides = {{"parameters.r", fmt::format("{}", door.r)}};
  for (const char* type : {"joints.1.type", "joints.2.type"}) {
    overrides.push_back({type, door.has_balls ? "ball" : "revolute"});
  }
  const EventRun run = RunByEvents(testing::LoadNamedScene("door", overrides));
  const auto [t, angle] = CalcStop(door);
  const std::vector<double> stops = run.TimesOf(EventKind::kStick);
  ASSERT_EQ(stops.size(), 2u);
  for (double stop : stops) EXPECT_NEAR(stop, t, 1e-9);
  EXPECT_NEAR(2 * std::atan2(run.end.q[6], run.end.q[3]), angle, 1e-9);
}

TEST(Door, StopsWhenItsHingesStopIt) {
  for (double r : {0.02, 0.05, 0.2}) {
    SCOPED_TRACE(r);
    ExpectDoorStops({.r = r});
  }
}

TEST(Door, StopsSoonerOnBallsThatItsWeightRubsIn) { ExpectDoorStops({.has_balls = true}); }

// Each bears what bearings of their size do: a bearing that is next to nothing has no moments, and
// both have forces alone, as balls do.
TEST(Door, BearsAPairOfForces) {
  for (double r : {1e-9, 0.005, 0.02}) {
    SCOPED_TRACE(r);
    const DoorOnHinges door{.r = r};
    const Scene scene = testing::LoadNamedScene("door", {{"parameters.r", fmt::format("{}", r)}});
    Simulator simulator(scene.model, scene.settings, scene.initial);
    ASSERT_EQ(simulator.Step(0.1), StepStatus::kOk);
    std::vector<GuideReport> guides;
    simulator.ListGuides(&guides);
    ASSERT_EQ(guides.size(), 2u);
    const double w = simulator.state().v[5], alpha = door.CalcAlpha(w);
    for (int k = 0; k < 2; ++k) {
      // That of the upper one is towards the door, less what keeps it on its circle.
      const double N = door.CalcNormal(w, alpha, k == 0 ? 1 : -1);
      EXPECT_NEAR(guides[k].normal_force, N, (r < 1e-3 ? 1e-5 : 1e-9) * N) << k;
    }
  }
}

// The same door without a free joint: one of its hinges is in the tree, whichever is written first.
TEST(Door, StopsTheSameWithAHingeInTheTree) {
  for (const bool has_balls : {false, true}) {
    for (const double first : {0.8, -0.8}) {
      SCOPED_TRACE(fmt::format("{} first at {}", has_balls ? "balls" : "hinges", first));
      const DoorOnHinges door{.has_balls = has_balls};
      const auto hinge = [&](const char* name, double at) {
        return fmt::format(
            "  - {{name: {0}, type: {1}, child: door, frame: {{position: [0, 0, {2}]}}, "
            "child_frame: {{position: [0, 0, {2}]}}, friction: {{kinetic: {3}, radius: {4}}}}}\n",
            name, has_balls ? "ball" : "revolute", at, door.mu, door.r);
      };
      const EventRun run = RunByEvents(fmt::format(
          "bodies: [{{name: door, mass: 20, com: [0.45, 0, 0], inertia: [6.667, 8.017, 1.35]}}]\n"
          "joints:\n{}{}initial: {{a: {{{}}}}}\n"
          "simulation: {{integrator: event-driven, formulation: working, until: 5, step: 0.1}}\n",
          hinge("a", first), hinge("b", -first),
          has_balls ? "angular_velocity: [0, 0, 0.9]" : "v: 0.9"));
      const auto [t, angle] = CalcStop(door);
      const std::vector<double> stops = run.TimesOf(EventKind::kStick);
      ASSERT_EQ(stops.size(), 2u);
      for (double stop : stops) EXPECT_NEAR(stop, t, 1e-9);
      const VecX& q = run.end.q;
      EXPECT_NEAR(has_balls ? 2 * std::atan2(q[3], q[0]) : q[0], angle, 1e-9);
    }
  }
}

// And in time steps to first order, by each formulation, which finds forces of its own where hinges
// repeat each other.
TEST(Door, StopsInTimeStepsOfAnyFormulation) {
  const DoorOnHinges door;
  const double angle = CalcStop(door).second;
  for (const char* formulation :
       {"compliant", "max-dissipation", "stabilized-lcp", "mlcp-lemke", "mlcp-fb-rlm",
        "mlcp-fb-plm", "mncp-rlm", "mncp-plm", "compliant-qcqp"}) {
    double before = 0;
    for (const double h : {0.02, 0.01, 0.005}) {
      SCOPED_TRACE(fmt::format("{} step {}", formulation, h));
      const Scene scene =
          testing::LoadNamedScene("door", {{"simulation.integrator", "semi-implicit-euler"},
                                           {"simulation.formulation", formulation},
                                           {"simulation.step", fmt::format("{}", h)}});
      Simulator simulator(scene.model, scene.settings, scene.initial);
      EXPECT_EQ(voigt::Run(&simulator, nullptr).status, StepStatus::kOk);
      const VecX& q = simulator.state().q;
      const double error = 2 * std::atan2(q[6], q[3]) - angle;
      EXPECT_LT(std::fabs(error), 1.6 * h);
      if (before != 0) {
        EXPECT_NEAR(error / before, 0.5, 0.02);
      }
      before = error;
      EXPECT_LT(simulator.state().v.norm(), 1e-9);
      std::vector<GuideReport> guides;
      simulator.ListGuides(&guides);
      ASSERT_EQ(guides.size(), 2u);
      for (const GuideReport& guide : guides) {
        EXPECT_NEAR(guide.normal_force, door.CalcPair(), 1e-6);
        EXPECT_EQ(guide.state, Stiction::kStick);
      }
    }
  }
}

// Doors that have nothing to do with each other but a frame stop as each does alone, and their
// hinges bear what those of one door do.
std::string WriteDoors(const std::vector<DoorOnHinges>& doors, const char* simulation) {
  std::string bodies, joints, initial;
  for (size_t i = 0; i < doors.size(); ++i) {
    const DoorOnHinges& door = doors[i];
    const double part = door.m / 20;
    bodies +=
        fmt::format("  - {{name: door{}, mass: {}, com: [0.45, 0, 0], inertia: [{}, {}, {}]}}\n", i,
                    door.m, part * 6.667, part * 8.017, part * 1.35);
    for (const double z : {0.8, -0.8}) {
      joints += fmt::format(
          "  - {{name: {1}{0}, type: revolute, parent: frame, child: door{0}, frame: {{position: "
          "[0, {2}, {3}]}}, child_frame: {{position: [0, 0, {3}]}}, friction: {{kinetic: {4}, "
          "radius: {5}}}}}\n",
          i, z > 0 ? "upper" : "lower", i, z, door.mu, door.r);
    }
    initial += fmt::format("upper{}: {{v: {}}}, ", i, door.start);
  }
  return fmt::format(
      "bodies:\n  - {{name: frame, mass: 5, inertia: [1, 1, 1]}}\n{}joints:\n"
      "  - {{name: weld, type: fixed, child: frame}}\n{}initial: {{{}}}\nsimulation: {{{}}}\n",
      bodies, joints, initial, simulation);
}

const std::vector<DoorOnHinges>& ThreeDoors() {
  static const std::vector<DoorOnHinges> doors = {
      {}, {.m = 30, .mu = 0.4, .r = 0.05, .start = 0.7}, {.m = 12, .r = 0.03, .start = 0.5}};
  return doors;
}

TEST(Door, StopsAmongOthersAsItDoesAlone) {
  const EventRun run = RunByEvents(WriteDoors(
      ThreeDoors(), "integrator: event-driven, formulation: working, until: 5, step: 0.1"));
  std::vector<double> expected;
  for (size_t i = 0; i < ThreeDoors().size(); ++i) {
    const auto [t, angle] = CalcStop(ThreeDoors()[i]);
    expected.insert(expected.end(), 2, t);
    EXPECT_NEAR(run.end.q[static_cast<int>(i)], angle, 1e-9) << i;
  }
  std::sort(expected.begin(), expected.end());
  const std::vector<double> stops = run.TimesOf(EventKind::kStick);
  ASSERT_EQ(stops.size(), expected.size());
  for (size_t k = 0; k < stops.size(); ++k) EXPECT_NEAR(stops[k], expected[k], 1e-9);
}

TEST(Door, BearsAmongOthersWhatItBearsAlone) {
  const Scene scene = ParseScene(WriteDoors(ThreeDoors(), "step: 0.01, until: 5"), "text");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  EXPECT_EQ(voigt::Run(&simulator, nullptr).status, StepStatus::kOk);
  std::vector<GuideReport> guides;
  simulator.ListGuides(&guides);
  ASSERT_EQ(guides.size(), 6u);
  const FrictionNames names(scene.model);
  for (const GuideReport& guide : guides) {
    const std::string& name = names.guides()[guide.guide];
    const double N = ThreeDoors()[name[name.size() - 2] - '0'].CalcPair();  // …0'
    EXPECT_NEAR(guide.normal_force, N, 1e-9 * N) << name;
  }
}

// Guides that repeat each other, and some that do not.
TEST(TwoHinges, AreToldWhereTheirShareIsOpen) {
  const auto list = [](const char* name) {
    const Scene scene = testing::LoadNamedScene(name);
    return ListUndeterminedFriction(scene.model, scene.initial);
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(list("door"), (Names{"friction of joint 'upper'", "friction of joint 'lower'"}));
  // Its weight may be borne by the table or by the rail.
  EXPECT_EQ(list("drawer"),
            (Names{"friction of constraint 'front'", "friction of constraint 'back'"}));
  EXPECT_EQ(list("pin_friction"), Names{});
  EXPECT_EQ(list("bead_on_wire"), Names{});
}

}  // namespace
}  // namespace voigt
