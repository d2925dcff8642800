// voigt, formulation `compliant` with its defaults; the audit of every step is off, since no peer
// has one.

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "bench/peers/engine.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/voigt.h"

namespace voigt::peers {
namespace {

std::string BodyName(int b) { return b < 0 ? "world" : fmt::format("b{}", b); }

Geometry MakeGeometry(const Shape& shape) {
  Geometry out;
  out.X_BG = shape.X_BS;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      out.shape = Sphere{shape.radius()};
      break;
    case ShapeKind::kBox:
      out.shape = Box{shape.size};
      break;
    case ShapeKind::kCapsule:
      out.shape = Capsule{shape.size[0], shape.size[1]};
      break;
    case ShapeKind::kPlane:
      out.shape = HalfSpace{};
      break;
    case ShapeKind::kPoint:
      out.shape = ContactPoints{{Vec3::Zero()}};
      break;
  }
  return out;
}

// Points of a body are one shape.
std::vector<Geometry> MakeGeometries(const std::vector<Shape>& shapes) {
  std::vector<Geometry> out;
  ContactPoints points;
  for (const Shape& shape : shapes) {
    if (shape.kind == ShapeKind::kPoint) {
      points.positions.push_back(shape.X_BS.p);
    } else {
      out.push_back(MakeGeometry(shape));
    }
  }
  if (!points.positions.empty()) {
    Geometry geometry;
    geometry.shape = points;
    out.push_back(geometry);
  }
  return out;
}

// Two equal surfaces have half the stiffness and damping of one.
voigt::Material MakeMaterial(const Material& material) {
  voigt::Material out;
  out.name = kDefaultMaterial;
  out.friction = material.mu;
  if (material.is_rigid()) return out;
  out.law = NormalLaw::kLinear;
  out.stiffness = 2 * material.stiffness;
  out.damping = 2 * material.damping;
  return out;
}

JointSpec MakeFreeJoint(int body) {
  JointSpec out;
  out.name = fmt::format("free{}", body);
  out.type = JointType::kFree;
  out.child = BodyName(body);
  return out;
}

JointSpec MakeJoint(const Scene& scene, int j) {
  const Joint& joint = scene.joints[j];
  const Pose at{Mat3::Identity(), joint.anchor};
  JointSpec out;
  out.name = fmt::format("j{}", j);
  out.type = joint.kind == JointKind::kRevolute ? JointType::kRevolute : JointType::kPrismatic;
  out.parent = BodyName(joint.parent);
  out.child = BodyName(joint.child);
  out.X_PF = joint.parent < 0 ? at : scene.bodies[joint.parent].start.Inverse() * at;
  out.X_CM = scene.bodies[joint.child].start.Inverse() * at;
  out.axis = joint.axis;
  out.bodies_touch = joint.parent < 0;
  out.tree = joint.closes_loop ? TreeChoice::kLoop : TreeChoice::kTree;
  if (joint.is_limited()) out.lower = {joint.lower}, out.upper = {joint.upper};
  return out;
}

Model MakeModel(const Scene& scene) {
  ModelSpec spec;
  spec.name = scene.name;
  spec.gravity = scene.gravity;
  spec.materials = {MakeMaterial(scene.material)};
  spec.world_geometry = MakeGeometries(scene.ground);
  const std::vector<int> tree = ListTreeJoints(scene);
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    BodySpec out;
    out.name = BodyName(static_cast<int>(b));
    out.mass_source = MassSource::kExplicit;
    out.mass.mass = body.mass;
    out.mass.inertia = body.inertia.asDiagonal();
    out.geometry = MakeGeometries(body.shapes);
    spec.bodies.push_back(out);
    if (tree[b] < 0) spec.joints.push_back(MakeFreeJoint(static_cast<int>(b)));
  }
  for (size_t j = 0; j < scene.joints.size(); ++j) {
    spec.joints.push_back(MakeJoint(scene, static_cast<int>(j)));
  }
  for (const auto& [a, b] : scene.apart) {
    spec.contact.excluded.push_back({BodyName(a), BodyName(b)});
  }
  return ModelBuilder(std::move(spec)).Build();
}

