// DART. Contacts are rigid with the error reduction that DART comes with: it knows no springs
// there. They are found by ODE's collision (DART's own holds every pair against each other,
// Bullet's is in single precision here). Solver: Dantzig's pivoting with projected Gauss–Seidel
// behind it, as it comes; or projected Gauss–Seidel alone, for large scenes. Loops of hinges are
// closed at a point.

#include <fmt/format.h>

#include <dart/collision/CollisionFilter.hpp>
#include <dart/collision/ode/OdeCollisionDetector.hpp>
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CapsuleShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlaneShape.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include "bench/peers/engine.h"

namespace voigt::peers {
namespace {

namespace dyn = dart::dynamics;

Eigen::Isometry3d ToDart(const Pose& pose) {
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  out.linear() = pose.R;
  out.translation() = pose.p;
  return out;
}

dyn::ShapePtr MakeDartShape(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return std::make_shared<dyn::SphereShape>(shape.radius());
    case ShapeKind::kBox:
      return std::make_shared<dyn::BoxShape>(shape.size);
    case ShapeKind::kCapsule:
      return std::make_shared<dyn::CapsuleShape>(shape.size[0], shape.size[1]);
    default:
      return std::make_shared<dyn::PlaneShape>(Vec3::UnitZ(), 0.0);
  }
}

class DartEngineWorld : public World {
 public:
  DartEngineWorld(const Scene& scene, bool is_dantzig)
      : scene_(scene),
        world_(dart::simulation::World::create()),
        bodies_(scene.bodies.size()),
        joint_of_(scene.joints.size()) {
    world_->setGravity(scene.gravity);
    world_->setTimeStep(scene.h);
    if (!is_dantzig) {
      world_->setConstraintSolver(std::make_unique<dart::constraint::BoxedLcpConstraintSolver>(
          std::make_shared<dart::constraint::PgsBoxedLcpSolver>()));
    }
    dart::constraint::ConstraintSolver* const solver = world_->getConstraintSolver();
    solver->setCollisionDetector(dart::collision::OdeCollisionDetector::create());
    solver->getCollisionOption().maxNumContacts = 4 * scene.room_for_contacts;
    AddGround();
    const std::vector<int> tree = ListTreeJoints(scene);
    for (size_t b = 0; b < bodies_.size(); ++b) {
      const bool is_root = tree[b] < 0 || scene.joints[tree[b]].parent < 0;
      if (is_root) AddTree(static_cast<int>(b), tree);
    }
    CloseLoops();
    KeepApart();
  }

  void Step(const Loads& loads) override {
    for (const Wrench& wrench : loads.wrenches) {
      bodies_[wrench.body]->addExtForce(wrench.force, Vec3::Zero(), false, true);
      bodies_[wrench.body]->addExtTorque(wrench.torque, false);
    }
    for (size_t j = 0; j < loads.joint_forces.size(); ++j) {
      if (joint_of_[j] != nullptr) joint_of_[j]->setForce(0, loads.joint_forces[j]);
    }
    world_->step();
  }
  Pose BodyPose(int body) const override {
    const Eigen::Isometry3d& X = bodies_[body]->getWorldTransform();
    return {X.linear(), X.translation()};
  }
  Vec3 Velocity(int body) const override { return bodies_[body]->getCOMLinearVelocity(); }
  Vec3 Spin(int body) const override { return bodies_[body]->getAngularVelocity(); }
  double Mass(int body) const override { return bodies_[body]->getMass(); }
  double InertiaTrace(int body) const override {
    return bodies_[body]->getInertia().getMoment().trace();
  }
  int Contacts() const override {
    return static_cast<int>(world_->getLastCollisionResult().getNumContacts());
  }

 private:
  void AddShape(const Shape& original, dyn::BodyNode* body) {
    const Shape shape = AsSphere(original);
    auto* const node =
        body->createShapeNodeWith<dyn::CollisionAspect, dyn::DynamicsAspect>(MakeDartShape(shape));
    node->setRelativeTransform(ToDart(shape.X_BS));
    node->getDynamicsAspect()->setFrictionCoeff(scene_.material.mu);
    node->getDynamicsAspect()->setRestitutionCoeff(0);
  }

  void AddGround() {
    const auto skeleton = dyn::Skeleton::create("ground");
    auto* const body = skeleton->createJointAndBodyNodePair<dyn::WeldJoint>().second;
    for (const Shape& shape : scene_.ground) AddShape(shape, body);
    world_->addSkeleton(skeleton);
  }

  void FillBody(int b, dyn::BodyNode* body) {
    bodies_[b] = body;
    body->setInertia(
        {scene_.bodies[b].mass, Vec3::Zero(), Mat3(scene_.bodies[b].inertia.asDiagonal())});
    for (const Shape& shape : scene_.bodies[b].shapes) AddShape(shape, body);
  }

