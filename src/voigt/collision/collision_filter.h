#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "voigt/model/model.h"

namespace voigt {

// Which shapes may touch each other at all.
//
// Bodies: fixed joints make one piece of the bodies they connect, and shapes of one piece never
// touch. Pieces connected by a joint do not touch either, unless JointSpec::bodies_touch, as their
// shapes usually overlap where the joint is; a chain of joints with nothing but massless links
// without shapes between them counts as one. With the world they do touch (a pendulum may swing
// against a wall), and free joints connect nothing. Pairs of ContactSettings::excluded do not
// touch; to exclude a body is to exclude its whole piece.
//
// Shapes: those whose groups accept each other (ContactSettings::filter_rule).
class CollisionFilter {
 public:
  explicit CollisionFilter(const Model& model);

  bool MayTouch(int geometry_A, int geometry_B) const {
    const Entry &A = entries_[geometry_A], &B = entries_[geometry_B];
    return A.piece != B.piece && Accept(A, B) && (apart_.empty() || !AreApart(A.piece, B.piece));
  }

  bool GroupsAccept(int geometry_A, int geometry_B) const {
    return Accept(entries_[geometry_A], entries_[geometry_B]);
  }

  // The piece of the model that a shape belongs to: the first body of it. 0 does not move.
  int piece(int geometry) const { return entries_[geometry].piece; }

  // Groups and what they accept, as bits: shapes for which both are equal are treated alike.
  std::pair<std::uint64_t, std::uint64_t> masks(int geometry) const {
    return {entries_[geometry].groups, entries_[geometry].touches};
  }

 private:
  struct Entry {
    int piece = 0;
    std::uint64_t groups = 0, touches = 0;
  };

  bool Accept(const Entry& A, const Entry& B) const {
    const bool ab = A.touches & B.groups, ba = B.touches & A.groups;
    return either_ ? ab || ba : ab && ba;
  }
  bool AreApart(int piece_A, int piece_B) const;

  std::vector<Entry> entries_;  // per shape
  bool either_ = false;
  std::vector<std::uint64_t> apart_;  // pairs of pieces, sorted
};

}  // namespace voigt
