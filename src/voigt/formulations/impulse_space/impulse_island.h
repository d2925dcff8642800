#pragma once

#include <span>
#include <vector>

#include "voigt/kernels/islands.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// A group of rows within an island.
struct IslandGroup {
  int group = 0;      // of the problem
  int first_row = 0;  // of the island
};

// An island of a problem without its velocities: with v₁ = v* + M⁻¹ Gᵀ γ the residual velocities
// are
//
//   u = A γ + q,     A = G M⁻¹ Gᵀ + diag(R),     q = G v* + φ_t − v̂,
//
// the operational-space form [Mylapilli & Jain 2014, eqs. 20–22]. Symmetric and positive
// semi-definite; singular where rigid rows repeat each other.
struct ImpulseIsland {
  const VelocityProblem* problem = nullptr;
  std::vector<IslandGroup> groups;
  std::vector<int> rows;  // of the problem, in its order
  MatX A;                 // the part rows × rows
  VecX q;
  double scale = 1;  // of A: its largest diagonal entry

  int row_count() const { return static_cast<int>(rows.size()); }
  const RowGroup& group(int g) const { return problem->groups[groups[g].group]; }
};

// Works islands out.
class ImpulseAssembler {
 public:
  // Keeps a pointer to the problem until the next call.
  void SetProblem(const VelocityProblem& problem);

  // The island of these groups; `out` keeps its memory.
  void Assemble(std::span<const int> groups, ImpulseIsland* out);

 private:
  void ListTrees(const ImpulseIsland& island);
  void CalcResponse(const RowGroup& group, int r, std::span<const int> trees);
  void AssembleMatrix(ImpulseIsland* out);
  std::span<const int> trees_of(int g) const {
    return {group_trees_.data() + group_start_[g],
            static_cast<size_t>(group_start_[g + 1] - group_start_[g])};
  }

  const VelocityProblem* problem_ = nullptr;
  std::vector<DofRange> trees_;   // every tree of the mass matrix
  std::vector<int> tree_of_dof_;  // where it is in trees_
  // Of one island: the trees that each group touches, and a mark per tree.
  std::vector<int> group_start_, group_trees_;
  std::vector<char> is_touched_;
  VecX y_;  // M⁻¹ g of one row; zero but on the trees of its group
};

// All islands of a problem.
class ImpulseSpace {
 public:
  // Keeps a pointer to the problem until the next call.
  void Update(const VelocityProblem& problem);

  int count() const { return islands_.count(); }
  void Assemble(int island, ImpulseIsland* out) {
    assembler_.Assemble(islands_.blocks(island), out);
  }

 private:
  Islands islands_;
  ImpulseAssembler assembler_;
};

}  // namespace voigt
