// After the first call, no algorithm on trees allocates memory.

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/allocation_counter.h"
#include "tests/support/random_model.h"
#include "voigt/dynamics/articulated_body.h"
#include "voigt/dynamics/equations_of_motion.h"
#include "voigt/dynamics/free_velocity.h"
#include "voigt/dynamics/inverse_dynamics.h"
#include "voigt/dynamics/jacobian.h"
#include "voigt/dynamics/joint_springs.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/dynamics/momentum_energy.h"
#include "voigt/dynamics/operational_space.h"
#include "voigt/io/scene.h"
#include "voigt/math/tree_factor.h"
#include "voigt/sim/simulator.h"
#include "voigt/sim/step.h"
#include "voigt/steppers/integrate.h"

namespace voigt {
namespace {

using testing::CountAllocations;

// Runs the work once to warm up, then counts.
long AllocationsIn(const std::function<void()>& work) {
  work();
  const long before = CountAllocations();
  for (int i = 0; i < 3; ++i) work();
  return CountAllocations() - before;
}

class NoAllocation : public ::testing::Test {
 protected:
  void SetUp() override {
    if (CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  }
};

TEST_F(NoAllocation, TheCounterSeesEigenAndTheStandardLibrary) {
  const long before = CountAllocations();
  const VecX a = VecX::Zero(100);
  EXPECT_GT(CountAllocations(), before);
  const long between = CountAllocations();
  const std::vector<double> b(100, a[3]);
  EXPECT_GT(CountAllocations(), between) << b[5];
}

TEST_F(NoAllocation, InAlgorithmsOnTrees) {
  testing::Random random(5);
  testing::RandomTreeOptions options;
  options.with_springs = true;
  const Model model = testing::MakeRandomTree(&random, options);
  const State state = testing::MakeRandomState(model, &random);
  const TreePattern& pattern = model.tree().pattern;
  const int nv = model.nv();

  Kinematics kin(model);
  std::vector<Vec6> A(model.nb());
  CompositeInertia composite(model);
  NewtonEulerScratch newton_euler(model);
  ArticulatedBody articulated(model);
  TreeFactor factor(pattern);
  VecX M(pattern.nonzeros()), tau(nv), v_dot(nv), x(nv), q = state.q;
  Mat6X J(6, nv);
  std::vector<char> prescribed(nv, 0);
  prescribed[0] = 1;
  OperationalSpaceByFactor by_factor;
  OperationalSpaceByRecursion by_recursion;
  std::vector<Node> nodes;
  for (int i = 0; i < 4; ++i) nodes.push_back({1 + i % (model.nb() - 1), Vec3(i, 0, 1)});
  MatX inverse_inertia(24, 24);

  EXPECT_EQ(AllocationsIn([&] {
              UpdatePositions(model, state.q, &kin);
              UpdateVelocities(model, state.v, &kin);
              CalcAccelerations(model, kin, &state.v, &A);
              x[0] = CalcPointAcceleration(kin, A, 1, Vec3::Zero())[0];
            }),
            0)
      << "kinematics";
  EXPECT_EQ(AllocationsIn([&] {
              CalcPointJacobian(model, kin, model.nb() - 1, Vec3::Ones(), J);
              CalcBodyJacobian(model, kin, model.nb() - 1, J);
              x[0] = CalcBodyJacobianRate(model, kin, A, 1)[0] +
                     CalcPointJacobianRate(kin, A, 1, Vec3::Ones())[0] +
                     CalcRelativeJacobianRate(kin, A, 1, Vec3::Zero(), 2, Vec3::Ones())[0];
              CalcRelativeJacobian(model, kin, 1, Vec3::Zero(), model.nb() - 1, Vec3::Ones(), J);
              AddJacobianTransposed(model, kin, 1, Vec3::Zero(), Vec6::Ones(), &tau);
            }),
            0)
      << "Jacobians";
  EXPECT_EQ(AllocationsIn([&] {
              CalcBias(model, kin, &newton_euler, &tau);
              CalcInverseDynamics(model, kin, &state.v, &A, &newton_euler, &tau);
            }),
            0)
      << "inverse dynamics";
  EXPECT_EQ(AllocationsIn([&] {
              CalcMassMatrix(model, kin, &composite, &M);
              ASSERT_EQ(factor.Factor(pattern, M), -1);
              x = tau;
              factor.Solve(pattern, x);
            }),
            0)
      << "mass matrix, factor, solve";
  EXPECT_EQ(AllocationsIn([&] {
              UpdateArticulatedInertia(model, kin, nullptr, &articulated);
              CalcForwardDynamics(model, kin, tau, nullptr, &articulated, &v_dot);
              by_recursion.Calc(model, kin, articulated, nodes, inverse_inertia);
              by_factor.Calc(model, kin, factor, nodes, inverse_inertia);
              UpdateArticulatedInertia(model, kin, &prescribed, &articulated);
              CalcHybridDynamics(model, kin, prescribed, nullptr, &articulated, &tau, &v_dot);
            }),
            0)
      << "articulated bodies, operational space, hybrid dynamics";
  EXPECT_EQ(AllocationsIn([&] {
              x[0] = CalcKineticEnergy(model, kin, state.v) + CalcGravityEnergy(model, kin) +
                     CalcSpringEnergy(model, state.q) + CalcMomentum(model, kin, Vec3::Zero())[0] +
                     CalcCenterOfMass(model, kin)[0];
              AddSpringForces(model, state.q, &x);
              AddImplicitSprings(model, state.q, state.v, 1e-3, &x, &M);
              IntegratePositions(model, state.v, 1e-3, &q);
            }),
            0)
      << "energy, momentum, springs, integration";
}

TEST_F(NoAllocation, InReactions) {
  testing::Random random(6);
  const Model model = testing::MakeRandomTree(&random);
  const State state = testing::MakeRandomState(model, &random);
  EquationsOfMotion equations(model);
  std::vector<Vec6> reactions;
  EXPECT_EQ(AllocationsIn([&] { equations.CalcReactions(0, state.q, state.v, &reactions); }), 0);
}

TEST_F(NoAllocation, InSteps) {
  for (const char* name : {"joint_zoo", "arm", "stiff_servo", "tumbling_box"}) {
    for (const char* integrator : {"semi-implicit-euler", "rk4", "adaptive"}) {
      const Scene scene = LoadScene(std::string(VOIGT_SOURCE_DIR) + "/scenes/" + name + ".yaml",
                                    {Override{"simulation.integrator", integrator}});
      Simulator simulator(scene.model, scene.settings, scene.initial);
      EXPECT_EQ(AllocationsIn([&] { simulator.Step(); }), 0) << name << " with " << integrator;
      EXPECT_EQ(simulator.status(), StepStatus::kOk) << name << " with " << integrator;
    }
  }
}

// Once the contacts are those of the step before.
TEST_F(NoAllocation, InStepsWithConstraints) {
  for (const char* name :
       {"sphere_stack", "ramp", "foundation", "sliding_block", "n_four_bar", "slider_crank",
        "absolute_pendulum", "humanoid", "rolling_ball", "shaft_in_cradle"}) {
    const Scene scene = LoadScene(std::string(VOIGT_SOURCE_DIR) + "/scenes/" + name + ".yaml");
    Simulator simulator(scene.model, scene.settings, scene.initial);
    for (int i = 0; i < 300; ++i) simulator.Step();
    EXPECT_EQ(AllocationsIn([&] { simulator.Step(); }), 0) << name;
    EXPECT_EQ(simulator.status(), StepStatus::kOk) << name;
  }
}

}  // namespace
}  // namespace voigt
