// Bullet in double precision: sequential impulses with split impulses (its default), hinges and
// sliders between bodies, implicit gyroscopic torque (its default), no deactivation. Contacts are
// springs where the scene's are of moderate stiffness, else rigid. Margins of boxes are a tenth of
// their thinnest edge, below the default of 40 mm.

#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "bench/peers/engine.h"

namespace voigt::peers {
namespace {

btVector3 ToBt(const Vec3& v) { return {v[0], v[1], v[2]}; }
Vec3 FromBt(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

btTransform ToBt(const Pose& X) {
  const btMatrix3x3 R(X.R(0, 0), X.R(0, 1), X.R(0, 2), X.R(1, 0), X.R(1, 1), X.R(1, 2), X.R(2, 0),
                      X.R(2, 1), X.R(2, 2));
  return btTransform(R, ToBt(X.p));
}

// Contact points of the last step that press. Bullet's own accessor of manifolds is not const.
int CountPressing(const btCollisionDispatcher& dispatcher) {
  int count = 0;
  for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
    const btPersistentManifold* manifold =
        const_cast<btCollisionDispatcher&>(dispatcher).getManifoldByIndexInternal(i);
    for (int k = 0; k < manifold->getNumContacts(); ++k) {
      count += manifold->getContactPoint(k).m_appliedImpulse > 0;
    }
  }
  return count;
}

// A frame whose x (sliders) or z (hinges) is the axis.
Pose FrameOf(const Joint& joint) {
  const Vec3 from = joint.kind == JointKind::kRevolute ? Vec3::UnitZ() : Vec3::UnitX();
  return {Eigen::Quaterniond::FromTwoVectors(from, joint.axis).toRotationMatrix(), joint.anchor};
}

class BulletEngineWorld : public World {
 public:
  BulletEngineWorld(const Scene& scene, int sweeps, bool has_two_directions)
      : scene_(scene),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    world_.setGravity(ToBt(scene.gravity));
    world_.getSolverInfo().m_numIterations = sweeps;
    if (has_two_directions) world_.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    for (const Shape& shape : scene.ground) AddGround(shape);
    for (const Body& body : scene.bodies) AddBody(body);
    for (const Joint& joint : scene.joints) AddJoint(joint);
    for (const auto& [a, b] : scene.apart) bodies_[a]->setIgnoreCollisionCheck(bodies_[b], true);
  }
  ~BulletEngineWorld() override {
    for (const auto& joint : joints_) world_.removeConstraint(joint.get());
    for (const auto& body : owned_) world_.removeRigidBody(body.get());
  }
  BulletEngineWorld(const BulletEngineWorld&) = delete;
  BulletEngineWorld& operator=(const BulletEngineWorld&) = delete;

  void Step(const Loads& loads) override {
    for (const Wrench& wrench : SpreadLoads(scene_, loads, *this)) {
      bodies_[wrench.body]->applyCentralForce(ToBt(wrench.force));
      bodies_[wrench.body]->applyTorque(ToBt(wrench.torque));
    }
    world_.stepSimulation(scene_.h, 0);
  }
  Pose BodyPose(int body) const override {
    const btTransform& X = bodies_[body]->getWorldTransform();
    Pose out;
    for (int i = 0; i < 3; ++i) out.R.row(i) = FromBt(X.getBasis()[i]).transpose();
    out.p = FromBt(X.getOrigin());
    return out;
  }
  Vec3 Velocity(int body) const override { return FromBt(bodies_[body]->getLinearVelocity()); }
  Vec3 Spin(int body) const override { return FromBt(bodies_[body]->getAngularVelocity()); }
  double Mass(int body) const override { return 1 / bodies_[body]->getInvMass(); }
  double InertiaTrace(int body) const override {
    return FromBt(bodies_[body]->getInvInertiaDiagLocal()).cwiseInverse().sum();
  }
  int Contacts() const override { return CountPressing(dispatcher_); }

 private:
  btCollisionShape* MakeShape(const Shape& shape) {
    std::unique_ptr<btCollisionShape> out;
    switch (shape.kind) {
      case ShapeKind::kSphere:
        out = std::make_unique<btSphereShape>(shape.radius());
        break;
      case ShapeKind::kBox:
        out = std::make_unique<btBoxShape>(ToBt(0.5 * shape.size));
        out->setMargin(0.1 * shape.size.minCoeff());
        break;
      case ShapeKind::kCapsule:
        out = std::make_unique<btCapsuleShapeZ>(shape.size[0], shape.size[1]);
        break;
      default:
        throw NotExpressible("a plane on a body");
    }
    shapes_.push_back(std::move(out));
    return shapes_.back().get();
  }

