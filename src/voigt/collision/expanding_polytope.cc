#include "voigt/collision/expanding_polytope.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

constexpr size_t kMaxVertices = 400;

// The position in `points` of the one with the largest value of `measure`.
template <typename Measure>
int FindLargest(const std::vector<MinkowskiPoint>& points, const Measure& measure) {
  int best = 0;
  double largest = -1;
  for (size_t k = 0; k < points.size(); ++k) {
    const double here = measure(points[k].w);
    if (here > largest) largest = here, best = static_cast<int>(k);
  }
  return best;
}

}  // namespace

bool ExpandingPolytope::SetFace(int f, const std::array<int, 3>& vertices) {
  Face& face = faces_[f];
  const Vec3& a = vertices_[vertices[0]].w;
  const Vec3& b = vertices_[vertices[1]].w;
  const Vec3& c = vertices_[vertices[2]].w;
  const Vec3 area = (b - a).cross(c - a);
  const double norm = area.norm();
  face.vertices = vertices;
  face.alive = true;
  if (!(norm > 0)) return false;
  face.normal = area / norm;
  face.offset = face.normal.dot(a);
  return true;
}

bool ExpandingPolytope::Start(const ConvexPair& pair) {
  vertices_.clear();
  faces_.clear();
  free_.clear();
  broken_ = false;
  lower_bound_ = -kInfinity;
  upper_bound_ = kInfinity;
  MinkowskiPoint hint;
  for (int k = 0; k < 27; ++k) {
    const Vec3 d(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
    // Axes and diagonals of the cube of directions, not those to the middles of its edges.
    if (d.cwiseAbs().sum() == 2 || k == 13) continue;
    vertices_.push_back(hint = pair.FindSupport(d, hint));
  }
  const Vec3 p0 = vertices_[0].w;
  const int i0 = FindLargest(vertices_, [&](const Vec3& w) { return (w - p0).squaredNorm(); });
  const Vec3 a = vertices_[i0].w;
  const int i1 = FindLargest(vertices_, [&](const Vec3& w) { return (w - a).squaredNorm(); });
  const Vec3 ab = vertices_[i1].w - a;
  const int i2 =
      FindLargest(vertices_, [&](const Vec3& w) { return (w - a).cross(ab).squaredNorm(); });
  const Vec3 normal = ab.cross(vertices_[i2].w - a);
  const int i3 = FindLargest(vertices_, [&](const Vec3& w) { return std::abs(normal.dot(w - a)); });
  const double volume = normal.dot(vertices_[i3].w - a);
  const double size = ab.norm();
  if (!(std::abs(volume) > 1e-12 * size * size * size)) return false;

  const std::array<MinkowskiPoint, 4> corners = {vertices_[i0], vertices_[i1], vertices_[i2],
                                                 vertices_[i3]};
  vertices_.assign(corners.begin(), corners.end());
  // The fourth corner is below the first face.
  if (volume > 0) std::swap(vertices_[1], vertices_[2]);
  faces_.resize(4);
  bool valid = SetFace(0, {0, 1, 2}) && SetFace(1, {0, 3, 1}) && SetFace(2, {1, 3, 2}) &&
               SetFace(3, {2, 3, 0});
  faces_[0].neighbors = {1, 2, 3};
  faces_[1].neighbors = {3, 2, 0};
  faces_[2].neighbors = {1, 3, 0};
  faces_[3].neighbors = {2, 1, 0};
  best_ = FindNearestFace();
  return valid;
}

int ExpandingPolytope::FindNearestFace() const {
  int best = 0;
  double least = kInfinity;
  for (size_t f = 0; f < faces_.size(); ++f) {
    if (faces_[f].alive && faces_[f].offset < least) {
      least = faces_[f].offset;
      best = static_cast<int>(f);
    }
  }
  return best;
}

bool ExpandingPolytope::Grow(const ConvexPair& pair, double tolerance) {
  // Faces in one plane with a new vertex count as seen by it, so that none of the new ones is a
  // sliver beside them.
  const double slack = 1e-14 * pair.size;
  best_ = FindNearestFace();
  while (!broken_) {
    const Face& face = faces_[best_];
    lower_bound_ = face.offset;
    const MinkowskiPoint q = pair.FindSupport(face.normal, vertices_[face.vertices[0]]);
    const double height = face.normal.dot(q.w);
    if (height < upper_bound_) {
      upper_bound_ = height;
      best_n_ = face.normal;
      best_point_ = q;
    }
    if (height - face.offset <= tolerance) return true;
    if (vertices_.size() >= kMaxVertices) return false;
    vertices_.push_back(q);
    RemoveVisible(q.w, slack);
    if (!Close(static_cast<int>(vertices_.size()) - 1)) broken_ = true;
    best_ = FindNearestFace();
  }
  return false;
}

bool ExpandingPolytope::Select(double below, const std::vector<Vec3>& tried, double angle) {
  const double cosine = std::cos(angle);
  bool found = false;
  for (size_t f = 0; f < faces_.size(); ++f) {
    const Face& face = faces_[f];
    if (!face.alive || !(face.offset < below)) continue;
    const auto is_near = [&](const Vec3& n) { return face.normal.dot(n) > cosine; };
    if (std::any_of(tried.begin(), tried.end(), is_near)) continue;
    below = face.offset;
    best_ = static_cast<int>(f);
    found = true;
  }
  return found;
}

void ExpandingPolytope::RemoveVisible(const Vec3& w, double slack) {
  horizon_.clear();
  stack_.assign(1, best_);
  faces_[best_].alive = false;
  free_.push_back(best_);
  while (!stack_.empty()) {
    const int f = stack_.back();
    stack_.pop_back();
    for (int k = 0; k < 3; ++k) {
      const int g = faces_[f].neighbors[k];
      if (!faces_[g].alive) continue;
      if (faces_[g].normal.dot(w) > faces_[g].offset - slack) {
        faces_[g].alive = false;
        free_.push_back(g);
        stack_.push_back(g);
      } else {
        horizon_.push_back({faces_[f].vertices[k], faces_[f].vertices[(k + 1) % 3], g});
      }
    }
  }
}

bool ExpandingPolytope::Close(int vertex) {
  face_from_.assign(vertices_.size(), -1);
  bool valid = horizon_.size() >= 3;
  for (const HorizonEdge& edge : horizon_) {
    if (face_from_[edge.from] >= 0) return false;
    int f = static_cast<int>(faces_.size());
    if (free_.empty()) {
      faces_.emplace_back();
    } else {
      f = free_.back();
      free_.pop_back();
    }
    valid = SetFace(f, {edge.from, edge.to, vertex}) && valid;
    face_from_[edge.from] = f;
    faces_[f].neighbors[0] = edge.face;
    Face& beyond = faces_[edge.face];
    for (int k = 0; k < 3; ++k) {
      if (beyond.vertices[k] == edge.to && beyond.vertices[(k + 1) % 3] == edge.from) {
        beyond.neighbors[k] = f;
      }
    }
  }
  for (const HorizonEdge& edge : horizon_) {
    const int f = face_from_[edge.from], g = face_from_[edge.to];
    if (g < 0) return false;
    faces_[f].neighbors[1] = g;
    faces_[g].neighbors[2] = f;
  }
  return valid;
}

std::array<double, 3> ExpandingPolytope::CalcWeights() const {
  const Vec3 &n = faces_[best_].normal, &a = point(0).w, &b = point(1).w, &c = point(2).w;
  const double wa = std::max(0.0, n.dot(b.cross(c - b)));
  const double wb = std::max(0.0, n.dot(c.cross(a - c)));
  const double wc = std::max(0.0, n.dot(a.cross(b - a)));
  const double sum = wa + wb + wc;
  if (!(sum > 0)) return {1, 0, 0};
  return {wa / sum, wb / sum, wc / sum};
}

Vec3 ExpandingPolytope::CalcWitnessA() const {
  const auto weights = CalcWeights();
  return weights[0] * point(0).a + weights[1] * point(1).a + weights[2] * point(2).a;
}

Vec3 ExpandingPolytope::CalcWitnessB() const {
  const auto weights = CalcWeights();
  return weights[0] * point(0).b + weights[1] * point(1).b + weights[2] * point(2).b;
}

}  // namespace voigt
