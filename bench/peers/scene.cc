#include "bench/peers/scene.h"

#include <Eigen/Geometry>
#include <cmath>

namespace voigt::peers {

Vec3 BoxInertia(double mass, const Vec3& edges) {
  const Vec3 s = edges.cwiseProduct(edges);
  return mass / 12 * Vec3(s[1] + s[2], s[0] + s[2], s[0] + s[1]);
}

Shape MakeSphere(double radius, const Vec3& p) {
  return {ShapeKind::kSphere, Vec3(radius, 0, 0), {Mat3::Identity(), p}};
}

Shape MakeBox(const Vec3& edges, const Pose& pose) { return {ShapeKind::kBox, edges, pose}; }

Shape MakeCapsule(double radius, double length, const Pose& pose) {
  return {ShapeKind::kCapsule, Vec3(radius, length, 0), pose};
}

Shape MakePoint(const Vec3& p) { return {ShapeKind::kPoint, Vec3::Zero(), {Mat3::Identity(), p}}; }

Shape MakePlane(const Vec3& n, double offset) {
  const Mat3 R = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), n).toRotationMatrix();
  return {ShapeKind::kPlane, Vec3::Zero(), {R, offset * n}};
}

Shape AsSphere(const Shape& shape) {
  if (shape.kind != ShapeKind::kPoint) return shape;
  constexpr double kRadius = 1e-3;
  return MakeSphere(kRadius, shape.X_BS.p + Vec3(0, 0, kRadius));
}

long Scene::steps() const { return std::lround(until / h); }

std::vector<int> ListTreeJoints(const Scene& scene) {
  std::vector<int> out(scene.bodies.size(), -1);
  for (size_t j = 0; j < scene.joints.size(); ++j) {
    if (!scene.joints[j].closes_loop) out[scene.joints[j].child] = static_cast<int>(j);
  }
  return out;
}

void SetJointRates(Scene* scene) {
  // Parents come before their children.
  for (const Joint& joint : scene->joints) {
    if (joint.closes_loop) continue;
    Body& child = scene->bodies[joint.child];
    child.velocity = child.spin = Vec3::Zero();
    if (joint.parent >= 0) {
      const Body& parent = scene->bodies[joint.parent];
      child.spin = parent.spin;
      child.velocity = parent.velocity + parent.spin.cross(child.start.p - parent.start.p);
    }
    if (joint.kind == JointKind::kPrismatic) {
      child.velocity += joint.rate * joint.axis;
    } else {
      child.spin += joint.rate * joint.axis;
      child.velocity += joint.rate * joint.axis.cross(child.start.p - joint.anchor);
    }
  }
}

namespace {

JointPlace CarryAlong(const Joint& joint, const Pose& start, const Pose& now) {
  const Mat3 R = now.R * start.R.transpose();
  return {now.p + R * (joint.anchor - start.p), R * joint.axis};
}

}  // namespace

JointPlace PlaceOnParent(const Scene& scene, const Joint& joint, const std::vector<Pose>& poses) {
  if (joint.parent < 0) return {joint.anchor, joint.axis};
  return CarryAlong(joint, scene.bodies[joint.parent].start, poses[joint.parent]);
}

JointPlace PlaceOnChild(const Scene& scene, const Joint& joint, const std::vector<Pose>& poses) {
  return CarryAlong(joint, scene.bodies[joint.child].start, poses[joint.child]);
}

std::vector<Wrench> SpreadLoads(const Scene& scene, const Loads& loads,
                                const std::vector<Pose>& poses) {
  std::vector<Wrench> out = loads.wrenches;
  for (size_t j = 0; j < loads.joint_forces.size(); ++j) {
    const Joint& joint = scene.joints[j];
    const JointPlace place = PlaceOnParent(scene, joint, poses);
    const Vec3 f = loads.joint_forces[j] * place.axis;
    for (const auto& [body, sign] : {std::pair(joint.child, 1.0), std::pair(joint.parent, -1.0)}) {
      if (body < 0) continue;
      if (joint.kind == JointKind::kRevolute) {
        out.push_back({body, Vec3::Zero(), sign * f});
      } else {
        out.push_back({body, sign * f, (place.anchor - poses[body].p).cross(sign * f)});
      }
    }
  }
  return out;
}

ApartTable::ApartTable(const Scene& scene) : count_(scene.bodies.size()) {
  if (scene.joints.empty() && scene.apart.empty()) return;
  flags_.assign(count_ * count_, 0);
  const auto mark = [&](int a, int b) {
    if (a < 0 || b < 0) return;
    flags_[a * count_ + b] = flags_[b * count_ + a] = 1;
  };
  for (const Joint& joint : scene.joints) mark(joint.parent, joint.child);
  for (const auto& [a, b] : scene.apart) mark(a, b);
}

}  // namespace voigt::peers
