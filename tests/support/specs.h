#pragma once

#include <string>

#include "voigt/model/model_spec.h"

// Elements of a ModelSpec, for tests that write models down by hand.
namespace voigt::testing {

// With the inertia of 1 kg m² about every axis through its centre of mass.
inline BodySpec MakeBody(const std::string& name, double mass = 1, const Vec3& com = Vec3::Zero()) {
  BodySpec body;
  body.name = name;
  body.mass_source = MassSource::kExplicit;
  body.mass = {mass, com, Mat3::Identity()};
  return body;
}

inline JointSpec MakeJoint(const std::string& name, JointType type, const std::string& parent,
                           const std::string& child, TreeChoice tree = TreeChoice::kAuto) {
  JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.tree = tree;
  return joint;
}

}  // namespace voigt::testing
