#pragma once

#include <vector>

#include "voigt/dynamics/configuration.h"

namespace voigt {

// Inertial motion over one step: the bodies move from q₀ to q₁ while no force acts, and the rates
// v₁ must change, because the same rates mean other body velocities at q₁. This is what
// Coriolis, centrifugal and gyroscopic forces do; taken as forces at the start of the step, they
// feed energy into fast mechanisms and blow up (an arm of eight links at h = 1 ms).
//
// Here each body first flies freely: its centre of mass keeps its velocity, its spin follows
// Euler's equations (spin.h); neither changes its kinetic energy. Then the joints pull the bodies'
// velocities V* together again, by the smallest change in the metric of the masses:
//   M₁ a = J₁ᵀ 𝓜 V*          (a projection: the energy cannot grow, at any h).
// The projection loses energy at a rate of O(h). The midpoint rule would not: with the joints read
// half at q₀ and half at q₁, and the gyroscopic torque taken at the mean ω̄ of the spins,
//   ½ (J₀ + J₁)ᵀ [ m (v_com − v_com,₀) ;  I (ω − ω₀) + h ω̄ × I ω̄ ] = 0,
// (written for a spin that free flight advances in one part; in several, I ω_free stands for
// I ω₀ − h ω̄ × I ω̄ of that flight), but it cannot be solved for every h. One Newton step towards it
// from a, with M₁ for its matrix, is a correction δ that leaves a change of O(h³) in a step. Of it
// as much is taken, tree by tree, as gives the energy back: θ δ with θ = 1 + O(h), and never more
// than 5/4 of it. So the kinetic energy never grows, at any step; at small ones it is conserved to
// rounding, and the motion to second order; linear momentum is conserved exactly.
class MomentumTransport {
 public:
  explicit MomentumTransport(const Model& model);

  // start is up to date with q₀ and the rates v₁ there, end with q₁; rates at end are lost.
  void Update(const Model& model, const VecX& v1, double h, const Configuration& start,
              Configuration* end);

  // The rates at q₁.
  const VecX& v() const { return v_; }

  // Bodies whose spin was too fast for AdvanceSpin in the last Update.
  int spin_failures() const { return spin_failures_; }

 private:
  // Velocity of a body's centre of mass in world axes; its spin at the start and after free flight,
  // in its principal axes.
  struct Flight {
    Vec3 v_com = Vec3::Zero();
    Vec3 omega = Vec3::Zero(), omega_free = Vec3::Zero();
  };

  void FlyFreely(const Model& model, const Kinematics& kin, double h);
  void PullTogether(const Model& model, const VecX& v1, double h, const Configuration& start,
                    Configuration* end);
  void AddCorrection(const Model& model, const VecX& v1, double h, const Configuration& start,
                     Configuration* end);

  std::vector<Flight> flight_;                 // per body
  std::vector<Vec6> momentum_, momentum_end_;  // per body, at its link's origin
  std::vector<double> energy_;                 // kinetic, of a whole tree at its root
  VecX p_, v_, delta_, r_;
  std::vector<int> free_bodies_;  // without armature: nothing holds them
  bool has_joints_ = false;       // there are others
  int spin_failures_ = 0;
};

}  // namespace voigt
