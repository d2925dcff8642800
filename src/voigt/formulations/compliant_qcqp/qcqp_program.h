#pragma once

#include <vector>

#include "voigt/formulations/impulse_space/impulse_island.h"
#include "voigt/kernels/cone_quadratic_program.h"

namespace voigt {

// What the program asks for beside the rows of an island.
struct QcqpWeights {
  double zeta = 1;      // ζ of normals and unilateral rows
  double softness = 0;  // 1/(h B_r), 1/kg: R of friction and bounded rows that have none; positive
};

// The printed program of compliant contact as a cone program: with the impulses x of an island and
// u = A x + q,
//
//   min ½ ζ (x_n² + x_u²) + ½ x_t² + ½ b²   subject to   u ≥ 0, x ≥ 0 of normals and unilateral
//   rows, u = 0 of bilateral rows, ‖x_t‖ ≤ μ x_n, lower ≤ x ≤ upper, and b = u_t/r,
//
// [Drumwright 2019, eqs. 83–85 and 181–198, corrected as the README says], where r is R of a
// friction row: b is what its impulse is off by from that of the damper −γ = h B_r φ̇. Friction
// without coefficient and what no impulse moves have no variables.
//
// Squares of u_t/r would put r⁻² = 10¹² beside ζ and 1. So b are variables of their own, tied to x
// by equations with r in them, and x = s D x̂, D = 1/√A_ii, b = s D σ b̂ are of like size.
class QcqpProgram {
 public:
  // False if there is nothing to ask for.
  bool Update(const ImpulseIsland& island, const QcqpWeights& weights);

  ConeQuadraticProgram view() const { return {H_, g_, C_, d_, cones_, E_, e_}; }

  // From impulses, or from nothing where they are all zero.
  void SetStart(const ImpulseIsland& island, const VecX& gamma, ConeQpPoint* point) const;
  // The size of the multipliers, and of the gradient, at a point: in units of the program, in which
  // the sizes of conditions are about 1.
  double CalcDualSize(const ConeQpPoint& point) const;
  // Multiplies the objective, and the point's multipliers with it.
  void ScaleObjective(double factor, ConeQpPoint* point);

  // Impulses, put into their cones and bounds; zero where there are no variables.
  void GetImpulses(const ImpulseIsland& island, const ConeQpPoint& point, VecX* gamma) const;
  // Of u ≥ 0, u = 0 and u = r b per row of the island, N s kg.
  void GetMultipliers(const ConeQpPoint& point, VecX* multiplier) const;

 private:
  void ListVariables(const ImpulseIsland& island);
  void CountRows(const ImpulseIsland& island);
  void SetObjective(const ImpulseIsland& island);
  void SetConditions(const ImpulseIsland& island);
  void AddContact(const ImpulseIsland& island, int g);
  void AddBounds(const ImpulseIsland& island, int row);
  void AddHalfLine(int variable, double factor, double d);
  // D (A x + q)/s of a row, as a row of C or E.
  template <class RowOfMatrix>
  void SetVelocity(const ImpulseIsland& island, int row, RowOfMatrix out, double* constant) const;

  QcqpWeights weights_;
  std::vector<int> variables_;        // rows of the island
  std::vector<int> variable_of_;      // per row of the island, −1: none
  std::vector<double> D_;             // per variable
  std::vector<int> soft_;             // variables with b
  std::vector<double> r_;             // of each of those
  std::vector<double> extra_;         // per row of the island: what softness adds to A_ii
  std::vector<int> pushing_, held_;   // rows of the first cones, and of the first equations
  std::vector<int> given_;            // variables with one value
  double size_ = 1;                   // s
  double objective_ = 1, sigma_ = 1;  // what the objective is multiplied by; σ
  double D_max_ = 1;
  std::vector<int> cones_;
  int next_ = 0;
  int cone_rows_ = 0;
  MatX H_, C_, E_;
  VecX g_, d_, e_;
};

}  // namespace voigt
