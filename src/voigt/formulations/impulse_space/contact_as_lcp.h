#pragma once

#include <vector>

#include "voigt/formulations/impulse_space/impulse_island.h"
#include "voigt/kernels/complementarity.h"
#include "voigt/kernels/kept_memory.h"
#include "voigt/problem/friction_mode.h"

namespace voigt {

// An island with polyhedral friction cones as a boxed linear complementarity problem
// [Anitescu, Miller & Hart 2003, eqs. 2.7, 2.10, 2.11; Mylapilli & Jain 2014, eqs. 16–22]. The
// impulse of a disc is D β with β ≥ 0 along the corners d_k of a polygon, and its slip is σ:
//
//   u_n                ≥ 0  ⟂  γ_n ≥ 0
//   Dᵀ u_t + σ e       ≥ 0  ⟂  β   ≥ 0
//   μ γ_n − eᵀβ        ≥ 0  ⟂  σ   ≥ 0.
//
// Bilateral rows have free variables, bounded rows their bounds. Velocities are eliminated: of the
// printed mixed problem the row of M is solved for v₁, the others are as printed.
//
// Units: a group's impulses are multiplied, and its velocities divided, by the root of its largest
// entry on the diagonal of A, so that entries are about 1.
class ContactAsLcp {
 public:
  // `cone_angle`: per group of the problem, as in Solution.
  void Update(const ImpulseIsland& island, int directions, const std::vector<double>& cone_angle);

  ComplementarityProblem problem() const {
    return {N_.get(), q_.get(), lower_.get(), upper_.get()};
  }
  int size() const { return static_cast<int>(columns_.size()); }

  // After SetGuess: which variables are basic there, as Lemke::set() has it.
  const std::vector<char>& set() const { return set_; }

  // The variables that stand for impulses, and back. Slips follow from the velocities A γ + q. What
  // rounding left of z outside of its bounds and cones is put back into them first.
  void SetGuess(const ImpulseIsland& island, const VecX& gamma, Eigen::Ref<VecX> z);
  void GetImpulses(Eigen::Ref<VecX> z, VecX* gamma) const;

 private:
  // A column of the map from variables to impulses: one or two rows of the island, or a slip.
  struct Column {
    int row = -1;              // first row; −1 of a slip
    int count = 1;             // rows
    double entry[2] = {0, 0};  // impulse per unit of the variable
  };
  // The polygon of a disc: its columns, the slip's, and that of the normal.
  struct Polygon {
    int first = 0, count = 0;  // columns of β
    int sigma = 0;
    int normal = 0;
    double mu = 0;
    int row = 0, row_count = 0;  // of the island
  };

  void ListColumns(const ImpulseIsland& island, int directions,
                   const std::vector<double>& cone_angle);
  void ListContact(const ImpulseIsland& island, int g, int directions, double angle, double unit);
  void AddColumn(int row, double entry, double lower, double upper);
  void FillMatrix(const ImpulseIsland& island);
  void PutIntoCones(Eigen::Ref<VecX> z) const;
  void GuessPolygon(const Polygon& polygon, const VecX& gamma, Eigen::Ref<VecX> z);

  std::vector<Column> columns_;
  std::vector<Polygon> polygons_;
  std::vector<char> set_;
  std::vector<double> lower_list_, upper_list_;
  KeptMatrix N_;
  KeptVector q_, lower_, upper_, column_, u_;
};

}  // namespace voigt
