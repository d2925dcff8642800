#include "voigt/io/spec_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "voigt/math/rotation.h"

namespace voigt {
namespace {

constexpr char kWorldName[] = "world";

class Prefixer {
 public:
  explicit Prefixer(std::string prefix) : prefix_(std::move(prefix)) {}

  void Name(std::string* name) const {
    if (!name->empty()) *name = prefix_ + *name;
  }
  void Body(std::string* name) const {
    if (*name != kWorldName) Name(name);
  }
  void Terms(std::vector<JointTerm>* terms) const {
    for (JointTerm& term : *terms) Name(&term.joint);
  }

  void operator()(DistanceSpec& c) const { Bodies(&c); }
  void operator()(PointOnLineSpec& c) const { Bodies(&c); }
  void operator()(PointOnCircleSpec& c) const { Bodies(&c); }
  void operator()(PointInPlaneSpec& c) const { Bodies(&c); }
  void operator()(CouplerSpec& c) const {
    Terms(&c.terms);
    Terms(&c.argument);
  }
  void operator()(JointLockSpec& c) const { Name(&c.joint); }
  void operator()(RollingSpec& c) const { Bodies(&c); }
  void operator()(KnifeEdgeSpec& c) const { BodyAndOn(&c); }
  void operator()(ConstantSpeedSpec& c) const { Terms(&c.terms); }
  void operator()(PrescribedPointSpec& c) const { BodyAndOn(&c); }

 private:
  template <class Spec>
  void Bodies(Spec* c) const {
    Body(&c->A.body);
    Body(&c->B.body);
  }
  template <class Spec>
  void BodyAndOn(Spec* c) const {
    Body(&c->B.body);
    Body(&c->on);
  }

  std::string prefix_;
};

// Turns of functions of time: sums of them, with the matrix's elements as factors. A sum of
// constants stays one, and zeros leave no trace.
std::array<TimeFunction, 3> TransformFunctions(const Mat3& R, const Vec3& p,
                                               const std::array<TimeFunction, 3>& f) {
  std::array<TimeFunction, 3> out;
  for (int i = 0; i < 3; ++i) {
    double constant = p[i];
    std::string text;
    NamedConstants constants;
    for (int k = 0; k < 3; ++k) {
      if (f[k].is_constant()) {
        constant += R(i, k) * f[k].constant();
      } else if (R(i, k) != 0) {
        text += fmt::format("({}) * ({}) + ", R(i, k), f[k].text());
        for (const auto& entry : f[k].constants()) {
          const auto is_same = [&](const auto& known) { return known.first == entry.first; };
          if (std::none_of(constants.begin(), constants.end(), is_same)) constants.push_back(entry);
        }
      }
    }
    out[i] = text.empty() ? TimeFunction(constant)
                          : TimeFunction::Parse(fmt::format("{}({})", text, constant), constants);
  }
  return out;
}

class Placer {
 public:
  explicit Placer(const Pose& X) : X_(X) {}

  void operator()(DistanceSpec& c) const { Points(&c); }
  void operator()(PointOnLineSpec& c) const {
    Points(&c);
    if (c.A.body == kWorldName) c.direction = X_.R * c.direction;
  }
  void operator()(PointOnCircleSpec& c) const {
    Points(&c);
    if (c.A.body == kWorldName) c.normal = X_.R * c.normal;
  }
  void operator()(PointInPlaneSpec& c) const {
    Points(&c);
    if (c.A.body == kWorldName) c.normal = X_.R * c.normal;
  }
  void operator()(CouplerSpec&) const {}
  void operator()(JointLockSpec&) const {}
  void operator()(RollingSpec& c) const {
    Points(&c);
    if (c.A.body == kWorldName) c.normal = X_.R * c.normal;
    if (c.B.body == kWorldName && c.axis) c.axis = X_.R * *c.axis;
  }
  void operator()(KnifeEdgeSpec& c) const {
    Point(&c.B);
    if (c.B.body == kWorldName) c.direction = X_.R * c.direction;
  }
  void operator()(ConstantSpeedSpec&) const {}
  void operator()(PrescribedPointSpec& c) const {
    Point(&c.B);
    if (c.on == kWorldName) c.position = TransformFunctions(X_.R, X_.p, c.position);
  }

 private:
  void Point(PointOnBody* at) const {
    if (at->body == kWorldName) at->point = X_ * at->point;
  }
  template <class Spec>
  void Points(Spec* c) const {
    Point(&c->A);
    Point(&c->B);
  }

