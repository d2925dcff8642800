#include "voigt/constraints/assembly.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "tests/constraints/row_checks.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/io/scene.h"
#include "voigt/math/rotation.h"
#include "voigt/model/maximal.h"

namespace voigt {
namespace {

using testing::MakeRows;
using testing::Random;
using testing::Rows;
using testing::Uniform;

BodySpec MakeBody(const std::string& name) {
  BodySpec body;
  body.name = name;
  body.mass_source = MassSource::kExplicit;
  body.mass = {1, Vec3(0.3, 0, 0), 0.1 * Mat3::Identity()};
  return body;
}

JointSpec MakePin(const std::string& name, const std::string& parent, const std::string& child,
                  double x) {
  JointSpec joint;
  joint.name = name;
  joint.type = JointType::kRevolute;
  joint.parent = parent;
  joint.child = child;
  joint.X_PF.p = {x, 0, 0};
  return joint;
}

// Crank, coupler and rocker in the x-y plane; the ground is 2 long.
Model MakeFourBar(double crank, double coupler, double rocker) {
  ModelSpec spec;
  spec.bodies = {MakeBody("crank"), MakeBody("coupler"), MakeBody("rocker")};
  spec.joints = {MakePin("A", "world", "crank", 0), MakePin("B", "crank", "coupler", crank),
                 MakePin("D", "world", "rocker", 2), MakePin("C", "coupler", "rocker", coupler)};
  spec.joints[3].X_CM.p = {rocker, 0, 0};
  spec.joints[3].tree = TreeChoice::kLoop;
  spec.joints[3].where = {"four_bar.yaml", 12, 3};
  return ModelBuilder(spec).Build();
}

State StateAt(const Model& model, const std::vector<double>& q) {
  State state;
  state.q = Eigen::Map<const VecX>(q.data(), static_cast<Eigen::Index>(q.size()));
  state.v = VecX::Zero(model.nv());
  return state;
}

// All rigid bilateral rows of holonomic constraints.
double WorstGap(const Model& model, const State& state) {
  const auto list = testing::Select(model, [](const Constraint& c) { return c.IsHolonomic(); });
  return MakeRows(model, list, state).Phi().cwiseAbs().maxCoeff();
}

double WorstRate(const Model& model, const State& state) {
  const auto list = testing::Select(model, [](const Constraint& c) { return c.IsHolonomic(); });
  return (MakeRows(model, list, state).problem.ToDenseG() * state.v).cwiseAbs().maxCoeff();
}

TEST(Assembly, ClosesAFourBarFromRoughStates) {
  const Model model = MakeFourBar(0.5, 1.8, 1.2);
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    State state = StateAt(
        model, {Uniform(&random, -3, 3), Uniform(&random, -1, 1), Uniform(&random, 0.5, 2.5)});
    const State start = state;
    AssemblyOptions options;
    options.keep_q = {1, 0, 0};  // the crank; order A, B, D
    const AssemblyResult result = Assemble(model, options, &state);
    ASSERT_TRUE(result.ok()) << result.problem->ToString();
    EXPECT_EQ(state.q[0], start.q[0]);
    EXPECT_FALSE(result.moved_kept);
    EXPECT_LT(WorstGap(model, state), 1e-11);
    // Against the cosine rule: the distance from B to D fixes the rocker's angle.
    const Vec2 B(0.5 * std::cos(state.q[0]), 0.5 * std::sin(state.q[0])), D(2, 0);
    const double d = (B - D).norm();
    const double cosine = (d * d + 1.2 * 1.2 - 1.8 * 1.8) / (2 * d * 1.2);
    const Vec2 rocker(std::cos(state.q[2]), std::sin(state.q[2]));
    EXPECT_NEAR(rocker.dot(B - D) / d, cosine, 1e-10);
  }
}

TEST(Assembly, MovesWhatWasNotChosen) {
  const Model model = MakeFourBar(0.5, 1.8, 1.2);
  State state = StateAt(model, {0.7, 0.3, 1.5});
  ASSERT_TRUE(Assemble(model, {}, &state).ok());
  EXPECT_NE(state.q[0], 0.7);  // nothing was to be kept

  // The crank turns at 3 rad/s; the others follow.
  AssemblyOptions options;
  options.keep_v = {1, 0, 0};
  state.v = Vec3(3, 0, 0);
  const VecX q = state.q;
  ASSERT_TRUE(Assemble(model, options, &state).ok());
  EXPECT_EQ(state.q, q);  // assembled already: not a bit changes
  EXPECT_EQ(state.v[0], 3);
  EXPECT_NE(state.v[1], 0);
  EXPECT_LT(WorstRate(model, state), 1e-12);

  // Without a choice, the change of least kinetic energy: M-orthogonal to all motions.
  State free = state;
  free.v = Vec3(3, 0, 0);
  ASSERT_TRUE(Assemble(model, {}, &free).ok());
  Kinematics kin(model);
  UpdatePositions(model, free.q, &kin);
  CompositeInertia composite(model);
  VecX packed(model.tree().pattern.nonzeros());
  CalcMassMatrix(model, kin, &composite, &packed);
  const MatX M = model.tree().pattern.ToDense(packed);
  const VecX change = free.v - VecX(Vec3(3, 0, 0));
  EXPECT_LT(WorstRate(model, free), 1e-12);
  EXPECT_NEAR(state.v.dot(M * change), 0, 1e-10);
}

TEST(Assembly, LeavesTheMirrorLineOfAStretchedChain) {
  // All joints at zero: the chain lies on a line with the ends 0.7 apart. Across it nothing pulls.
  const Model model = MakeFourBar(0.5, 1.8, 1.2);
  State state = StateAt(model, {0, 0, 0});
  const AssemblyResult result = Assemble(model, {}, &state);
  ASSERT_TRUE(result.ok()) << result.problem->ToString();
  EXPECT_LT(WorstGap(model, state), 1e-11);
}

TEST(Assembly, MovesChosenCoordinatesOnlyIfItMust) {
  const Model model = MakeFourBar(0.5, 1.8, 1.2);
  State state = StateAt(model, {0.7, 0.3, 1.5});
  ASSERT_TRUE(Assemble(model, {}, &state).ok());
  // Rounded to three digits, all of them chosen.
  const VecX exact = state.q;
  for (double& q : state.q) q = std::round(q * 1e3) / 1e3;
  AssemblyOptions options;
  options.keep_q = {1, 1, 1};
  const AssemblyResult result = Assemble(model, options, &state);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result.moved_kept);
  EXPECT_LT((state.q - exact).norm(), 5e-3);
  EXPECT_LT(WorstGap(model, state), 1e-11);
}

