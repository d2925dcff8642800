#include "voigt/model/model_builder.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "voigt/math/rotation.h"
#include "voigt/model/constraint_checks.h"
#include "voigt/model/drive_limits.h"
#include "voigt/model/joint_motion.h"
#include "voigt/model/spanning_tree.h"
#include "voigt/model/spec_checks.h"

namespace voigt {
namespace {

// Body numbers in the order of the spec: 0 is the world, body i of the list is i + 1.
std::unordered_map<std::string, int> NumberInSpecOrder(const ModelSpec& spec) {
  std::unordered_map<std::string, int> number = {{"world", 0}};
  for (const BodySpec& body : spec.bodies) {
    const int next = static_cast<int>(number.size());
    number.emplace(body.name, next);
  }
  return number;
}

SpanningTree ChooseTree(const ModelSpec& spec, ProblemList* problems) {
  const auto number = NumberInSpecOrder(spec);
  std::vector<JointEdge> edges;
  for (const JointSpec& joint : spec.joints) {
    edges.push_back({number.at(joint.parent), number.at(joint.child), joint.tree});
  }
  SpanningTree tree = MakeSpanningTree(static_cast<int>(number.size()), edges);
  for (int e : tree.cycle_edges) {
    problems->Add(
        spec.joints[e].where, Describe(spec.joints[e]),
        "is to be in the tree but closes a cycle of such joints: make one of them a loop");
  }
  for (int body : tree.unreachable) {
    const BodySpec& lost = spec.bodies[body - 1];
    problems->Add(
        lost.where, Describe(lost),
        "is not connected to the world by joints; a 'free' joint lets a body move freely");
  }
  return tree;
}

// For every two materials the place of their pair in the list, −1 if it has none; empty if there
// are no pairs.
std::vector<int> MapMaterialPairs(const std::vector<MaterialPair>& pairs,
                                  const std::unordered_map<std::string_view, int>& materials) {
  if (pairs.empty()) return {};
  std::vector<int> out(materials.size() * materials.size(), -1);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const size_t a = materials.at(pairs[i].first), b = materials.at(pairs[i].second);
    out[a * materials.size() + b] = out[b * materials.size() + a] = static_cast<int>(i);
  }
  return out;
}

// One value for all, one per entry, or none: always `size` values out.
VecX FillList(const std::vector<double>& list, int size, double none) {
  if (list.empty()) return VecX::Constant(size, none);
  if (list.size() == 1) return VecX::Constant(size, list[0]);
  return Eigen::Map<const VecX>(list.data(), size);
}

// The rotation that turns the joint's axes into z, or into x and y for a universal joint.
Mat3 AxisRotation(const JointSpec& spec) {
  if (!spec.axis) return Mat3::Identity();
  if (spec.type != JointType::kUniversal) return RotationWithZ(spec.axis->stableNormalized());
  // The axes are perpendicular to nine digits; R is to be a rotation to all of them.
  Mat3 R;
  R.col(0) = spec.axis->stableNormalized();
  R.col(2) = R.col(0).cross(spec.axis2->stableNormalized()).normalized();
  R.col(1) = R.col(2).cross(R.col(0));
  return R;
}

Joint MakeJoint(const JointSpec& spec, int parent, int child) {
  Joint joint;
  joint.name = spec.name;
  joint.where = spec.where;
  joint.type = spec.type;
  joint.parent = parent;
  joint.child = child;
  const Pose align{AxisRotation(spec), Vec3::Zero()};
  joint.X_PF = spec.X_PF * align;
  joint.X_CM = spec.X_CM * align;
  joint.pitch = spec.pitch;
  const int nv = DofCount(spec.type), nq = CoordinateCount(spec.type);
  joint.lower = FillList(spec.lower, nv, -kInfinity);
  joint.upper = FillList(spec.upper, nv, kInfinity);
  joint.stiffness = FillList(spec.stiffness, nv, 0);
  joint.damping = FillList(spec.damping, nv, 0);
  joint.armature = FillList(spec.armature, nv, 0);
  joint.dry_friction = FillList(spec.dry_friction, nv, 0);
  joint.viscous_friction = FillList(spec.viscous_friction, nv, 0);
  joint.viscous_in_bounds = spec.viscous_in_bounds;
  joint.reaction_friction = spec.reaction_friction;
  joint.cone_limit = spec.cone_limit;
  joint.limit_stiffness = spec.limit_stiffness;
  joint.limit_damping = spec.limit_damping;
  joint.loop_stiffness = spec.loop_stiffness;
  joint.loop_damping = spec.loop_damping;
  joint.loop_angular_stiffness = spec.loop_angular_stiffness.value_or(spec.loop_stiffness);
  joint.loop_angular_damping = spec.loop_angular_damping.value_or(spec.loop_damping);
  joint.bodies_touch = spec.bodies_touch;
  joint.rest.resize(nq);
  SetNeutral(spec.type, joint.rest.data());
  if (!spec.rest.empty()) joint.rest = Eigen::Map<const VecX>(spec.rest.data(), nq);
  return joint;
}

// The materials of the spec, the default behind them where the spec has none of that name.
std::vector<Material> CollectMaterials(const ModelSpec& spec) {
  std::vector<Material> materials = spec.materials;
  const auto is_default = [](const Material& m) { return m.name == kDefaultMaterial; };
  if (std::none_of(materials.begin(), materials.end(), is_default)) {
    materials.emplace_back().name = kDefaultMaterial;
  }
  return materials;
}

void MarkFreeBodies(Tree* tree) {
  tree->is_free_body.assign(tree->nb, 0);
  for (int b = 1; b < tree->nb; ++b) {
    tree->is_free_body[b] = tree->parent[b] == 0 && tree->type[b] == JointType::kFree &&
                            !tree->reversed[b] && tree->inertia[b].mass > 0;
    tree->is_free_body[tree->parent[b]] = 0;
  }
}

// Lays out the flat arrays for the tree joints; joints[b] moves body b.
Tree MakeTree(const std::vector<Joint>& joints, const std::vector<char>& reversed,
              const std::vector<Body>& bodies) {
  Tree tree;
  tree.nb = static_cast<int>(joints.size());
  tree.reversed = reversed;
  std::vector<int> dof_parent;
  std::vector<double> stiffness, damping, armature, rest;
  for (int b = 0; b < tree.nb; ++b) {
    const Joint& joint = joints[b];
    const int parent = reversed[b] ? joint.child : joint.parent;
    const Pose& inboard = reversed[b] ? joint.X_CM : joint.X_PF;
    const Pose& outboard = reversed[b] ? joint.X_PF : joint.X_CM;
    tree.parent.push_back(b == 0 ? -1 : parent);
    tree.root.push_back(b == 0 || parent == 0 ? b : tree.root[parent]);
    tree.type.push_back(joint.type);
    tree.pitch.push_back(joint.pitch);
    tree.q_start.push_back(tree.nq);
    tree.v_start.push_back(tree.nv);
    tree.dof_count.push_back(DofCount(joint.type));
    tree.X_PI.push_back(b == 0 ? Pose{} : tree.X_LB[parent] * inboard);
    tree.X_LB.push_back(outboard.Inverse());

    const MassProperties in_L = Transform(tree.X_LB[b], bodies[b].mass);
    tree.inertia.push_back(SpatialInertia::FromCom(in_L.mass, in_L.com, in_L.inertia));
    const PrincipalInertia principal = CalcPrincipalInertia(in_L.inertia);
    tree.principal_moments.push_back(principal.moments);
    tree.R_LP.push_back(principal.axes);

    int above = b == 0 ? -1 : tree.last_dof[parent];
    for (int k = 0; k < DofCount(joint.type); ++k) {
      dof_parent.push_back(above);
      above = tree.nv + k;
      tree.dof_body.push_back(b);
      tree.dof_moves_with_link.push_back(AxisMovesWithM(joint.type, k) != bool{reversed[b] != 0});
      stiffness.push_back(joint.stiffness[k]);
      damping.push_back(joint.damping[k] + joint.viscous_damping(k));
      armature.push_back(joint.armature[k]);
    }
    tree.last_dof.push_back(above);
    rest.insert(rest.end(), joint.rest.begin(), joint.rest.end());
    tree.nq += CoordinateCount(joint.type);
    tree.nv += DofCount(joint.type);
  }
  tree.pattern = TreePattern(dof_parent);
  const auto to_vector = [](const std::vector<double>& list) {
    return VecX(Eigen::Map<const VecX>(list.data(), list.size()));
  };
  tree.stiffness = to_vector(stiffness);
  tree.damping = to_vector(damping);
  tree.armature = to_vector(armature);
  tree.rest = to_vector(rest);
  tree.has_springs = (tree.stiffness.array() > 0).any();
  MarkFreeBodies(&tree);
  return tree;
}

}  // namespace

