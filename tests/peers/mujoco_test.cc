// Mass matrix, bias and energy of joint trees against MuJoCo.

#include <gtest/gtest.h>

#include "tests/mujoco/mjcf_export.h"
#include "tests/mujoco/mujoco_import.h"
#include "tests/mujoco/mujoco_model.h"
#include "tests/support/data.h"
#include "tests/support/random_model.h"
#include "tests/support/scenes.h"
#include "voigt/dynamics/inverse_dynamics.h"
#include "voigt/dynamics/joint_springs.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/dynamics/momentum_energy.h"

namespace voigt {
namespace {

using testing::MujocoModel;

// Both programs in the same random states: coordinates and rates have the same meaning and order.
void ExpectSameDynamics(const Model& model, MujocoModel* mujoco) {
  ASSERT_EQ(model.nq(), mujoco->model()->nq);
  ASSERT_EQ(model.nv(), mujoco->model()->nv);
  testing::Random random(11);
  Kinematics kin(model);
  CompositeInertia composite(model);
  NewtonEulerScratch newton_euler(model);
  VecX packed(model.tree().pattern.nonzeros()), bias(model.nv());
  for (int i = 0; i < 20; ++i) {
    const State state = testing::MakeRandomState(model, &random);
    mujoco->SetState(state.q, state.v);
    UpdatePositions(model, state.q, &kin);
    UpdateVelocities(model, state.v, &kin);
    CalcMassMatrix(model, kin, &composite, &packed);
    CalcBias(model, kin, &newton_euler, &bias);

    const MatX M = model.tree().pattern.ToDense(packed), M_peer = mujoco->MassMatrix();
    EXPECT_LT((M - M_peer).cwiseAbs().maxCoeff(), 1e-9 * M_peer.cwiseAbs().maxCoeff());
    const VecX bias_peer = mujoco->Bias();
    EXPECT_LT((bias - bias_peer).cwiseAbs().maxCoeff(), 1e-9 * bias_peer.cwiseAbs().maxCoeff());
    const double kinetic = CalcKineticEnergy(model, kin, state.v);
    EXPECT_NEAR(kinetic, mujoco->KineticEnergy(), 1e-9 * kinetic);
    const double potential = CalcGravityEnergy(model, kin) + CalcSpringEnergy(model, state.q);
    EXPECT_NEAR(potential, mujoco->PotentialEnergy(), 1e-9 * (1 + std::abs(potential)));
  }
}

TEST(Mujoco, AgreesOnOurHumanoid) {
  const Scene scene = testing::LoadNamedScene("humanoid");
  ASSERT_GE(scene.model.nv(), 27);
  MujocoModel mujoco = MujocoModel::FromText(testing::ExportMjcf(scene.model));
  ExpectSameDynamics(scene.model, &mujoco);
}

TEST(Mujoco, AgreesOnAChainOfSixtyLinks) {
  const Scene scene = testing::LoadNamedScene("chain", {{"parameters.n", "60"}});
  MujocoModel mujoco = MujocoModel::FromText(testing::ExportMjcf(scene.model));
  ExpectSameDynamics(scene.model, &mujoco);
}

// The robots as others describe them: MuJoCo reads the file, we take over its tree.
TEST(Mujoco, AgreesOnItsOwnRobots) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data in " << VOIGT_TEST_DATA;
  for (const std::string& file : testing::ReferenceRobots()) {
    MujocoModel mujoco = MujocoModel::FromFile(file);
    const Model model = testing::ImportMujocoTree(mujoco.model());
    mujoco.RemoveSprings();
    ExpectSameDynamics(model, &mujoco);
    if (HasFailure()) FAIL() << file;
  }
}

}  // namespace
}  // namespace voigt
