#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "voigt/base/source_location.h"
#include "voigt/model/actuator.h"
#include "voigt/model/constraint_spec.h"
#include "voigt/model/contact_settings.h"
#include "voigt/model/geometry.h"
#include "voigt/model/joint.h"
#include "voigt/model/load.h"
#include "voigt/model/mass_properties.h"
#include "voigt/model/material.h"

namespace voigt {

class Constraint;  // constraints/constraint.h

// How a body comes by its mass properties.
enum class MassSource {
  kExplicit,  // mass, com and inertia as given
  kPoint,     // mass and com as given, no inertia: a point mass
  kMassless,  // none: a link between joints that carries inertia only further out
  kGeometry,  // from its shapes and their densities
  kScaled,    // the given mass, spread evenly over its shapes
};

struct BodySpec {
  std::string name;
  MassSource mass_source = MassSource::kGeometry;
  MassProperties mass;  // in the body's frame; what of it is read depends on mass_source
  std::vector<Geometry> geometry;
  SourceLocation where;
};

// A model as the user describes it: plain data, checked by ModelBuilder.
struct ModelSpec {
  std::string name;
  Vec3 gravity = Vec3(0, 0, -9.81);  // m/s²
  std::vector<Material> materials;   // the one named "default" is that of shapes that name none
  ContactSettings contact;
  std::vector<BodySpec> bodies;
  std::vector<JointSpec> joints;
  std::vector<Geometry> world_geometry;
  std::vector<BodyLoad> body_loads;
  std::vector<JointLoad> joint_loads;
  std::vector<Servo> servos;
  std::vector<Motor> motors;
  std::vector<PrescribedJoint> prescribed_joints;
  std::vector<TendonSpec> tendons;
  std::vector<ActuatorSpec> actuators;
  std::vector<ConstraintSpec> constraints;
  std::vector<std::shared_ptr<const Constraint>> user_constraints;
};

}  // namespace voigt
