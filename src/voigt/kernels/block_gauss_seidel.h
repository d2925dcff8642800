#pragma once

#include <span>
#include <vector>

#include "voigt/base/stopwatch.h"
#include "voigt/kernels/anderson.h"
#include "voigt/kernels/islands.h"

namespace voigt {

struct GaussSeidelSettings {
  int max_sweeps = 1000;
  double tolerance = 1e-12;  // of the natural residual, relative to `scale`
  double scale = 1;          // velocity
  bool accelerate = true;    // Anderson's acceleration of the sweeps
  Deadline deadline;
};

struct GaussSeidelStats {
  int sweeps = 0;
  int relaxations = 0;  // how often steps were made shorter because nothing improved
};

struct GaussSeidelResult {
  double residual = kNaN;  // velocity: the largest S |γ − Proj(γ − S⁻¹ u)|, S = w + R
  bool converged = false;
};

// Solves the laws of an island of a program (convex_program.h) block by block, each exactly with
// the others held, again and again; v = v* + M⁻¹ Gᵀ γ is kept up to date through M⁻¹ G_bᵀ, which is
// computed once per block. Needs no factor and no convexity, which makes it the method of last
// resort for the Coulomb law: it settles, slowly, where Newton's method finds no way. Where it
// cycles, steps are made shorter.
//
// Single rows are solved in closed form (with a smooth law, by safeguarded Newton), Coulomb blocks
// as in local_coulomb.h (those of several discs as in several_discs.h), blocks without conditions
// by their own small factor, discs and cones by projected gradients. It knows no cones with a
// smooth law (smooth_cone.h), whose program is convex and does not come here.
class BlockGaussSeidel {
 public:
  // `ranges` are the trees that the blocks touch, ascending. gamma: start and result, the best
  // point met; entries of other blocks are left alone. v: the velocity of that point, on the
  // ranges.
  GaussSeidelResult Solve(const ConvexProgram& program, std::span<const int> blocks,
                          std::span<const DofRange> ranges, const GaussSeidelSettings& settings,
                          VecX* v, VecX* gamma, GaussSeidelStats* stats);

 private:
  // What one block makes of the velocities it reaches.
  struct Response {
    int first_col = 0, col_count = 0;  // in cols_: degrees of freedom that it moves
    int first_entry = 0;               // in Y_: row_count × col_count, row by row
    int first_W = 0;                   // in W_: G M⁻¹ Gᵀ + R of the block, row by row
  };

  void Prepare(const ConvexProgram& program, std::span<const int> blocks,
               std::span<const DofRange> ranges);
  void PrepareBlock(const ConvexProgram& program, const ConvexBlock& block,
                    std::span<const DofRange> ranges, Response* response);
  void CalcVelocity(const ConvexProgram& program, std::span<const int> blocks,
                    std::span<const DofRange> ranges, const VecX& gamma, VecX* v) const;
  double CalcResidual(const ConvexProgram& program, std::span<const int> blocks, const VecX& v,
                      const VecX& gamma);
  void Sweep(const ConvexProgram& program, std::span<const int> blocks, double relaxation, VecX* v,
             VecX* gamma);
  void SolveBlock(const ConvexProgram& program, const ConvexBlock& block, const double* W,
                  const double* q, double* gamma);
  void Extrapolate(const ConvexProgram& program, std::span<const int> blocks, VecX* gamma);

  std::vector<Response> responses_;  // per block of the island
  std::vector<int> cols_;
  std::vector<double> Y_, W_, S_, x_, z_, D_, q_, best_;
  Anderson anderson_;
  VecX point_, change_, weight_;  // the island's rows
};

}  // namespace voigt
