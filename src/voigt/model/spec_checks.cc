#include "voigt/model/spec_checks.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <initializer_list>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace voigt {
namespace {

bool IsRotation(const Mat3& R) {
  return R.allFinite() && (R * R.transpose() - Mat3::Identity()).cwiseAbs().maxCoeff() < 1e-9 &&
         R.col(0).cross(R.col(1)).dot(R.col(2)) > 0;
}

void CheckPose(const Pose& X, const SourceLocation& where, const std::string& element,
               std::string_view what, ProblemList* problems) {
  if (!X.p.allFinite())
    problems->Add(where, element, fmt::format("{} has a non-finite position", what));
  if (!IsRotation(X.R)) problems->Add(where, element, fmt::format("{} is not a rotation", what));
}

template <typename Spec>
void CheckUniqueNames(const std::vector<Spec>& specs, std::string_view kind,
                      ProblemList* problems) {
  std::unordered_map<std::string, int> first;
  for (size_t i = 0; i < specs.size(); ++i) {
    const Spec& spec = specs[i];
    const std::string element = fmt::format("{} {}", kind, i);
    if (spec.name.empty()) {
      problems->Add(spec.where, element, "has no name");
    } else if (spec.name == "world") {
      problems->Add(spec.where, element, "'world' is the name of the fixed ground, choose another");
    } else if (const auto [entry, is_new] = first.try_emplace(spec.name, static_cast<int>(i));
               !is_new) {
      problems->Add(spec.where, element,
                    fmt::format("name '{}' is taken by {} {}", spec.name, kind, entry->second));
    }
  }
}

bool HasBadDensity(const Geometry& geometry) {
  return geometry.density && !(std::isfinite(*geometry.density) && *geometry.density > 0);
}

void CheckOneGeometry(const Geometry& geometry, const std::string& owner, ProblemList* problems) {
  const std::string element = fmt::format("{}, {}{}", owner, ShapeName(geometry.shape),
                                          geometry.name.empty() ? "" : " '" + geometry.name + "'");
  if (const auto defect = DescribeShapeDefect(geometry.shape)) {
    problems->Add(geometry.where, element, *defect);
  }
  if (HasBadDensity(geometry)) {
    problems->Add(
        geometry.where, element,
        fmt::format("density = {}, expected a positive number in kg/m³", *geometry.density));
  }
  CheckPose(geometry.X_BG, geometry.where, element, "pose", problems);
}

// Checks one per-dof list of a joint: its length and the range of its values.
struct ListCheck {
  const JointSpec& joint;
  ProblemList* problems;

  bool Size(const std::vector<double>& list, std::string_view what) const {
    const size_t nv = DofCount(joint.type);
    if (list.empty() || list.size() == 1 || list.size() == nv) return true;
    problems->Add(joint.where, Describe(joint),
                  fmt::format("{} has {} values, expected {}{}", what, list.size(),
                              nv > 1 ? "1 or " : "", nv));
    return false;
  }

