// Bodies on two hinges, whose rows repeat each other: what is determined is met, and what is not is
// told.

#include <fmt/format.h>

#include <cmath>

#include "tests/events/event_run.h"
#include "tests/support/scenes.h"
#include "voigt/events/undetermined_friction.h"

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

// Balls that share a load along their line, and guides that do not repeat each other.
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
