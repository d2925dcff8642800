#include "voigt/kernels/newton_workspace.h"

#include <cmath>

#include "voigt/kernels/convex_set.h"
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
  for (std::vector<double>* list : {&R, &S, &shift, &y, &dy, &z, &step, &best}) list->resize(rows);
  is_stopped.resize(nv);
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

// Whether a factor made with ws->P_factored serves for ws->P too, which then becomes the same.
// Otherwise ws->P is taken down for the factor that has to be made.
bool KeepFactor(const IslandView& island, bool is_factored, double tolerance, NewtonWorkspace* ws,
                NewtonStats* stats) {
  const auto for_each_entry = [&](auto visit) {
    for (int i : island.blocks) {
      const int start = ws->P_start[i], size = DerivativeSize(island.program.blocks[i]);
      for (int k = start; k < start + size; ++k) visit(ws->P[k], ws->P_factored[k]);
    }
  };
  bool is_close = is_factored;
  if (is_factored) {
    for_each_entry([&](double P, double P_factored) {
      is_close = is_close && std::abs(P - P_factored) <= tolerance * std::abs(P_factored);
    });
  }
  if (is_close) {
    for_each_entry([](double& P, double& P_factored) { P = P_factored; });
    return true;
  }
  ++stats->factorizations;
  for_each_entry([](double& P, double& P_factored) { P_factored = P; });
  return false;
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
