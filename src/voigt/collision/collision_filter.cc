#include "voigt/collision/collision_filter.h"

#include <algorithm>
#include <numeric>

namespace voigt {
namespace {

std::uint64_t MakeKey(int a, int b) {
  return std::uint64_t(std::min(a, b)) << 32 | std::uint64_t(std::max(a, b));
}

// Calls visit(joint) for all joints, those of the tree and the loops.
template <typename Visit>
void ForEachJoint(const Model& model, Visit visit) {
  for (int b = 1; b < model.nb(); ++b) visit(model.joint(b));
  for (const Joint& loop : model.loops()) visit(loop);
}

}  // namespace

CollisionFilter::CollisionFilter(const Model& model) {
  // Pieces: every body points to one with a smaller number, or to itself.
  piece_.resize(model.nb());
  std::iota(piece_.begin(), piece_.end(), 0);
  const auto find = [&](int body) {
    while (piece_[body] != body) body = piece_[body] = piece_[piece_[body]];
    return body;
  };
  ForEachJoint(model, [&](const Joint& joint) {
    if (joint.type != JointType::kFixed) return;
    const int a = find(joint.parent), b = find(joint.child);
    piece_[std::max(a, b)] = std::min(a, b);
  });
  for (int b = 0; b < model.nb(); ++b) piece_[b] = find(b);

  ForEachJoint(model, [&](const Joint& joint) {
    const int a = piece_[joint.parent], b = piece_[joint.child];
    if (joint.type != JointType::kFree && a != 0 && b != 0) joined_.push_back(MakeKey(a, b));
  });
  std::sort(joined_.begin(), joined_.end());
}

bool CollisionFilter::MayTouch(int body_A, int body_B) const {
  const int a = piece_[body_A], b = piece_[body_B];
  return a != b && !std::binary_search(joined_.begin(), joined_.end(), MakeKey(a, b));
}

}  // namespace voigt
