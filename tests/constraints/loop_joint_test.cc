#include "voigt/constraints/loop_joint.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/constraints/row_checks.h"
#include "voigt/model/maximal.h"

namespace voigt {
namespace {

using testing::AddToRandomTree;
using testing::ConstraintList;
using testing::MakeRandomState;
using testing::MakeRows;
using testing::Random;
using testing::RandomBody;
using testing::Rows;

constexpr int kSeeds = 12;

JointSpec RandomLoop(const ModelSpec& spec, JointType type, Random* random) {
  JointSpec joint;
  joint.name = "loop";
  joint.type = type;
  joint.tree = TreeChoice::kLoop;
  joint.child = spec.bodies[(*random)() % spec.bodies.size()].name;
  do joint.parent = RandomBody(spec, random);
  while (joint.parent == joint.child);
  if ((*random)() % 2 == 0) std::swap(joint.parent, joint.child);
  joint.X_PF = testing::RandomPose(random);
  joint.X_CM = testing::RandomPose(random);
  if (type == JointType::kScrew) joint.pitch = testing::Uniform(random, 0.1, 1);
  return joint;
}

Model MakeTreeWithLoop(JointType type, Random* random) {
  return AddToRandomTree(
      random, [&](ModelSpec* spec) { spec->joints.push_back(RandomLoop(*spec, type, random)); });
}

class LoopJoints : public ::testing::TestWithParam<int> {
 public:
  JointType type() const { return static_cast<JointType>(GetParam()); }
};

TEST_P(LoopJoints, HaveOneRowForEachMotionTheyPrevent) {
  Random random(1);
  const Model model = MakeTreeWithLoop(type(), &random);
  const Rows rows = MakeRows(model, {MakeLoopJoint(model, 0)}, MakeRandomState(model, &random));
  EXPECT_EQ(rows.size(), 6 - DofCount(type()));
  for (const Row& row : rows.problem.rows) {
    EXPECT_EQ(row.R, 0);
    EXPECT_EQ(row.v_hat, -row.phi / rows.problem.h);
  }
}

TEST_P(LoopJoints, HaveRowsThatAreExactDerivatives) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const Model tree = MakeTreeWithLoop(type(), &random);
    const State state = MakeRandomState(tree, &random);
    EXPECT_LT(testing::CalcDerivativeError(tree, {MakeLoopJoint(tree, 0)}, state, &random), 1e-8)
        << "seed " << seed;

    const Model free = ToMaximal(tree);
    const ConstraintList loop = {MakeLoopJoint(free, static_cast<int>(free.loops().size()) - 1)};
    EXPECT_LT(testing::CalcDerivativeError(free, loop, MakeRandomState(free, &random), &random),
              1e-8)
        << "seed " << seed;
  }
}

// As a constraint of its own, so that its derivatives can be taken.
class BranchRows final : public Constraint {
 public:
  explicit BranchRows(std::shared_ptr<const Constraint> joint)
      : Constraint("branch"), joint_(std::move(joint)) {}
  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    joint_->AddBranchRows(at, rows);
  }

 private:
  std::shared_ptr<const Constraint> joint_;
};

TEST_P(LoopJoints, HaveBranchRowsThatAreExactDerivatives) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    const Model tree = MakeTreeWithLoop(type(), &random);
    const State state = MakeRandomState(tree, &random);
    const ConstraintList list = {std::make_shared<BranchRows>(MakeLoopJoint(tree, 0))};
    EXPECT_LT(testing::CalcDerivativeError(tree, list, state, &random), 1e-8) << "seed " << seed;
  }
}

// The wrench on one body is the opposite of that on the other: a common motion does no work.
TEST_P(LoopJoints, DoNotFeelMotionsOfBothBodiesTogether) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    Model free = ToMaximal(MakeTreeWithLoop(type(), &random));
    const int last = static_cast<int>(free.loops().size()) - 1;
    if (free.loops()[last].parent == 0 || free.loops()[last].child == 0) continue;
    const State state = MakeRandomState(free, &random);
    const Rows rows = MakeRows(free, {MakeLoopJoint(free, last)}, state);
    const Vec3 omega = testing::RandomVector(&random), velocity = testing::RandomVector(&random);
    VecX v(free.nv());
    for (int b = 1; b < free.nb(); ++b) {
      const Pose& X = rows.kin.X_WL[b];
      v.segment<3>(free.tree().v_start[b]) = velocity + omega.cross(X.p);
      v.segment<3>(free.tree().v_start[b] + 3) = X.R.transpose() * omega;
    }
    const MatX G = rows.problem.ToDenseG();
    EXPECT_LT((G * v).norm(), 1e-14 * (1 + G.norm()) * (1 + v.norm())) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, LoopJoints, ::testing::Range(0, kJointTypeCount),
                         [](const auto& type) {
                           return std::string(ToString(static_cast<JointType>(type.param)));
                         });

