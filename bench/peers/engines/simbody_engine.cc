// Simbody: joint coordinates, its compliant contact (Hertz with Hunt–Crossley damping and friction
// that grows up to a transition velocity), integrated with error control. Its contact has no linear
// springs and no rigid surfaces: a plane-strain modulus of 1e9 Pa stands for both, since explicit
// steps shrink with the root of the stiffness.

#include <Simbody.h>
#include <fmt/format.h>

#include "bench/peers/engine.h"

namespace voigt::peers {
namespace {

SimTK::Vec3 ToSim(const Vec3& v) { return {v[0], v[1], v[2]}; }
Vec3 FromSim(const SimTK::Vec3& v) { return {v[0], v[1], v[2]}; }

SimTK::Transform ToSim(const Pose& X) {
  const SimTK::Mat33 R(X.R(0, 0), X.R(0, 1), X.R(0, 2), X.R(1, 0), X.R(1, 1), X.R(1, 2), X.R(2, 0),
                       X.R(2, 1), X.R(2, 2));
  return {SimTK::Rotation(R, true), ToSim(X.p)};
}

// What acts during a step: held by the world, read by every evaluation of forces.
struct HeldForces : public SimTK::Force::Custom::Implementation {
  HeldForces(const std::vector<Wrench>* wrenches_, const std::vector<SimTK::MobilizedBody>* bodies_)
      : wrenches(wrenches_), bodies(bodies_) {}
  void calcForce(const SimTK::State&, SimTK::Vector_<SimTK::SpatialVec>& forces,
                 SimTK::Vector_<SimTK::Vec3>&, SimTK::Vector&) const override {
    for (const Wrench& wrench : *wrenches) {
      forces[(*bodies)[wrench.body].getMobilizedBodyIndex()] +=
          SimTK::SpatialVec(ToSim(wrench.torque), ToSim(wrench.force));
    }
  }
  SimTK::Real calcPotentialEnergy(const SimTK::State&) const override { return 0; }

  const std::vector<Wrench>* wrenches;
  const std::vector<SimTK::MobilizedBody>* bodies;
};

class SimbodyEngineWorld : public World {
 public:
  SimbodyEngineWorld(const Scene& scene, double accuracy)
      : scene_(scene),
        matter_(system_),
        forces_(system_),
        tracker_(system_),
        contact_(system_, tracker_),
        gravity_(forces_, matter_, ToSim(scene.gravity)) {
    contact_.setTransitionVelocity(1e-3);
    SimTK::Force::Custom(forces_, new HeldForces(&wrenches_, &bodies_));
    CheckShapes();
    MakeCliques();
    for (const Shape& shape : scene.ground) AddGround(shape);
    AddBodies();
    CloseLoops();
    system_.realizeTopology();
    SimTK::State state = system_.getDefaultState();
    SetRates(&state);
    integrator_ = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system_);
    integrator_->setAccuracy(accuracy);
    integrator_->setProjectInterpolatedStates(false);
    integrator_->initialize(state);
  }

