#include "voigt/collision/convex_convex.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "voigt/collision/points_half_space.h"

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
constexpr double kBasin = 0.1;
constexpr size_t kMaxStarts = 64;
// How far the first stage goes before Newton's method is tried.
constexpr double kGjkTolerances[] = {1e-4, 1e-7, 1e-10, 1e-15};
constexpr double kGrowTolerances[] = {1e-4, 1e-6, 1e-8, 1e-11};

bool IsPolytope(const ConvexShape& shape) { return shape.kind == ConvexShape::Kind::kPolytope; }

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

// Turns n into the nearest direction in which a shape is flat: the axis of a cylinder or a
// direction across it, the normal of a face. `sign` times n points outwards. False where n is that
// direction already, or no such direction is near.
bool FindFlat(const ConvexShape& shape, const Pose& X, double sign, bool is_cap, Vec3* n) {
  constexpr double kNear = 0.1;
  const Vec3 old = *n;
  if (shape.kind == ConvexShape::Kind::kCylinder) {
    const Vec3 axis = X.R.col(2);
    const double along = n->dot(axis);
    *n = is_cap ? Vec3(along < 0 ? -axis : axis) : Vec3((*n - along * axis).normalized());
  } else if (shape.kind == ConvexShape::Kind::kPolytope && is_cap) {
    const Vec3 n_G = sign * (X.R.transpose() * *n);
    const int face = FindBestFace(shape.polytope, shape.polytope.FindSupport(n_G), n_G);
    if (face < 0) return false;
    *n = sign * (X.R * shape.polytope.faces[face].normal);
  } else {
    return false;
  }
  const double turn = (*n - old).norm();
  return turn > 1e-15 && turn < kNear;
}

bool LiesOnShapes(const ConvexPair& pair, const Meeting& meeting, double slack) {
  const SurfaceFeature &A = meeting.feature_A, &B = meeting.feature_B;
  return LiesOn(*pair.A, Pose{}, A, meeting.a - A.offset * meeting.n, slack) &&
         LiesOn(*pair.B, pair.X_AB, B, meeting.b + B.offset * meeting.n, slack);
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
  const Pose I;
  ListFeatures(*pair.A, I, guess_A, &features_A_);
  ListFeatures(*pair.B, pair.X_AB, guess_B, &features_B_);
  const double slack = kOutside * pair.size, tolerance = kGapTolerance * pair.size;
  // Pairs in the order of how unlikely both together are.
  for (int rank = 0; rank < features_A_.count + features_B_.count - 1; ++rank) {
    for (int i = std::max(0, rank - features_B_.count + 1);
         i <= std::min(rank, features_A_.count - 1); ++i) {
      const SurfaceFeature &A = features_A_.items[i], &B = features_B_.items[rank - i];
      Meeting meeting;
      if (!SolveMeeting(A, guess_A, B, guess_B, pair.size, &meeting)) continue;
      const double phi = pair.CalcGap(meeting.n) - pair.rounding();
      if (!(std::abs(meeting.phi - phi) <= tolerance) || phi < least_phi - tolerance) continue;
      if (!LiesOnShapes(pair, meeting, slack)) continue;
      meeting.phi = phi;
      *out = meeting;
      return true;
    }
  }
  return false;
}

ConvexCollider::Status ConvexCollider::SolveSeparated(const ConvexPair& pair, double margin,
                                                      Meeting* out, bool* touching) {
  *touching = false;
  bool is_new = true;
  for (const double tolerance : kGjkTolerances) {
    const auto status = gjk_.Run(pair, margin + pair.rounding(), tolerance, is_new);
    is_new = false;
    if (status == Gjk::Status::kApart) return Status::kApart;
    if (status == Gjk::Status::kTouching) {
      *touching = true;
      return Status::kInexact;
    }
    FeatureGuess guess_A, guess_B;
    MakeGuesses(gjk_, -gjk_.v().normalized(), gjk_.count(), &guess_A, &guess_B);
    // The gap along any direction is a lower bound.
    const double bound = pair.CalcGap(guess_A.n) - pair.rounding();
    if (Refine(pair, guess_A, guess_B, bound, out)) return Status::kSolved;
    SetFromGuesses(pair, guess_A, guess_B, out);
  }
  // Two bounds that meet are as good as a solution.
  const double distance = gjk_.v().norm() - pair.rounding();
  if (distance - out->phi <= kBounds * pair.size) return Status::kSolved;
  if (!IsPolytope(*pair.A) || !IsPolytope(*pair.B)) return Status::kInexact;
  // Edges that are nearly parallel and nearly touch.
  const Meeting meeting = axes_.Solve(pair);
  if (meeting.phi < out->phi) return Status::kInexact;
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
    if (!Refine(pair, guess_A, guess_B, least_phi, out)) return;
    found = true;
    tried_.push_back(out->n);
    // Others have to be better.
    least_phi = out->phi + 2 * tolerance;
  };
  FeatureGuess guess_A, guess_B;
  MakeGuesses(expanding_, expanding_.n(), 3, &guess_A, &guess_B);
  attempt(guess_A, guess_B);
  if (!found) {
    const MinkowskiPoint& best = expanding_.best_point();
    guess_A = {expanding_.best_n(), best.a, {best.id_a}, 1};
    guess_B = {-expanding_.best_n(), best.b, {best.id_b}, 1};
    SetFromGuesses(pair, guess_A, guess_B, out);
    if (!thorough) return false;
    attempt(guess_A, guess_B);
  }
  for (int k = 0; found && k < 4; ++k) {
    // Flats that face nearly along n have least depths of their own.
    Vec3 n = out->n;
    const bool is_A = k % 2 == 0;
    const Pose X = is_A ? Pose{} : pair.X_AB;
    if (!FindFlat(is_A ? *pair.A : *pair.B, X, is_A ? 1 : -1, k / 2 == 0, &n)) continue;
    if (pair.CalcGap(n) - pair.rounding() < least_phi) continue;
    const MinkowskiPoint point = pair.FindSupport(n);
    attempt({n, point.a, {point.id_a}, 1}, {-n, point.b, {point.id_b}, 1});
  }
  while (tried_.size() < kMaxStarts &&
         expanding_.Select(-out->phi - pair.rounding() - kBounds * pair.size, tried_, kBasin)) {
    MakeGuesses(expanding_, expanding_.n(), 3, &guess_A, &guess_B);
    attempt(guess_A, guess_B);
  }
  return found;
}

