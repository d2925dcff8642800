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
  // An open mesh is a valid surface; only its mass properties need it closed.
  Result operator()(const TriangleMesh& s) const { return DescribeSurfaceDefect(s); }
};

}  // namespace

std::string_view ShapeName(const Shape& shape) {
  constexpr std::array<std::string_view, 8> kNames = {
      "sphere", "box", "capsule", "cylinder", "ellipsoid", "half-space", "hull", "mesh"};
  return kNames[shape.index()];
}

std::optional<std::string> DescribeShapeDefect(const Shape& shape) {
  return std::visit(DefectVisitor{}, shape);
}

}  // namespace voigt