  void NonNegative(const std::vector<double>& list, std::string_view what) const {
    Size(list, what);
    if (!list.empty() && DofCount(joint.type) == 0) {
      problems->Add(joint.where, Describe(joint),
                    fmt::format("{} on a fixed joint, which does not move", what));
    }
    for (double value : list) {
      if (std::isfinite(value) && value >= 0) continue;
      problems->Add(joint.where, Describe(joint),
                    fmt::format("{} = {}, expected a finite number ≥ 0", what, value));
    }
  }
};

void CheckLimits(const JointSpec& joint, ProblemList* problems) {
  if (joint.lower.empty() && joint.upper.empty()) return;
  const std::string element = Describe(joint);
  if (HasQuaternion(joint.type) || DofCount(joint.type) == 0) {
    problems->Add(
        joint.where, element,
        fmt::format("a {} joint has no scalar coordinates to limit", ToString(joint.type)));
    return;
  }
  const ListCheck check{joint, problems};
  const bool lower_fits = check.Size(joint.lower, "lower limit");
  const bool upper_fits = check.Size(joint.upper, "upper limit");
  if (!lower_fits || !upper_fits) return;
  const auto value = [](const std::vector<double>& list, int k, double none) {
    return list.empty() ? none : list.size() == 1 ? list[0] : list[k];
  };
  for (int k = 0; k < DofCount(joint.type); ++k) {
    const double lower = value(joint.lower, k, -kInfinity),
                 upper = value(joint.upper, k, kInfinity);
    // An infinite limit is none, but on the wrong side it leaves no coordinate at all.
    if (!(lower <= upper && lower < kInfinity && upper > -kInfinity)) {
      problems->Add(joint.where, element,
                    fmt::format("limits [{}, {}], expected lower ≤ upper and finite values between",
                                lower, upper));
    }
  }
}

void CheckRest(const JointSpec& joint, ProblemList* problems) {
  if (joint.rest.empty()) return;
  const size_t nq = CoordinateCount(joint.type);
  if (joint.rest.size() != nq) {
    problems->Add(joint.where, Describe(joint),
                  fmt::format("rest has {} values, expected {}", joint.rest.size(), nq));
    return;
  }
  for (double value : joint.rest) {
    if (!std::isfinite(value)) problems->Add(joint.where, Describe(joint), "rest is not finite");
  }
  if (HasQuaternion(joint.type)) {
    const Eigen::Map<const Vec4> quaternion(joint.rest.data() + QuaternionStart(joint.type));
    if (!(std::abs(quaternion.norm() - 1) < 1e-6)) {
      problems->Add(joint.where, Describe(joint), "rest orientation is not a unit quaternion");
    }
  }
}

bool CheckAxis(const JointSpec& joint, const std::optional<Vec3>& axis, std::string_view what,
               ProblemList* problems) {
  if (!axis || (axis->allFinite() && axis->stableNorm() > 1e-12)) return true;
  problems->Add(joint.where, Describe(joint),
                fmt::format("{} = [{}, {}, {}], expected a direction that is not zero", what,
                            (*axis)[0], (*axis)[1], (*axis)[2]));
  return false;
}

void CheckAxes(const JointSpec& joint, ProblemList* problems) {
  const bool first_fine = CheckAxis(joint, joint.axis, "axis", problems);
  const bool second_fine = CheckAxis(joint, joint.axis2, "axis2", problems);
  if (joint.axis && (joint.type == JointType::kFixed || HasQuaternion(joint.type))) {
    problems->Add(joint.where, Describe(joint),
                  fmt::format("a {} joint has no axis", ToString(joint.type)));
  }
  if (joint.type == JointType::kUniversal) {
    if (joint.axis.has_value() != joint.axis2.has_value()) {
      problems->Add(joint.where, Describe(joint), "give both axis and axis2, or neither");
    } else if (joint.axis && first_fine && second_fine &&
               std::abs(joint.axis->stableNormalized().dot(joint.axis2->stableNormalized())) >
                   1e-9) {
      problems->Add(joint.where, Describe(joint), "axis and axis2 are not perpendicular");
    }
  } else if (joint.axis2) {
    problems->Add(joint.where, Describe(joint), "axis2 belongs to universal joints only");
  }
  if (joint.type == JointType::kScrew) {
    if (!std::isfinite(joint.pitch))
      problems->Add(joint.where, Describe(joint), "pitch is not finite");
  } else if (joint.pitch != 0) {
    problems->Add(joint.where, Describe(joint), "pitch belongs to screw joints only");
  }
}

std::unordered_set<std::string> BodyNames(const ModelSpec& spec) {
  std::unordered_set<std::string> names = {"world"};
  for (const BodySpec& body : spec.bodies) names.insert(body.name);
  return names;
}

// Checks one load or servo: the length of its lists and their numbers.
struct LoadCheck {
  const SourceLocation& where;
  std::string element;
  ProblemList* problems;

  void Fail(std::string message) const { problems->Add(where, element, std::move(message)); }

  // The last of the sizes that fit is the one to recommend.
  void Size(size_t size, std::string_view what, std::initializer_list<int> fitting) const {
    for (int fit : fitting) {
      if (size == static_cast<size_t>(fit)) return;
    }
    Fail(fmt::format("{} has {} values, expected {}", what, size, *(fitting.end() - 1)));
  }

  template <typename Functions>
  void Constants(const Functions& functions, std::string_view what) const {
    for (const TimeFunction& function : functions) {
      if (!function.is_constant() || std::isfinite(function.constant())) continue;
      Fail(fmt::format("{} = {}, expected a finite number", what, function.constant()));
    }
  }

