#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "voigt/base/errors.h"
#include "voigt/model/model_spec.h"

// Elements of a ModelSpec, for tests that write models down by hand, and what is found wrong with
// them.
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

// Whether some problem names this element and says this.
inline bool Mentions(const std::vector<Problem>& problems, const std::string& element,
                     const std::string& message) {
  return std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
    return problem.element.find(element) != std::string::npos &&
           problem.message.find(message) != std::string::npos;
  });
}

}  // namespace voigt::testing
