#include "voigt/model/constraint_checks.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/specs.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

using testing::MakeBody;
using testing::MakeJoint;

ConstraintSpec MakeConstraint(decltype(ConstraintSpec::kind) kind) {
  ConstraintSpec spec;
  spec.name = "c";
  spec.kind = std::move(kind);
  return spec;
}

// Bodies a, b on a pin, a ball, a sleeve, and a fixed joint; one constraint of every kind.
ModelSpec SpecWithConstraints() {
  ModelSpec spec;
  spec.bodies = {MakeBody("a"), MakeBody("b"), MakeBody("c"), MakeBody("d")};
  spec.joints = {MakeJoint("pin", JointType::kRevolute, "world", "a"),
                 MakeJoint("ball", JointType::kBall, "a", "b"),
                 MakeJoint("sleeve", JointType::kCylindrical, "b", "c"),
                 MakeJoint("weld", JointType::kFixed, "c", "d")};
  const PointOnBody A{"a", Vec3::Zero()}, B{"b", Vec3::UnitX()};
  spec.constraints = {
      MakeConstraint(DistanceSpec{A, B, 1, Side::kBelow}),
      MakeConstraint(PointOnLineSpec{A, B, Vec3::UnitX()}),
      MakeConstraint(PointOnCircleSpec{A, B, Vec3::UnitX(), 0.5}),
      MakeConstraint(PointInPlaneSpec{A, B, Vec3::UnitX(), Side::kAbove}),
      MakeConstraint(CouplerSpec{{{"pin", 0, 1}, {"sleeve", 1, -2}}, 0.5}),
      MakeConstraint(JointLockSpec{"ball", {1, 0, 0, 0}}),
      MakeConstraint(RollingSpec{{}, B, Vec3::UnitZ(), 0.3, Vec3(Vec3::UnitY()), true}),
      MakeConstraint(KnifeEdgeSpec{B, Vec3::UnitY(), "world"}),
      MakeConstraint(ConstantSpeedSpec{{{"ball", 2, 1}}, TimeFunction::Parse("t")}),
      MakeConstraint(PrescribedPointSpec{B, "a", {1, 2, TimeFunction::Parse("t")}}),
  };
  Motor motor;
  motor.name = "m";
  motor.joint = "sleeve";
  motor.rate = {1, 2};
  motor.force_limit = {3};
  spec.motors = {motor};
  PrescribedJoint motion;
  motion.name = "p";
  motion.joint = "pin";
  motion.position = {TimeFunction::Parse("sin(t)")};
  spec.prescribed_joints = {motion};
  Servo servo;
  servo.name = "s";
  servo.joint = "sleeve";
  servo.stiffness = {1};
  servo.target = {0, 0};
  servo.force_limit = {1, kInfinity};
  spec.servos = {servo};
  return spec;
}

TEST(ConstraintChecks, FindNothingWrongWithGoodConstraints) {
  EXPECT_TRUE(ModelBuilder(SpecWithConstraints()).Check().empty());
}

// One thing spoilt, and the one problem that results.
struct SpoiltSpec {
  std::function<void(ModelSpec*)> spoil;
  std::string element, message;
};

void Expect(const std::vector<SpoiltSpec>& cases) {
  for (const SpoiltSpec& c : cases) {
    ModelSpec spec = SpecWithConstraints();
    c.spoil(&spec);
    const auto problems = ModelBuilder(spec).Check().problems();
    ASSERT_EQ(problems.size(), 1u) << c.message;
    EXPECT_EQ(problems[0].element, c.element);
    EXPECT_EQ(problems[0].message, c.message);
  }
}

template <typename Kind>
Kind& Get(ModelSpec* spec) {
  for (ConstraintSpec& constraint : spec->constraints) {
    if (Kind* kind = std::get_if<Kind>(&constraint.kind)) return *kind;
  }
  throw std::logic_error("no such constraint");
}

