#include <fmt/format.h>

#include <cmath>

#include "voigt/model/spec_checks.h"
#include "voigt/model/surface_elements.h"

namespace voigt {
namespace {

bool HasBadDensity(const Geometry& geometry) {
  return geometry.density && !(std::isfinite(*geometry.density) && *geometry.density > 0);
}

void CheckOneGeometry(const Geometry& geometry, const std::string& owner, ProblemList* problems) {
  const std::string element = Describe(geometry, owner);
  if (const auto defect = DescribeShapeDefect(geometry.shape)) {
    problems->Add(geometry.where, element, *defect);
  } else if (geometry.foundation) {
    if (const auto defect_of_layer = DescribeLayerDefect(geometry.shape, *geometry.foundation)) {
      problems->Add(geometry.where, element, *defect_of_layer);
    }
  }
  if (HasBadDensity(geometry)) {
    problems->Add(
        geometry.where, element,
        fmt::format("density = {}, expected a positive number in kg/m³", *geometry.density));
  }
  if (!geometry.surface_velocity.allFinite()) {
    problems->Add(geometry.where, element, "surface_velocity is not finite");
  }
  CheckPose(geometry.X_BG, geometry.where, element, "pose", problems);
}

void CheckExplicitMass(const BodySpec& body, ProblemList* problems) {
  if (!(std::isfinite(body.mass.mass) && body.mass.mass > 0)) {
    problems->Add(body.where, Describe(body),
                  fmt::format("mass = {}, expected a positive number in kg", body.mass.mass));
  }
  if (!body.mass.com.allFinite()) {
    problems->Add(body.where, Describe(body), "centre of mass is not finite");
  }
  for (const Geometry& geometry : body.geometry) {
    if (!geometry.density) continue;
    problems->Add(geometry.where, Describe(body),
                  "gives its own mass and a density as well: keep one of them");
  }
}

// Mass properties of all shapes together; with default_density, shapes without one count too.
MassProperties CalcGeometryMass(const BodySpec& body, std::optional<double> default_density,
                                ProblemList* problems) {
  std::vector<MassProperties> parts;
  bool has_defect = false;  // reported by CheckGeometry
  for (const Geometry& geometry : body.geometry) {
    const std::optional<double> density = geometry.density ? geometry.density : default_density;
    if (!density || (!geometry.density && !IsSolid(geometry.shape))) continue;
    if (HasBadDensity(geometry) || DescribeShapeDefect(geometry.shape)) {
      has_defect = true;
      continue;
    }
    std::string defect;
    if (const auto part = CalcShapeMassProperties(geometry.shape, *density, &defect)) {
      parts.push_back(Transform(geometry.X_BG, *part));
    } else {
      problems->Add(geometry.where, Describe(body),
                    fmt::format("no mass from its {}: {}", ShapeName(geometry.shape), defect));
      return {};
    }
  }
  if (has_defect) return {};
  if (parts.empty()) {
    problems->Add(body.where, Describe(body),
                  default_density
                      ? "has a mass, but neither an inertia nor a shape that tells it"
                      : "has no mass: give mass and inertia, or geometry with a density");
    return {};
  }
  const MassProperties out = Combine(parts);
  if (!(std::isfinite(out.mass) && out.mass > 0 && out.com.allFinite())) {
    problems->Add(body.where, Describe(body),
                  fmt::format("its shapes have a mass of {} kg together: look at their sizes and "
                              "densities",
                              out.mass));
  } else if (const auto defect = DescribeInertiaDefect(out.inertia)) {
    problems->Add(body.where, Describe(body), "inertia of its shapes: " + *defect);
  }
  return out;
}

MassProperties ReadBodyMass(const BodySpec& body, ProblemList* problems) {
  switch (body.mass_source) {
    case MassSource::kMassless:
      for (const Geometry& geometry : body.geometry) {
        if (geometry.density) {
          problems->Add(geometry.where, Describe(body), "is massless, but a shape has a density");
        }
      }
      return {};
    case MassSource::kPoint:
      CheckExplicitMass(body, problems);
      return {body.mass.mass, body.mass.com, Mat3::Zero()};
    case MassSource::kExplicit:
      CheckExplicitMass(body, problems);
      if (const auto defect = DescribeInertiaDefect(body.mass.inertia)) {
        problems->Add(body.where, Describe(body), *defect);
      }
      return body.mass;
    case MassSource::kGeometry:
      return CalcGeometryMass(body, std::nullopt, problems);
    case MassSource::kScaled: {
      CheckExplicitMass(body, problems);
      MassProperties out = CalcGeometryMass(body, 1.0, problems);
      if (out.mass > 0) out.inertia *= body.mass.mass / out.mass;
      out.mass = body.mass.mass;
      return out;
    }
  }
  return {};
}

}  // namespace

void CheckGeometry(const ModelSpec& spec, ProblemList* problems) {
  for (const Geometry& geometry : spec.world_geometry)
    CheckOneGeometry(geometry, "world", problems);
  for (const BodySpec& body : spec.bodies) {
    for (const Geometry& geometry : body.geometry) {
      CheckOneGeometry(geometry, Describe(body), problems);
    }
  }
}

MassProperties CalcBodyMass(const BodySpec& body, ProblemList* problems) {
  ProblemList found;
  const MassProperties mass = ReadBodyMass(body, &found);
  problems->Append(found);
  return found.empty() ? mass : MassProperties{};
}

}  // namespace voigt