ConvexCollider::Status ConvexCollider::SolveOverlap(const ConvexPair& pair, Meeting* out) {
  if (IsPolytope(*pair.A) && IsPolytope(*pair.B)) {
    *out = axes_.Solve(pair);
    return Status::kSolved;
  }
  if (!expanding_.Start(pair)) return Status::kInexact;
  for (const double tolerance : kGrowTolerances) {
    const bool has_converged = expanding_.Grow(pair, tolerance * pair.size);
    const bool is_last = !has_converged || tolerance == *std::rbegin(kGrowTolerances);
    if (RefineOverlap(pair, is_last, out)) return Status::kSolved;
    if (is_last) break;
  }
  const double difference = -expanding_.lower_bound() - pair.rounding() - out->phi;
  return difference <= kBounds * pair.size ? Status::kSolved : Status::kInexact;
}

ConvexCollider::Status ConvexCollider::Solve(const ConvexPair& pair, double margin, Meeting* out) {
  // Balls around both that are farther apart than the margin.
  if (pair.X_AB.p.norm() - pair.A->reach - pair.B->reach > margin) return Status::kApart;
  bool touching = false;
  Status status = SolveSeparated(pair, margin, out, &touching);
  if (touching) status = SolveOverlap(pair, out);
  return out->phi > margin && status != Status::kApart ? Status::kApart : status;
}

void ConvexCollider::AppendManifold(const ConvexPair& pair, const Meeting& meeting,
                                    const Pose& X_WA, double margin, Manifold* out) {
  const Pose I;
  const Vec3 middle = 0.5 * (meeting.a + meeting.b);
  MakeFacet(*pair.A, I, meeting.n, &facet_A_);
  MakeFacet(*pair.B, pair.X_AB, -meeting.n, &facet_B_);
  overlap_.Find(facet_A_, facet_B_, middle, meeting.n, pair.size);

  const size_t first = out->size();
  const auto append = [&](const Vec3& p, const Vec3& n, double phi, int feature, double radius) {
    // Hashes may coincide; the later one moves on.
    const auto taken = [&](const ManifoldPoint& point) { return point.feature == feature; };
    while (std::any_of(out->begin() + first, out->end(), taken)) {
      feature = (feature + 1) % kMaxContactPoints;
    }
    ManifoldPoint& point = out->emplace_back();
    point.p_W = X_WA * p;
    point.n_W = (X_WA.R * n).normalized();
    point.phi = phi;
    point.feature = feature;
    point.radius = radius;
  };
  const double same = meeting.phi + 1e-9 * pair.size;
  int deepest_count = 0;
  for (const FacingPoint& point : overlap_.points()) deepest_count += point.gap <= same;
  const double radius = CalcEffectiveRadius(meeting.feature_A, meeting.feature_B, meeting.n);
  for (const FacingPoint& point : overlap_.points()) {
    if (point.gap > margin) continue;
    const bool is_meeting = deepest_count == 1 && point.gap <= same;
    // No gap is less than the least one, but for rounding.
    append(point.p, point.n, std::max(point.gap, meeting.phi), point.feature,
           is_meeting ? radius : kInfinity);
  }
  if (deepest_count == 0) {
    append(middle, meeting.n, meeting.phi,
           HashFeature(0, meeting.feature_A.key, meeting.feature_B.key), radius);
  }
}

ConvexCollider::Status ConvexCollider::Collide(const ConvexShape& A, const Pose& X_WA,
                                               const ConvexShape& B, const Pose& X_WB,
                                               double margin, Manifold* out) {
  const ConvexPair pair(A, X_WA, B, X_WB);
  Meeting meeting;
  const Status status = Solve(pair, margin, &meeting);
  if (status != Status::kApart) AppendManifold(pair, meeting, X_WA, margin, out);
  return status;
}

void CollideHalfSpaceHull(const Plane& plane, const Polytope& hull, const Pose& X_WB, double margin,
                          Manifold* out) {
  const Vec3 n_B = X_WB.R.transpose() * plane.n_W;
  const double height = plane.n_W.dot(X_WB.p - plane.p_W);
  for (size_t v = 0; v < hull.vertices.size(); ++v) {
    if (height + n_B.dot(hull.vertices[v]) > margin) continue;
    ManifoldPoint& point = out->emplace_back();
    static_cast<ContactPoint&>(point) = CalcHalfSpacePoint(plane, X_WB * hull.vertices[v]);
    point.feature = static_cast<int>(v);
  }
}

}  // namespace voigt
