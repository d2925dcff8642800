// ODE. The foundation has the stiffness and damping of the scene, which its manual relates to
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

class OdeStack : public OdeWorld {
 public:
  OdeStack(const StackSpec& spec, const Advance& advance)
      : OdeWorld(advance, spec.gravity, spec.h) {
    SetSurface(0.2, 1e-5, spec.mu);
    dWorldSetContactSurfaceLayer(world_, 1e-3);
    dWorldSetContactMaxCorrectingVel(world_, 0.1);
    // All differ in height only.
    space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_ZXY);
    dCreatePlane(space_, 0, 0, 1, 0);
    dMass mass;
    dMassSetSphereTotal(&mass, spec.mass, spec.radius);
    for (int i = 0; i < spec.count; ++i) {
      const dBodyID body = AddBody(mass, {0, 0, spec.StartHeight(i)});
      dGeomSetBody(dCreateSphere(space_, spec.radius), body);
    }
  }
  ~OdeStack() override { dSpaceDestroy(space_); }

 private:
  void AddContacts() override { dSpaceCollide(space_, this, &Near); }

  static void Near(void* self, dGeomID a, dGeomID b) {
    dContactGeom found;
    if (dCollide(a, b, 1, &found, sizeof(found)) == 0) return;
    static_cast<OdeStack*>(self)->AddContact(found, dGeomGetBody(a), dGeomGetBody(b));
  }

  dSpaceID space_;
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
      [=](const FoundationSpec& spec) { return std::make_unique<OdeFoundation>(spec, advance); }};
}

}  // namespace

std::vector<Engine> MakeOdeEngines() {
  const auto quick = [](int iterations) {
    return [=](dWorldID world, double h) {
      dWorldSetQuickStepNumIterations(world, iterations);
      dWorldQuickStep(world, h);
    };
  };
  return {
      MakeOde("ODE QuickStep, 20", quick(20)),
      MakeOde("ODE QuickStep, 500", quick(500)),
      MakeOde("ODE Step", [](dWorldID world, double h) { dWorldStep(world, h); }),
  };
}

}  // namespace voigt::bench
