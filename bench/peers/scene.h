#pragma once

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "voigt/math/pose.h"

// A scene in words that every engine understands: bodies, shapes, joints, one material, loads.
// Nothing here belongs to any engine.
namespace voigt::peers {

enum class ShapeKind {
  kSphere,   // size[0]: radius
  kBox,      // size: edge lengths
  kCapsule,  // size[0]: radius, size[1]: length of the cylinder, along z
  kPlane,    // the ground below z = 0 of its frame; of the world only
  kPoint,    // touches planes only; engines without points take the sphere of AsSphere()
};

struct Shape {
  ShapeKind kind = ShapeKind::kSphere;
  Vec3 size = Vec3::Zero();  // m
  Pose X_BS;                 // in the body's frame, or in the world

  double radius() const { return size[0]; }
};

Shape MakeSphere(double radius, const Vec3& p = Vec3::Zero());
Shape MakeBox(const Vec3& edges, const Pose& pose = {});
Shape MakeCapsule(double radius, double length, const Pose& pose = {});
Shape MakePoint(const Vec3& p);
// All points with n · x ≤ offset.
Shape MakePlane(const Vec3& n, double offset);
// A point as the lowest point of a sphere of 1 mm; other shapes as they are.
Shape AsSphere(const Shape& shape);

// Principal moments of a box, kg m².
Vec3 BoxInertia(double mass, const Vec3& edges);

// A body's frame is at its centre of mass, along its principal axes.
struct Body {
  std::string name;
  double mass = 1;               // kg
  Vec3 inertia = Vec3::Ones();   // principal moments, kg m²
  Pose start;                    // in the world
  Vec3 velocity = Vec3::Zero();  // m/s, and
  Vec3 spin = Vec3::Zero();      // rad/s, both in world axes; of jointed bodies by SetJointRates
  std::vector<Shape> shapes;
};

enum class JointKind { kRevolute, kPrismatic };

// Its coordinate is zero at the start of the scene.
struct Joint {
  JointKind kind = JointKind::kRevolute;
  int parent = -1;  // a body, or −1 for the world
  int child = 0;
  Vec3 anchor = Vec3::Zero(), axis = Vec3::UnitZ();  // at the start, in the world
  double rate = 0;                                   // at the start, rad/s or m/s
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool closes_loop = false;

  bool is_limited() const { return upper < std::numeric_limits<double>::infinity(); }
};

// Of every contact. An infinite stiffness is a rigid contact; there is no restitution.
struct Material {
  double mu = 0.5;
  double stiffness = std::numeric_limits<double>::infinity();  // N/m
  double damping = 0;                                          // N s/m

  bool is_rigid() const { return stiffness == std::numeric_limits<double>::infinity(); }
};

// A force on a body's centre of mass and a torque, in world axes.
struct Wrench {
  int body = 0;
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};

// What acts during one step, besides gravity.
struct Loads {
  std::vector<Wrench> wrenches;
  std::vector<double> joint_forces;  // one per joint along its axis, on the child; or none at all
};

struct Scene {
  std::string name;
  Vec3 gravity = Vec3(0, 0, -9.81);
  double h = 0.01, until = 1;  // s
  Material material;
  std::vector<Shape> ground;
  std::vector<Body> bodies;
  // Joined bodies never touch each other; bodies that hang on the world touch the ground.
  std::vector<Joint> joints;
  std::vector<std::pair<int, int>> apart;  // further pairs that never touch
  int room_for_contacts = 1000;            // as many will do
  // Adds to *loads what acts in the step that starts at t; null where nothing acts.
  std::function<void(double t, const std::vector<Pose>& poses, Loads* loads)> act;

  long steps() const;
};

// The joint that carries each body in the tree, or −1: a body that flies free.
std::vector<int> ListTreeJoints(const Scene& scene);

// Gives jointed bodies the velocities that their joints' rates make.
void SetJointRates(Scene* scene);

// Where a joint is, seen from its parent as it stands now: anchor and axis in the world.
struct JointPlace {
  Vec3 anchor, axis;
};
JointPlace PlaceOnParent(const Scene& scene, const Joint& joint, const std::vector<Pose>& poses);
JointPlace PlaceOnChild(const Scene& scene, const Joint& joint, const std::vector<Pose>& poses);

// Forces of joints as wrenches on bodies that are where poses say.
std::vector<Wrench> SpreadLoads(const Scene& scene, const Loads& loads,
                                const std::vector<Pose>& poses);

// Which bodies must not touch each other: joined, or listed in `apart`.
class ApartTable {
 public:
  explicit ApartTable(const Scene& scene);
  bool AreApart(int a, int b) const {
    return !flags_.empty() && a >= 0 && b >= 0 && flags_[static_cast<size_t>(a) * count_ + b] != 0;
  }

 private:
  size_t count_;
  std::vector<char> flags_;  // empty if all may touch
};

}  // namespace voigt::peers
