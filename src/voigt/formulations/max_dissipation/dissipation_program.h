#pragma once

#include <span>
#include <vector>

#include "voigt/formulations/impulse_space/impulse_island.h"
#include "voigt/kernels/cone_quadratic_program.h"
#include "voigt/problem/friction_mode.h"

namespace voigt {

// To which of two sums of normal impulses a row belongs, or −1: rigid contacts and stops in N s,
// and stops of angles in N m s, which cannot be added to them.
inline constexpr int kDissipationSums = 2;
int SumOfRow(const RowGroup& group, int r, const Row& row);

// Phase II of maximum dissipation as a cone program: with the impulses x of an island,
//
//   min ½ xᵀA x + qᵀx   subject to   u = A x + q ≥ 0 of normals and unilateral rows,
//   u = 0 of bilateral rows,  x ≥ 0 of normals and unilateral rows,  lower ≤ x ≤ upper,
//   ‖x_t‖ ≤ μ x_n,  and Σ x_n ≤ κ, which is the sum without friction, of rigid rows; springs have
//   u = 0 if they push without friction, otherwise x = 0 and u ≥ 0,
//
// [Drumwright & Shell 2010, QP 1 and 2], in variables of like size: x = s D x̂ with D = 1/√A_ii.
// Friction without coefficient, what no impulse moves and sums of zero have no variables.
class DissipationProgram {
 public:
  // False if there is no friction to ask for: phase I is the answer then. `frictionless`: its
  // impulses. Bilateral rows are to be met as well as it meets them. `least`: of normals and
  // unilateral rows, what they push at least (phase III); zero otherwise.
  // `slip`: per group of the island, the cone of its slip, which viscous friction may widen.
  bool Update(const ImpulseIsland& island, const VecX& frictionless, const VecX& least,
              std::span<const WidenedCone> slip);

  ConeQuadraticProgram view() const { return {H_, g_, C_, d_, cones_, E_, e_}; }

  void SetStart(const VecX& gamma, ConeQpPoint* point) const;
  // Impulses, put into their cones and bounds; rows without variables stay.
  void GetImpulses(const ImpulseIsland& island, const ConeQpPoint& point, VecX* gamma) const;
  // Multipliers of u per row of the island (others stay), and of the two sums.
  void GetMultipliers(const ImpulseIsland& island, const ConeQpPoint& point, VecX* multiplier,
                      double* price) const;
  // Where a sum is zero, its price is any that makes friction too dear: the least.
  void RaisePrices(const ImpulseIsland& island, const VecX& gamma, const VecX& multiplier,
                   double* price) const;

 private:
  void FindEmptySums(const ImpulseIsland& island, const VecX& frictionless);
  bool IsIdle(const ImpulseIsland& island, int g, int r, const VecX& frictionless) const;
  void ListVariables(const ImpulseIsland& island, const VecX& frictionless);
  void CountRows(const ImpulseIsland& island);
  void SetObjective(const ImpulseIsland& island, const VecX& frictionless);
  void AddNormals(const ImpulseIsland& island);
  void AddSums(const ImpulseIsland& island, const VecX& frictionless);
  void AddContact(const ImpulseIsland& island, int g);
  void AddPush(int row);
  void AddBounds(const ImpulseIsland& island, int row);
  void AddEquations(const ImpulseIsland& island, const VecX& frictionless);
  double CalcUnit(const ImpulseIsland& island, int row) const;
  void AddHalfLine(int variable, double factor, double d);
  // Of a disc of group g: the first one is that of slip.
  WidenedCone ConeOf(int g, const Disc& disc) const {
    return disc.first == 1 ? slip_[g] : WidenedCone{disc.mu, 0};
  }

  std::vector<WidenedCone> slip_;  // per group of the island
  std::vector<int> variables_;     // rows of the island
  std::vector<int> variable_of_;   // per row of the island, −1: none
  std::vector<double> D_;          // per variable
  double size_ = 1;                // s
  VecX least_;                     // per row of the island, N s
  std::vector<int> cones_;
  std::vector<int> normals_, held_;  // rows of the first cones, and of the first equations
  int cone_rows_ = 0, equations_ = 0, next_ = 0;
  bool is_empty_[kDissipationSums] = {};
  int sum_row_[kDissipationSums] = {-1, -1};
  double sum_factor_[kDissipationSums] = {1, 1};
  MatX H_, C_, E_;
  VecX g_, d_, e_;
};

}  // namespace voigt
