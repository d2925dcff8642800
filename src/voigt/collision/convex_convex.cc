#include "voigt/collision/convex_convex.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace voigt {
namespace {

// Relative to the size of the shapes: what gaps may differ by between features and shapes, and how
// far outside of its shape a point may be.
constexpr double kGapTolerance = 4e-12;
constexpr double kOutside = 1e-9;
// Bounds of the gap from both sides that are nearer than this tell it.
constexpr double kBounds = 4e-10;
// Two least depths farther apart than this angle are found from different starts; more starts are
// needed only where centres nearly coincide.
constexpr double kBasin = 0.03;
constexpr size_t kMaxStarts = 128;
// How far the first stage goes before Newton's method is tried.
constexpr double kGjkTolerances[] = {1e-4, 1e-7, 1e-10, 1e-15};
constexpr double kGrowTolerances[] = {1e-4, 1e-6, 1e-8, 1e-11};

bool IsPolytope(const ConvexShape& shape) { return shape.kind == ConvexShape::Kind::kPolytope; }

// The least radius of curvature of a smooth shape, 0 for others. A ball of this radius rolls along
// the inside of the shape, and of any sum with other convex shapes (Blaschke): where two shapes
// overlap less than the sum of theirs, a meeting of their surfaces is the only one.
double CalcInnerReach(const ConvexShape& shape) {
  if (shape.kind != ConvexShape::Kind::kEllipsoid) return 0;
  const double least = shape.radii.minCoeff();
  return least * least / shape.radii.maxCoeff();
}

// Guesses from the simplex or face where a first stage stands.
template <typename Stage>
void MakeGuesses(const Stage& stage, const Vec3& n, int count, FeatureGuess* guess_A,
                 FeatureGuess* guess_B) {
  guess_A->n = n;
  guess_B->n = -n;
  guess_A->x = stage.CalcWitnessA();
  guess_B->x = stage.CalcWitnessB();
  guess_A->vertex_count = guess_B->vertex_count = count;
  for (int k = 0; k < count; ++k) {
    guess_A->vertices[k] = stage.point(k).id_a;
    guess_B->vertices[k] = stage.point(k).id_b;
  }
}

// Whether a point of a feature of the core is a point of the core.
bool LiesOn(const ConvexShape& shape, const Pose& X, const SurfaceFeature& feature,
            const Vec3& core_point, double slack) {
  if (feature.dof() == 0 || feature.kind == SurfaceFeature::Kind::kCircle) return true;
  if (feature.kind == SurfaceFeature::Kind::kLine && std::isfinite(feature.length)) {
    const Vec3 from_p = core_point - feature.p;
    const double s = feature.u.dot(from_p);
    return s >= -slack && s <= feature.length + slack && (from_p - s * feature.u).norm() <= slack;
  }
  return shape.CalcOutsideness(X.R.transpose() * (core_point - X.p)) <= slack;
}

// The nearest direction to n in which a shape is flat: the axis of a cylinder or a direction across
// it, the normal of a face. `sign` times n points outwards. n itself where none is near.
Vec3 FindFlat(const ConvexShape& shape, const Pose& X, double sign, const Vec3& n) {
  constexpr double kNear = 0.3;
  if (shape.kind == ConvexShape::Kind::kCylinder) {
    const Vec3 axis = X.R.col(2);
    const double along = n.dot(axis);
    if (std::abs(along) < kNear) return (n - along * axis).normalized();
    return 1 - std::abs(along) < 0.5 * kNear * kNear ? Vec3(along < 0 ? -axis : axis) : n;
  }
  if (shape.kind == ConvexShape::Kind::kEllipsoid) return n;
  const Vec3 n_G = sign * (X.R.transpose() * n);
  const int face = shape.polytope.FindFaceAt(shape.polytope.FindSupport(n_G), n_G);
  if (face < 0) return n;
  const Vec3 normal = sign * (X.R * shape.polytope.faces[face].normal);
  return (normal - n).norm() < kNear ? normal : n;
}

// Calls visit(normal) for the faces of a polytope that are so near n that no start of their own
// would be made for them: those about the face that n is nearest to, any corner of which may be the
// outermost.
template <typename Visit>
void VisitFacesNear(const ConvexShape& shape, const Pose& X, double sign, const Vec3& n,
                    const Visit& visit) {
  if (!IsPolytope(shape)) return;
  const Polytope& polytope = shape.polytope;
  const Vec3 n_G = sign * (X.R.transpose() * n);
  const auto is_near = [&](int f) {
    return (polytope.faces[f].normal - n_G).squaredNorm() < kBasin * kBasin;
  };
  const int middle = polytope.FindFaceAt(polytope.FindSupport(n_G), n_G);
  if (middle < 0 || !is_near(middle)) return;
  const Polytope::Face& face = polytope.faces[middle];
  const auto& [start, items] = polytope.vertex_faces;
  for (int k = face.first; k < face.first + face.count; ++k) {
    const int corner = polytope.loops[k];
    for (int i = start[corner]; i < start[corner + 1]; ++i) {
      if (is_near(items[i])) visit(Vec3(sign * (X.R * polytope.faces[items[i]].normal)));
    }
  }
}

bool LiesOnShapes(const ConvexPair& pair, const Meeting& meeting, double slack) {
  const SurfaceFeature &A = meeting.feature_A, &B = meeting.feature_B;
  return LiesOn(*pair.A, Pose{}, A, meeting.a - A.offset * meeting.n, slack) &&
         LiesOn(*pair.B, pair.X_AB, B, meeting.b + B.offset * meeting.n, slack);
}

// Whether the shapes, not only their features, have this gap along n, no less than `least_phi`. The
// gap is then the one of the shapes.
bool HoldsForShapes(const ConvexPair& pair, double least_phi, Meeting* meeting) {
  const double tolerance = kGapTolerance * pair.size;
  const double phi = pair.CalcGap(meeting->n) - pair.rounding();
  if (!(std::abs(meeting->phi - phi) <= tolerance) || phi < least_phi - tolerance) return false;
  meeting->phi = phi;
  return LiesOnShapes(pair, *meeting, kOutside * pair.size);
}

// What the first stage knows, for want of better.
void SetFromGuesses(const ConvexPair& pair, const FeatureGuess& guess_A,
                    const FeatureGuess& guess_B, Meeting* out) {
  *out = {};
  out->n = guess_A.n;
  out->phi = pair.CalcGap(out->n) - pair.rounding();
  out->a = guess_A.x + pair.A->rounding * out->n;
  out->b = guess_B.x - pair.B->rounding * out->n;
}

}  // namespace

