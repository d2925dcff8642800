// MuJoCo with Newton's method, elliptic cones and contacts as stiff as its documentation allows at
// the step: time constant 2h, impedance 0.9999. The stack needs a damping ratio of 2: with 1, as
// well as with the default impedance, with 0.04 s or with pyramids, it jumps apart or collapses.

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "bench/peers/peer.h"
#include "tests/mujoco/mujoco_model.h"

namespace voigt::bench {
namespace {

class MujocoWorld : public World {
 public:
  explicit MujocoWorld(const std::string& xml) : mujoco_(testing::MujocoModel::FromText(xml)) {}

  void Step() override {
    ApplyLoads();
    mj_step(mujoco_.model(), mujoco_.data());
    mjWarningStat* const warning = mujoco_.data()->warning;
    crowded_ += warning[mjWARN_CONTACTFULL].number + warning[mjWARN_CNSTRFULL].number > 0;
    warning[mjWARN_CONTACTFULL].number = warning[mjWARN_CNSTRFULL].number = 0;
  }
  double Mass(int body) const override { return mujoco_.model()->body_mass[body + 1]; }
  Vec3 Position(int body) const override {
    return Eigen::Map<const Vec3>(mujoco_.data()->qpos + 7 * body);
  }
  Vec3 Up(int body) const override {
    double R[9];
    mju_quat2Mat(R, mujoco_.data()->qpos + 7 * body + 3);
    return {R[2], R[5], R[8]};
  }
  Vec3 Velocity(int body) const override {
    return Eigen::Map<const Vec3>(mujoco_.data()->qvel + 6 * body);
  }
  Vec3 Spin(int body) const override {
    return Eigen::Map<const Vec3>(mujoco_.data()->qvel + 6 * body + 3);
  }
  int Contacts() const override { return mujoco_.data()->ncon; }
  int CrowdedSteps() const override { return crowded_; }

 protected:
  virtual void ApplyLoads() {}

  testing::MujocoModel mujoco_;

 private:
  int crowded_ = 0;
};

std::string Header(double h, double gravity, int contacts, int dimension, double mu,
                   double damping_ratio) {
  return fmt::format(
      "<mujoco><option timestep='{}' gravity='0 0 {}' solver='Newton' cone='elliptic' "
      "iterations='100' tolerance='1e-12'/><size njmax='{}' nconmax='{}'/>"
      "<default><geom condim='{}' friction='{}' solref='{} {}' solimp='0.9999 0.9999 0.001'/>"
      "</default><worldbody><geom type='plane' size='5 5 1'/>",
      h, -gravity, 4 * contacts, contacts, dimension, mu, 2 * h, damping_ratio);
}

std::unique_ptr<World> MakeMujocoStack(const StackSpec& spec) {
  std::string xml = Header(spec.h, spec.gravity, spec.count + 10, 3, spec.mu, 2);
  for (int i = 0; i < spec.count; ++i) {
    xml += fmt::format(
        "<body pos='0 0 {}'><freejoint/><geom type='sphere' size='{}' mass='{}'/></body>",
        spec.StartHeight(i), spec.radius, spec.mass);
  }
  return std::make_unique<MujocoWorld>(xml + "</worldbody></mujoco>");
}

// The springs' ends are spheres so small that it does not matter where on them the ground touches.
class MujocoFoundation : public MujocoWorld {
 public:
  explicit MujocoFoundation(const FoundationSpec& spec) : MujocoWorld(MakeXml(spec)), spec_(spec) {}

 private:
  static std::string MakeXml(const FoundationSpec& spec) {
    constexpr double kRadius = 1e-3;  // m
    const double I = spec.inertia();
    std::string xml = Header(spec.h, spec.gravity, spec.points() + 10, 1, 0, 1) +
                      fmt::format(
                          "<body pos='0 0 {}'><freejoint/><inertial pos='0 0 0' "
                          "mass='{}' diaginertia='{} {} {}'/>",
                          spec.side / 2, spec.mass, I, I, I);
    for (int i = 0; i < spec.points(); ++i) {
      const Vec3 p = spec.Point(i);
      xml += fmt::format("<geom type='sphere' size='{}' pos='{} {} {}'/>", kRadius, p[0], p[1],
                         p[2] + kRadius);
    }
    return xml + "</body></worldbody></mujoco>";
  }