  void Step(const Loads& loads) override {
    wrenches_ = SpreadLoads(scene_, loads, *this);
    if (scene_.act) {  // forces jump
      integrator_->reinitialize(SimTK::Stage::Position, false);
    }
    const double end = static_cast<double>(++steps_) * scene_.h;
    do {
      integrator_->stepTo(end, end);
    } while (integrator_->getTime() < end - 1e-12);
  }
  Pose BodyPose(int body) const override {
    const SimTK::Transform& X = bodies_[body].getBodyTransform(Now());
    Pose out;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) out.R(i, j) = X.R()[i][j];
    }
    out.p = FromSim(X.p());
    return out;
  }
  Vec3 Velocity(int body) const override {
    return FromSim(bodies_[body].getBodyOriginVelocity(Now()));
  }
  Vec3 Spin(int body) const override {
    return FromSim(bodies_[body].getBodyAngularVelocity(Now()));
  }
  double Mass(int body) const override { return bodies_[body].getBodyMass(Now()); }
  double InertiaTrace(int body) const override {
    return bodies_[body].getBodyMassProperties(Now()).calcInertia().trace();
  }
  int Contacts() const override {
    system_.realize(Now(), SimTK::Stage::Dynamics);
    return contact_.getNumContactForces(Now());
  }

 private:
  const SimTK::State& Now() const {
    const SimTK::State& state = integrator_->getState();
    system_.realize(state, SimTK::Stage::Velocity);
    return state;
  }

  // Shapes that meet planes alone: a capsule is then two spheres, a box a brick.
  void CheckShapes() const {
    bool is_round = true;
    for (const Body& body : scene_.bodies) {
      for (const Shape& shape : body.shapes) {
        is_round &= shape.kind == ShapeKind::kSphere || shape.kind == ShapeKind::kPoint;
      }
    }
    const ApartTable apart(scene_);
    for (size_t a = 0; a < scene_.bodies.size() && !is_round; ++a) {
      for (size_t b = 0; b < a; ++b) {
        if (!apart.AreApart(static_cast<int>(a), static_cast<int>(b))) {
          throw NotExpressible("its contact has no boxes against boxes, only meshes of soft ones");
        }
      }
    }
    for (const Shape& shape : scene_.ground) {
      if (shape.kind != ShapeKind::kPlane)
        throw NotExpressible("its contact has planes as ground only");
    }
  }

  SimTK::ContactMaterial MakeMaterial() const {
    constexpr double kModulus = 1e9, kDissipation = 1;  // Pa, s/m
    return {kModulus, kDissipation, scene_.material.mu, scene_.material.mu, 0};
  }

  // Half-spaces are those of positive x of their frames.
  void AddGround(const Shape& shape) {
    Pose turned = shape.X_BS;
    turned.R.col(0) = -shape.X_BS.R.col(2);
    turned.R.col(2) = shape.X_BS.R.col(0);
    matter_.Ground().updBody().addContactSurface(
        ToSim(turned), SimTK::ContactSurface(SimTK::ContactGeometry::HalfSpace(), MakeMaterial()));
  }

  // Members of a clique do not touch each other: one for every pair that must not.
  void MakeCliques() {
    cliques_.resize(scene_.bodies.size());
    const auto part = [&](int a, int b) {
      if (a < 0 || b < 0) return;
      const SimTK::ContactCliqueId clique = SimTK::ContactSurface::createNewContactClique();
      cliques_[a].push_back(clique);
      cliques_[b].push_back(clique);
    };
    // All of them at once where no two may touch.
    const size_t count = scene_.bodies.size();
    if (count > 1 && 2 * scene_.apart.size() >= count * (count - 1)) {
      const SimTK::ContactCliqueId clique = SimTK::ContactSurface::createNewContactClique();
      for (auto& list : cliques_) list.push_back(clique);
      return;
    }
    for (const Joint& joint : scene_.joints) part(joint.parent, joint.child);
    for (const auto& [a, b] : scene_.apart) part(a, b);
  }

  void AddSurface(const SimTK::ContactGeometry& geometry, const Pose& pose, int b,
                  SimTK::Body::Rigid* out) const {
    SimTK::ContactSurface surface(geometry, MakeMaterial());
    for (const SimTK::ContactCliqueId clique : cliques_[b]) surface.joinClique(clique);
    out->addContactSurface(ToSim(pose), surface);
  }

  SimTK::Body::Rigid MakeBody(int b) const {
    const Body& body = scene_.bodies[b];
    SimTK::Body::Rigid out(
        SimTK::MassProperties(body.mass, SimTK::Vec3(0),
                              SimTK::Inertia(body.inertia[0], body.inertia[1], body.inertia[2])));
    for (const Shape& original : body.shapes) {
      const Shape shape = AsSphere(original);
      if (shape.kind == ShapeKind::kBox) {
        AddSurface(SimTK::ContactGeometry::Brick(ToSim(0.5 * shape.size)), shape.X_BS, b, &out);
        continue;
      }
      const SimTK::ContactGeometry::Sphere sphere(shape.radius());
      if (shape.kind == ShapeKind::kSphere) {
        AddSurface(sphere, shape.X_BS, b, &out);
        continue;
      }
      for (double end : {-0.5, 0.5}) {
        Pose pose = shape.X_BS;
        pose.p += end * shape.size[1] * pose.R.col(2);
        AddSurface(sphere, pose, b, &out);
      }
    }
    return out;
  }

  void AddBodies() {
    const std::vector<int> tree = ListTreeJoints(scene_);
    for (size_t b = 0; b < scene_.bodies.size(); ++b) {
      const Body& body = scene_.bodies[b];
      const SimTK::Body::Rigid made = MakeBody(static_cast<int>(b));
      if (tree[b] < 0) {
        bodies_.push_back(SimTK::MobilizedBody::Free(matter_.Ground(), ToSim(body.start), made,
                                                     SimTK::Transform()));
        continue;
      }
      AddJointed(scene_.joints[tree[b]], made);
    }
  }

  // Pins turn about z of their frames, sliders move along x.
  void AddJointed(const Joint& joint, const SimTK::Body::Rigid& made) {
    const bool turns = joint.kind == JointKind::kRevolute;
    const SimTK::Rotation R(SimTK::UnitVec3(ToSim(joint.axis)),
                            SimTK::CoordinateAxis(turns ? 2 : 0));
    const SimTK::Transform at(R, ToSim(joint.anchor));
    SimTK::MobilizedBody& parent = joint.parent < 0
                                       ? static_cast<SimTK::MobilizedBody&>(matter_.Ground())
                                       : bodies_[joint.parent];
    const SimTK::Transform in_parent =
        joint.parent < 0 ? at : ~ToSim(scene_.bodies[joint.parent].start) * at;
    const SimTK::Transform in_child = ~ToSim(scene_.bodies[joint.child].start) * at;
    if (turns) {
      bodies_.push_back(SimTK::MobilizedBody::Pin(parent, in_parent, made, in_child));
    } else {
      bodies_.push_back(SimTK::MobilizedBody::Slider(parent, in_parent, made, in_child));
    }
    if (!joint.is_limited()) return;
    constexpr double kStop = 1e4, kStopDissipation = 1;  // N m/rad or N/m, s/m
    SimTK::Force::MobilityLinearStop(forces_, bodies_.back(), SimTK::MobilizerQIndex(0), kStop,
                                     kStopDissipation, joint.lower, joint.upper);
  }

  void CloseLoops() {
    for (const Joint& joint : scene_.joints) {
      if (!joint.closes_loop) continue;
      const auto local = [&](int b) {
        return ToSim(b < 0 ? joint.anchor : scene_.bodies[b].start.Inverse() * joint.anchor);
      };
      SimTK::MobilizedBody& parent = joint.parent < 0
                                         ? static_cast<SimTK::MobilizedBody&>(matter_.Ground())
                                         : bodies_[joint.parent];
      SimTK::Constraint::Ball(parent, local(joint.parent), bodies_[joint.child],
                              local(joint.child));
    }
  }

  void SetRates(SimTK::State* state) {
    const std::vector<int> tree = ListTreeJoints(scene_);
    for (size_t b = 0; b < bodies_.size(); ++b) {
      if (tree[b] >= 0) {
        bodies_[b].setOneU(*state, 0, scene_.joints[tree[b]].rate);
      } else {
        bodies_[b].setUToFitAngularVelocity(*state, ToSim(scene_.bodies[b].spin));
        bodies_[b].setUToFitLinearVelocity(*state, ToSim(scene_.bodies[b].velocity));
      }
    }
  }

  Scene scene_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::ContactTrackerSubsystem tracker_;
  SimTK::CompliantContactSubsystem contact_;
  SimTK::Force::Gravity gravity_;
  std::vector<SimTK::MobilizedBody> bodies_;
  std::vector<std::vector<SimTK::ContactCliqueId>> cliques_;  // of each body
  std::vector<Wrench> wrenches_;
  std::unique_ptr<SimTK::Integrator> integrator_;
  long steps_ = 0;
};

}  // namespace

std::vector<Engine> ListSimbody() {
  return {{"Simbody",
           "Runge–Kutta–Merson with error control at accuracy 1e-3, its default; compliant contact "
           "with a plane-strain modulus of 1e9 Pa and dissipation 1 s/m in place of the scene's "
           "springs, transition velocity of friction 1 mm/s; limits are stops of 1e4 N m/rad",
           [](const Scene& scene) { return std::make_unique<SimbodyEngineWorld>(scene, 1e-3); },
           true}};
}

}  // namespace voigt::peers
