#pragma once

#include <cstdint>
#include <vector>

#include "voigt/model/model.h"

namespace voigt {

// Which bodies may touch each other at all.
//
// Fixed joints make one piece of the bodies they connect, and shapes of one piece never touch.
// Pieces connected by a joint do not touch either, as their shapes usually overlap where the joint
// is; but with the world they do (a pendulum may swing against a wall), and free joints connect
// nothing.
class CollisionFilter {
 public:
  explicit CollisionFilter(const Model& model);

  bool MayTouch(int body_A, int body_B) const;

  // The piece that a body belongs to: the first body of it.
  int piece(int body) const { return piece_[body]; }

 private:
  std::vector<int> piece_;
  std::vector<std::uint64_t> joined_;  // pairs of pieces, sorted
};

}  // namespace voigt
