#include "voigt/model/geometry.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "voigt/model/convex_hull.h"

namespace voigt {
namespace {

std::optional<std::string> CheckLength(std::string_view what, double value) {
  if (std::isfinite(value) && value > 0) return std::nullopt;
  return fmt::format("{} = {}, expected a positive length in m", what, value);
}

std::optional<std::string> CheckNumber(std::string_view what, double value, double least,
                                       std::string_view unit) {
  if (std::isfinite(value) && value >= least) return std::nullopt;
  return fmt::format("{} = {}, expected a finite number {} 0 in {}", what, value,
                     least > 0 ? ">" : "≥", unit);
}

std::optional<std::string> FirstOf(std::initializer_list<std::optional<std::string>> defects) {
  for (const auto& defect : defects) {
    if (defect) return defect;
  }
  return std::nullopt;
}

struct DefectVisitor {
  using Result = std::optional<std::string>;

  Result operator()(const Sphere& s) const { return CheckLength("radius", s.radius); }
  Result operator()(const Box& s) const {
    return FirstOf({CheckLength("size x", s.size[0]), CheckLength("size y", s.size[1]),
                    CheckLength("size z", s.size[2])});
  }
  Result operator()(const Capsule& s) const {
    return FirstOf({CheckLength("radius", s.radius), CheckLength("length", s.length)});
  }
  Result operator()(const Cylinder& s) const {
    return FirstOf({CheckLength("radius", s.radius), CheckLength("length", s.length)});
  }
  Result operator()(const Ellipsoid& s) const {
    return FirstOf({CheckLength("radius x", s.radii[0]), CheckLength("radius y", s.radii[1]),
                    CheckLength("radius z", s.radii[2])});
  }
  Result operator()(const HalfSpace&) const { return std::nullopt; }
  Result operator()(const ConvexHull& s) const {
    std::string defect;
    if (MakeConvexHullMesh(s.points, &defect)) return std::nullopt;
    return defect;
  }
  Result operator()(const ContactPoints& s) const {
    if (s.positions.empty()) return "has no points";
    if (s.positions.size() > kMaxContactPoints) {
      return fmt::format("{} points, expected at most {}", s.positions.size(), kMaxContactPoints);
    }
    for (size_t i = 0; i < s.positions.size(); ++i) {
      if (!s.positions[i].allFinite()) return fmt::format("point {} is not finite", i);
    }
    return std::nullopt;
  }
  Result operator()(const Foundation& s) const {
    const bool countable = s.nx > 0 && s.ny > 0 && s.nx <= kMaxContactPoints / s.ny;
    if (!countable) {
      return fmt::format("{} x {} elements, expected positive numbers with a product of at most {}",
                         s.nx, s.ny, kMaxContactPoints);
    }
    if (s.depth.has_value() == s.stiffness.has_value()) {
      return "needs one of depth and stiffness";
    }
    return FirstOf({CheckLength("size x", s.size[0]), CheckLength("size y", s.size[1]),
                    CheckLength("depth", s.depth.value_or(1)),
                    CheckNumber("stiffness", s.stiffness.value_or(1), 1e-300, "N/m"),
                    CheckNumber("damping", s.damping, 0, "N s/m")});
  }
  Result operator()(const HeightField& s) const {
    // Triangles, edges and points of the grid number contacts; as many as its Euler number tells.
    const double points = static_cast<double>(s.nx) * s.ny;
    const double count = 2 * (points + 2.0 * (s.nx - 1.0) * (s.ny - 1.0)) - 1;
    if (s.nx < 2 || s.ny < 2 || count > kMaxContactPoints) {
      return fmt::format(
          "{} x {} points, expected at least 2 along x and y and at most about {} in all", s.nx,
          s.ny, kMaxContactPoints / 6);
    }
    if (static_cast<double>(s.heights.size()) != points) {
      return fmt::format("{} heights, expected {} x {}", s.heights.size(), s.nx, s.ny);
    }
    for (size_t k = 0; k < s.heights.size(); ++k) {
      if (!std::isfinite(s.heights[k])) {
        return fmt::format("height {} of row {} is not finite", k % s.nx, k / s.nx);
      }
    }
    return FirstOf(
        {CheckLength("spacing x", s.spacing[0]), CheckLength("spacing y", s.spacing[1])});
  }
  // An open mesh is a valid surface; only its mass properties need it closed.
  Result operator()(const TriangleMesh& s) const { return DescribeSurfaceDefect(s); }
};

}  // namespace

std::string_view ShapeName(const Shape& shape) {
  constexpr std::array<std::string_view, 11> kNames = {
      "sphere", "box",  "capsule", "cylinder",   "ellipsoid",   "half-space",
      "hull",   "mesh", "points",  "foundation", "height field"};
  static_assert(kNames.size() == std::variant_size_v<Shape>);
  return kNames[shape.index()];
}

bool IsSolid(const Shape& shape) {
  return !std::holds_alternative<ContactPoints>(shape) &&
         !std::holds_alternative<Foundation>(shape);
}

Vec3 ElementPosition(const Foundation& foundation, int k) {
  const int i = k % foundation.nx, j = k / foundation.nx;
  // Whole numbers first: opposite elements have opposite coordinates to the last bit.
  return {foundation.size[0] * (2 * i + 1 - foundation.nx) / (2.0 * foundation.nx),
          foundation.size[1] * (2 * j + 1 - foundation.ny) / (2.0 * foundation.ny), 0};
}

double ElementArea(const Foundation& foundation) {
  return foundation.size[0] / foundation.nx * (foundation.size[1] / foundation.ny);
}

Vec3 GridPoint(const HeightField& field, int i, int j) {
  // Whole numbers first, as above.
  return {0.5 * field.spacing[0] * (2 * i + 1 - field.nx),
          0.5 * field.spacing[1] * (2 * j + 1 - field.ny), field.heights[i + field.nx * j]};
}

TriangleMesh MakeMesh(const HeightField& field) {
  TriangleMesh mesh;
  for (int j = 0; j < field.ny; ++j) {
    for (int i = 0; i < field.nx; ++i) mesh.vertices.push_back(GridPoint(field, i, j));
  }
  for (int j = 0; j + 1 < field.ny; ++j) {
    for (int i = 0; i + 1 < field.nx; ++i) {
      const int k = i + field.nx * j, across = k + field.nx + 1;
      mesh.triangles.push_back({k, k + 1, across});
      mesh.triangles.push_back({k, across, k + field.nx});
    }
  }
  return mesh;
}

std::optional<std::string> DescribeShapeDefect(const Shape& shape) {
  return std::visit(DefectVisitor{}, shape);
}

}  // namespace voigt