TEST(Assembly, ClosesASliderCrank) {
  ModelSpec spec;
  spec.bodies = {MakeBody("crank"), MakeBody("rod"), MakeBody("piston")};
  spec.joints = {MakePin("A", "world", "crank", 0), MakePin("B", "crank", "rod", 0.3),
                 MakePin("C", "rod", "piston", 1)};
  JointSpec slider;
  slider.name = "slider";
  slider.type = JointType::kPrismatic;
  slider.child = "piston";
  slider.axis = Vec3(1, 0, 0);
  slider.tree = TreeChoice::kLoop;
  spec.joints.push_back(slider);
  const Model model = ModelBuilder(spec).Build();
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    State state =
        StateAt(model, {Uniform(&random, -3, 3), Uniform(&random, -1, 1), Uniform(&random, -1, 1)});
    const double crank = state.q[0];
    state.v = Vec3(2, 0, 0);
    AssemblyOptions options;
    options.keep_q = options.keep_v = {1, 0, 0};
    const AssemblyResult result = Assemble(model, options, &state);
    ASSERT_TRUE(result.ok()) << result.problem->ToString();
    EXPECT_EQ(state.q[0], crank);
    EXPECT_LT(WorstGap(model, state), 1e-11);
    // The rod's end is on the x axis and the piston upright; the rod's rate by its cosine.
    const double rod = crank + state.q[1];
    EXPECT_NEAR(0.3 * std::sin(crank) + std::sin(rod), 0, 1e-10);
    EXPECT_NEAR(std::remainder(rod + state.q[2], 2 * kPi), 0, 1e-10);
    EXPECT_NEAR((2 + state.v[1]) * std::cos(rod), -2 * 0.3 * std::cos(crank), 1e-9);
  }
}