ModelBuilder& ModelBuilder::AddBody(BodySpec body) {
  spec_.bodies.push_back(std::move(body));
  return *this;
}

ModelBuilder& ModelBuilder::AddJoint(JointSpec joint) {
  spec_.joints.push_back(std::move(joint));
  return *this;
}

ProblemList ModelBuilder::Check() const {
  ProblemList problems;
  CheckNames(spec_, &problems);
  CheckEnds(spec_, &problems);
  // The graph makes sense only once every name does.
  std::vector<int> loops;
  if (problems.empty()) loops = ChooseTree(spec_, &problems).loop_edges;
  if (!spec_.gravity.allFinite()) problems.Add({}, "gravity", "is not finite");
  CheckGeometry(spec_, &problems);
  CheckMaterials(spec_, &problems);
  CheckContactFilters(spec_, &problems);
  CheckJoints(spec_, &problems);
  CheckJointConstraints(spec_, &problems);
  if (problems.empty()) CheckLoopLimits(spec_, loops, &problems);
  CheckLoads(spec_, &problems);
  CheckDrives(spec_, &problems);
  CheckConstraints(spec_, &problems);
  CheckTendons(spec_, &problems);
  CheckActuators(spec_, &problems);
  for (const BodySpec& body : spec_.bodies) CalcBodyMass(body, &problems);
  return problems;
}