bool ConvexCollider::Refine(const ConvexPair& pair, const FeatureGuess& guess_A,
                            const FeatureGuess& guess_B, double least_phi, Meeting* out) {
  // What the first stage says, then whatever is near.
  for (const bool thorough : {false, true}) {
    ListFeatures(*pair.A, Pose{}, guess_A, thorough, &features_A_);
    ListFeatures(*pair.B, pair.X_AB, guess_B, thorough, &features_B_);
    const int count_A = features_A_.count, count_B = features_B_.count;
    // Pairs in the order of how unlikely both together are.
    for (int rank = 0; rank < count_A + count_B - 1; ++rank) {
      for (int i = std::max(0, rank - count_B + 1); i <= std::min(rank, count_A - 1); ++i) {
        Meeting meeting;
        if (SolveMeeting(features_A_.items[i], guess_A, features_B_.items[rank - i], guess_B,
                         pair.size, &meeting) &&
            HoldsForShapes(pair, least_phi, &meeting)) {
          *out = meeting;
          return true;
        }
      }
    }
  }
  return false;
}

ConvexCollider::Status ConvexCollider::SolveSeparated(const ConvexPair& pair, double margin,
                                                      Meeting* out, bool* touching,
                                                      double* upper_bound) {
  *touching = false;
  *upper_bound = kInfinity;
  bool is_new = true;
  const double reach = CalcInnerReach(*pair.A) + CalcInnerReach(*pair.B);
  for (const double tolerance : kGjkTolerances) {
    // A smooth surface is soon near enough for Newton's method, overlapping a little or not.
    const double slack = is_new ? std::min(0.3 * reach, 0.01 * pair.small_size) : 0;
    const auto status = gjk_.Run(pair, margin + pair.rounding(), tolerance, slack, is_new);
    is_new = false;
    if (status == Gjk::Status::kApart) return Status::kApart;
    if (status == Gjk::Status::kTouching) {
      *touching = true;
      *upper_bound = -pair.rounding();
      return Status::kInexact;
    }
    FeatureGuess guess_A, guess_B;
    MakeGuesses(gjk_, -gjk_.v().normalized(), gjk_.count(), &guess_A, &guess_B);
    // The gap along any direction is a lower bound.
    const double bound = pair.CalcGap(guess_A.n) - pair.rounding();
    const double deepest = -reach - pair.rounding() - kOutside * pair.size;
    if (Refine(pair, guess_A, guess_B, bound, out) && out->phi >= deepest) return Status::kSolved;
    SetFromGuesses(pair, guess_A, guess_B, out);
  }
  // Two bounds that meet are as good as a solution.
  *upper_bound = gjk_.v().norm() - pair.rounding();
  if (*upper_bound - out->phi <= kBounds * pair.size) return Status::kSolved;
  if (!IsPolytope(*pair.A) || !IsPolytope(*pair.B)) return Status::kInexact;
  // Edges that are nearly parallel and nearly touch.
  const Meeting meeting = axes_.Solve(pair);
  if (meeting.phi < out->phi - kGapTolerance * pair.size) return Status::kInexact;
  *out = meeting;
  return LiesOnShapes(pair, meeting, kOutside * pair.size) ? Status::kSolved : Status::kInexact;
}

