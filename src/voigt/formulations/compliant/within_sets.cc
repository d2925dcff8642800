#include "voigt/formulations/compliant/within_sets.h"

#include <algorithm>

namespace voigt {
namespace {

bool PutWithin(double lower, double upper, double* gamma) {
  const double within = std::clamp(*gamma, lower, upper);
  const bool changed = within != *gamma;
  *gamma = within;
  return changed;
}

// `normal`: the impulse that radii come from.
bool PutIntoDiscs(const DiscList& discs, double normal, double* gamma) {
  bool changed = false;
  for (const Disc& disc : discs) {
    Eigen::Map<VecX> impulse(gamma + disc.first, disc.count);
    const double radius = disc.mu * normal, norm = impulse.norm();
    if (norm <= radius) continue;
    impulse *= radius / norm;
    changed = true;
  }
  return changed;
}

bool PutIntoSet(const ConvexProgram& program, const ConvexBlock& block, SetParts parts,
                double* gamma) {
  bool changed = false;
  switch (block.set) {
    case ConvexSet::kAll:
      return false;
    case ConvexSet::kHalfLines:
      for (int r = 0; r < block.row_count; ++r) changed |= PutWithin(0, kInfinity, gamma + r);
      return changed;
    case ConvexSet::kIntervals:
      for (int r = 0; r < block.row_count; ++r) {
        const int row = block.first_row + r;
        changed |= PutWithin(program.lower[row], program.upper[row], gamma + r);
      }
      return changed;
    case ConvexSet::kDisc:
    case ConvexSet::kCone:
    case ConvexSet::kCoulomb:
      break;
  }
  changed = PutWithin(0, kInfinity, gamma);
  if (parts == SetParts::kBounds) return changed;
  const double normal = block.set == ConvexSet::kDisc ? block.bound : gamma[0];
  return PutIntoDiscs(block.discs(), normal, gamma) || changed;
}

}  // namespace

bool PutIntoSets(const ConvexProgram& program, std::span<const int> blocks, SetParts parts,
                 VecX* gamma) {
  bool changed = false;
  for (int i : blocks) {
    const ConvexBlock& block = program.blocks[i];
    changed |= PutIntoSet(program, block, parts, gamma->data() + block.first_row);
  }
  return changed;
}

}  // namespace voigt