Model ModelBuilder::Build() const {
  ProblemList problems = Check();
  problems.ThrowIfAny();
  const SpanningTree tree = ChooseTree(spec_, &problems);
  std::vector<MassProperties> masses;
  for (const BodySpec& body : spec_.bodies) masses.push_back(CalcBodyMass(body, &problems));

  // Number bodies along the tree and lay out their data in that order.
  Model model;
  model.spec_ = spec_;
  ApplyDriveLimits(&model.spec_);
  std::vector<int> new_number(spec_.bodies.size() + 1, 0);
  model.bodies_.push_back({"world", {}, 0, 0});
  for (const SpanningTree::Node& node : tree.nodes) {
    new_number[node.body] = static_cast<int>(model.bodies_.size());
    model.bodies_.push_back({spec_.bodies[node.body - 1].name, masses[node.body - 1], 0, 0});
  }
  for (size_t b = 0; b < model.bodies_.size(); ++b) model.body_index_[model.bodies_[b].name] = b;

  // Geometry, grouped by body.
  for (size_t b = 0; b < model.bodies_.size(); ++b) {
    const auto& shapes =
        b == 0 ? spec_.world_geometry : spec_.bodies[tree.nodes[b - 1].body - 1].geometry;
    model.bodies_[b].first_geometry = static_cast<int>(model.geometry_.size());
    model.bodies_[b].geometry_count = static_cast<int>(shapes.size());
    model.geometry_.insert(model.geometry_.end(), shapes.begin(), shapes.end());
  }

  // What the shapes are made of.
  model.materials_ = CollectMaterials(spec_);
  std::unordered_map<std::string_view, int> material_index;
  for (size_t i = 0; i < model.materials_.size(); ++i) {
    material_index.emplace(model.materials_[i].name, static_cast<int>(i));
  }
  for (const Geometry& geometry : model.geometry_) {
    model.material_of_.push_back(
        material_index.at(geometry.material.empty() ? kDefaultMaterial : geometry.material));
  }
  model.pair_of_materials_ = MapMaterialPairs(spec_.contact.pairs, material_index);

  // Joints: those of the tree by the body they move, then the loops.
  const auto make_joint = [&](int edge) {
    const JointSpec& joint = spec_.joints[edge];
    return MakeJoint(joint, model.body_index_.at(joint.parent), model.body_index_.at(joint.child));
  };
  std::vector<char> reversed = {false};
  model.joints_.emplace_back();
  for (const SpanningTree::Node& node : tree.nodes) {
    model.joint_index_[spec_.joints[node.edge].name] = static_cast<int>(model.joints_.size());
    model.joints_.push_back(make_joint(node.edge));
    reversed.push_back(node.reversed);
  }
  for (int edge : tree.loop_edges) {
    model.loop_index_[spec_.joints[edge].name] = static_cast<int>(model.loops_.size());
    model.loops_.push_back(make_joint(edge));
  }

  // Actuators, with the rates they move and their own states.
  for (const ActuatorSpec& actuator : spec_.actuators) {
    model.actuator_index_[actuator.name] = static_cast<int>(model.transmissions_.size());
    if (actuator.joint.empty()) {
      const auto tendon =
          std::find_if(spec_.tendons.begin(), spec_.tendons.end(),
                       [&](const TendonSpec& t) { return t.name == actuator.tendon; });
      model.transmissions_.push_back(ListTransmission(actuator, *tendon));
    } else {
      const auto body = model.FindJoint(actuator.joint);
      const Joint& joint =
          body ? model.joints_[*body] : model.loops_[*model.FindLoop(actuator.joint)];
      model.transmissions_.push_back(ListTransmission(actuator, joint.type));
    }
    model.activation_index_.push_back(actuator.has_state() ? model.activation_count_++ : -1);
  }

  model.tree_ = MakeTree(model.joints_, reversed, model.bodies_);
  return model;
}

}  // namespace voigt
