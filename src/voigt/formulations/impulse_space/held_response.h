#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <vector>

#include "voigt/formulations/impulse_space/impulse_island.h"

namespace voigt {

// The response of a mechanism with the rows held that its constraints hold:
//   H⁻¹ b = y − M⁻¹ G_Hᵀ (G_H M⁻¹ G_Hᵀ + R_H)⁻¹ G_H y,     y = M⁻¹ b.
// Held are bilateral rows, rows that push, bounded rows between their bounds and friction within
// its limit. Rows that repeat each other share: a small multiple of 1 is added to their matrix.
class HeldResponse {
 public:
  // x: y, from which the island's part of the correction is subtracted. `gamma`: of all rows of the
  // problem.
  void Subtract(const ImpulseIsland& island, const VecX& gamma, VecX* x);

 private:
  void ListRows(const ImpulseIsland& island, const VecX& gamma);

  std::vector<int> held_;  // rows of the island
  MatX A_;
  VecX p_, force_, phi_dot_;
  Eigen::LLT<MatX> factor_;
};

}  // namespace voigt