  btRigidBody* Add(btCollisionShape* shape, double mass, const Vec3& inertia, const Pose& start) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, ToBt(inertia));
    info.m_startWorldTransform = ToBt(start);
    info.m_friction = std::sqrt(scene_.material.mu);  // coefficients of a pair are multiplied
    info.m_linearSleepingThreshold = info.m_angularSleepingThreshold = 0;
    owned_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody* const body = owned_.back().get();
    body->setActivationState(DISABLE_DEACTIVATION);
    // Stiffnesses of two bodies are in series, dampings are added.
    constexpr double kStiffest = 1e9;
    if (scene_.material.stiffness < kStiffest) {
      body->setContactStiffnessAndDamping(2 * scene_.material.stiffness,
                                          0.5 * scene_.material.damping);
    }
    world_.addRigidBody(body);
    return body;
  }

  void AddGround(const Shape& shape) {
    if (shape.kind != ShapeKind::kPlane) {
      Add(MakeShape(shape), 0, Vec3::Zero(), shape.X_BS);
      return;
    }
    const Vec3 n = shape.X_BS.R.col(2);
    shapes_.push_back(std::make_unique<btStaticPlaneShape>(ToBt(n), n.dot(shape.X_BS.p)));
    Add(shapes_.back().get(), 0, Vec3::Zero(), Pose{});
  }

  void AddBody(const Body& body) {
    btCollisionShape* shape = nullptr;
    const auto is_plain = [](const Shape& s) {
      return s.X_BS.p.isZero() && s.X_BS.R.isIdentity(0);
    };
    if (body.shapes.size() == 1 && is_plain(body.shapes[0])) {
      shape = MakeShape(AsSphere(body.shapes[0]));
    } else if (body.shapes.empty()) {
      shapes_.push_back(std::make_unique<btEmptyShape>());
      shape = shapes_.back().get();
    } else {
      auto compound = std::make_unique<btCompoundShape>();
      for (const Shape& part : body.shapes) {
        const Shape sphere = AsSphere(part);
        compound->addChildShape(ToBt(sphere.X_BS), MakeShape(sphere));
      }
      shapes_.push_back(std::move(compound));
      shape = shapes_.back().get();
    }
    btRigidBody* const out = Add(shape, body.mass, body.inertia, body.start);
    out->setLinearVelocity(ToBt(body.velocity));
    out->setAngularVelocity(ToBt(body.spin));
    bodies_.push_back(out);
  }

  void AddJoint(const Joint& joint) {
    const Pose frame = FrameOf(joint);
    const btTransform child = ToBt(scene_.bodies[joint.child].start.Inverse() * frame);
    const btTransform parent =
        joint.parent < 0 ? ToBt(frame) : ToBt(scene_.bodies[joint.parent].start.Inverse() * frame);
    btRigidBody& other =
        joint.parent < 0 ? btTypedConstraint::getFixedBody() : *bodies_[joint.parent];
    if (joint.kind == JointKind::kRevolute) {
      // Angles are those of the second body relative to the first.
      auto hinge = std::make_unique<btHingeConstraint>(other, *bodies_[joint.child], parent, child);
      if (joint.is_limited()) hinge->setLimit(joint.lower, joint.upper);
      world_.addConstraint(hinge.get(), joint.parent >= 0);
      joints_.push_back(std::move(hinge));
      return;
    }
    auto slider =
        std::make_unique<btSliderConstraint>(other, *bodies_[joint.child], parent, child, true);
    slider->setLowerLinLimit(joint.is_limited() ? joint.lower : 1);  // a crossed range: none
    slider->setUpperLinLimit(joint.is_limited() ? joint.upper : -1);
    slider->setLowerAngLimit(0);
    slider->setUpperAngLimit(0);
    world_.addConstraint(slider.get(), joint.parent >= 0);
    joints_.push_back(std::move(slider));
  }

  Scene scene_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> owned_;
  std::vector<btRigidBody*> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

// With two directions of friction, as advised for accuracy, or with the one of the slip.
Engine MakeBullet(const std::string& name, int sweeps, bool has_two_directions) {
  return {name,
          fmt::format(
              "double precision, sequential impulses with {} sweeps{}{}, split impulses, bodies "
              "and constraints (no multibodies), no deactivation; springs below 1e9 N/m as "
              "contact stiffness and damping, otherwise rigid; box margins a tenth of the "
              "thinnest edge",
              sweeps, sweeps == 10 ? " as it comes" : "",
              has_two_directions ? " and two directions of friction" : ""),
          [=](const Scene& scene) {
            return std::make_unique<BulletEngineWorld>(scene, sweeps, has_two_directions);
          }};
}

}  // namespace

std::vector<Engine> ListBullet() {
  return {MakeBullet("Bullet 10", 10, false), MakeBullet("Bullet 500", 500, true)};
}

std::vector<Engine> ListBulletForBeds() {
  return {MakeBullet("Bullet, 10", 10, false), MakeBullet("Bullet, 100", 100, false)};
}

}  // namespace voigt::peers