  void Gains(const std::vector<double>& gains) const {
    for (double gain : gains) {
      if (std::isfinite(gain) && gain >= 0) continue;
      Fail(fmt::format("gain = {}, expected a finite number ≥ 0", gain));
    }
  }
};

void CheckServo(const Servo& servo, JointType type, const LoadCheck& check) {
  const int nv = DofCount(type);
  if (nv == 0 || HasQuaternion(type)) {
    check.Fail(fmt::format("a {} joint has no scalar coordinates to drive", ToString(type)));
    return;
  }
  check.Size(servo.stiffness.size(), "stiffness", {1, nv});
  check.Size(servo.damping.size(), "damping", {0, 1, nv});
  check.Size(servo.target.size(), "target", {nv});
  check.Size(servo.target_rate.size(), "target rate", {0, nv});
  check.Gains(servo.stiffness);
  check.Gains(servo.damping);
  check.Constants(servo.target, "target");
  check.Constants(servo.target_rate, "target rate");
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

std::string Describe(const BodySpec& body) { return fmt::format("body '{}'", body.name); }

std::string Describe(const JointSpec& joint) { return fmt::format("joint '{}'", joint.name); }

void CheckNames(const ModelSpec& spec, ProblemList* problems) {
  CheckUniqueNames(spec.bodies, "body", problems);
  CheckUniqueNames(spec.joints, "joint", problems);
}

void CheckGeometry(const ModelSpec& spec, ProblemList* problems) {
  for (const Geometry& geometry : spec.world_geometry)
    CheckOneGeometry(geometry, "world", problems);
  for (const BodySpec& body : spec.bodies) {
    for (const Geometry& geometry : body.geometry) {
      CheckOneGeometry(geometry, Describe(body), problems);
    }
  }
}

void CheckEnds(const ModelSpec& spec, ProblemList* problems) {
  const auto bodies = BodyNames(spec);
  for (const JointSpec& joint : spec.joints) {
    const std::string element = Describe(joint);
    for (const std::string* end : {&joint.parent, &joint.child}) {
      if (bodies.contains(*end)) continue;
      problems->Add(joint.where, element,
                    fmt::format("{} body '{}' does not exist",
                                end == &joint.parent ? "parent" : "child", *end));
    }
    if (joint.parent == joint.child) {
      problems->Add(joint.where, element,
                    fmt::format("connects body '{}' with itself", joint.parent));
    }
  }
}

void CheckJoints(const ModelSpec& spec, ProblemList* problems) {
  for (const JointSpec& joint : spec.joints) {
    const std::string element = Describe(joint);
    CheckPose(joint.X_PF, joint.where, element, "frame on the parent", problems);
    CheckPose(joint.X_CM, joint.where, element, "frame on the child", problems);
    CheckAxes(joint, problems);
    CheckLimits(joint, problems);
    CheckRest(joint, problems);
    const ListCheck check{joint, problems};
    check.NonNegative(joint.stiffness, "stiffness");
    check.NonNegative(joint.damping, "damping");
    check.NonNegative(joint.armature, "armature");
    check.NonNegative(joint.dry_friction, "dry friction");
    check.NonNegative(joint.viscous_friction, "viscous friction");
  }
}

void CheckLoads(const ModelSpec& spec, ProblemList* problems) {
  const auto bodies = BodyNames(spec);
  std::unordered_map<std::string, JointType> joints;
  for (const JointSpec& joint : spec.joints) joints[joint.name] = joint.type;

  for (const BodyLoad& load : spec.body_loads) {
    const LoadCheck check{load.where, fmt::format("load '{}'", load.name), problems};
    if (load.body == "world" || !bodies.contains(load.body)) {
      check.Fail(load.body == "world" ? std::string("acts on the world, which does not move")
                                      : fmt::format("body '{}' does not exist", load.body));
    }
    if (!load.point.allFinite()) check.Fail("point is not finite");
    check.Constants(load.force, "force");
    check.Constants(load.torque, "torque");
  }
  for (const JointLoad& load : spec.joint_loads) {
    const LoadCheck check{load.where, fmt::format("load '{}'", load.name), problems};
    const auto joint = joints.find(load.joint);
    if (joint == joints.end()) {
      check.Fail(fmt::format("joint '{}' does not exist", load.joint));
      continue;
    }
    if (DofCount(joint->second) == 0) {
      check.Fail("acts on a fixed joint, which does not move");
      continue;
    }
    check.Size(load.force.size(), "force", {DofCount(joint->second)});
    check.Constants(load.force, "force");
  }
  for (const Servo& servo : spec.servos) {
    const LoadCheck check{servo.where, fmt::format("servo '{}'", servo.name), problems};
    const auto joint = joints.find(servo.joint);
    if (joint == joints.end()) {
      check.Fail(fmt::format("joint '{}' does not exist", servo.joint));
      continue;
    }
    CheckServo(servo, joint->second, check);
  }
}

MassProperties CalcBodyMass(const BodySpec& body, ProblemList* problems) {
  ProblemList found;
  const MassProperties mass = ReadBodyMass(body, &found);
  problems->Append(found);
  return found.empty() ? mass : MassProperties{};
}

}  // namespace voigt
