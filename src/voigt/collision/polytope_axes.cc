#include "voigt/collision/polytope_axes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "voigt/math/rotation.h"

namespace voigt {
namespace {

// Edges whose directions differ by less are parallel: then one of the faces beside them is as good.
constexpr double kParallel = 1e-9;
// Faces win over edges that are better by less than this, relative to the size: their manifolds are
// larger.
constexpr double kPreference = 1e-11;

}  // namespace

// For a unit normal n between those of the faces left and right of an edge, n = α l + β r with
// α + β ≥ 1, and the gap along n is at most n · (x - p) with any point x of the other polytope and
// p of the edge. With x the vertex ahead of one of the faces, and both products negative, that is
// at most the larger of them.
void PolytopeAxes::ListEdges(const Polytope& polytope, const Pose& X,
                             const std::vector<FaceGap>& gaps, std::vector<Edge>* out) const {
  out->clear();
  for (const Polytope::Edge& edge : polytope.edges) {
    Edge e;
    e.v = edge.vertices[0];
    e.w = edge.vertices[1];
    e.p = X * polytope.vertices[e.v];
    e.is_sharp = edge.faces[0] >= 0;
    if (e.is_sharp) {
      e.left = X.R * polytope.faces[edge.faces[0]].normal;
      e.right = X.R * polytope.faces[edge.faces[1]].normal;
      const FaceGap &left = gaps[edge.faces[0]], &right = gaps[edge.faces[1]];
      const double bound = std::min(std::max(left.gap, e.right.dot(left.vertex - e.p)),
                                    std::max(right.gap, e.left.dot(right.vertex - e.p)));
      if (bound < 0 && bound < best_.gap) continue;
    }
    e.q = X * polytope.vertices[e.w];
    e.u = (e.q - e.p).normalized();
    out->push_back(e);
  }
}

void PolytopeAxes::TryFaces(const ConvexPair& pair) {
  const Pose& X = pair.X_AB;
  const Polytope &A = pair.A->polytope, &B = pair.B->polytope;
  const auto take = [&](Kind kind, const Vec3& n, double gap, int a, int b) {
    if (gap > best_.gap + kPreference * pair.size) best_ = {kind, n, gap, a, b};
  };
  gaps_A_.clear();
  gaps_B_.clear();
  int vertex = 0;
  for (size_t f = 0; f < A.faces.size(); ++f) {
    const Vec3& n = A.faces[f].normal;
    const Vec3 n_B = X.R.transpose() * n;
    vertex = B.FindSupport(-n_B, vertex);
    const double gap = n_B.dot(B.vertices[vertex]) + n.dot(X.p) - A.faces[f].offset;
    take(Kind::kFaceA, n, gap, static_cast<int>(f), vertex);
    gaps_A_.push_back({gap, X * B.vertices[vertex]});
  }
  vertex = 0;
  for (size_t f = 0; f < B.faces.size(); ++f) {
    const Vec3 n = -(X.R * B.faces[f].normal);
    vertex = A.FindSupport(n, vertex);
    const double gap = n.dot(X.p) - B.faces[f].offset - n.dot(A.vertices[vertex]);
    take(Kind::kFaceB, n, gap, vertex, static_cast<int>(f));
    gaps_B_.push_back({gap, A.vertices[vertex]});
  }
}

void PolytopeAxes::TryEdgePair(int a, int b, double size) {
  const Edge &A = edges_A_[a], &B = edges_B_[b];
  Vec3 n = A.u.cross(B.u);
  const double sine = n.norm();
  if (sine < kParallel) return;
  n /= sine;
  // Outwards: as the normals of A beside its edge, or against those of B.
  const auto calc_gap = [&](const Vec3& axis) {
    return std::min(axis.dot(B.p), axis.dot(B.q)) - std::max(axis.dot(A.p), axis.dot(A.q));
  };
  double sense = n.dot(B.p - A.p);
  if (A.is_sharp) {
    sense = n.dot(A.left + A.right);
  } else if (B.is_sharp) {
    sense = -n.dot(B.left + B.right);
  }
  if (sense < 0) n = -n;
  const double gap = calc_gap(n);
  if (gap > best_.gap + kPreference * size) best_ = {Kind::kEdges, n, gap, a, b};
}

void PolytopeAxes::TryEdges(double size) {
  for (size_t a = 0; a < edges_A_.size(); ++a) {
    const Edge& A = edges_A_[a];
    for (size_t b = 0; b < edges_B_.size(); ++b) {
      const Edge& B = edges_B_[b];
      // Signs of the ends of each arc about the plane of the other; B's normals turned around.
      const double c = -B.left.dot(A.u), d = -B.right.dot(A.u);
      if (B.is_sharp && !(c * d < 0)) continue;
      const double l = A.left.dot(B.u), r = A.right.dot(B.u);
      if (A.is_sharp && !(l * r < 0)) continue;
      // Crossing on the same half of the sphere.
      if (A.is_sharp && B.is_sharp && !(c * r > 0)) continue;
      TryEdgePair(static_cast<int>(a), static_cast<int>(b), size);
    }
  }
}

Meeting PolytopeAxes::MakeMeeting(const ConvexPair& pair) const {
  const Pose I, &X = pair.X_AB;
  Meeting out;
  out.n = best_.n.normalized();
  double gap = best_.gap;
  switch (best_.kind) {
    case Kind::kFaceA:
      // Points and segments in one line have no axis: any direction across it.
      if (best_.a < 0) {
        const std::vector<Edge>& edges = edges_A_.empty() ? edges_B_ : edges_A_;
        if (!edges.empty()) out.n = RotationWithZ(edges[0].u).col(0);
        gap = pair.CalcGap(out.n);
        out.feature_A = MakeVertexFeature(*pair.A, I, 0);
        out.feature_B = MakeVertexFeature(*pair.B, X, 0);
      } else {
        out.feature_A = MakeFaceFeature(*pair.A, I, best_.a);
        out.feature_B = MakeVertexFeature(*pair.B, X, best_.b);
      }
      out.b = out.feature_B.p;
      out.a = out.b - gap * out.n;
      break;
    case Kind::kFaceB:
      out.feature_A = MakeVertexFeature(*pair.A, I, best_.a);
      out.feature_B = MakeFaceFeature(*pair.B, X, best_.b);
      out.a = out.feature_A.p;
      out.b = out.a + gap * out.n;
      break;
    case Kind::kEdges: {
      const Edge &A = edges_A_[best_.a], &B = edges_B_[best_.b];
      out.feature_A = MakeEdgeFeature(*pair.A, I, A.v, A.w);
      out.feature_B = MakeEdgeFeature(*pair.B, X, B.v, B.w);
      // Nearest points of the lines.
      const Vec3 d = B.p - A.p;
      const double cosine = A.u.dot(B.u), square = A.u.cross(B.u).squaredNorm();
      const double s = (d.dot(A.u) - cosine * d.dot(B.u)) / square;
      out.a = A.p + std::clamp(s, 0.0, (A.q - A.p).norm()) * A.u;
      out.b = out.a + gap * out.n;
      break;
    }
  }
  out.phi = gap - pair.rounding();
  out.a += pair.A->rounding * out.n;
  out.b -= pair.B->rounding * out.n;
  return out;
}

Meeting PolytopeAxes::Solve(const ConvexPair& pair) {
  best_ = {};
  TryFaces(pair);
  ListEdges(pair.A->polytope, Pose{}, gaps_A_, &edges_A_);
  ListEdges(pair.B->polytope, pair.X_AB, gaps_B_, &edges_B_);
  TryEdges(pair.size);
  return MakeMeeting(pair);
}

}  // namespace voigt
