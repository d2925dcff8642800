#include "voigt/collision/box_box.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "voigt/collision/box_distance.h"
#include "voigt/collision/box_features.h"
#include "voigt/collision/pair_frame.h"

namespace voigt {
namespace {

// A corner of one box's face, moved along n onto the plane of the other box's face.
struct Projection {
  Vec2 at;     // where it is on that face, along its two axes
  double gap;  // between the faces there, along n
};

// The face of a box that looks at the other box, in the frame of its own box.
struct Face {
  int axis, axis_1, axis_2;
  double plane;      // coordinate along `axis`
  Vec2 h;            // half edge lengths along axis_1 and axis_2
  Vec3 n;            // from A to B
  double direction;  // of the other box, along n: 1 for A's face, -1 for B's
  BoxFace corners;
  std::array<Vec3, 4> position;         // of the corners
  std::array<Projection, 4> projected;  // of the other face's corners on this one

  Vec2 Flatten(const Vec3& x) const { return {x[axis_1], x[axis_2]}; }

  Projection Project(const Vec3& x) const {
    const double shift = (x[axis] - plane) / n[axis];
    return {{x[axis_1] - shift * n[axis_1], x[axis_2] - shift * n[axis_2]}, direction * shift};
  }

  bool Contains(const Vec2& at, double tolerance) const {
    return std::abs(at[0]) <= h[0] + tolerance && std::abs(at[1]) <= h[1] + tolerance;
  }

  // The sides beyond which a point is by more than the tolerance, one bit each as in kFaceSides.
  unsigned FindSidesBehind(const Vec2& at, double tolerance) const {
    const double x = h[0] + tolerance, y = h[1] + tolerance;
    return (at[1] < -y ? 1 : 0) | (at[0] > x ? 2 : 0) | (at[1] > y ? 4 : 0) | (at[0] < -x ? 8 : 0);
  }

  // The corner within `distance`, or -1.
  int FindCorner(const Vec2& at, double distance) const {
    if (std::abs(std::abs(at[0]) - h[0]) > distance) return -1;
    if (std::abs(std::abs(at[1]) - h[1]) > distance) return -1;
    return corners.corner[at[1] < 0 ? (at[0] < 0 ? 0 : 1) : (at[0] < 0 ? 3 : 2)];
  }
};

// n makes at most 55° with the normal of the face that is chosen, so projections are well defined.
Face MakeFace(const Vec3& h, const Vec3& n, double direction) {
  Face face;
  n.cwiseAbs().maxCoeff(&face.axis);
  face.axis_1 = (face.axis + 1) % 3;
  face.axis_2 = (face.axis + 2) % 3;
  const bool positive = direction * n[face.axis] > 0;
  face.plane = positive ? h[face.axis] : -h[face.axis];
  face.h = face.Flatten(h);
  face.n = n;
  face.direction = direction;
  face.corners = MakeBoxFace(face.axis, positive);
  for (int k = 0; k < 4; ++k) face.position[k] = BoxCorner(h, face.corners.corner[k]);
  return face;
}

// Sides of a face, as the axis across which they are, their sign and the corners at their ends.
struct FaceSide {
  int axis;
  double sign;
  int from, to;
};
constexpr std::array<FaceSide, 4> kFaceSides = {
    {{1, -1, 0, 1}, {0, 1, 1, 2}, {1, 1, 2, 3}, {0, -1, 3, 0}}};

struct Candidate {
  Vec3 p;           // in A, midway
  Vec2 at_A, at_B;  // on the faces
  double gap;
  int feature;
};

// What two faces have in common along n.
class Overlay {
 public:
  Overlay(const BoxPair& pair, const Vec3& n, double margin, double tolerance)
      : n_(n),
        A_(MakeFace(pair.h_A, n, 1)),
        B_(MakeFace(pair.h_B, pair.X_AB.R.transpose() * n, -1)),
        margin_(margin),
        tolerance_(tolerance),
        quiver_(1e-3 * std::min(pair.h_A.minCoeff(), pair.h_B.minCoeff())) {
    const Pose X_BA = pair.X_AB.Inverse();
    for (int k = 0; k < 4; ++k) {
      A_.projected[k] = A_.Project(pair.X_AB * B_.position[k]);
      B_.projected[k] = B_.Project(X_BA * A_.position[k]);
    }
    AddCornersOfA();
    AddCornersOfB(pair.X_AB);
    AddCrossings();
  }

  double least() const { return least_; }

  void Append(const Pose& X_WA, Manifold* out) const {
    const Vec3 n_W = (X_WA.R * n_).normalized();
    for (int k = 0; k < count_; ++k) {
      ManifoldPoint& point = out->emplace_back();
      point.p_W = X_WA * candidates_[k].p;
      point.n_W = n_W;
      point.phi = candidates_[k].gap;
      point.feature = candidates_[k].feature;
    }
  }

 private:
  void AddCornersOfA() {
    for (int k = 0; k < 4; ++k) {
      const auto& [at, gap] = B_.projected[k];
      if (gap > margin_ || !B_.Contains(at, tolerance_)) continue;
      const Vec3& x = A_.position[k];
      Add({x + 0.5 * gap * n_, A_.Flatten(x), at, gap, A_.corners.corner[k]}, 4 * tolerance_);
    }
  }

