// ODE. Where the scene's contacts are springs of moderate stiffness they are ERP = hK/(hK + B) and
// CFM = 1/(hK + B), as its manual says. Contacts that are stiffer than the step can follow, and
// rigid ones, get what the manual advises for resting contact: ERP 0.2, CFM 1e-5, a surface layer
// of 1 mm, corrections of at most 0.1 m/s. Joints: ERP 0.8, CFM 1e-10.

#include <fmt/format.h>
#include <ode/ode.h>

#include <Eigen/Geometry>

#include "bench/peers/engine.h"

namespace voigt::peers {
namespace {

void StartOdeOnce() {
  static const bool started = dInitODE2(0) != 0;
  if (!started) throw std::runtime_error("ODE does not start");
  dSetMessageHandler([](int, const char*, va_list) {});  // it reports every pivot that fails
}

void ToRotation(const Mat3& R, dMatrix3 out) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out[4 * i + j] = R(i, j);
    out[4 * i + 3] = 0;
  }
}

// For sweep and prune: first along the axis on which the scene is longest.
int ChooseAxes(const Scene& scene) {
  Vec3 least = scene.bodies[0].start.p, most = least;
  for (const Body& body : scene.bodies) {
    least = least.cwiseMin(body.start.p);
    most = most.cwiseMax(body.start.p);
  }
  int axis = 0;
  (most - least).maxCoeff(&axis);
  return axis == 0 ? dSAP_AXES_XYZ : axis == 1 ? dSAP_AXES_YZX : dSAP_AXES_ZXY;
}

class OdeEngineWorld : public World {
 public:
  // No iterations: the exact stepper.
  OdeEngineWorld(const Scene& scene, int iterations)
      : scene_(scene), apart_(scene), iterations_(iterations) {
    StartOdeOnce();
    dRandSetSeed(0);  // QuickStep shuffles its rows
    world_ = dWorldCreate();
    space_ = scene.bodies.size() > 20 ? dSweepAndPruneSpaceCreate(nullptr, ChooseAxes(scene))
                                      : dSimpleSpaceCreate(nullptr);
    group_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, scene.gravity[0], scene.gravity[1], scene.gravity[2]);
    dWorldSetERP(world_, 0.8);
    dWorldSetCFM(world_, 1e-10);
    if (iterations > 0) dWorldSetQuickStepNumIterations(world_, iterations);
    SetSurface();
    for (const Shape& shape : scene.ground) AddGeom(shape, -1);
    for (size_t b = 0; b < scene.bodies.size(); ++b) AddBody(static_cast<int>(b));
    for (const Joint& joint : scene.joints) AddJoint(joint);
  }
  ~OdeEngineWorld() override {
    dJointGroupDestroy(group_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }
  OdeEngineWorld(const OdeEngineWorld&) = delete;
  OdeEngineWorld& operator=(const OdeEngineWorld&) = delete;

  void Step(const Loads& loads) override {
    for (const Wrench& w : SpreadLoads(scene_, loads, *this)) {
      dBodyAddForce(bodies_[w.body], w.force[0], w.force[1], w.force[2]);
      dBodyAddTorque(bodies_[w.body], w.torque[0], w.torque[1], w.torque[2]);
    }
    dJointGroupEmpty(group_);
    contacts_ = 0;
    dSpaceCollide(space_, this, &Near);
    iterations_ > 0 ? dWorldQuickStep(world_, scene_.h) : dWorldStep(world_, scene_.h);
  }
  Pose BodyPose(int body) const override {
    const dReal* const R = dBodyGetRotation(bodies_[body]);
    Pose out;
    out.R << R[0], R[1], R[2], R[4], R[5], R[6], R[8], R[9], R[10];
    out.p = Eigen::Map<const Vec3>(dBodyGetPosition(bodies_[body]));
    return out;
  }
  Vec3 Velocity(int body) const override {
    return Eigen::Map<const Vec3>(dBodyGetLinearVel(bodies_[body]));
  }
  Vec3 Spin(int body) const override {
    return Eigen::Map<const Vec3>(dBodyGetAngularVel(bodies_[body]));
  }
  double Mass(int body) const override { return MassOf(body).mass; }
  double InertiaTrace(int body) const override {
    const dMass mass = MassOf(body);
    return mass.I[0] + mass.I[5] + mass.I[10];
  }
  int Contacts() const override { return contacts_; }

 private:
  dMass MassOf(int body) const {
    dMass mass;
    dBodyGetMass(bodies_[body], &mass);
    return mass;
  }

  void SetSurface() {
    contact_.surface.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM;
    contact_.surface.mu = scene_.material.mu;
    const Material& material = scene_.material;
    const double h = scene_.h;
    constexpr double kStiffest = 1e9;  // N/m
    if (material.stiffness < kStiffest) {
      const double D = h * material.stiffness + material.damping;
      contact_.surface.soft_erp = h * material.stiffness / D;
      contact_.surface.soft_cfm = 1 / D;
      return;
    }
    contact_.surface.soft_erp = 0.2;
    contact_.surface.soft_cfm = 1e-5;
    dWorldSetContactSurfaceLayer(world_, 1e-3);
    dWorldSetContactMaxCorrectingVel(world_, 0.1);
  }

  void AddBody(int b) {
    const Body& body = scene_.bodies[b];
    bodies_.push_back(dBodyCreate(world_));
    dMass mass;
    dMassSetParameters(&mass, body.mass, 0, 0, 0, body.inertia[0], body.inertia[1], body.inertia[2],
                       0, 0, 0);
    dBodySetMass(bodies_[b], &mass);
    dBodySetPosition(bodies_[b], body.start.p[0], body.start.p[1], body.start.p[2]);
    dMatrix3 R;
    ToRotation(body.start.R, R);
    dBodySetRotation(bodies_[b], R);
    dBodySetLinearVel(bodies_[b], body.velocity[0], body.velocity[1], body.velocity[2]);
    dBodySetAngularVel(bodies_[b], body.spin[0], body.spin[1], body.spin[2]);
    dBodySetGyroscopicMode(bodies_[b], 1);
    for (const Shape& shape : body.shapes) AddGeom(shape, b);
  }

  void AddGeom(const Shape& original, int b) {
    const Shape shape = AsSphere(original);
    const Vec3& p = shape.X_BS.p;
    const Vec3& s = shape.size;
    dGeomID geom = nullptr;
    switch (shape.kind) {
      case ShapeKind::kSphere:
        geom = dCreateSphere(space_, s[0]);
        break;
      case ShapeKind::kBox:
        geom = dCreateBox(space_, s[0], s[1], s[2]);
        break;
      case ShapeKind::kCapsule:
        geom = dCreateCapsule(space_, s[0], s[1]);
        break;
      default: {
        const Vec3 n = shape.X_BS.R.col(2);
        geom = dCreatePlane(space_, n[0], n[1], n[2], n.dot(p));
      }
    }
    dGeomSetData(geom, reinterpret_cast<void*>(static_cast<intptr_t>(b)));
    if (shape.kind == ShapeKind::kPlane) return;
    dMatrix3 R;
    ToRotation(shape.X_BS.R, R);
    if (b < 0) {
      dGeomSetPosition(geom, p[0], p[1], p[2]);
      dGeomSetRotation(geom, R);
      return;
    }
    dGeomSetBody(geom, bodies_[b]);
    dGeomSetOffsetPosition(geom, p[0], p[1], p[2]);
    dGeomSetOffsetRotation(geom, R);
  }

  void AddJoint(const Joint& joint) {
    const bool turns = joint.kind == JointKind::kRevolute;
    const dJointID id =
        turns ? dJointCreateHinge(world_, nullptr) : dJointCreateSlider(world_, nullptr);
    // Angles are those of the first body relative to the second.
    dJointAttach(id, bodies_[joint.child], joint.parent < 0 ? nullptr : bodies_[joint.parent]);
    const Vec3 a = joint.axis, p = joint.anchor;
    if (turns) {
      dJointSetHingeAnchor(id, p[0], p[1], p[2]);
      dJointSetHingeAxis(id, a[0], a[1], a[2]);
    } else {
      dJointSetSliderAxis(id, a[0], a[1], a[2]);
    }
    if (!joint.is_limited()) return;
    const auto set = turns ? dJointSetHingeParam : dJointSetSliderParam;
    set(id, dParamLoStop, joint.lower);
    set(id, dParamHiStop, joint.upper);
  }

  static void Near(void* self, dGeomID a, dGeomID b) {
    static_cast<OdeEngineWorld*>(self)->Collide(a, b);
  }

  void Collide(dGeomID a, dGeomID b) {
    const auto body = [](dGeomID geom) {
      return static_cast<int>(reinterpret_cast<intptr_t>(dGeomGetData(geom)));
    };
    if (body(a) == body(b)) return;
    if (apart_.AreApart(body(a), body(b))) return;
    constexpr int kMost = 8;
    dContactGeom found[kMost];
    const int count = dCollide(a, b, kMost, found, sizeof(dContactGeom));
    for (int i = 0; i < count; ++i) {
      contact_.geom = found[i];
      dJointAttach(dJointCreateContact(world_, group_, &contact_), dGeomGetBody(a),
                   dGeomGetBody(b));
    }
    contacts_ += count;
  }

  Scene scene_;
  ApartTable apart_;
  int iterations_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID group_;
  std::vector<dBodyID> bodies_;
  dContact contact_ = {};
  int contacts_ = 0;
};

