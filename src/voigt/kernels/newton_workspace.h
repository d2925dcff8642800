#pragma once

#include <span>
#include <vector>

#include "voigt/kernels/anderson.h"
#include "voigt/kernels/island_view.h"

namespace voigt {

struct NewtonStats {
  int iterations = 0, factorizations = 0;
};

// Arrays that the methods share, as long as v or as the rows of the whole program; each island uses
// its own places. P has its own numbering (P_start, per block).
struct NewtonWorkspace {
  void Resize(const ConvexProgram& program);

  std::vector<double> R;      // R with a floor: what the matrices are made with
  std::vector<double> shift;  // added to b: (R_here − R) γ makes R_here a proximal term about γ
  std::vector<double> S;      // w + R, equal over the components of a disc: the scale of each row
  std::vector<double> P, P_factored;  // P_factored: what the islands' matrices were made with
  std::vector<int> P_start;
  VecX gradient, dv, M_dv, M_dev, x;                       // nv
  std::vector<double> y, dy, z, step, last_step, best, D;  // rows (D like P)
  std::vector<double> slope;                               // per block: of its smooth law
  Anderson anderson;
  VecX point, change, weight;  // an island's rows, for it
};

// y ← M x on the ranges, M packed.
void MultiplyMass(const ConvexProgram& program, std::span<const DofRange> ranges, const VecX& x,
                  VecX* y);

// Factors the island's matrix with ws->P, unless it already is with numbers that differ by no more
// than `tolerance`, relative to themselves; those then take the place of ws->P. False if the matrix
// cannot be factored.
bool UpdateFactor(const IslandView& island, bool symmetric, double tolerance, NewtonWorkspace* ws,
                  NewtonStats* stats);
// The same for the island's chain. Of matrix and chain, only the last one to be factored is.
bool UpdateChain(const IslandView& island, double tolerance, NewtonWorkspace* ws,
                 NewtonStats* stats);

}  // namespace voigt