TEST(LoopJoint, HoldsOnEveryStateOfTheTree) {
  for (int seed = 0; seed < 40; ++seed) {
    Random random(seed);
    testing::RandomTreeOptions options;
    options.max_dofs = 30;
    const Model tree = MakeRandomTree(&random, options);
    const State state = MakeRandomState(tree, &random);
    const Model free = ToMaximal(tree);
    const State free_state = ToMaximalState(tree, state, free);
    ConstraintList list;
    for (size_t l = 0; l < free.loops().size(); ++l) {
      if (free.loops()[l].type == JointType::kFree) continue;
      list.push_back(MakeLoopJoint(free, static_cast<int>(l)));
    }
    const Rows rows = MakeRows(free, list, free_state);
    EXPECT_EQ(rows.size(), free.nv() - tree.nv());
    if (rows.size() == 0) continue;
    const double scale = 1 + free_state.q.norm();
    EXPECT_LT(rows.Phi().cwiseAbs().maxCoeff(), 1e-13 * scale) << "seed " << seed;
    EXPECT_LT((rows.problem.ToDenseG() * free_state.v).cwiseAbs().maxCoeff(),
              1e-12 * scale * (1 + free_state.v.norm()))
        << "seed " << seed;
  }
}

TEST(LoopJoint, MayBeSoft) {
  Random random(3);
  const Model model = AddToRandomTree(&random, [&](ModelSpec* spec) {
    spec->joints.push_back(RandomLoop(*spec, JointType::kFixed, &random));
    spec->joints.back().loop_stiffness = 1e4;
    spec->joints.back().loop_damping = 20;
  });
  const Rows rows = MakeRows(model, {MakeLoopJoint(model, 0)}, MakeRandomState(model, &random));
  for (const Row& row : rows.problem.rows) {
    EXPECT_EQ(row.c, 1e-4);
    EXPECT_EQ(row.tau, 20 / 1e4);
    EXPECT_DOUBLE_EQ(row.R, 1e-4 / (0.01 * (0.01 + 0.002)));
  }
}

TEST(LoopJoint, MayHoldDirectionsOtherwiseThanPlaces) {
  Random random(4);
  const Model model = AddToRandomTree(&random, [&](ModelSpec* spec) {
    spec->joints.push_back(RandomLoop(*spec, JointType::kFixed, &random));
    spec->joints.back().loop_stiffness = 1e4;
    spec->joints.back().loop_angular_stiffness = 50;
    spec->joints.back().loop_angular_damping = 2;
  });
  const Rows rows = MakeRows(model, {MakeLoopJoint(model, 0)}, MakeRandomState(model, &random));
  ASSERT_EQ(rows.size(), 6);
  for (const Row& row : rows.problem.rows) {
    EXPECT_EQ(row.c, row.angular ? 1 / 50.0 : 1e-4);
    EXPECT_EQ(row.tau, row.angular ? 2 / 50.0 : 0);
  }
}

TEST(LoopJoint, NoticesAxesThatPointInOppositeDirections) {
  ModelBuilder builder;
  BodySpec body;
  body.name = "door";
  body.mass_source = MassSource::kExplicit;
  body.mass = {1, Vec3::Zero(), Mat3::Identity()};
  JointSpec free, hinge;
  free.name = "free";
  free.type = JointType::kFree;
  hinge.name = "hinge";
  hinge.type = JointType::kRevolute;
  hinge.tree = TreeChoice::kLoop;
  free.child = hinge.child = "door";
  const Model model = builder.AddBody(body).AddJoint(free).AddJoint(hinge).Build();
  const auto constraint = MakeLoopJoint(model, 0);
  Kinematics kin(model);
  State state;
  state.v = VecX::Zero(6);
  const auto describe = [&](const Vec4& quaternion) {
    state.q = VecX::Zero(7);
    state.q.tail<4>() = quaternion;
    UpdatePositions(model, state.q, &kin);
    return constraint->DescribeWrongBranch({model, kin, state.q, state.v, 0, 0.01});
  };
  EXPECT_FALSE(describe({1, 0, 0, 0}));
  EXPECT_FALSE(describe({0, 0, 0, 1}));
  EXPECT_TRUE(describe({0, 1, 0, 0}));
  EXPECT_LT(MakeRows(model, {constraint}, state).Phi().norm(), 1e-15);
}

}  // namespace
}  // namespace voigt
