// DART: each sphere a skeleton of its own, contacts found by ODE's collision (the detector that
// comes with DART holds every pair against each other, Bullet's is in single precision here).
// Contacts are rigid with the error reduction that DART comes with: it knows no springs and dampers
// there. The projected Gauss–Seidel solver, as it comes: the default, Dantzig's pivoting, takes the
// cube of the rows of an island, of which a bed has nearly 10 000. Both fill a dense matrix.

#include <dart/collision/ode/OdeCollisionDetector.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlaneShape.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include "bench/peers/peer.h"

namespace voigt::bench {
namespace {

class DartBed : public World {
 public:
  explicit DartBed(const BedSpec& spec) : world_(dart::simulation::World::create()) {
    world_->setGravity(-spec.gravity * Vec3::UnitZ());
    world_->setTimeStep(spec.h);
    world_->setConstraintSolver(std::make_unique<dart::constraint::BoxedLcpConstraintSolver>(
        std::make_shared<dart::constraint::PgsBoxedLcpSolver>()));
    dart::constraint::ConstraintSolver* const solver = world_->getConstraintSolver();
    solver->setCollisionDetector(dart::collision::OdeCollisionDetector::create());
    solver->getCollisionOption().maxNumContacts = 100 * spec.count();
    AddWalls(spec);
    for (const Vec3& p : spec.start) AddSphere(spec, p);
  }

  void Step() override { world_->step(); }
  double Mass(int body) const override { return bodies_[body]->getMass(); }
  Vec3 Position(int body) const override {
    return bodies_[body]->getWorldTransform().translation();
  }
  Vec3 Up(int body) const override { return bodies_[body]->getWorldTransform().linear().col(2); }
  Vec3 Velocity(int body) const override { return bodies_[body]->getLinearVelocity(); }
  Vec3 Spin(int body) const override { return bodies_[body]->getAngularVelocity(); }
  int Contacts() const override {
    return static_cast<int>(world_->getLastCollisionResult().getNumContacts());
  }

 private:
  static void AddShape(const BedSpec& spec, const dart::dynamics::ShapePtr& shape,
                       dart::dynamics::BodyNode* body) {
    auto* const node =
        body->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(
            shape);
    node->getDynamicsAspect()->setFrictionCoeff(spec.mu);
  }

  void AddWalls(const BedSpec& spec) {
    const auto skeleton = dart::dynamics::Skeleton::create("walls");
    auto* const body = skeleton->createJointAndBodyNodePair<dart::dynamics::WeldJoint>().second;
    for (const BedSpec::Wall& wall : spec.Walls()) {
      AddShape(spec, std::make_shared<dart::dynamics::PlaneShape>(wall.n, wall.offset), body);
    }
    world_->addSkeleton(skeleton);
  }

  void AddSphere(const BedSpec& spec, const Vec3& p) {
    const auto skeleton =
        dart::dynamics::Skeleton::create("sphere" + std::to_string(bodies_.size()));
    auto [joint, body] = skeleton->createJointAndBodyNodePair<dart::dynamics::FreeJoint>();
    const double I = spec.inertia();
    body->setInertia({spec.mass(), Vec3::Zero(), I * Mat3::Identity()});
    AddShape(spec, std::make_shared<dart::dynamics::SphereShape>(spec.radius), body);
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = p;
    joint->setPositions(dart::dynamics::FreeJoint::convertToPositions(pose));
    bodies_.push_back(body);
    world_->addSkeleton(skeleton);
  }

  dart::simulation::WorldPtr world_;
  std::vector<dart::dynamics::BodyNode*> bodies_;
};

// Spheres that all but touch: each pair is three rows of a dense matrix.
int CountNearPairs(const BedSpec& spec) {
  int count = 0;
  for (size_t i = 0; i < spec.start.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      count += (spec.start[i] - spec.start[j]).norm() < 2.0001 * spec.radius;
    }
  }
  return count;
}

std::unique_ptr<World> MakeDartBed(const BedSpec& spec) {
  constexpr int kMostPairs = 4000;  // 1 GiB
  if (CountNearPairs(spec) > kMostPairs) return nullptr;
  return std::make_unique<DartBed>(spec);
}

}  // namespace

std::vector<Engine> MakeDartEngines() { return {{"DART PGS", nullptr, nullptr, MakeDartBed}}; }

}  // namespace voigt::bench
