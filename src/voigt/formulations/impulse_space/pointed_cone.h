#pragma once

#include <vector>

#include "voigt/formulations/impulse_space/impulse_island.h"
#include "voigt/kernels/cone_qp.h"

namespace voigt {

// Whether the friction cone {Gᵀγ} of rigid rows is pointed: no impulses within their cones, other
// than none at the contacts, cancel each other. Where it is not, as in a wedge that jams or a body
// clamped between walls, impulses have no bound, and neither the solvability of complementarity
// problems nor the convergence of time stepping is certain [Anitescu, Miller & Hart 2003].
//
// The least size of Gᵀγ in the metric of M⁻¹,
//
//   margin² = min γᵀ G M⁻¹ Gᵀ γ   over γ in the (exact) cones with Σ √w_i γ_i = 1 over the normals,
//
// tells how far it is from that: 0 where it is not pointed, 1 for a single normal. Springs and
// bounded rows have no part in it, nor have gaps that are open.
class PointedCone {
 public:
  struct Result {
    double margin = kInfinity;  // the least over all islands; infinite without contacts
    bool is_certain = true;     // the programs were solved
    // 1e-6 is what arithmetic leaves of 0.
    bool is_pointed() const { return margin > 1e-6; }
  };

  // Of contacts that overlap, touch or have impulses γ.
  Result Calc(const VelocityProblem& problem, const VecX& gamma);

 private:
  void ListVariables(const VecX& gamma);
  void AddVariable(int row, double w);
  void FillProgram();
  Result SolveIsland();

  // A cone: the variables of its normal and of one disc.
  struct Cone {
    int normal = 0, first = 0, count = 0;
    double mu = 0;
  };

  ImpulseSpace space_;
  ImpulseIsland island_;
  std::vector<int> rows_;     // of the island, per variable
  std::vector<double> D_;     // impulse per unit of the variable
  std::vector<int> normals_;  // variables
  std::vector<Cone> cones_;
  std::vector<int> sizes_;
  MatX H_, C_, E_;
  VecX g_, d_, e_;
  ConeQp kernel_;
  ConeQpPoint point_;
};

}  // namespace voigt
