#include "voigt/model/surface_elements.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "voigt/model/convex_hull.h"

namespace voigt {
namespace {

// Elements with sides up to a length. One more than there may be is the last that it takes.
class ElementGrid {
 public:
  explicit ElementGrid(double resolution) : resolution_(std::min(resolution, 1e300)) {}

  // How many cells a length is cut into; rounding does not add one.
  int Cut(double length) const {
    const double cells = std::ceil(length / resolution_ * (1 - 1e-12));
    return static_cast<int>(std::clamp(cells, 1.0, 1.0 * kMaxContactPoints));
  }
  // Of a circle, at least three.
  int CutCircle(double radius) const { return std::max(3, Cut(2 * kPi * radius)); }

  void Add(const Vec3& p, const Vec3& n, double area) {
    if (!is_full() && area > 0) elements_.push_back({p, n, area});
  }
  bool is_full() const { return elements_.size() > kMaxContactPoints; }
  double resolution() const { return resolution_; }

  std::vector<SurfaceElement> TakeElements() { return std::move(elements_); }

 private:
  double resolution_;
  std::vector<SurfaceElement> elements_;
};

// The middle of cell k of `count` between -1/2 and 1/2. Whole numbers first: opposite elements have
// opposite coordinates to the last bit.
double Middle(int k, int count) { return (2 * k + 1 - count) / (2.0 * count); }

Vec3 Around(int k, int count) {
  const double angle = 2 * kPi * Middle(k, count);
  return {std::cos(angle), std::sin(angle), 0};
}

void AddBox(const Vec3& size, ElementGrid* grid) {
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int nu = grid->Cut(size[u]), nv = grid->Cut(size[v]);
    const double area = size[u] / nu * (size[v] / nv);
    for (int side : {-1, 1}) {
      for (int k = 0; k < nv && !grid->is_full(); ++k) {
        for (int i = 0; i < nu && !grid->is_full(); ++i) {
          Vec3 p = 0.5 * side * size;
          p[u] = size[u] * Middle(i, nu);
          p[v] = size[v] * Middle(k, nv);
          grid->Add(p, side * Vec3::Unit(axis), area);
        }
      }
    }
  }
}

// The half of an ellipsoid on one side of its equator, moved along z.
void AddHalf(const Vec3& radii, int side, double z, ElementGrid* grid) {
  const double largest = radii.maxCoeff();
  const int bands = grid->Cut(0.5 * kPi * largest);
  for (int b = 0; b < bands && !grid->is_full(); ++b) {
    // Heights on the unit sphere, where bands of equal height have equal areas.
    const double low = std::sin(0.5 * kPi * b / bands);
    const double high = b + 1 == bands ? 1 : std::sin(0.5 * kPi * (b + 1) / bands);
    const double height = 0.5 * (low + high), width = std::sqrt(1 - height * height);
    const int cells = grid->CutCircle(largest * std::sqrt(1 - low * low));
    const double solid_angle = 2 * kPi * (high - low) / cells;
    for (int k = 0; k < cells && !grid->is_full(); ++k) {
      const Vec3 w = width * Around(k, cells) + side * height * Vec3::UnitZ();
      const Vec3 n = w.cwiseQuotient(radii);
      grid->Add(radii.cwiseProduct(w) + z * Vec3::UnitZ(), n.normalized(),
                radii.prod() * n.norm() * solid_angle);
    }
  }
}

void AddSide(double radius, double length, ElementGrid* grid) {
  const int around = grid->CutCircle(radius), along = grid->Cut(length);
  const double area = 2 * kPi * radius / around * (length / along);
  for (int k = 0; k < along && !grid->is_full(); ++k) {
    for (int i = 0; i < around && !grid->is_full(); ++i) {
      const Vec3 n = Around(i, around);
      grid->Add(radius * n + length * Middle(k, along) * Vec3::UnitZ(), n, area);
    }
  }
}

// A disc in the middle that is half as wide as the rings about it.
void AddCap(double radius, int side, double z, ElementGrid* grid) {
  const int rings = grid->Cut(radius + 0.5 * grid->resolution()) - 1;
  const double step = radius / (rings + 0.5);
  const Vec3 n = side * Vec3::UnitZ(), middle = z * Vec3::UnitZ();
  grid->Add(middle, n, kPi * 0.25 * step * step);
  for (int r = 1; r <= rings && !grid->is_full(); ++r) {
    const double inner = (r - 0.5) * step, outer = (r + 0.5) * step;
    const int cells = grid->CutCircle(outer);
    const double half = kPi / cells;
    // The centroid of a sector of a ring.
    const double distance = 2 * (outer * outer + outer * inner + inner * inner) /
                            (3 * (outer + inner)) * std::sin(half) / half;
    for (int k = 0; k < cells && !grid->is_full(); ++k) {
      grid->Add(middle + distance * Around(k, cells), n, half * step * (outer + inner));
    }
  }
}

// The part of a convex polygon with x[axis] on one side of a bound.
std::vector<Vec2> Clip(const std::vector<Vec2>& polygon, int axis, double bound, bool above) {
  std::vector<Vec2> out;
  const auto height = [&](const Vec2& x) { return above ? x[axis] - bound : bound - x[axis]; };
  for (size_t k = 0; k < polygon.size(); ++k) {
    const Vec2 &from = polygon[k], &to = polygon[(k + 1) % polygon.size()];
    const double a = height(from), b = height(to);
    if (a >= 0) out.push_back(from);
    if ((a > 0 && b < 0) || (a < 0 && b > 0)) out.push_back(from + a / (a - b) * (to - from));
  }
  return out;
}

// Area and centroid.
double Measure(const std::vector<Vec2>& polygon, Vec2* centroid) {
  double area = 0;
  *centroid = Vec2::Zero();
  for (size_t k = 2; k < polygon.size(); ++k) {
    const Vec2 a = polygon[k - 1] - polygon[0], b = polygon[k] - polygon[0];
    const double part = 0.5 * (a[0] * b[1] - a[1] * b[0]);
    area += part;
    *centroid += part / 3 * (a + b);
  }
  if (area > 0) *centroid = polygon[0] + *centroid / area;
  return area;
}

// A grid along the longest side, of which each cell has what the triangle leaves of it.
void AddTriangle(const std::array<Vec3, 3>& corners, ElementGrid* grid) {
  std::array<double, 3> sides{};
  for (int k = 0; k < 3; ++k) sides[k] = (corners[(k + 1) % 3] - corners[k]).norm();
  const auto longest = std::max_element(sides.begin(), sides.end()) - sides.begin();
  const Vec3 &from = corners[longest], &to = corners[(longest + 1) % 3],
             &tip = corners[(longest + 2) % 3];
  const Vec3 normal = (to - from).cross(tip - from);
  if (!(normal.stableNorm() > 0)) return;
  const Vec3 n = normal.stableNormalized(), x = (to - from) / sides[longest], y = n.cross(x);
  const double length = sides[longest], height = y.dot(tip - from);
  const std::vector<Vec2> triangle = {{0, 0}, {length, 0}, {x.dot(tip - from), height}};

  const int columns = grid->Cut(length), rows = grid->Cut(height);
  const double dx = length / columns, dy = height / rows;
  for (int j = 0; j < rows && !grid->is_full(); ++j) {
    const std::vector<Vec2> row = Clip(Clip(triangle, 1, j * dy, true), 1, (j + 1) * dy, false);
    for (int i = 0; i < columns && !grid->is_full(); ++i) {
      const std::vector<Vec2> cell = Clip(Clip(row, 0, i * dx, true), 0, (i + 1) * dx, false);
      Vec2 middle;
      const double area = Measure(cell, &middle);
      // Crumbs of rounding are no elements.
      if (area > 1e-13 * length * height) grid->Add(from + middle[0] * x + middle[1] * y, n, area);
    }
  }
}

void AddMesh(const TriangleMesh& mesh, ElementGrid* grid) {
  for (const auto& [a, b, c] : mesh.triangles) {
    AddTriangle({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]}, grid);
  }
}