TEST(ConstraintChecks, NameTheConstraintAndWhatIsWrong) {
  const std::string c = "constraint 'c'";
  Expect({
      {[](ModelSpec* s) { Get<DistanceSpec>(s).A.body = "x"; }, c, "body 'x' does not exist"},
      {[](ModelSpec* s) { Get<DistanceSpec>(s).A.body = "b"; }, c, "connects body 'b' with itself"},
      {[](ModelSpec* s) { Get<DistanceSpec>(s).length = -1; }, c,
       "length = -1, expected a positive number"},
      {[](ModelSpec* s) { Get<DistanceSpec>(s).B.point[1] = kInfinity; }, c,
       "point = [1, inf, 0], expected finite numbers"},
      {[](ModelSpec* s) { Get<PointOnLineSpec>(s).direction.setZero(); }, c,
       "direction = [0, 0, 0], expected a direction that is not zero"},
      {[](ModelSpec* s) { Get<PointOnCircleSpec>(s).radius = 0; }, c,
       "radius = 0, expected a positive number"},
      {[](ModelSpec* s) { Get<PointOnCircleSpec>(s).normal.setZero(); }, c,
       "normal = [0, 0, 0], expected a direction that is not zero"},
      {[](ModelSpec* s) { s->constraints[0].friction.mu_static = 0.1; }, c,
       "friction belongs to points on lines, on circles and in planes"},
      {[](ModelSpec* s) { s->constraints[1].friction = {0.3, 0.2, 0, 0}; }, c,
       "friction: static = 0.2, expected at least the kinetic 0.3"},
      {[](ModelSpec* s) { s->constraints[1].friction = {0.3, 0.3, -1, 0}; }, c,
       "friction: drop_speed = -1, expected a finite number ≥ 0"},
      {[](ModelSpec* s) { s->joints[0].reaction_friction = {0.3, 0.3, 0, 0}; }, "joint 'pin'",
       "friction: radius is missing, expected that of the bearing or thread in m"},
      {[](ModelSpec* s) { s->joints[2].reaction_friction = {0.3, 0.3, 0, 0}; }, "joint 'sleeve'",
       "friction by the reaction belongs to revolute, prismatic, ball and screw joints, not to a "
       "cylindrical joint"},
      {[](ModelSpec* s) { s->joints[2].reaction_friction.radius = 1; }, "joint 'sleeve'",
       "friction: radius belongs to revolute, ball and screw joints only"},
      {[](ModelSpec* s) { Get<PointInPlaneSpec>(s).normal.setZero(); }, c,
       "normal = [0, 0, 0], expected a direction that is not zero"},
      {[](ModelSpec* s) { Get<CouplerSpec>(s).terms.clear(); }, c, "has no terms"},
      {[](ModelSpec* s) { Get<CouplerSpec>(s).terms[0].joint = "x"; }, c,
       "joint 'x' does not exist"},
      {[](ModelSpec* s) { Get<CouplerSpec>(s).terms[0].joint = "ball"; }, c,
       "joint 'ball': a ball joint has no scalar coordinates"},
      {[](ModelSpec* s) { Get<CouplerSpec>(s).terms[0].dof = 1; }, c,
       "dof = 1 of joint 'pin', expected 0"},
      {[](ModelSpec* s) { Get<CouplerSpec>(s).terms[1].dof = 2; }, c,
       "dof = 2 of joint 'sleeve', expected 0 to 1"},
      {[](ModelSpec* s) { Get<CouplerSpec>(s).terms[1].factor = 0; }, c,
       "joint 'sleeve' has the factor 0"},
      {[](ModelSpec* s) { Get<CouplerSpec>(s).terms[1] = {"pin", 0, 3}; }, c,
       "joint 'pin' has two terms for the same coordinate"},
      {[](ModelSpec* s) { Get<CouplerSpec>(s).offset = kInfinity; }, c,
       "offset = inf, expected a finite number"},
      {[](ModelSpec* s) { Get<JointLockSpec>(s).at = {1, 0}; }, c, "at has 2 values, expected 4"},
      {[](ModelSpec* s) { Get<JointLockSpec>(s).at = {1, 1, 0, 0}; }, c,
       "the orientation it is locked at is not a unit quaternion"},
      {[](ModelSpec* s) { Get<JointLockSpec>(s) = {"weld", {}}; }, c,
       "locks a fixed joint, which does not move"},
      {[](ModelSpec* s) { Get<RollingSpec>(s).radius = 0; }, c,
       "radius = 0, expected a positive number"},
      {[](ModelSpec* s) { Get<RollingSpec>(s).axis = Vec3(Vec3::Zero()); }, c,
       "axis = [0, 0, 0], expected a direction that is not zero"},
      {[](ModelSpec* s) { Get<KnifeEdgeSpec>(s).on = "b"; }, c, "connects body 'b' with itself"},
      {[](ModelSpec* s) { Get<ConstantSpeedSpec>(s).speed = kInfinity; }, c,
       "speed = inf, expected a finite number"},
      {[](ModelSpec* s) { Get<ConstantSpeedSpec>(s).terms[0] = {"weld", 0, 1}; }, c,
       "joint 'weld' is fixed and has no rates"},
      {[](ModelSpec* s) { Get<PrescribedPointSpec>(s).position[0] = kInfinity; }, c,
       "position = inf, expected a finite number"},
  });
}

