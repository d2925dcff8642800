#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "voigt/dynamics/configuration.h"
#include "voigt/dynamics/equations_of_motion.h"
#include "voigt/events/touch_finder.h"
#include "voigt/kernels/boxed_pivoting.h"

namespace voigt {

// A contact or limit that is closed, and what it does until the next event.
struct Hold {
  std::uint64_t id = 0;
  bool sticks = false;            // friction holds it
  Vec3 direction = Vec3::Zero();  // of its slip, in world axes; zero where it has no friction
  bool shares = false;            // sticks by a distribution of forces other than the even one
  double slip = 0;                // speed along the surface when this piece of motion began, m/s

  // Of the last acceleration:
  double force = 0;              // λ_n, N
  double part_speed = 0;         // φ̈, m/s²
  double w = 0;                  // G M⁻¹ Gᵀ of its normal, 1/kg
  Vec3 friction = Vec3::Zero();  // that holds it where it sticks, N
};

// That of a contact or limit, or null.
template <typename Holds>
auto FindHold(Holds& holds, std::uint64_t id) -> decltype(holds.data()) {
  const auto at =
      std::find_if(holds.begin(), holds.end(), [id](const Hold& hold) { return hold.id == id; });
  return at == holds.end() ? nullptr : &*at;
}

// The smooth motion between two events: bilateral constraints hold, closed contacts push or part,
// those that stick do not slip and those that slide have Coulomb's friction against it:
//
//   M v̇ = f + Fᵀλ,   G v̇ + Ġ v = 0 of bilateral rows and of tangents that stick,
//   0 ≤ λ_n ⟂ φ̈ = G_n v̇ + Ġ_n v ≥ 0,   F_n = G_n − μ d G_t of contacts that slide along d.
//
// A boxed linear complementarity problem, by pivoting and proximal steps: where contacts repeat
// each other they share evenly. Viscous friction acts beside it, −B v_t.
//
// Ġ v is by differences of order four along v, which knows the curvature of all shapes.
class HeldMotion {
 public:
  explicit HeldMotion(const Model& model);

  void SetInputs(const Inputs& inputs, const VecX& activation) {
    equations_.SetInputs(inputs, activation);
  }

  // Fills v̇ and the forces of the holds. False if there is no solution, or none was found: v̇ is
  // then NaN.
  bool CalcAcceleration(double t, const VecX& q, const VecX& v, std::vector<Hold>* holds,
                        VecX* v_dot);

  // Of the last acceleration: the power of loads, dampers and drives, and that of friction.
  double power() const { return equations_.power(); }
  double friction_power() const { return friction_power_; }
  // The free v̇, with viscous friction, and Ġ v per row of the finder.
  const VecX& free_acceleration() const { return free_; }
  const VecX& curvature() const { return curvature_; }

  // Brings gaps of bilateral rows and of contacts that press to zero, then their rates and those of
  // tangents that stick: what the integrator leaves of them.
  bool Project(double t, const std::vector<Hold>& holds, VecX* q, VecX* v);

  // Contacts, rows and M of the last call.
  TouchFinder* finder() { return &finder_; }
  const Configuration& configuration() const { return configuration_; }
  bool UpdateConfiguration(const VecX& q) { return configuration_.Update(model_, q); }
  long evaluations() const { return evaluations_; }

  // Slower slip than this has the direction of the start of its piece, m/s; that of a piece which
  // begins slowly keeps it longer. Across a slip s friction damps with the rate μ g/s, too fast to
  // be followed where sliding begins.
  static constexpr double kNoSlip = 1e-9, kSlowSlip = 1e-5;

 private:
  struct HeldRow {
    int row = 0;    // of the finder
    int hold = -1;  // −1: bilateral
    bool is_normal = false;
  };

  void ListRows(const std::vector<Hold>& holds, bool with_tangents);
  void CalcCurvature(double t, const VecX& q, const VecX& v);
  void AddDifference(double t, const VecX& q, const VecX& v, double step, double weight);
  void AddViscousFriction(const std::vector<Hold>& holds, const VecX& v);
  Vec3 CalcDirection(const Hold& hold, const Touch& touch) const;
  void CalcMatrix(const std::vector<Hold>& holds);
  bool SolveForces();
  void AddRow(int row, double factor, VecX* x) const;
  double DotRow(int row, const VecX& x) const;
  void SolveRows(VecX* impulses);

  const Model& model_;
  EquationsOfMotion equations_;
  Configuration configuration_;
  TouchFinder finder_, moved_;
  std::vector<std::uint64_t> ids_;
  std::vector<HeldRow> rows_;
  std::vector<int> group_of_;  // per row of the finder
  VecX q_, free_, curvature_, lambda_, right_, lower_, upper_, force_;
  MatX response_;  // M⁻¹ Fᵀ
  MatX A_, shifted_;
  VecX target_, rest_;
  BoxedPivoting pivoting_;
  double friction_power_ = 0;
  long evaluations_ = 0;
};

}  // namespace voigt
