#include "voigt/formulations/compliant/friction_radii.h"

#include <algorithm>

namespace voigt {
namespace {

bool HasBound(const ConvexBlock& block) { return IsCoupled(block.set) && block.has_friction(); }

}  // namespace

void SetRadiiFromImpulses(const IslandView& island, const VecX& gamma, double weight,
                          ConvexProgram* program) {
  for (int i : island.blocks) {
    ConvexBlock& block = program->blocks[i];
    if (!IsCoupled(block.set)) continue;
    const double normal = std::max(0.0, gamma[block.first_row]);
    block.bound += weight * (normal - block.bound);
  }
}

bool NormalsAgreeWithRadii(const IslandView& island, const VecX& gamma) {
  constexpr double kSmall = 1e-6;
  double largest = 0;
  for (int i : island.blocks) {
    const ConvexBlock& block = island.program.blocks[i];
    if (HasBound(block)) largest = std::max(largest, gamma[block.first_row]);
  }
  for (int i : island.blocks) {
    const ConvexBlock& block = island.program.blocks[i];
    if (!HasBound(block)) continue;
    const double now = gamma[block.first_row], before = block.bound;
    if (std::max(now, before) <= kSmall * largest) continue;
    if (!(now <= 2 * before && before <= 2 * now)) return false;
  }
  return true;
}

}  // namespace voigt