State MakeStart(const Scene& scene, const Model& model) {
  State out;
  out.q = model.NeutralCoordinates();
  out.v = VecX::Zero(model.nv());
  const std::vector<int> tree = ListTreeJoints(scene);
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const int moved = *model.FindBody(BodyName(static_cast<int>(b)));
    const int q = model.tree().q_start[moved], v = model.tree().v_start[moved];
    if (tree[b] >= 0) {
      out.v[v] = scene.joints[tree[b]].rate;
      continue;
    }
    const Eigen::Quaterniond turn(body.start.R);
    out.q.segment<3>(q) = body.start.p;
    out.q.segment<4>(q + 3) << turn.w(), turn.x(), turn.y(), turn.z();
    out.v.segment<3>(v) = body.velocity;
    out.v.segment<3>(v + 3) = body.start.R.transpose() * body.spin;
  }
  return out;
}

SimulationSettings MakeSettings(const Scene& scene) {
  SimulationSettings out;
  out.step = scene.h;
  out.until = scene.until;
  out.audit = AuditKind::kOff;
  return out;
}

class VoigtEngineWorld : public World {
 public:
  explicit VoigtEngineWorld(const Scene& scene) : VoigtEngineWorld(scene, MakeModel(scene)) {}

  void Step(const Loads& loads) override {
    Inputs& inputs = simulator_.inputs();
    inputs.wrenches.clear();
    for (const Wrench& wrench : loads.wrenches) {
      inputs.wrenches.push_back({number_[wrench.body], Vec3::Zero(), wrench.force, wrench.torque});
    }
    if (!loads.joint_forces.empty()) {
      inputs.joint_force.setZero(simulator_.model().nv());
      for (size_t j = 0; j < loads.joint_forces.size(); ++j) {
        if (rate_of_joint_[j] >= 0) inputs.joint_force[rate_of_joint_[j]] = loads.joint_forces[j];
      }
    }
    simulator_.Step();
    is_fresh_ = false;
  }
  Pose BodyPose(int body) const override {
    return CalcBodyPose(simulator_.model(), Now(), number_[body]);
  }
  Vec3 Velocity(int body) const override {
    return CalcPointVelocity(Now(), number_[body], BodyPose(body).p).tail<3>();
  }
  Vec3 Spin(int body) const override { return Now().V[number_[body]].head<3>(); }
  double Mass(int body) const override { return MassOf(body).mass; }
  double InertiaTrace(int body) const override { return MassOf(body).inertia.trace(); }
  int Contacts() const override { return simulator_.contact_count(); }
  std::string Complaint() const override {
    if (simulator_.status() != StepStatus::kOk) return std::string(Explain(simulator_.status()));
    const long count = simulator_.solver().not_solved;
    return count == 0 ? "" : fmt::format("{} steps not solved to tolerance", count);
  }

 private:
  VoigtEngineWorld(const Scene& scene, const Model& model)
      : simulator_(model, MakeSettings(scene), MakeStart(scene, model)), kin_(simulator_.model()) {
    for (size_t b = 0; b < scene.bodies.size(); ++b) {
      number_.push_back(*model.FindBody(BodyName(static_cast<int>(b))));
    }
    for (size_t j = 0; j < scene.joints.size(); ++j) {
      const auto moved = model.FindJoint(fmt::format("j{}", j));
      rate_of_joint_.push_back(moved ? model.tree().v_start[*moved] : -1);
    }
  }
  const MassProperties& MassOf(int body) const {
    return simulator_.model().body(number_[body]).mass;
  }
  const Kinematics& Now() const {
    if (!is_fresh_) {
      UpdatePositions(simulator_.model(), simulator_.state().q, &kin_);
      UpdateVelocities(simulator_.model(), simulator_.state().v, &kin_);
      is_fresh_ = true;
    }
    return kin_;
  }

  Simulator simulator_;
  mutable Kinematics kin_;
  mutable bool is_fresh_ = false;
  std::vector<int> number_, rate_of_joint_;
};

}  // namespace

std::vector<Engine> ListVoigt() {
  return {
      {"voigt",
       "formulation compliant with its defaults; the audit of every step is off, as no peer has "
       "one",
       [](const Scene& scene) { return std::make_unique<VoigtEngineWorld>(scene); }}};
}

}  // namespace voigt::peers
