#include "voigt/constraints/constraint_set.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/constraints/row_checks.h"
#include "tests/support/allocation_counter.h"
#include "voigt/model/maximal.h"

namespace voigt {
namespace {

using testing::MakeRandomState;
using testing::Random;
using testing::Rows;

ConstraintSpec Named(const std::string& name, decltype(ConstraintSpec::kind) kind) {
  ConstraintSpec spec;
  spec.name = name;
  spec.kind = std::move(kind);
  return spec;
}

// Everything a joint can have on a chain of a pin, a ball and a sleeve, and a constraint of every
// kind.
Model MakeEverything() {
  ModelBuilder builder;
  const char* bodies[] = {"a", "b", "c"};
  const JointType types[] = {JointType::kRevolute, JointType::kBall, JointType::kCylindrical};
  for (int i = 0; i < 3; ++i) {
    BodySpec body;
    body.name = bodies[i];
    body.mass_source = MassSource::kExplicit;
    body.mass = {1, Vec3(0.1, 0, 0), Mat3::Identity()};
    JointSpec joint;
    joint.name = std::string("j") + bodies[i];
    joint.type = types[i];
    joint.parent = i == 0 ? "world" : bodies[i - 1];
    joint.child = bodies[i];
    joint.X_PF.p = {0.5, 0, 0.1};
    joint.stiffness = joint.damping = joint.armature = joint.dry_friction = {1};
    if (i == 1) joint.cone_limit = 1;
    if (i != 1) joint.lower = {-1};
    builder.AddBody(body).AddJoint(joint);
  }
  ModelSpec& spec = builder.spec();
  JointSpec loop = spec.joints[0];
  loop.name = "loop";
  loop.child = "c";
  loop.tree = TreeChoice::kLoop;
  spec.joints.push_back(loop);
  spec.joint_loads.push_back({"push", "loop", {TimeFunction::Parse("sin(t)")}, {}});
  spec.servos.push_back({"servo", "ja", {5}, {}, {0}, {}, {}, {3}});
  spec.motors.push_back({"motor", "jb", {0, 0, 1}, {2}, {}, {}});
  PrescribedJoint motion;
  motion.name = "motion";
  motion.joint = "jc";
  motion.position = {0, TimeFunction::Parse("t")};
  spec.prescribed_joints.push_back(motion);
  const PointOnBody A{"a", Vec3::Zero()}, C{"c", Vec3::UnitX()};
  spec.constraints = {
      Named("distance", DistanceSpec{A, C, 1, Side::kBelow}),
      Named("line", PointOnLineSpec{A, C, Vec3::UnitX()}),
      Named("plane", PointInPlaneSpec{A, C, Vec3::UnitX(), Side::kAbove}),
      Named("coupler", CouplerSpec{{{"ja", 0, 1}, {"loop", 0, 2}}, 0}),
      Named("lock", JointLockSpec{"jb", {}}),
      Named("wheel", RollingSpec{{}, C, Vec3::UnitZ(), 0.3, Vec3(Vec3::UnitY()), true}),
      Named("edge", KnifeEdgeSpec{C, Vec3::UnitY(), "world"}),
      Named("speed", ConstantSpeedSpec{{{"jb", 2, 1}}, TimeFunction::Parse("t")}),
      Named("path", PrescribedPointSpec{C, "a", {1, 2, TimeFunction::Parse("t")}}),
  };
  return builder.Build();
}

TEST(ConstraintSet, ListsEverythingInTheOrderOfTheModel) {
  const ConstraintSet set(MakeEverything());
  std::vector<std::string> names;
  for (const auto& constraint : set.list()) names.push_back(constraint->name());
  EXPECT_EQ(names, (std::vector<std::string>{"limits of joint 'ja'",
                                             "friction of joint 'ja'",
                                             "cone limit of joint 'jb'",
                                             "friction of joint 'jb'",
                                             "limits of joint 'jc'",
                                             "friction of joint 'jc'",
                                             "joint 'loop'",
                                             "spring of joint 'loop'",
                                             "damper of joint 'loop'",
                                             "armature of joint 'loop'",
                                             "limits of joint 'loop'",
                                             "friction of joint 'loop'",
                                             "load 'push'",
                                             "servo 'servo'",
                                             "motor 'motor'",
                                             "prescribed motion 'motion'",
                                             "constraint 'distance'",
                                             "constraint 'line'",
                                             "constraint 'plane'",
                                             "constraint 'coupler'",
                                             "constraint 'lock'",
                                             "touch of constraint 'wheel'",
                                             "constraint 'wheel'",
                                             "constraint 'edge'",
                                             "constraint 'speed'",
                                             "constraint 'path'"}));
}

TEST(ConstraintSet, GivesEveryGroupItsOwnIdAndTheSameEveryStep) {
  const Model model = ToMaximal(MakeEverything());
  Random random(1);
  const Rows first = testing::MakeRows(model, MakeRandomState(model, &random));
  const Rows second = testing::MakeRows(model, MakeRandomState(model, &random));
  ASSERT_EQ(first.problem.groups.size(), second.problem.groups.size());
  std::set<std::uint64_t> ids;
  for (size_t i = 0; i < first.problem.groups.size(); ++i) {
    EXPECT_EQ(first.problem.groups[i].id, second.problem.groups[i].id);
    EXPECT_TRUE(ids.insert(first.problem.groups[i].id).second) << i;
  }
}

TEST(ConstraintSet, AllocatesNothingOnceWarm) {
  for (const Model& model : {MakeEverything(), ToMaximal(MakeEverything())}) {
    Random random(1);
    const State state = MakeRandomState(model, &random);
    const ConstraintSet set(model);
    Rows rows = testing::MakeRows(model, state);
    const ConstraintContext at{model, rows.kin, state.q, state.v, 0.3, 0.01};
    const auto fill = [&] {
      rows.problem.ClearRows();
      set.AddRows(at, &rows.problem);
    };
    fill();
    const long before = testing::CountAllocations();
    fill();
    EXPECT_EQ(testing::CountAllocations(), before);
    EXPECT_GT(rows.size(), 30);
    for (const Row& row : rows.problem.rows) {
      EXPECT_TRUE(std::isfinite(row.phi) && std::isfinite(row.R) && std::isfinite(row.v_hat));
    }
    EXPECT_TRUE(rows.problem.ToDenseG().allFinite());
  }
}

}  // namespace
}  // namespace voigt