// Bricard's trihedral linkage: six links of length 1, twisted by ±90° in turn. It moves although
// six hinges in a ring usually do not: of its five rows in the tree's rates, one is redundant.
Model MakeBricard() {
  const auto link = [](int i) {
    return Pose{RotationAbout(Vec3::UnitX(), i % 2 == 0 ? kPi / 2 : -kPi / 2), Vec3::UnitX()};
  };
  ModelSpec spec;
  for (int i = 0; i < 6; ++i) {
    JointSpec joint;
    joint.name = fmt::format("pin{}", i);
    joint.type = JointType::kRevolute;
    joint.parent = i == 0 ? "world" : fmt::format("link{}", i - 1);
    if (i > 0) joint.X_PF = link(i - 1);
    if (i < 5) {
      spec.bodies.push_back(MakeBody(fmt::format("link{}", i)));
      joint.child = spec.bodies.back().name;
    } else {
      joint.child = "world";
      joint.X_CM = link(5).Inverse();
      joint.tree = TreeChoice::kLoop;
    }
    spec.joints.push_back(joint);
  }
  return ModelBuilder(spec).Build();
}

TEST(Assembly, ClosesBricardsLinkageInSpiteOfItsRedundantRow) {
  const Model model = MakeBricard();
  Random random(3);
  int redundant = 0, at_once = 0;
  for (int i = 0; i < 30; ++i) {
    State state = StateAt(model, {});
    state.q.resize(5);
    for (double& q : state.q) q = Uniform(&random, -2, 2);
    state.v = testing::RandomRates(model, &random);
    const AssemblyResult result = Assemble(model, {}, &state);
    ASSERT_TRUE(result.ok()) << result.problem->ToString();
    EXPECT_LT(WorstGap(model, state), 1e-11);
    EXPECT_LT(WorstRate(model, state), 1e-8);
    const MatX G = MakeRows(model, state).problem.ToDenseG();
    const VecX sigma = Eigen::JacobiSVD<MatX>(G).singularValues();
    at_once += result.attempts == 0;
    redundant += sigma[4] < 1e-4 && sigma[3] > 1e-2;
  }
  EXPECT_GT(redundant, 20);
  EXPECT_GT(at_once, 20);
}

TEST(Assembly, NamesTheWorstConstraintOfWhatCannotBeClosed) {
  const Model model = MakeFourBar(0.3, 0.5, 0.4);  // 1.2 in all, 2 apart
  State state = StateAt(model, {0.7, 0.3, 1.5});
  state.v = Vec3(1, 2, 3);
  const State start = state;
  const AssemblyResult result = Assemble(model, {}, &state);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.problem->element, "joint 'C'");
  EXPECT_EQ(result.problem->where.line, 12);
  EXPECT_EQ(result.problem->message,
            "cannot be met together with the others: off by 0.8 m in the best position found");
  EXPECT_EQ(state, start);
}

TEST(Assembly, ReportsAxesThatPointInOppositeDirections) {
  ModelSpec spec = MakeFourBar(0.5, 1.8, 1.2).spec();
  spec.joints[3].X_CM.R = RotationAbout(Vec3::UnitX(), kPi);
  const Model model = ModelBuilder(spec).Build();
  State state = StateAt(model, {0.7, 0.3, 1.5});
  const AssemblyResult result = Assemble(model, {}, &state);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.problem->element, "joint 'C'");
  EXPECT_NE(result.problem->message.find("opposite directions"), std::string::npos);
}

