#pragma once

#include <vector>

#include "voigt/formulations/impulse_space/impulse_island.h"
#include "voigt/kernels/kept_memory.h"

namespace voigt {

// The response of a mechanism with the rows held that its constraints hold:
//   H⁻¹ b = y − M⁻¹ Gᵀ F (G_H M⁻¹ Gᵀ F + R_H)⁻¹ G_H y,     y = M⁻¹ b.
// Held are bilateral rows, rows that push, bounded rows between their bounds and friction within
// its limit. Impulses are those of held rows, F p; that of a contact that slides pulls its friction
// along, μ times as large and in the direction that it has. Rows that repeat each other share: a
// small multiple of 1 is added to their matrix.
class HeldResponse {
 public:
  // x: y, from which the island's part of the correction is subtracted. `gamma`: of all rows of the
  // problem. `answer`: −F p, written for the island's rows that are held or pulled along.
  void Subtract(const ImpulseIsland& island, const VecX& gamma, VecX* x, VecX* answer);

 private:
  void ListRows(const ImpulseIsland& island, const VecX& gamma);

  // Friction that slides: rows of the island, and impulse per impulse of the normal.
  struct Pulled {
    int held = 0;  // where the normal is in held_
    int row = 0;
    double ratio = 0;
  };

  std::vector<int> held_;  // rows of the island
  std::vector<Pulled> pulled_;
  KeptMatrix A_;
  KeptVector p_;
  std::vector<int> swaps_;
  VecX force_, phi_dot_;
};

}  // namespace voigt
