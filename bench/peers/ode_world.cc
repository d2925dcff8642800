// ODE. Foundation and bed have the stiffness and damping of the scene, which its manual relates to
// ERP = hK/(hK + B) and CFM = 1/(hK + B). As stiff as the spheres are, these would be 1 and 1e-9,
// and the stack jumps apart; it gets what the manual advises for contacts that rest: ERP 0.2, CFM
// 1e-5, a surface layer of 1 mm, corrections of at most 0.1 m/s. `Step` solves the whole
// complementarity problem, `QuickStep` iterates (20 times unless told otherwise).

#include <ode/ode.h>

#include <stdexcept>

#include "bench/peers/peer.h"

namespace voigt::bench {
namespace {

using Advance = std::function<void(dWorldID, double)>;

// The library is told once that it is used.
void StartOde() {
  static const bool started = dInitODE2(0) != 0;
  if (!started) throw std::runtime_error("ODE does not start");
  // It reports every pivot that fails; what comes of them is in the results.
  dSetMessageHandler([](int, const char*, va_list) {});
}

class OdeWorld : public World {
 public:
  OdeWorld(Advance advance, double gravity, double h) : advance_(std::move(advance)), h_(h) {
    StartOde();
    dRandSetSeed(0);  // QuickStep shuffles its rows
    world_ = dWorldCreate();
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -gravity);
    contact_.surface.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM;
  }
  ~OdeWorld() override {
    dJointGroupDestroy(contacts_);
    dWorldDestroy(world_);
  }
  OdeWorld(const OdeWorld&) = delete;
  OdeWorld& operator=(const OdeWorld&) = delete;

  void Step() override {
    dJointGroupEmpty(contacts_);
    contact_count_ = 0;
    AddContacts();
    advance_(world_, h_);
  }
  double Mass(int body) const override {
    dMass mass;
    dBodyGetMass(bodies_[body], &mass);
    return mass.mass;
  }
  Vec3 Position(int body) const override {
    return Eigen::Map<const Vec3>(dBodyGetPosition(bodies_[body]));
  }
  Vec3 Up(int body) const override {
    const dReal* const R = dBodyGetRotation(bodies_[body]);  // three rows of four
    return {R[2], R[6], R[10]};
  }
  Vec3 Velocity(int body) const override {
    return Eigen::Map<const Vec3>(dBodyGetLinearVel(bodies_[body]));
  }
  Vec3 Spin(int body) const override {
    return Eigen::Map<const Vec3>(dBodyGetAngularVel(bodies_[body]));
  }
  int Contacts() const override { return contact_count_; }

 protected:
  virtual void AddContacts() = 0;

  void SetSurface(double erp, double cfm, double mu) {
    contact_.surface.mu = mu;
    contact_.surface.soft_erp = erp;
    contact_.surface.soft_cfm = cfm;
  }
  dBodyID AddBody(const dMass& mass, const Vec3& p) {
    const dBodyID body = dBodyCreate(world_);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, p[0], p[1], p[2]);
    bodies_.push_back(body);
    return body;
  }
  void AddContact(const dContactGeom& geom, dBodyID a, dBodyID b) {
    contact_.geom = geom;
    dJointAttach(dJointCreateContact(world_, contacts_, &contact_), a, b);
    ++contact_count_;
  }

  dWorldID world_;
  std::vector<dBodyID> bodies_;
  double h() const { return h_; }

 private:
  Advance advance_;
  double h_;
  dJointGroupID contacts_;
  dContact contact_ = {};
  int contact_count_ = 0;
};

// Spheres and planes in a space that is swept over.
class OdeSpheres : public OdeWorld {
 public:
  OdeSpheres(const Advance& advance, double gravity, double h, int axes)
      : OdeWorld(advance, gravity, h), space_(dSweepAndPruneSpaceCreate(nullptr, axes)) {}
  ~OdeSpheres() override { dSpaceDestroy(space_); }

 protected:
  void AddSphere(double mass, double radius, const Vec3& p) {
    dMass of_sphere;
    dMassSetSphereTotal(&of_sphere, mass, radius);
    dGeomSetBody(dCreateSphere(space_, radius), AddBody(of_sphere, p));
  }
  void AddPlane(const Vec3& n, double offset) { dCreatePlane(space_, n[0], n[1], n[2], offset); }