TEST(ConstraintChecks, CheckStiffnessAndDamping) {
  const std::string c = "constraint 'c'";
  const auto set = [](int i, double stiffness, double damping) {
    return [=](ModelSpec* spec) {
      spec->constraints[i].stiffness = stiffness;
      spec->constraints[i].damping = damping;
    };
  };
  Expect({
      {set(0, -1, 0), c, "stiffness = -1, expected a number ≥ 0"},
      {set(0, 1, -2), c, "damping = -2, expected a finite number ≥ 0"},
      {set(0, 0, 0), c, "stiffness and damping are both 0: it would do nothing"},
      {set(0, kInfinity, 2), c,
       "damping without stiffness: what is rigid has none; give a stiffness, 0 for a mere damper"},
      {set(6, 5, 0), c,
       "stiffness belongs to constraints of positions; this one is about velocities"},
      {[](ModelSpec* s) { s->joints[0].limit_stiffness = -3; }, "joint 'pin'",
       "limit stiffness = -3, expected a number ≥ 0"},
      {[](ModelSpec* s) { s->joints[0].loop_damping = 3; }, "joint 'pin'",
       "loop damping without loop stiffness: what is rigid has none; give a stiffness, 0 for a "
       "mere damper"},
  });
}

TEST(ConstraintChecks, CheckDrives) {
  Expect({
      {[](ModelSpec* s) { s->motors[0].joint = "x"; }, "motor 'm'", "joint 'x' does not exist"},
      {[](ModelSpec* s) { s->motors[0].joint = "weld"; }, "motor 'm'",
       "drives a fixed joint, which does not move"},
      {[](ModelSpec* s) { s->motors[0].rate = {1}; }, "motor 'm'", "rate has 1 values, expected 2"},
      {[](ModelSpec* s) { s->motors[0].gain = {1, 2, 3}; }, "motor 'm'",
       "gain has 3 values, expected 1 or 2"},
      {[](ModelSpec* s) { s->motors[0].force_limit = {0}; }, "motor 'm'",
       "force limit = 0, expected a positive number"},
      {[](ModelSpec* s) { s->prescribed_joints[0].joint = "ball"; }, "prescribed motion 'p'",
       "position has 1 values, expected 3"},
      {[](ModelSpec* s) { s->prescribed_joints[0].joint = "weld"; }, "prescribed motion 'p'",
       "moves a fixed joint, which does not move"},
      {[](ModelSpec* s) { s->prescribed_joints[0].position = {1, 2}; }, "prescribed motion 'p'",
       "position has 2 values, expected 1"},
      {[](ModelSpec* s) { s->servos[0].force_limit = {-1}; }, "servo 's'",
       "force limit = -1, expected a positive number"},
      {[](ModelSpec* s) { s->servos[0].force_limit = {1, 2, 3}; }, "servo 's'",
       "force limit has 3 values, expected 1 or 2"},
  });
}

TEST(ConstraintChecks, CheckConesAndLoops) {
  Expect({
      {[](ModelSpec* s) { s->joints[1].cone_limit = 4; }, "joint 'ball'",
       "cone limit = 4, expected an angle between 0 and π"},
      {[](ModelSpec* s) { s->joints[0].cone_limit = 1; }, "joint 'pin'",
       "a cone limit belongs to ball joints only"},
      {[](ModelSpec* s) {
         s->joints.push_back(MakeJoint("loop", JointType::kRevolute, "world", "b"));
         s->joints.back().tree = TreeChoice::kLoop;
         s->joints.back().lower = {-5};
         s->joints.back().upper = {5};
       },
       "joint 'loop'",
       "closes a loop, where turns are not counted: limits 10 rad apart, expected 2π at most"},
      {[](ModelSpec* s) { s->user_constraints.push_back(nullptr); }, "user constraint 0",
       "is a null pointer"},
  });
}

}  // namespace
}  // namespace voigt