constexpr const char* kOdeContacts =
    "springs below 1e9 N/m by ERP = hK/(hK + B) and CFM = 1/(hK + B); rigid and stiffer contacts "
    "as "
    "the manual advises for rest: ERP 0.2, CFM 1e-5, surface layer 1 mm, corrections of at most "
    "0.1 m/s; friction pyramids (dContactApprox1); joints with ERP 0.8";

Engine MakeOde(const std::string& name, int iterations, const std::string& solver) {
  return {
      name, solver + "; " + kOdeContacts, [=](const Scene& scene) -> std::unique_ptr<World> {
        // Rows of the exact stepper's dense matrix.
        const double rows = 3.0 * scene.room_for_contacts;
        if (iterations == 0 && rows * rows * 8 > 4e9) {
          throw NotExpressible(fmt::format(
              "the dense matrix of its exact stepper would need {:.0f} GB", rows * rows * 8e-9));
        }
        return std::make_unique<OdeEngineWorld>(scene, iterations);
      }};
}

}  // namespace

// The matrix of the exact stepper is dense: that of a bed has nearly 10 000 rows.
std::vector<Engine> ListOdeForBeds() {
  return {MakeOde("ODE QuickStep, 20", 20, "dWorldQuickStep, 20 iterations as it comes"),
          MakeOde("ODE QuickStep, 100", 100, "dWorldQuickStep, 100 iterations")};
}

std::vector<Engine> ListOde() {
  return {MakeOde("ODE Step", 0, "dWorldStep, Dantzig's exact solver"),
          MakeOde("ODE QuickStep", 20, "dWorldQuickStep, 20 iterations as it comes"),
          MakeOde("ODE QuickStep 200", 200, "dWorldQuickStep, 200 iterations")};
}

}  // namespace voigt::peers