bool ConvexCollider::RefineOverlap(const ConvexPair& pair, bool thorough, Meeting* out) {
  const double tolerance = kGapTolerance * pair.size;
  double least_phi = -expanding_.upper_bound() - pair.rounding();
  bool found = false;
  tried_.clear();
  const auto attempt = [&](const FeatureGuess& guess_A, const FeatureGuess& guess_B) {
    tried_.push_back(guess_A.n);
    if (!Refine(pair, guess_A, guess_B, least_phi, out)) return false;
    found = true;
    tried_.push_back(out->n);
    // Others have to be better.
    least_phi = out->phi + 2 * tolerance;
    return true;
  };
  // Flats that face nearly along n have least depths of their own.
  const auto attempt_near = [&](const FeatureGuess& guess_A, const FeatureGuess& guess_B) {
    const Vec3 n = attempt(guess_A, guess_B) ? out->n : guess_A.n;
    const Vec3 flat_A = FindFlat(*pair.A, Pose{}, 1, n);
    const Vec3 flat_B = FindFlat(*pair.B, pair.X_AB, -1, n);
    const auto attempt_along = [&](const Vec3& flat) {
      if (flat == n || pair.CalcGap(flat) - pair.rounding() < least_phi) return;
      const MinkowskiPoint point = pair.FindSupport(flat);
      attempt({flat, point.a, {point.id_a}, 1}, {-flat, point.b, {point.id_b}, 1});
    };
    for (const Vec3& flat : {flat_A, flat_B, FindFlat(*pair.B, pair.X_AB, -1, flat_A),
                             FindFlat(*pair.A, Pose{}, 1, flat_B)}) {
      attempt_along(flat);
    }
    VisitFacesNear(*pair.A, Pose{}, 1, n, attempt_along);
    VisitFacesNear(*pair.B, pair.X_AB, -1, n, attempt_along);
  };
  FeatureGuess guess_A, guess_B;
  MakeGuesses(expanding_, expanding_.n(), 3, &guess_A, &guess_B);
  attempt_near(guess_A, guess_B);
  if (!found) {
    const MinkowskiPoint& best = expanding_.best_point();
    guess_A = {expanding_.best_n(), best.a, {best.id_a}, 1};
    guess_B = {-expanding_.best_n(), best.b, {best.id_b}, 1};
    SetFromGuesses(pair, guess_A, guess_B, out);
    if (!thorough) return false;
    attempt_near(guess_A, guess_B);
  }
  while (tried_.size() < kMaxStarts &&
         expanding_.Select(-out->phi - pair.rounding() - kBounds * pair.size, tried_, kBasin)) {
    MakeGuesses(expanding_, expanding_.n(), 3, &guess_A, &guess_B);
    attempt_near(guess_A, guess_B);
  }
  return found;
}

