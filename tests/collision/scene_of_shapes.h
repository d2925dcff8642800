#pragma once

#include <string>
#include <utility>
#include <vector>

#include "voigt/model/model_builder.h"

namespace voigt::testing {

inline Geometry MakeGeometry(Shape shape, const Pose& X_BG = {}, std::string material = "",
                             std::string name = "") {
  return {std::move(name), std::move(shape), X_BG, std::nullopt, {}, std::move(material)};
}

// A body of 1 kg with some shapes and a joint of the same name.
inline void AddBodyWithShapes(ModelSpec* spec, const std::string& name,
                              std::vector<Geometry> geometry, JointType type = JointType::kFree,
                              const std::string& parent = "world") {
  BodySpec body;
  body.name = name;
  body.mass_source = MassSource::kExplicit;
  body.mass = {1, Vec3::Zero(), Mat3::Identity()};
  body.geometry = std::move(geometry);
  spec->bodies.push_back(std::move(body));
  JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.parent = parent;
  joint.child = name;
  spec->joints.push_back(std::move(joint));
}

}  // namespace voigt::testing