 private:
  void AddContacts() override { dSpaceCollide(space_, this, &Near); }

  static void Near(void* self, dGeomID a, dGeomID b) {
    dContactGeom found;
    if (dCollide(a, b, 1, &found, sizeof(found)) == 0) return;
    static_cast<OdeSpheres*>(self)->AddContact(found, dGeomGetBody(a), dGeomGetBody(b));
  }

  dSpaceID space_;
};

// All differ in height only.
class OdeStack : public OdeSpheres {
 public:
  OdeStack(const StackSpec& spec, const Advance& advance)
      : OdeSpheres(advance, spec.gravity, spec.h, dSAP_AXES_ZXY) {
    SetSurface(0.2, 1e-5, spec.mu);
    dWorldSetContactSurfaceLayer(world_, 1e-3);
    dWorldSetContactMaxCorrectingVel(world_, 0.1);
    AddPlane(Vec3::UnitZ(), 0);
    for (int i = 0; i < spec.count; ++i) {
      AddSphere(spec.mass, spec.radius, {0, 0, spec.StartHeight(i)});
    }
  }
};

class OdeBed : public OdeSpheres {
 public:
  OdeBed(const BedSpec& spec, const Advance& advance)
      : OdeSpheres(advance, spec.gravity, spec.h, dSAP_AXES_YZX) {
    const double D = spec.h * spec.stiffness + spec.damping;
    SetSurface(spec.h * spec.stiffness / D, 1 / D, spec.mu);
    for (const BedSpec::Wall& wall : spec.Walls()) AddPlane(wall.n, wall.offset);
    for (const Vec3& p : spec.start) AddSphere(spec.mass(), spec.radius, p);
  }
};

class OdeFoundation : public OdeWorld {
 public:
  OdeFoundation(const FoundationSpec& spec, const Advance& advance)
      : OdeWorld(advance, spec.gravity, spec.h), spec_(spec) {
    const double D = spec.h * spec.stiffness() + spec.damping;
    SetSurface(spec.h * spec.stiffness() / D, 1 / D, 0);
    dMass mass;
    dMassSetBoxTotal(&mass, spec.mass, spec.side, spec.side, spec.side);
    AddBody(mass, {0, 0, spec.side / 2});
  }

 private:
  void AddContacts() override {
    const dBodyID cube = bodies_[0];
    for (int i = 0; i < spec_.points(); ++i) {
      const Vec3 r = spec_.Point(i);
      dVector3 p;
      dBodyGetRelPointPos(cube, r[0], r[1], r[2], p);
      if (p[2] > 0) continue;
      dContactGeom geom = {};
      geom.pos[0] = p[0], geom.pos[1] = p[1], geom.pos[2] = p[2];
      geom.normal[2] = 1;
      geom.depth = -p[2];
      AddContact(geom, cube, nullptr);
    }
    const Vec3 r = spec_.LoadPoint(steps_++ * h());
    dBodyAddForceAtRelPos(cube, 0, 0, -spec_.load, r[0], r[1], r[2]);
  }

  FoundationSpec spec_;
  long steps_ = 0;
};

Engine MakeOde(const std::string& name, const Advance& advance) {
  return {
      name, [=](const StackSpec& spec) { return std::make_unique<OdeStack>(spec, advance); },
      [=](const FoundationSpec& spec) { return std::make_unique<OdeFoundation>(spec, advance); },
      nullptr};
}

}  // namespace

std::vector<Engine> MakeOdeEngines() {
  const auto quick = [](int iterations) {
    return [=](dWorldID world, double h) {
      dWorldSetQuickStepNumIterations(world, iterations);
      dWorldQuickStep(world, h);
    };
  };
  const auto with_bed = [&](Engine engine, int iterations) {
    const Advance advance = quick(iterations);
    engine.bed = [=](const BedSpec& spec) { return std::make_unique<OdeBed>(spec, advance); };
    return engine;
  };
  // The matrix of Step is dense: that of a bed has nearly 10 000 rows.
  return {
      with_bed(MakeOde("ODE QuickStep, 20", quick(20)), 20),
      with_bed({"ODE QuickStep, 100", nullptr, nullptr, nullptr}, 100),
      MakeOde("ODE QuickStep, 500", quick(500)),
      MakeOde("ODE Step", [](dWorldID world, double h) { dWorldStep(world, h); }),
  };
}

}  // namespace voigt::bench
