#include "reproduce/arm_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "voigt/dynamics/articulated_body.h"

namespace voigt::reproduce {

ArmRun RunArm(const Trial& trial, const ArmFriction& friction, double h,
              const std::string& formulation, const std::string& viscous_as, int joint) {
  std::vector<Override> changes = {{"parameters.dry", fmt::format("{:.17g}", friction.dry)},
                                   {"parameters.viscous", fmt::format("{:.17g}", friction.viscous)},
                                   {"simulation.formulation", formulation}};
  for (int k = 0; k < 8; ++k) {
    changes.push_back({fmt::format("joints.{}.friction.viscous_as", k), viscous_as});
  }
  const Scene scene = trial.LoadScene("eight_joint_arm", changes);
  Simulator simulator = MakeSimulator(scene);
  ArmRun out;
  out.start = scene.initial.q;
  trial.Step(&simulator, h, 1, [&] {
    const State& state = simulator.state();
    out.angle.emplace_back(state.t, state.q[joint]);
    out.rate.emplace_back(state.t, state.v[joint]);
    out.drift = std::max(out.drift, (state.q - out.start).cwiseAbs().maxCoeff());
  });
  out.end = simulator.state().q;
  out.end_rate = simulator.state().v;
  return out;
}

ArmRun RunArmByAccelerations(const Trial& trial, const ArmFriction& friction, double h,
                             double until, int joint) {
  // The same arm without friction: that is added by hand.
  const Scene scene = trial.LoadScene("arm");
  const Model& model = scene.model;
  ArmRun out;
  out.start = scene.initial.q;
  VecX q = out.start, v = VecX::Zero(model.nv()), v_dot(model.nv()), tau(model.nv());
  ArticulatedBody arm(model);
  Kinematics kin(model);
  const long steps = std::lround(until / h), stride = std::max(1L, steps / 2000);
  for (long k = 0; k < steps; ++k) {
    for (int i = 0; i < model.nv(); ++i) {
      const double sign = v[i] > 0 ? 1 : v[i] < 0 ? -1 : 0;
      tau[i] = -friction.dry * sign - friction.viscous * v[i];
    }
    UpdatePositions(model, q, &kin);
    UpdateVelocities(model, v, &kin);
    UpdateArticulatedInertia(model, kin, nullptr, &arm);
    CalcForwardDynamics(model, kin, tau, nullptr, &arm, &v_dot);
    v += h * v_dot;
    q += h * v;
    out.drift = std::max(out.drift, (q - out.start).cwiseAbs().maxCoeff());
    if (!(v.norm() < 1e4)) break;
    if (k % stride != 0) continue;
    trial.Tick();
    out.angle.emplace_back((k + 1) * h, q[joint]);
    out.rate.emplace_back((k + 1) * h, v[joint]);
  }
  out.end = q;
  out.end_rate = v;
  return out;
}

}  // namespace voigt::reproduce