TEST(Assembly, PutsFreeBodiesTogether) {
  // Trees in maximal coordinates, shaken.
  for (int seed = 0; seed < 15; ++seed) {
    Random random(seed);
    testing::RandomTreeOptions tree_options;
    tree_options.max_dofs = 8;
    const Model tree = MakeRandomTree(&random, tree_options), model = ToMaximal(tree);
    State state = ToMaximalState(tree, testing::MakeRandomState(tree, &random), model);
    const State before = state;
    ASSERT_TRUE(Assemble(model, {}, &state).ok());
    EXPECT_EQ(state, before);  // together already

    IntegratePositions(model, testing::RandomRates(model, &random, 0.3), 1, &state.q);
    state.v = testing::RandomRates(model, &random);
    const AssemblyResult result = Assemble(model, {}, &state);
    ASSERT_TRUE(result.ok()) << "seed " << seed << ": " << result.problem->ToString();
    if (model.nv() == tree.nv()) continue;
    EXPECT_LT(WorstGap(model, state), 1e-10) << "seed " << seed;
    EXPECT_LT(WorstRate(model, state), 1e-8) << "seed " << seed;
  }
}

TEST(Assembly, StartsPrescribedMotionsAndRollingWheelsRight) {
  const Scene scene = ParseScene(R"(
bodies:
  - {name: slide, mass: 1, inertia: [1, 1, 1]}
  - {name: wheel, mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: rail, type: prismatic, child: slide, axis: [1, 0, 0]}
  - {name: free, type: free, child: wheel}
drives:
  - {type: prescribed, joint: rail, position: 0.2 + 3 * sin(2 * t)}
constraints:
  - {type: rolling, body: wheel, radius: 0.5, axis: [0, 1, 0]}
)",
                                 "s");
  State state;
  state.q = scene.model.NeutralCoordinates();
  state.v = VecX::Zero(scene.model.nv());
  const int rail = scene.model.tree().v_start[*scene.model.FindJoint("rail")];
  const int q_free = scene.model.tree().q_start[*scene.model.FindJoint("free")];
  const int v_free = scene.model.tree().v_start[*scene.model.FindJoint("free")];
  state.q[q_free + 2] = 0.7;
  state.v[v_free + 4] = 4;  // about y
  AssemblyOptions options;
  options.keep_v.assign(scene.model.nv(), 0);
  options.keep_v[v_free + 4] = 1;
  const AssemblyResult result = Assemble(scene.model, options, &state);
  ASSERT_TRUE(result.ok()) << result.problem->ToString();
  EXPECT_NEAR(state.q[scene.model.tree().q_start[*scene.model.FindJoint("rail")]], 0.2, 1e-12);
  EXPECT_NEAR(state.v[rail], 6, 1e-5);
  EXPECT_NEAR(state.q[q_free + 2], 0.5, 1e-12);
  EXPECT_NEAR(state.v[v_free], 0.5 * 4, 1e-12);  // rolls along x
  EXPECT_EQ(state.v[v_free + 4], 4);
}

TEST(Assembly, SaysWhichVelocityCannotBeMet) {
  const Scene scene = ParseScene(R"(
bodies: [{name: slide, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: rail, type: prismatic, child: slide}]
constraints:
  - {name: slow, type: constant-speed, terms: [{joint: rail, factor: 1}], speed: 1}
)",
                                 "s");
  ModelSpec spec = scene.model.spec();
  spec.constraints.push_back(spec.constraints[0]);
  spec.constraints[1].name = "fast";
  std::get<ConstantSpeedSpec>(spec.constraints[1].kind).speed = 3;
  const Model model = ModelBuilder(spec).Build();
  State state = StateAt(model, {0});
  const AssemblyResult result = Assemble(model, {}, &state);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.problem->element, "constraint 'slow'");
  EXPECT_EQ(result.problem->message, "no velocity meets it together with the others: off by 1 m/s");
}

TEST(Assembly, LeavesSoftConstraintsAndLimitsAlone) {
  const Scene scene = ParseScene(R"(
bodies: [{name: slide, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: rail, type: prismatic, child: slide, limits: [1, 2]}]
constraints:
  - {type: distance, body: slide, on_point: [0, 0, -1], length: 5, stiffness: 100}
  - {type: distance, body: slide, on_point: [0, 0, -1], length: 7, side: above}
)",
                                 "s");
  State state = StateAt(scene.model, {0.3});
  const State before = state;
  ASSERT_TRUE(Assemble(scene.model, {}, &state).ok());
  EXPECT_EQ(state, before);
}

}  // namespace
}  // namespace voigt
