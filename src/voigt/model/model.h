#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "voigt/math/spatial_inertia.h"
#include "voigt/math/tree_pattern.h"
#include "voigt/model/model_spec.h"

namespace voigt {

// The spanning tree as the algorithms walk it: flat arrays over bodies and degrees of freedom.
//
// Body 0 is the world; parents come before children, subtrees are contiguous. The *link frame* L of
// a body is its side of the joint that moves it (frame M of joint.h; F where the tree passes the
// joint backwards). Algorithms place L; the body's own frame B is fixed in it. The joint's other
// side is the inboard frame I on the parent.
struct Tree {
  int nb = 1;  // bodies, the world included
  int nq = 0;  // coordinates
  int nv = 0;  // degrees of freedom

  // Per body.
  std::vector<int> parent;
  std::vector<JointType> type;
  std::vector<char> reversed;  // the tree runs from the joint's child to its parent
  std::vector<double> pitch;
  std::vector<int> q_start, v_start;  // where the joint's coordinates and rates begin
  std::vector<int> dof_count;
  std::vector<int> root;                // the first body on the path from the world
  std::vector<int> last_dof;            // the outermost dof that moves the body, or -1
  std::vector<char> is_free_body;       // a tree of its own: a free joint, and nothing hangs on it
  std::vector<Pose> X_PI;               // I in the parent's link frame
  std::vector<Pose> X_LB;               // the body's own frame in its link frame
  std::vector<SpatialInertia> inertia;  // in axes of L, about the origin of L
  std::vector<Vec3> principal_moments;  // about the centre of mass
  std::vector<Mat3> R_LP;               // principal axes in L

  // Per degree of freedom.
  std::vector<int> dof_body;
  std::vector<char> dof_moves_with_link;  // its axis is fixed to the link, not to the parent
  TreePattern pattern;
  VecX stiffness, damping, armature;  // damping with viscous friction, unless in bounds
  VecX rest;                          // per coordinate: where springs are relaxed

  bool has_springs = false;
};

// A joint as the model keeps it: indices instead of names, lists filled to full length.
struct Joint {
  std::string name;
  JointType type = JointType::kFixed;
  int parent = 0;  // bodies, in the joint's own direction
  int child = 0;
  Pose X_PF, X_CM;  // the axes already turned into z (x, y for a universal joint)
  double pitch = 0;
  VecX lower, upper, stiffness, rest, damping, armature, dry_friction, viscous_friction;
  bool viscous_in_bounds = false;
  ReactionFriction reaction_friction;
  std::optional<double> cone_limit;
  double limit_stiffness = kInfinity, limit_damping = 0;
  double loop_stiffness = kInfinity, loop_damping = 0;
  double loop_angular_stiffness = kInfinity, loop_angular_damping = 0;
  bool bodies_touch = false;
  SourceLocation where;  // of its text in a scene, for messages

  // The part of viscous friction that is a damper of the k-th rate, and the part in bounds.
  double viscous_damping(int k) const { return viscous_in_bounds ? 0 : viscous_friction[k]; }
  double viscous_bound(int k) const { return viscous_in_bounds ? viscous_friction[k] : 0; }
};

struct Body {
  std::string name;
  MassProperties mass;  // in the body's frame
  int first_geometry = 0, geometry_count = 0;
};

// A multibody system, checked and ready to be simulated. Immutable: share it freely.
//
// Bodies are numbered along the tree with the world as body 0; the joint that moves body b is
// joint(b). Joints that close loops are listed apart.
class Model {
 public:
  const std::string& name() const { return spec_.name; }
  const Vec3& gravity() const { return spec_.gravity; }

  int nb() const { return tree_.nb; }
  int nq() const { return tree_.nq; }
  int nv() const { return tree_.nv; }

  const Tree& tree() const { return tree_; }
  const std::vector<Body>& bodies() const { return bodies_; }
  const Body& body(int b) const { return bodies_[b]; }
  const Joint& joint(int b) const { return joints_[b]; }
  const std::vector<Joint>& loops() const { return loops_; }
  const std::vector<Geometry>& geometry() const { return geometry_; }
  // What shape g of geometry() is made of.
  const Material& material(int g) const { return materials_[material_of_[g]]; }
  // How two shapes act together where they touch: the scene's rule, and what it says of their
  // materials as a pair.
  PairRules pair_rules(int g, int other) const;

  // Loads and servos refer to bodies and joints by name; the functions below give their numbers.
  const std::vector<BodyLoad>& body_loads() const { return spec_.body_loads; }
  const std::vector<JointLoad>& joint_loads() const { return spec_.joint_loads; }
  const std::vector<Servo>& servos() const { return spec_.servos; }
  const std::vector<ActuatorSpec>& actuators() const { return spec_.actuators; }
  int actuator_count() const { return static_cast<int>(spec_.actuators.size()); }
  // The rates that actuator i moves, with l̇ = Σ factor v.
  const std::vector<JointTerm>& transmission(int i) const { return transmissions_[i]; }
  // Actuators with a state of their own, and the place of that of actuator i in State::activation;
  // −1 if it has none.
  int activation_count() const { return activation_count_; }
  int activation_index(int i) const { return activation_index_[i]; }

  std::optional<int> FindBody(std::string_view name) const;
  // The body that the tree joint of this name moves; nothing for loop joints.
  std::optional<int> FindJoint(std::string_view name) const;
  // The place in loops() of the joint of this name; nothing for tree joints.
  std::optional<int> FindLoop(std::string_view name) const;
  // The place in actuators() of the one of this name.
  std::optional<int> FindActuator(std::string_view name) const;

  double TotalMass() const;

  // The coordinates at which every joint is at zero.
  VecX NeutralCoordinates() const;

  // What State::activation is at the start of a run.
  VecX StartingActivation() const;

  // What the model was built from.
  const ModelSpec& spec() const { return spec_; }

 private:
  friend class ModelBuilder;
  Model() = default;

  ModelSpec spec_;
  Tree tree_;
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<Joint> loops_;
  std::vector<Geometry> geometry_;
  std::vector<Material> materials_;
  std::vector<int> material_of_;  // per shape
  // Per pair of materials, its place in spec_.contact.pairs or −1; empty if none is given.
  std::vector<int> pair_of_materials_;
  std::vector<std::vector<JointTerm>> transmissions_;  // per actuator
  std::vector<int> activation_index_;
  int activation_count_ = 0;
  std::unordered_map<std::string, int> body_index_, joint_index_, loop_index_, actuator_index_;
};

}  // namespace voigt