ConvexCollider::Status ConvexCollider::SolveOverlap(const ConvexPair& pair, Meeting* out) {
  if (IsPolytope(*pair.A) && IsPolytope(*pair.B)) {
    *out = axes_.Solve(pair);
    return Status::kSolved;
  }
  if (!expanding_.Start(pair)) {
    out->phi = -kInfinity;
    return Status::kInexact;
  }
  for (const double tolerance : kGrowTolerances) {
    const bool has_converged = expanding_.Grow(pair, tolerance * pair.small_size);
    const bool is_last = !has_converged || tolerance == *std::rbegin(kGrowTolerances);
    if (RefineOverlap(pair, is_last, out)) return Status::kSolved;
    if (is_last) break;
  }
  const double difference = -expanding_.lower_bound() - pair.rounding() - out->phi;
  return difference <= kBounds * pair.size ? Status::kSolved : Status::kInexact;
}

ConvexCollider::Status ConvexCollider::SolveAlongAxes(const ConvexPair& pair, double upper_bound,
                                                      Meeting* out) {
  Vec3 best = Vec3::Zero();
  double least_phi = -kInfinity;
  const auto consider = [&](const Vec3& direction) {
    const double norm = direction.norm();
    if (!(norm > 1e-6)) return;
    for (const double sign : {1.0, -1.0}) {
      const Vec3 n = sign / norm * direction;
      const double phi = pair.CalcGap(n) - pair.rounding();
      if (phi > least_phi) best = n, least_phi = phi;
    }
  };
  const Mat3& R = pair.X_AB.R;
  for (int i = 0; i < 3; ++i) {
    consider(Vec3::Unit(i));
    consider(R.col(i));
    for (int j = 0; j < 3; ++j) consider(Vec3::Unit(i).cross(R.col(j)));
  }
  if (least_phi > out->phi) {
    const MinkowskiPoint point = pair.FindSupport(best);
    const FeatureGuess guess_A{best, point.a, {point.id_a}, 1};
    const FeatureGuess guess_B{-best, point.b, {point.id_b}, 1};
    if (!Refine(pair, guess_A, guess_B, least_phi, out))
      SetFromGuesses(pair, guess_A, guess_B, out);
  }
  return upper_bound - out->phi <= kBounds * pair.size ? Status::kSolved : Status::kInexact;
}

ConvexCollider::Status ConvexCollider::Solve(const ConvexPair& pair, double margin, Meeting* out) {
  // Balls around both that are farther apart than the margin.
  if (pair.X_AB.p.norm() - pair.A->reach - pair.B->reach > margin) return Status::kApart;
  bool touching = false;
  double upper_bound = kInfinity;
  Status status = SolveSeparated(pair, margin, out, &touching, &upper_bound);
  if (touching) status = SolveOverlap(pair, out);
  if (status == Status::kInexact) status = SolveAlongAxes(pair, upper_bound, out);
  if (status == Status::kApart || out->phi > margin) return Status::kApart;
  return std::isfinite(out->phi) ? status : Status::kInexact;
}

ConvexCollider::Status ConvexCollider::Collide(const ConvexShape& A, const Pose& X_WA,
                                               const ConvexShape& B, const Pose& X_WB,
                                               double margin, Manifold* out) {
  const ConvexPair pair(A, X_WA, B, X_WB);
  Meeting meeting;
  const Status status = Solve(pair, margin, &meeting);
  // Poses that are not finite have no contacts.
  if (status != Status::kApart && std::isfinite(meeting.phi)) {
    manifold_.Append(pair, meeting, margin, out);
  }
  return status;
}

}  // namespace voigt