  Pose X_;
};

template <class T>
void AppendAll(std::vector<T>&& part, std::vector<T>* whole) {
  whole->insert(whole->end(), std::make_move_iterator(part.begin()),
                std::make_move_iterator(part.end()));
}

void RenameMaterials(const Prefixer& prefixer, const std::string& default_material,
                     ModelSpec* spec) {
  const auto is_default = [](const Material& m) { return m.name == kDefaultMaterial; };
  const bool has_default = std::any_of(spec->materials.begin(), spec->materials.end(), is_default);
  const auto rename = [&](std::string* name) {
    if (*name == kDefaultMaterial && has_default) {
      *name = default_material;
    } else if (*name != kDefaultMaterial) {
      prefixer.Name(name);
    }
  };
  const auto rename_shapes = [&](std::vector<Geometry>* shapes) {
    for (Geometry& shape : *shapes) {
      if (shape.material.empty() && has_default) shape.material = kDefaultMaterial;
      rename(&shape.material);
      prefixer.Name(&shape.name);
    }
  };
  rename_shapes(&spec->world_geometry);
  for (BodySpec& body : spec->bodies) rename_shapes(&body.geometry);
  for (MaterialPair& pair : spec->contact.pairs) {
    rename(&pair.first);
    rename(&pair.second);
  }
  for (Material& material : spec->materials) rename(&material.name);
}

}  // namespace

void AddPrefix(const std::string& prefix, const std::string& default_material, ModelSpec* spec) {
  const Prefixer prefixer(prefix);
  RenameMaterials(prefixer, default_material, spec);
  for (BodySpec& body : spec->bodies) prefixer.Body(&body.name);
  for (JointSpec& joint : spec->joints) {
    prefixer.Name(&joint.name);
    prefixer.Body(&joint.parent);
    prefixer.Body(&joint.child);
  }
  for (ExcludedPair& pair : spec->contact.excluded) {
    prefixer.Body(&pair.body_A);
    prefixer.Body(&pair.body_B);
  }
  for (BodyLoad& load : spec->body_loads) {
    prefixer.Name(&load.name);
    prefixer.Body(&load.body);
  }
  const auto rename_all = [&](auto* elements) {
    for (auto& element : *elements) {
      prefixer.Name(&element.name);
      prefixer.Name(&element.joint);
    }
  };
  rename_all(&spec->joint_loads);
  rename_all(&spec->servos);
  rename_all(&spec->motors);
  rename_all(&spec->prescribed_joints);
  rename_all(&spec->actuators);
  for (ActuatorSpec& actuator : spec->actuators) prefixer.Name(&actuator.tendon);
  for (TendonSpec& tendon : spec->tendons) {
    prefixer.Name(&tendon.name);
    prefixer.Terms(&tendon.terms);
  }
  for (ConstraintSpec& constraint : spec->constraints) {
    prefixer.Name(&constraint.name);
    std::visit(prefixer, constraint.kind);
  }
}

void PlaceInWorld(const Pose& X, ModelSpec* spec) {
  for (Geometry& shape : spec->world_geometry) shape.X_BG = X * shape.X_BG;
  for (JointSpec& joint : spec->joints) {
    if (joint.parent == kWorldName) joint.X_PF = X * joint.X_PF;
    if (joint.child == kWorldName) joint.X_CM = X * joint.X_CM;
  }
  for (BodyLoad& load : spec->body_loads) {
    if (load.frame != LoadFrame::kWorld) continue;
    load.force = TransformFunctions(X.R, Vec3::Zero(), load.force);
    load.torque = TransformFunctions(X.R, Vec3::Zero(), load.torque);
  }
  for (ConstraintSpec& constraint : spec->constraints) std::visit(Placer(X), constraint.kind);
}

int FreeBase(ModelSpec* spec) {
  int count = 0;
  for (JointSpec& joint : spec->joints) {
    if (joint.parent != kWorldName || joint.type != JointType::kFixed) continue;
    joint.type = JointType::kFree;
    ++count;
  }
  return count;
}

int FixBase(ModelSpec* spec, JointValues* start, JointValues* rates) {
  int count = 0;
  for (JointSpec& joint : spec->joints) {
    if (joint.parent != kWorldName || joint.type != JointType::kFree) continue;
    JointSpec fixed;
    fixed.name = joint.name;
    fixed.child = joint.child;
    fixed.X_PF = joint.X_PF;
    fixed.X_CM = joint.X_CM;
    fixed.bodies_touch = joint.bodies_touch;
    fixed.where = joint.where;
    const auto q = start->find(joint.name);
    if (q != start->end() && q->second.size() == 7) {
      const std::vector<double>& at = q->second;
      const Mat3 R = QuaternionToMatrix(Vec4(at[3], at[4], at[5], at[6]));
      fixed.X_PF = fixed.X_PF * Pose{R, Vec3(at[0], at[1], at[2])};
    }
    start->erase(joint.name);
    rates->erase(joint.name);
    joint = std::move(fixed);
    ++count;
  }
  return count;
}

void UseConvexHulls(ModelSpec* spec) {
  const auto convert = [](std::vector<Geometry>* shapes) {
    for (Geometry& shape : *shapes) {
      auto* const mesh = std::get_if<TriangleMesh>(&shape.shape);
      if (mesh != nullptr) shape.shape = ConvexHull{std::vector<Vec3>(std::move(mesh->vertices))};
    }
  };
  convert(&spec->world_geometry);
  for (BodySpec& body : spec->bodies) convert(&body.geometry);
}

void ExcludeSelfContact(ModelSpec* spec) {
  for (size_t i = 0; i < spec->bodies.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (spec->bodies[i].geometry.empty() || spec->bodies[j].geometry.empty()) continue;
      spec->contact.excluded.push_back({spec->bodies[j].name, spec->bodies[i].name});
    }
  }
}

void AppendSpec(ModelSpec part, ModelSpec* whole) {
  AppendAll(std::move(part.materials), &whole->materials);
  AppendAll(std::move(part.contact.excluded), &whole->contact.excluded);
  AppendAll(std::move(part.contact.pairs), &whole->contact.pairs);
  AppendAll(std::move(part.bodies), &whole->bodies);
  AppendAll(std::move(part.joints), &whole->joints);
  AppendAll(std::move(part.world_geometry), &whole->world_geometry);
  AppendAll(std::move(part.body_loads), &whole->body_loads);
  AppendAll(std::move(part.joint_loads), &whole->joint_loads);
  AppendAll(std::move(part.servos), &whole->servos);
  AppendAll(std::move(part.motors), &whole->motors);
  AppendAll(std::move(part.prescribed_joints), &whole->prescribed_joints);
  AppendAll(std::move(part.tendons), &whole->tendons);
  AppendAll(std::move(part.actuators), &whole->actuators);
  AppendAll(std::move(part.constraints), &whole->constraints);
  AppendAll(std::move(part.user_constraints), &whole->user_constraints);
}

}  // namespace voigt
