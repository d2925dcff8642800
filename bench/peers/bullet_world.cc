// Bullet in double precision with its sequential-impulse solver: 10 sweeps, as it comes, and more.
// Contacts of the stack are rigid, deactivation is off.

#include <btBulletDynamicsCommon.h>

#include <cmath>

#include "bench/peers/bullet_contacts.h"
#include "bench/peers/peer.h"

namespace voigt::bench {
namespace {

class BulletWorld : public World {
 public:
  BulletWorld(int sweeps, double gravity, double h, double mu)
      : dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_),
        ground_shape_(btVector3(0, 0, 1), 0),
        h_(h),
        mu_(mu) {
    world_.setGravity(btVector3(0, 0, -gravity));
    world_.getSolverInfo().m_numIterations = sweeps;
    AddBody(&ground_shape_, 0, btVector3(0, 0, 0), btVector3(0, 0, 0));
  }
  ~BulletWorld() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletWorld(const BulletWorld&) = delete;
  BulletWorld& operator=(const BulletWorld&) = delete;

  void Step() override {
    ApplyLoads();
    world_.stepSimulation(h_, 0);
  }
  double Mass(int body) const override { return 1 / Get(body).getInvMass(); }
  Vec3 Position(int body) const override {
    return ToEigen(Get(body).getWorldTransform().getOrigin());
  }
  Vec3 Up(int body) const override {
    return ToEigen(Get(body).getWorldTransform().getBasis().getColumn(2));
  }
  Vec3 Velocity(int body) const override { return ToEigen(Get(body).getLinearVelocity()); }
  Vec3 Spin(int body) const override { return ToEigen(Get(body).getAngularVelocity()); }
  int Contacts() const override { return CountPressing(dispatcher_); }

 protected:
  static Vec3 ToEigen(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
  static btVector3 ToBullet(const Vec3& v) { return {v[0], v[1], v[2]}; }

  virtual void ApplyLoads() {}

  // A mass of zero is fixed. Friction coefficients of a pair are multiplied.
  void AddBody(btCollisionShape* shape, double mass, const btVector3& inertia, const btVector3& p) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform = btTransform(btQuaternion::getIdentity(), p);
    info.m_friction = std::sqrt(mu_);
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    fixed_ += mass == 0;
    world_.addRigidBody(bodies_.back().get());
  }
  // What is fixed comes first.
  const btRigidBody& Get(int body) const { return *bodies_[body + fixed_]; }
  btRigidBody& Get(int body) { return *bodies_[body + fixed_]; }
  double h() const { return h_; }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  btStaticPlaneShape ground_shape_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  int fixed_ = 0;
  double h_, mu_;
};

class BulletStack : public BulletWorld {
 public:
  BulletStack(const StackSpec& spec, int sweeps)
      : BulletWorld(sweeps, spec.gravity, spec.h, spec.mu), shape_(spec.radius) {
    const double I = 0.4 * spec.mass * spec.radius * spec.radius;
    for (int i = 0; i < spec.count; ++i) {
      AddBody(&shape_, spec.mass, btVector3(I, I, I), btVector3(0, 0, spec.StartHeight(i)));
    }
  }

 private:
  btSphereShape shape_;
};

// The springs' ends are spheres so small that it does not matter where on them the ground touches.
class BulletFoundation : public BulletWorld {
 public:
  BulletFoundation(const FoundationSpec& spec, int sweeps)
      : BulletWorld(sweeps, spec.gravity, spec.h, 0), spec_(spec), point_(kRadius) {
    for (int i = 0; i < spec.points(); ++i) {
      const Vec3 centre = spec.Point(i) + Vec3(0, 0, kRadius);
      cube_.addChildShape(btTransform(btQuaternion::getIdentity(), ToBullet(centre)), &point_);
    }
    const double I = spec.inertia();
    AddBody(&cube_, spec.mass, btVector3(I, I, I), btVector3(0, 0, spec.side / 2));
    Get(0).setContactStiffnessAndDamping(spec.stiffness(), spec.damping);
  }

 private:
  static constexpr double kRadius = 1e-3;  // m

  void ApplyLoads() override {
    const btVector3 r =
        Get(0).getWorldTransform().getBasis() * ToBullet(spec_.LoadPoint(steps_++ * h()));
    Get(0).applyForce(btVector3(0, 0, -spec_.load), r);
  }

  FoundationSpec spec_;
  btSphereShape point_;
  btCompoundShape cube_;
  long steps_ = 0;
};

// The contacts' springs: stiffnesses of two bodies are in series, dampings are added.
class BulletBed : public BulletWorld {
 public:
  BulletBed(const BedSpec& spec, int sweeps)
      : BulletWorld(sweeps, spec.gravity, spec.h, spec.mu), shape_(spec.radius) {
    const std::vector<BedSpec::Wall> walls = spec.Walls();
    for (size_t k = 1; k < walls.size(); ++k) {  // the ground is the first
      walls_.push_back(std::make_unique<btStaticPlaneShape>(ToBullet(walls[k].n), walls[k].offset));
      AddBody(walls_.back().get(), 0, btVector3(0, 0, 0), btVector3(0, 0, 0));
    }
    const double I = spec.inertia();
    for (const Vec3& p : spec.start) {
      AddBody(&shape_, spec.mass(), btVector3(I, I, I), ToBullet(p));
    }
    for (int k = -static_cast<int>(walls.size()); k < spec.count(); ++k) {
      Get(k).setContactStiffnessAndDamping(2 * spec.stiffness, 0.5 * spec.damping);
    }
  }

 private:
  btSphereShape shape_;
  std::vector<std::unique_ptr<btStaticPlaneShape>> walls_;
};

Engine MakeBullet(int sweeps) {
  return {
      "Bullet, " + std::to_string(sweeps),
      [=](const StackSpec& spec) { return std::make_unique<BulletStack>(spec, sweeps); },
      [=](const FoundationSpec& spec) { return std::make_unique<BulletFoundation>(spec, sweeps); },
      nullptr};
}

}  // namespace

std::vector<Engine> MakeBulletEngines() {
  const auto with_bed = [](Engine engine, int sweeps) {
    engine.bed = [=](const BedSpec& spec) { return std::make_unique<BulletBed>(spec, sweeps); };
    return engine;
  };
  return {with_bed(MakeBullet(10), 10), with_bed({"Bullet, 100", nullptr, nullptr, nullptr}, 100),
          MakeBullet(500)};
}

}  // namespace voigt::bench