struct LayVisitor {
  ElementGrid* grid;

  void operator()(const Sphere& s) const {
    for (int side : {-1, 1}) AddHalf(Vec3::Constant(s.radius), side, 0, grid);
  }
  void operator()(const Box& s) const { AddBox(s.size, grid); }
  void operator()(const Capsule& s) const {
    AddSide(s.radius, s.length, grid);
    for (int side : {-1, 1}) {
      AddHalf(Vec3::Constant(s.radius), side, side * 0.5 * s.length, grid);
    }
  }
  void operator()(const Cylinder& s) const {
    AddSide(s.radius, s.length, grid);
    for (int side : {-1, 1}) AddCap(s.radius, side, side * 0.5 * s.length, grid);
  }
  void operator()(const Ellipsoid& s) const {
    for (int side : {-1, 1}) AddHalf(s.radii, side, 0, grid);
  }
  void operator()(const ConvexHull& s) const {
    std::string defect;
    if (const auto mesh = MakeConvexHullMesh(s.points, &defect)) AddMesh(*mesh, grid);
  }
  void operator()(const TriangleMesh& s) const { AddMesh(s, grid); }
  template <typename Other>
  void operator()(const Other&) const {}  // has no layer
};

std::vector<SurfaceElement> LayBySize(const Shape& shape, double resolution) {
  ElementGrid grid(resolution);
  std::visit(LayVisitor{&grid}, shape);
  return grid.TakeElements();
}