  template <class JointType>
  void AddJointed(int b, int j, const dyn::SkeletonPtr& skeleton) {
    const Joint& joint = scene_.joints[j];
    const Pose at{Mat3::Identity(), joint.anchor};
    typename JointType::Properties properties;
    properties.mName = fmt::format("j{}", j);
    properties.mAxis = joint.axis;
    const Pose parent = joint.parent < 0 ? Pose{} : scene_.bodies[joint.parent].start;
    properties.mT_ParentBodyToJoint = ToDart(parent.Inverse() * at);
    properties.mT_ChildBodyToJoint = ToDart(scene_.bodies[b].start.Inverse() * at);
    auto [made, body] = skeleton->createJointAndBodyNodePair<JointType>(
        joint.parent < 0 ? nullptr : bodies_[joint.parent], properties);
    made->setVelocity(0, joint.rate);
    if (joint.is_limited()) {
      made->setPositionLowerLimit(0, joint.lower);
      made->setPositionUpperLimit(0, joint.upper);
      made->setLimitEnforcement(true);
    }
    joint_of_[j] = made;
    FillBody(b, body);
  }

  void AddRoot(int b, const dyn::SkeletonPtr& skeleton) {
    const Body& body = scene_.bodies[b];
    auto [joint, node] = skeleton->createJointAndBodyNodePair<dyn::FreeJoint>();
    joint->setPositions(dyn::FreeJoint::convertToPositions(ToDart(body.start)));
    joint->setLinearVelocity(body.velocity);
    joint->setAngularVelocity(body.spin);
    FillBody(b, node);
  }

  // A skeleton of all that hangs on body b; bodies come after those that carry them.
  void AddTree(int root, const std::vector<int>& tree) {
    const auto skeleton = dyn::Skeleton::create(fmt::format("s{}", root));
    std::vector<int> found = {root};
    for (size_t i = 0; i < found.size(); ++i) {
      const int b = found[i];
      if (tree[b] < 0) {
        AddRoot(b, skeleton);
      } else if (scene_.joints[tree[b]].kind == JointKind::kRevolute) {
        AddJointed<dyn::RevoluteJoint>(b, tree[b], skeleton);
      } else {
        AddJointed<dyn::PrismaticJoint>(b, tree[b], skeleton);
      }
      for (size_t c = 0; c < tree.size(); ++c) {
        if (tree[c] >= 0 && scene_.joints[tree[c]].parent == b)
          found.push_back(static_cast<int>(c));
      }
    }
    if (found.size() > 1) {
      skeleton->enableSelfCollisionCheck();
      skeleton->disableAdjacentBodyCheck();
    }
    world_->addSkeleton(skeleton);
  }

  void CloseLoops() {
    for (const Joint& joint : scene_.joints) {
      if (!joint.closes_loop) continue;
      if (joint.kind != JointKind::kRevolute)
        throw NotExpressible("DART closes loops by points only");
      world_->getConstraintSolver()->addConstraint(
          joint.parent < 0 ? std::make_shared<dart::constraint::BallJointConstraint>(
                                 bodies_[joint.child], joint.anchor)
                           : std::make_shared<dart::constraint::BallJointConstraint>(
                                 bodies_[joint.child], bodies_[joint.parent], joint.anchor));
    }
  }

  void KeepApart() {
    const auto filter = std::make_shared<dart::collision::BodyNodeCollisionFilter>();
    for (const auto& [a, b] : scene_.apart) {
      filter->addBodyNodePairToBlackList(bodies_[a], bodies_[b]);
    }
    world_->getConstraintSolver()->getCollisionOption().collisionFilter = filter;
  }

  Scene scene_;
  dart::simulation::WorldPtr world_;
  std::vector<dyn::BodyNode*> bodies_;
  std::vector<dyn::Joint*> joint_of_;
};

Engine MakeDart(const std::string& name, bool is_dantzig, const std::string& solver) {
  return {name,
          solver +
              "; contacts found by ODE's collision, rigid with the error reduction it comes with "
              "(springs of the scene are not known to it); loops close at a point",
          [=](const Scene& scene) -> std::unique_ptr<World> {
            const double rows = 3.0 * scene.room_for_contacts;
            if (8 * rows * rows > 4e9) {
              throw NotExpressible(fmt::format("its dense matrix of contacts would need {:.0f} GB",
                                               8e-9 * rows * rows));
            }
            return std::make_unique<DartEngineWorld>(scene, is_dantzig);
          }};
}

}  // namespace

// The default, Dantzig's pivoting, takes the cube of the rows of an island.
std::vector<Engine> ListDartForBeds() {
  return {MakeDart("DART PGS", false, "projected Gauss–Seidel as it comes")};
}

std::vector<Engine> ListDart() {
  return {MakeDart("DART", true, "Dantzig's exact solver as it comes"),
          MakeDart("DART PGS", false, "projected Gauss–Seidel as it comes")};
}

}  // namespace voigt::peers
