// Kinematics, mass matrix, bias, factorisation and solve of joint trees, side by side with MuJoCo's
// own functions on the same models.

#include <fmt/format.h>

#include <cmath>

#include "bench/side_by_side.h"
#include "tests/mujoco/mjcf_export.h"
#include "tests/mujoco/mujoco_model.h"
#include "voigt/dynamics/inverse_dynamics.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/math/tree_factor.h"
#include "voigt/voigt.h"

namespace voigt::bench {
namespace {

constexpr double kStep = 1e-4;  // s: short, so that two ways of stepping stay together

struct Stages {
  explicit Stages(const Model& m)
      : model(m),
        pattern(m.tree().pattern),
        kin(m),
        composite(m),
        newton_euler(m),
        factor(pattern),
        M(pattern.nonzeros()),
        bias(m.nv()),
        x(m.nv()),
        workspace(m) {}

  void Kinematics() {
    UpdatePositions(model, q, &kin);
    UpdateVelocities(model, v, &kin);
  }
  void MassMatrix() { CalcMassMatrix(model, kin, &composite, &M); }
  void Bias() { CalcBias(model, kin, &newton_euler, &bias); }
  void Factor() { factor.Factor(pattern, M); }
  void Solve() {
    x = bias;
    factor.Solve(pattern, x);
  }
  void Step() { status = voigt::Step(model, kStep, &state, &workspace); }

  const Model& model;
  const TreePattern& pattern;
  voigt::Kinematics kin;
  CompositeInertia composite;
  NewtonEulerScratch newton_euler;
  TreeFactor factor;
  VecX q, v, M, bias, x;
  State state;
  StepWorkspace workspace;
  StepStatus status = StepStatus::kOk;
};

struct MujocoStages {
  explicit MujocoStages(const mjModel* m, mjData* d) : model(m), data(d), bias(m->nv), x(m->nv) {}

  void Kinematics() {
    mj_kinematics(model, data);
    mj_comPos(model, data);
    mj_comVel(model, data);
  }
  void MassMatrix() { mj_crb(model, data); }
  void Bias() { mj_rne(model, data, 0, bias.data()); }
  void Factor() { mj_factorM(model, data); }
  void Solve() { mj_solveM(model, data, x.data(), bias.data(), 1); }
  void Step() { mj_step(model, data); }

  const mjModel* model;
  mjData* data;
  VecX bias, x;
};

template <typename EitherStages>
void RunAll(EitherStages* stages) {
  stages->Kinematics();
  stages->MassMatrix();
  stages->Bias();
  stages->Factor();
  stages->Solve();
}

void Compare(const char* name, const Scene& scene) {
  const Model& model = scene.model;
  testing::MujocoModel mujoco = testing::MujocoModel::FromText(testing::ExportMjcf(model));
  Stages ours(model);
  MujocoStages theirs(mujoco.model(), mujoco.data());

  // The same state, away from any symmetry.
  ours.q = scene.initial.q;
  ours.v.resize(model.nv());
  for (int k = 0; k < model.nv(); ++k) ours.v[k] = std::sin(1.0 + k);
  for (int b = 1; b < model.nb(); ++b) {
    if (model.tree().type[b] != JointType::kRevolute) continue;
    ours.q[model.tree().q_start[b]] += 0.3 * std::cos(2.0 * b);
  }
  std::copy(ours.q.begin(), ours.q.end(), mujoco.data()->qpos);
  std::copy(ours.v.begin(), ours.v.end(), mujoco.data()->qvel);
  RunAll(&ours);
  RunAll(&theirs);
  double mujoco_mass = 0;
  for (int b = 0; b < mujoco.model()->nbody; ++b) mujoco_mass += mujoco.model()->body_mass[b];
  fmt::print("\n{}: {} dof, mass {:.6f} kg (MuJoCo: {} dof, {:.6f} kg)\n", name, model.nv(),
             model.TotalMass(), mujoco.model()->nv, mujoco_mass);
  fmt::print("  largest difference of M⁻¹ bias: {:.1e} of {:.1e}\n",
             (ours.x - theirs.x).cwiseAbs().maxCoeff(), theirs.x.cwiseAbs().maxCoeff());
  fmt::print("  {:<14}{:>12}{:>12}{:>9}\n", "stage", "voigt [us]", "MuJoCo [us]", "ratio");
  const auto row = [&](const char* stage, const SideBySide& r) {
    fmt::print("  {:<14}{:>12.3f}{:>12.3f}{:>9.3f}\n", stage, 1e6 * r.ours, 1e6 * r.theirs,
               r.Ratio());
  };
  constexpr int kRounds = 201, kCalls = 100;
  const auto measure = [&](void (Stages::*mine)(), void (MujocoStages::*other)()) {
    return Measure(kRounds, kCalls, [&] { (ours.*mine)(); }, [&] { (theirs.*other)(); });
  };
  row("kinematics", measure(&Stages::Kinematics, &MujocoStages::Kinematics));
  row("mass matrix", measure(&Stages::MassMatrix, &MujocoStages::MassMatrix));
  row("bias", measure(&Stages::Bias, &MujocoStages::Bias));
  row("factor", measure(&Stages::Factor, &MujocoStages::Factor));
  row("solve", measure(&Stages::Solve, &MujocoStages::Solve));
  row("all", Measure(kRounds, kCalls, [&] { RunAll(&ours); }, [&] { RunAll(&theirs); }));

  // Whole steps; MuJoCo's has no geometry and no constraints to look at.
  ours.state = scene.initial;
  ours.state.q = ours.q;
  ours.state.v = ours.v;
  mujoco.SetTimestep(kStep);
  for (int i = 0; i < 100; ++i) {
    ours.Step();
    theirs.Step();
  }
  const auto q_theirs = Eigen::Map<const VecX>(theirs.data->qpos, theirs.model->nq);
  fmt::print("  largest difference of q after {:g} s: {:.1e}\n", 100 * kStep,
             (ours.state.q - q_theirs).cwiseAbs().maxCoeff());
  row("whole step", measure(&Stages::Step, &MujocoStages::Step));
  if (ours.status != StepStatus::kOk) fmt::print("  a step failed: {}\n", Explain(ours.status));
}

int Main() {
  const std::string scenes = std::string(VOIGT_SOURCE_DIR) + "/scenes/";
  Compare("humanoid", LoadScene(scenes + "humanoid.yaml"));
  Compare("chain of 60 links", LoadScene(scenes + "chain.yaml", {Override{"parameters.n", "60"}}));
  return 0;
}

}  // namespace
}  // namespace voigt::bench

int main() { return voigt::bench::Main(); }
