// The humanoid of scenes/humanoid.yaml, dropped, with torques that come and go at its joints. Made
// of what every engine has: ellipsoids are spheres of their mean radius, links without mass
// (between the hinges of one shoulder or hip) weigh 50 g, joints have limits but no springs and
// dampers, and only the ground is touched.

#include <cmath>

#include "bench/peers/overlap.h"
#include "bench/peers/trial.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/voigt.h"

namespace voigt::peers {
namespace {

constexpr double kSmallLink = 0.05, kSmallInertia = 2e-4, kTorque = 5, kDrop = 0.3;

// Shapes in the body's principal frame.
std::vector<Shape> ConvertShapes(const Model& model, int b, const Pose& X_PB) {
  std::vector<Shape> out;
  const voigt::Body& body = model.body(b);
  for (int g = 0; g < body.geometry_count; ++g) {
    const Geometry& geometry = model.geometry()[body.first_geometry + g];
    const Pose X = X_PB * geometry.X_BG;
    if (const auto* box = std::get_if<Box>(&geometry.shape)) {
      out.push_back(MakeBox(box->size, X));
    } else if (const auto* capsule = std::get_if<Capsule>(&geometry.shape)) {
      out.push_back(MakeCapsule(capsule->radius, capsule->length, X));
    } else if (const auto* sphere = std::get_if<Sphere>(&geometry.shape)) {
      out.push_back(MakeSphere(sphere->radius, X.p));
    } else if (const auto* ellipsoid = std::get_if<Ellipsoid>(&geometry.shape)) {
      out.push_back(MakeSphere(std::cbrt(ellipsoid->radii.prod()), X.p));
    }
  }
  return out;
}

Body ConvertBody(const Model& model, const Kinematics& kin, int b) {
  const MassProperties& mass = model.body(b).mass;
  Body out;
  out.name = model.body(b).name;
  if (mass.mass == 0) {
    out.mass = kSmallLink;
    out.inertia = Vec3::Constant(kSmallInertia);
    out.start = CalcBodyPose(model, kin, b);
    return out;
  }
  const PrincipalInertia principal = CalcPrincipalInertia(mass.inertia);
  const Pose X_BP{principal.axes, mass.com};
  out.mass = mass.mass;
  out.inertia = principal.moments;
  out.start = CalcBodyPose(model, kin, b) * X_BP;
  out.shapes = ConvertShapes(model, b, X_BP.Inverse());
  return out;
}

Joint ConvertJoint(const Model& model, const Kinematics& kin, const State& state, int b) {
  const voigt::Joint& joint = model.joint(b);
  const Pose F = CalcBodyPose(model, kin, joint.parent) * joint.X_PF;
  const double q = state.q[model.tree().q_start[b]];
  Joint out;
  out.parent = joint.parent - 1;
  out.child = b - 1;
  out.anchor = F.p;
  out.axis = F.R.col(2);
  out.lower = joint.lower[0] - q;
  out.upper = joint.upper[0] - q;
  return out;
}

// Between −1 and 1, the same everywhere: one number for each joint and tenth of a second.
double Noise(int joint, long interval) {
  const double x = 43758.5453 * std::sin(12.9898 * (joint + 1) + 78.233 * double(interval + 1));
  return 2 * (x - std::floor(x)) - 1;
}

// Down or up until its lowest point is kDrop above the ground.
void PlaceAboveGround(Scene* scene) {
  std::vector<Pose> poses;
  for (const Body& body : scene->bodies) poses.push_back(body.start);
  const double gap = FindOverlaps(*scene, ApartTable(*scene), poses).least_gap;
  const Vec3 shift(0, 0, kDrop - gap);
  for (Body& body : scene->bodies) body.start.p += shift;
  for (Joint& joint : scene->joints) joint.anchor += shift;
}

}  // namespace

std::vector<Trial> MakeHumanoidTrials(bool quick) {
  const voigt::Scene source = LoadScene(std::string(VOIGT_SOURCE_DIR) + "/scenes/humanoid.yaml");
  const Model& model = source.model;
  Kinematics kin(model);
  UpdatePositions(model, source.initial.q, &kin);
  Trial out;
  Scene& scene = out.scene;
  scene.name = "humanoid";
  scene.h = 0.002;
  scene.until = quick ? 0.6 : 2;
  scene.material.mu = 0.8;
  scene.ground = {MakePlane(Vec3::UnitZ(), 0)};
  scene.room_for_contacts = 100;
  for (int b = 1; b < model.nb(); ++b) {
    scene.bodies.push_back(ConvertBody(model, kin, b));
    if (model.joint(b).type == JointType::kRevolute) {
      scene.joints.push_back(ConvertJoint(model, kin, source.initial, b));
    }
    for (int a = 1; a < b; ++a) scene.apart.emplace_back(a - 1, b - 1);
  }
  PlaceAboveGround(&scene);
  scene.act = [count = scene.joints.size()](double t, const std::vector<Pose>&, Loads* loads) {
    const long interval = std::lround(std::floor(10 * t + 1e-9));
    for (size_t j = 0; j < count; ++j) {
      loads->joint_forces.push_back(kTorque * Noise(static_cast<int>(j), interval));
    }
  };
  out.title = "Humanoid, dropped";
  out.what =
      "A person of about 70 kg with 21 hinges falls from 0.3 m while torques of up to 5 N m at all "
      "hinges change at random ten times a second; limits, rigid contacts with the ground alone, "
      "friction 0.8; steps of 2 ms.";
  out.reference = "largest overlap with the ground or gap in a joint over the run; none is right";
  out.error_is_worst_overlap = true;
  out.failure = [](const std::vector<Pose>& poses) -> std::string {
    for (const Pose& pose : poses) {
      if (pose.p.norm() > 5) return "flew away";
      if (pose.p[2] < -0.2) return "fell through the ground";
    }
    return "";
  };
  out.is_passive = false;
  return {out};
}

}  // namespace voigt::peers
