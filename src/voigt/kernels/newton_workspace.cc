#include "voigt/kernels/newton_workspace.h"

#include <algorithm>
#include <cmath>

#include "voigt/kernels/convex_set.h"
#include "voigt/kernels/several_discs.h"
#include "voigt/math/tree_product.h"

namespace voigt {

void NewtonWorkspace::Resize(const ConvexProgram& program) {
  const int rows = program.row_count(), nv = program.nv();
  P_start.resize(program.blocks.size());
  slope.resize(program.blocks.size());
  int P_size = 0;
  for (size_t i = 0; i < program.blocks.size(); ++i) {
    P_start[i] = P_size;
    P_size += DerivativeSize(program.blocks[i]);
  }
  for (std::vector<double>* list : {&P, &P_factored, &D}) list->resize(P_size);
  for (std::vector<double>* list : {&R, &S, &shift, &y, &dy, &z, &step, &last_step, &best}) {
    list->resize(rows);
  }
  for (VecX* vector : {&gradient, &dv, &M_dv, &M_dev, &x}) {
    if (vector->size() != nv) vector->setZero(nv);
  }
}

void MultiplyMass(const ConvexProgram& program, std::span<const DofRange> ranges, const VecX& x,
                  VecX* y) {
  for (const DofRange& range : ranges) {
    MultiplyPacked(*program.pattern, program.M->data(), range.first, range.count, x.data(),
                   y->data());
  }
}

namespace {

// Whether two P of a block differ by no more than `tolerance`. Entries of coupled rows r and c are
// compared with √(P_rr P_cc), where rows of a disc have the largest of their diagonal: how its
// entries are divided between them is a matter of axes.
bool IsClose(const ConvexBlock& block, const double* P, const double* Q, double tolerance) {
  const int n = block.row_count, size = DerivativeSize(block);
  if (std::equal(P, P + size, Q)) return true;
  if (tolerance == 0) return false;
  if (tolerance == kInfinity) return true;
  if (!IsCoupled(block.set)) {
    for (int r = 0; r < n; ++r) {
      if (!(std::abs(P[r] - Q[r]) <= tolerance * std::abs(Q[r]))) return false;
    }
    return true;
  }
  double scale[kMaxDiscRows] = {std::abs(Q[0])};
  for (const Disc& disc : block.discs()) {
    double largest = 0;
    for (int r = disc.first; r < disc.first + disc.count; ++r) {
      largest = std::max(largest, std::abs(Q[r * n + r]));
    }
    std::fill_n(scale + disc.first, disc.count, largest);
  }
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      const double change = std::abs(P[r * n + c] - Q[r * n + c]);
      if (!(change * change <= tolerance * tolerance * scale[r] * scale[c])) return false;
    }
  }
  return true;
}

// Whether a factor made with ws->P_factored serves for ws->P too, which then becomes the same.
// Otherwise ws->P is taken down for the factor that has to be made.
bool KeepFactor(const IslandView& island, bool is_factored, double tolerance, NewtonWorkspace* ws,
                NewtonStats* stats) {
  const bool is_close =
      is_factored && std::all_of(island.blocks.begin(), island.blocks.end(), [&](int i) {
        const int start = ws->P_start[i];
        return IsClose(island.program.blocks[i], &ws->P[start], &ws->P_factored[start], tolerance);
      });
  if (!is_close) ++stats->factorizations;
  std::vector<double>& from = is_close ? ws->P_factored : ws->P;
  std::vector<double>& to = is_close ? ws->P : ws->P_factored;
  for (int i : island.blocks) {
    const int start = ws->P_start[i];
    std::copy_n(from.data() + start, DerivativeSize(island.program.blocks[i]), to.data() + start);
  }
  return is_close;
}

}  // namespace

bool UpdateFactor(const IslandView& island, bool symmetric, double tolerance, NewtonWorkspace* ws,
                  NewtonStats* stats) {
  if (KeepFactor(island, island.matrix->is_factored(), tolerance, ws, stats)) return true;
  if (island.chain != nullptr) island.chain->Forget();
  return island.matrix->Factor(island.program, ws->P, ws->P_start, symmetric);
}

bool UpdateChain(const IslandView& island, double tolerance, NewtonWorkspace* ws,
                 NewtonStats* stats) {
  if (KeepFactor(island, island.chain->is_factored(), tolerance, ws, stats)) return true;
  island.matrix->Forget();
  return island.chain->Factor(island.program, ws->P, ws->P_start);
}

}  // namespace voigt