  void ApplyLoads() override {
    mjData* const data = mujoco_.data();
    double R[9];
    mju_quat2Mat(R, data->qpos + 3);
    const Vec3 r = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(R) *
                   spec_.LoadPoint(data->time);
    const Vec3 force(0, 0, -spec_.load), torque = r.cross(force);
    mju_copy3(data->xfrc_applied + 6, force.data());
    mju_copy3(data->xfrc_applied + 9, torque.data());
  }

  FoundationSpec spec_;
};

// What this version reserves for contacts, each of which has three rows: room for the Jacobian as
// if it were dense, and its transpose, both with their columns' numbers, and for a square matrix of
// rows.
double CalcBytes(double contacts, double spheres) {
  const double rows = 3 * contacts, columns = 6 * spheres;
  return 12 * rows * (2 * columns + rows);
}

// How many pairs touch at the start, walls among them.
int CountTouching(const BedSpec& spec) {
  int out = 0;
  for (size_t i = 0; i < spec.start.size(); ++i) {
    for (size_t j = 0; j < i; ++j) out += (spec.start[i] - spec.start[j]).norm() < 2 * spec.radius;
    for (const BedSpec::Wall& wall : spec.Walls()) {
      out += wall.n.dot(spec.start[i]) - wall.offset < spec.radius;
    }
  }
  return out;
}

// Room for the contacts of a packed bed: a sphere has six neighbours or so, and a contact is one of
// two spheres. This version counts the bytes of its memory in 32 bits with a sign; where that is
// not enough, there is room for as many as will do, and none where the bed starts with nearly as
// many.
int ChooseRoom(const BedSpec& spec) {
  constexpr double kMostBytes = 2.1e9;
  int contacts = 14 * spec.count() / 5;
  while (CalcBytes(contacts, spec.count()) > kMostBytes) contacts -= contacts / 50 + 1;
  return CountTouching(spec) < 0.9 * contacts ? contacts : 0;
}

// With conjugate gradients, as advised for large systems: in this version the matrix of Newton's
// method is dense, and takes half a minute per factorisation for 1000 spheres. Planes have no end,
// whatever their sizes say.
std::unique_ptr<World> MakeMujocoBed(const BedSpec& spec) {
  const int contacts = ChooseRoom(spec);
  if (contacts == 0) return nullptr;
  std::string xml = fmt::format(
      "<mujoco><option timestep='{}' gravity='0 0 {}' solver='CG' cone='elliptic' "
      "jacobian='sparse'/><size njmax='{}' nconmax='{}' nstack='{}'/>"
      "<default><geom condim='3' friction='{}' solref='{} 1' solimp='0.99 0.99 0.001'/></default>"
      "<worldbody>",
      spec.h, -spec.gravity, 3 * contacts, contacts, 20'000'000, spec.mu, 2 * spec.h);
  for (const BedSpec::Wall& wall : spec.Walls()) {
    const Vec3 p = wall.offset * wall.n;
    xml += fmt::format("<geom type='plane' size='5 5 1' pos='{} {} {}' zaxis='{} {} {}'/>", p[0],
                       p[1], p[2], wall.n[0], wall.n[1], wall.n[2]);
  }
  for (const Vec3& p : spec.start) {
    xml += fmt::format(
        "<body pos='{:.17g} {:.17g} {:.17g}'><freejoint/>"
        "<geom type='sphere' size='{}' mass='{:.17g}'/></body>",
        p[0], p[1], p[2], spec.radius, spec.mass());
  }
  return std::make_unique<MujocoWorld>(xml + "</worldbody></mujoco>");
}

}  // namespace

std::vector<Engine> MakeMujocoEngines() {
  return {{"MuJoCo Newton", MakeMujocoStack,
           [](const FoundationSpec& spec) { return std::make_unique<MujocoFoundation>(spec); },
           nullptr},
          {"MuJoCo CG", nullptr, nullptr, MakeMujocoBed}};
}

}  // namespace voigt::bench
