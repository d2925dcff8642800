#pragma once

#include <array>

#include "voigt/collision/convex_shape.h"

namespace voigt {

// The distance of two cores by the algorithm of [Gilbert, Johnson & Keerthi 1988]: v, the point of
// A - B nearest to the origin, is approached by the nearest points of simplices that grow towards
// it. Ends with the simplex, which tells the features that are nearest, or with the finding that
// the cores touch or overlap.
class Gjk {
 public:
  enum class Status {
    kApart,      // farther than `margin`
    kSeparated,  // nearer than that, and *this knows where
    kTouching,   // overlapping, or nearer than rounding can tell
  };

  // Goes on from where the last call for the same pair ended if `is_new` is false. Ends where ‖v‖
  // exceeds its lower bound by less than `tolerance` ‖v‖ or `slack` (m), or rounding ends progress.
  Status Run(const ConvexPair& pair, double margin, double tolerance, double slack, bool is_new);

  const Vec3& v() const { return v_; }  // a - b of the nearest points: n = -v/‖v‖
  int count() const { return count_; }
  const MinkowskiPoint& point(int k) const { return points_[k]; }
  // Nearest points of A and B, in A's frame.
  Vec3 CalcWitnessA() const;
  Vec3 CalcWitnessB() const;

 private:
  bool Contains(const MinkowskiPoint& q) const;
  // Cuts the simplex down to the face that is nearest to the origin. False where it contains it.
  bool Reduce();

  std::array<MinkowskiPoint, 4> points_;
  std::array<double, 4> weights_{};
  int count_ = 0;
  Vec3 v_ = Vec3::Zero();
};

}  // namespace voigt