double SumAreas(const std::vector<SurfaceElement>& elements) {
  double sum = 0;
  for (const SurfaceElement& element : elements) sum += element.area;
  return sum;
}

// The coarsest layout of at least so many elements. How many there are falls with the size of the
// cells, if not everywhere evenly; whatever the search ends with has enough of them.
std::vector<SurfaceElement> LayByCount(const Shape& shape, int count) {
  std::vector<SurfaceElement> best = LayBySize(shape, kInfinity);
  const auto is_enough = [&](const std::vector<SurfaceElement>& elements) {
    return elements.size() >= static_cast<size_t>(count);
  };
  if (best.empty() || is_enough(best)) return best;
  double fine = 2 * std::sqrt(SumAreas(best) / count), coarse = kInfinity;
  for (best = LayBySize(shape, fine); !is_enough(best); best = LayBySize(shape, fine)) {
    coarse = fine;
    fine *= 0.5;
  }
  constexpr double kSameSize = 1.001;
  while (coarse > kSameSize * fine) {
    const double middle = coarse == kInfinity ? 2 * fine : std::sqrt(fine * coarse);
    std::vector<SurfaceElement> elements = LayBySize(shape, middle);
    (is_enough(elements) ? fine : coarse) = middle;
    if (is_enough(elements)) best = std::move(elements);
  }
  return best;
}

bool CanHaveLayer(const Shape& shape) {
  return IsSolid(shape) && !std::holds_alternative<HalfSpace>(shape) &&
         !std::holds_alternative<HeightField>(shape);
}

// A positive number, and a finite one.
std::optional<std::string> CheckPositive(std::string_view what, std::optional<double> value,
                                         std::string_view unit) {
  if (!value || (std::isfinite(*value) && *value > 0)) return std::nullopt;
  return fmt::format("foundation: {} = {}, expected a positive number in {}", what, *value, unit);
}

}  // namespace

std::optional<std::string> DescribeLayerDefect(const Shape& shape, const ElasticLayer& layer) {
  if (!CanHaveLayer(shape)) {
    return fmt::format("a {} cannot have a foundation on its surface", ShapeName(shape));
  }
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) {
    if (const auto defect = DescribeSolidDefect(*mesh)) {
      return "only a closed mesh can have a foundation: " + *defect;
    }
  }
  if (layer.elements.has_value() == layer.resolution.has_value()) {
    return "foundation: needs one of elements and resolution";
  }
  if (layer.depth.has_value() == layer.stiffness.has_value()) {
    return "foundation: needs one of depth and stiffness";
  }
  if (layer.elements && !(*layer.elements > 0 && *layer.elements <= kMaxContactPoints)) {
    return fmt::format("foundation: elements = {}, expected a whole number from 1 to {}",
                       *layer.elements, kMaxContactPoints);
  }
  for (const auto& defect : {CheckPositive("resolution", layer.resolution, "m"),
                             CheckPositive("depth", layer.depth, "m"),
                             CheckPositive("stiffness", layer.stiffness, "N/m³")}) {
    if (defect) return defect;
  }
  if (!(std::isfinite(layer.damping) && layer.damping >= 0)) {
    return fmt::format("foundation: damping = {}, expected a number ≥ 0 in N s/m³", layer.damping);
  }
  if (layer.shear_stiffness && !(*layer.shear_stiffness > 0)) {
    return fmt::format(
        "foundation: shear_stiffness = {}, expected a positive number in N/m³; inf is rigid",
        *layer.shear_stiffness);
  }
  if (LayElements(shape, layer).size() > kMaxContactPoints) {
    return fmt::format("foundation: has more than {} elements, expected a coarser one",
                       kMaxContactPoints);
  }
  return std::nullopt;
}

std::vector<SurfaceElement> LayElements(const Shape& shape, const ElasticLayer& layer) {
  return layer.elements ? LayByCount(shape, *layer.elements)
                        : LayBySize(shape, layer.resolution.value_or(kInfinity));
}

}  // namespace voigt