  void AddCornersOfB(const Pose& X_AB) {
    for (int k = 0; k < 4; ++k) {
      const auto& [at, gap] = A_.projected[k];
      if (gap > margin_ || !A_.Contains(at, tolerance_)) continue;
      const Vec3& y = B_.position[k];
      Add({X_AB * y - 0.5 * gap * n_, at, B_.Flatten(y), gap, 8 + B_.corners.corner[k]},
          4 * tolerance_);
    }
  }

  // Edges of A, as they are seen on B's face, with the four sides of that face.
  void AddCrossings() {
    std::array<unsigned, 4> beyond, well_beyond;
    for (int k = 0; k < 4; ++k) {
      beyond[k] = B_.FindSidesBehind(B_.projected[k].at, 0);
      well_beyond[k] = B_.FindSidesBehind(B_.projected[k].at, tolerance_);
    }
    for (int k = 0; k < 4; ++k) {
      const int next = (k + 1) % 4;
      if ((well_beyond[k] & well_beyond[next]) != 0) continue;
      const Projection &from = B_.projected[k], &to = B_.projected[next];
      if (std::min(from.gap, to.gap) > margin_) continue;
      for (unsigned sides = beyond[k] ^ beyond[next]; sides != 0; sides &= sides - 1) {
        const FaceSide& side = kFaceSides[std::countr_zero(sides)];
        const double line = side.sign * B_.h[side.axis];
        const double before = from.at[side.axis] - line, after = to.at[side.axis] - line;
        if (before == 0 || after == 0) continue;
        // An edge along the side crosses it wherever rounding says; its ends count.
        if (std::max(std::abs(before), std::abs(after)) <= tolerance_) continue;
        AddCrossing(k, next, side, before / (before - after));
      }
    }
  }

  void AddCrossing(int k, int next, const FaceSide& side, double t) {
    const Projection &from = B_.projected[k], &to = B_.projected[next];
    const double gap = from.gap + t * (to.gap - from.gap);
    const Vec2 at = from.at + t * (to.at - from.at);
    if (gap > margin_ || std::abs(at[1 - side.axis]) > B_.h[1 - side.axis] + tolerance_) return;
    const Vec3 x = A_.position[k] + t * (A_.position[next] - A_.position[k]);
    const int edge_A = BoxEdge(A_.corners.corner[k], A_.corners.corner[next]);
    const int edge_B = BoxEdge(B_.corners.corner[side.from], B_.corners.corner[side.to]);
    Add({x + 0.5 * gap * n_, A_.Flatten(x), at, gap, 16 + 12 * edge_A + edge_B},
        std::max(4 * tolerance_, 1e-6 * quiver_));
  }

  // Unless the point is there already: corners on top of each other, crossings at corners. Of two
  // that are one, the nearer counts.
  void Add(Candidate candidate, double near) {
    least_ = std::min(least_, candidate.gap);
    for (int k = 0; k < count_; ++k) {
      Candidate& other = candidates_[k];
      if ((other.p - candidate.p).squaredNorm() > near * near) continue;
      if (candidate.gap >= other.gap - tolerance_) return;
      candidate.feature = other.feature;
      other = candidate;
      return;
    }
    candidate.feature = ChooseFeature(candidate);
    candidates_[count_++] = candidate;
  }

  int ChooseFeature(const Candidate& candidate) const {
    const int corner_A = A_.FindCorner(candidate.at_A, quiver_);
    if (corner_A >= 0 && IsFree(corner_A)) return corner_A;
    const int corner_B = B_.FindCorner(candidate.at_B, quiver_);
    if (corner_B >= 0 && IsFree(8 + corner_B)) return 8 + corner_B;
    return candidate.feature;
  }

  bool IsFree(int feature) const {
    return std::none_of(candidates_.begin(), candidates_.begin() + count_,
                        [&](const Candidate& one) { return one.feature == feature; });
  }

  Vec3 n_;
  Face A_, B_;
  double margin_, tolerance_, quiver_;
  double least_ = kInfinity;
  int count_ = 0;
  std::array<Candidate, 24> candidates_;  // 4 + 4 corners and 16 crossings at most
};

}  // namespace

void CollideBoxBox(const Box& A, const Pose& X_WA, const Box& B, const Pose& X_WB, double margin,
                   Manifold* out) {
  BoxPair pair{0.5 * A.size, 0.5 * B.size, CalcRelativePose(X_WA, X_WB), 0};
  const double size = pair.h_A.maxCoeff() + pair.h_B.maxCoeff() + pair.X_AB.p.norm();
  pair.rounding = RoundingOf(size);
  BoxDirection best = FindSeparation(pair, margin);
  if (best.separation > margin) return;
  const auto is_missed = [&](const Overlay& overlay) {
    return overlay.least() > best.separation + 4 * pair.rounding;
  };
  Overlay overlay(pair, best.n, margin, pair.rounding);
  if (best.separation > pair.rounding && is_missed(overlay)) {
    // A corner is nearest to an edge or a corner.
    const BoxDirection corner = FindCornerDistance(pair);
    if (corner.separation < overlay.least()) {
      if (corner.separation > margin) return;
      best = corner;
      overlay = Overlay(pair, best.n, margin, pair.rounding);
    } else {
      best.separation = overlay.least();
    }
  }
  // Two directions a small angle ψ apart may be equally good to rounding where the faces of one of
  // them pass each other by rounding/ψ; they are taken to meet.
  for (double reach = 1e3; is_missed(overlay) && reach < 1e12; reach *= 1e3) {
    overlay = Overlay(pair, best.n, margin, reach * pair.rounding);
  }
  overlay.Append(X_WA, out);
}

}  // namespace voigt
