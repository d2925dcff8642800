#pragma once

#include <vector>

#include "voigt/constraints/row_writer.h"
#include "voigt/dynamics/inverse_dynamics.h"
#include "voigt/sim/step.h"

namespace voigt {

// What the joints of a model transmit: forces [torque; force] on the joint's child body at the
// origin of its frame M, in the axes of M. The share of springs, drives, limits and friction along
// the joint's own axes is part of it; that of tendons and actuators over several joints is part of
// those of the tree only.
struct Reactions {
  std::vector<Vec6> joints;  // of joint(b), per body; nothing for the world
  std::vector<Vec6> loops;   // of loops()
};

// Reactions as means over a step, impacts included: what Newton and Euler ask for each body's
// momentum to change as it did from (q₀, v₀) to (q₁, v₁),
//   h F = Δ[L; p] − impulses of gravity, loads, contacts and constraints on the body,
// gathered from the leaves of the tree to its root, with the lever arms of q₀. Linear momentum is
// met to rounding; the share of a joint along its free axes, which is zero or the force of its
// drive, to O(h), because the joints turn during the step.
class ReactionFinder {
 public:
  explicit ReactionFinder(const Model& model);

  // Of the step that led to `state` and left `step` as it is. Nothing is allocated once it is warm.
  void Calc(const Model& model, const State& state, const StepWorkspace& step, Reactions* out);

 private:
  void AddMomentumRates(const Model& model, double h);
  void SubtractConstraints(const Model& model, const State& state, const StepWorkspace& step,
                           Reactions* out);
  void SubtractContacts(const StepWorkspace& step);
  void SubtractWrench(int body_A, int body_B, const Vec3& p_W, const Vec6& F);

  Kinematics kin0_, kin1_;  // at the start and at the end of the step
  NewtonEulerScratch forces_;
  VecX tau_;
  VelocityProblem rows_;  // those of the constraints once more, for their wrenches
  std::vector<RowWrench> wrenches_;
  std::vector<FrictionRows> friction_;
};

}  // namespace voigt
