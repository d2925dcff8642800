// MuJoCo as it comes, and as accurate as it can be: contacts, limits and loops as stiff as its
// documentation allows at the step, with a time constant of 2h and an impedance of 0.9999, and a
// damping ratio of 2 (with 1, a stack of stiff spheres jumps apart); elliptic cones, which are
// advised for accuracy. Integrator: Euler, as it comes.

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "bench/peers/engine.h"
#include "tests/mujoco/mujoco_model.h"

namespace voigt::peers {
namespace {

enum class Stiffness {
  kDefault,  // as it comes: soft contacts and pyramids
  kBed,      // for beds: contacts of the least time constant, the rest as it comes; elliptic cones
  kMost,     // as accurate as it can be
};

struct MujocoSettings {
  const char* solver;
  Stiffness stiffness;
};

// Attributes of <option>.
const char* OptionText(Stiffness stiffness) {
  switch (stiffness) {
    case Stiffness::kDefault:
      return "";
    case Stiffness::kBed:  // sparse, as advised for many bodies
      return "cone='elliptic' jacobian='sparse'";
    case Stiffness::kMost:
      return "cone='elliptic' iterations='100' tolerance='1e-12'";
  }
  return "";
}

// Elements of <default>, for steps of h.
std::string DefaultText(Stiffness stiffness, double h) {
  switch (stiffness) {
    case Stiffness::kDefault:
      return "";
    case Stiffness::kBed:
      return fmt::format("<geom solref='{:.17g} 1' solimp='0.99 0.99 0.001'/>", 2 * h);
    case Stiffness::kMost:
      return fmt::format(
          "<geom solref='{0:.17g} 2' solimp='0.9999 0.9999 0.001'/>"
          "<joint solreflimit='{0:.17g} 1' solimplimit='0.9999 0.9999 0.001'/>"
          "<equality solref='{0:.17g} 1' solimp='0.9999 0.9999 0.001'/>",
          2 * h);
  }
  return "";
}

std::string Numbers(const Vec3& v) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", v[0], v[1], v[2]);
}

std::string PoseText(const Pose& pose) {
  const Eigen::Quaterniond q(pose.R);
  return fmt::format("pos='{}' quat='{:.17g} {:.17g} {:.17g} {:.17g}'", Numbers(pose.p), q.w(),
                     q.x(), q.y(), q.z());
}

std::string GeomText(const Shape& original) {
  const Shape shape = AsSphere(original);
  std::string size;
  const char* type = "plane";
  switch (shape.kind) {
    case ShapeKind::kSphere:
      type = "sphere";
      size = fmt::format("{:.17g}", shape.radius());
      break;
    case ShapeKind::kBox:
      type = "box";
      size = Numbers(0.5 * shape.size);
      break;
    case ShapeKind::kCapsule:
      type = "capsule";
      size = fmt::format("{:.17g} {:.17g}", shape.size[0], 0.5 * shape.size[1]);
      break;
    default:
      size = "0 0 1";  // a plane without end
  }
  return fmt::format("<geom type='{}' size='{}' {}/>", type, size, PoseText(shape.X_BS));
}

// Bodies of the tree inside each other.
class MujocoText {
 public:
  MujocoText(const Scene& scene, const MujocoSettings& settings)
      : scene_(scene), tree_(ListTreeJoints(scene)) {
    AddHeader(settings);
    for (const Shape& shape : scene.ground) text_ += GeomText(shape);
    for (size_t b = 0; b < scene.bodies.size(); ++b) {
      if (tree_[b] < 0 || scene.joints[tree_[b]].parent < 0) AddBody(static_cast<int>(b));
    }
    text_ += "</worldbody>";
    AddPairs();
    text_ += "</mujoco>";
  }
  const std::string& text() const { return text_; }

 private:
  void AddHeader(const MujocoSettings& settings) {
    const int contacts = scene_.room_for_contacts;
    const int per_contact = settings.stiffness == Stiffness::kDefault ? 4 : 3;
    const int rows = (scene_.material.mu > 0 ? per_contact : 1) * contacts +
                     6 * static_cast<int>(scene_.joints.size()) + 10;
    // Dense Jacobians have their room even where sparse ones are used, and so have their transposes
    // and a square matrix of rows; this version counts all bytes in 32 bits with a sign.
    const double columns = 6 * static_cast<double>(scene_.bodies.size());
    const double bytes = 12.0 * rows * (2 * columns + rows);
    if (bytes > 2.1e9) {
      throw NotExpressible(fmt::format(
          "would reserve {:.0f} GB for {} contacts, and can reserve 2 GB", 1e-9 * bytes, contacts));
    }
    // Newton's matrix is dense in this version; for few bodies its own guess will do.
    const double nv = 6.0 * static_cast<double>(scene_.bodies.size());
    const std::string stack =
        nv > 1000
            ? fmt::format("nstack='{:.0f}'", 2e7 + (*settings.solver == 'N' ? 3.5 : 0) * nv * nv)
            : "";
    text_ = fmt::format(
        "<mujoco><option timestep='{:.17g}' gravity='{}' solver='{}' {}/>"
        "<size njmax='{}' nconmax='{}' {}/><default>{}</default>"
        "<default><geom condim='{}' friction='{:.17g}'/></default><worldbody>",
        scene_.h, Numbers(scene_.gravity), settings.solver, OptionText(settings.stiffness), rows,
        contacts, stack, DefaultText(settings.stiffness, scene_.h), scene_.material.mu > 0 ? 3 : 1,
        scene_.material.mu);
  }

  void AddBody(int b) {
    const Body& body = scene_.bodies[b];
    const int parent = tree_[b] < 0 ? -1 : scene_.joints[tree_[b]].parent;
    const Pose place = parent < 0 ? body.start : scene_.bodies[parent].start.Inverse() * body.start;
    text_ += fmt::format("<body name='b{}' {}>", b, PoseText(place));
    if (tree_[b] < 0) {
      text_ += "<freejoint/>";
    } else {
      AddJoint(scene_.joints[tree_[b]], body.start.Inverse());
    }
    text_ += fmt::format("<inertial pos='0 0 0' mass='{:.17g}' diaginertia='{}'/>", body.mass,
                         Numbers(body.inertia));
    for (const Shape& shape : body.shapes) text_ += GeomText(shape);
    for (size_t c = 0; c < scene_.bodies.size(); ++c) {
      if (tree_[c] >= 0 && scene_.joints[tree_[c]].parent == b) AddBody(static_cast<int>(c));
    }
    text_ += "</body>";
  }

  void AddJoint(const Joint& joint, const Pose& X_BW) {
    text_ += fmt::format("<joint type='{}' pos='{}' axis='{}' ",
                         joint.kind == JointKind::kRevolute ? "hinge" : "slide",
                         Numbers(X_BW * joint.anchor), Numbers(X_BW.R * joint.axis));
    if (joint.is_limited()) {
      const double unit = joint.kind == JointKind::kRevolute ? 180 / kPi : 1;
      text_ += fmt::format("limited='true' range='{:.17g} {:.17g}'", unit * joint.lower,
                           unit * joint.upper);
    }
    text_ += "/>";
  }

  void AddPairs() {
    std::string contact, equality;
    for (const auto& [a, b] : scene_.apart) contact += Exclusion(a, b);
    for (const Joint& joint : scene_.joints) {
      if (!joint.closes_loop) continue;
      if (joint.kind != JointKind::kRevolute) {
        throw NotExpressible("MuJoCo closes loops by points only");
      }
      if (joint.parent >= 0) contact += Exclusion(joint.parent, joint.child);
      // A point of the pin: the rest of it is held by the tree in planar loops.
      equality +=
          fmt::format("<connect body1='b{}' {} anchor='{}'/>", joint.child,
                      joint.parent < 0 ? std::string() : fmt::format("body2='b{}'", joint.parent),
                      Numbers(scene_.bodies[joint.child].start.Inverse() * joint.anchor));
    }
    text_ += "<contact>" + contact + "</contact><equality>" + equality + "</equality>";
  }
  static std::string Exclusion(int a, int b) {
    return fmt::format("<exclude body1='b{}' body2='b{}'/>", a, b);
  }

  const Scene& scene_;
  std::vector<int> tree_;
  std::string text_;
};

class MujocoEngineWorld : public World {
 public:
  MujocoEngineWorld(const Scene& scene, const MujocoSettings& settings)
      : mujoco_(testing::MujocoModel::FromText(MujocoText(scene, settings).text())) {
    const std::vector<int> tree = ListTreeJoints(scene);
    dof_of_joint_.assign(scene.joints.size(), -1);
    for (size_t b = 0; b < scene.bodies.size(); ++b) {
      number_.push_back(mj_name2id(model(), mjOBJ_BODY, fmt::format("b{}", b).c_str()));
      const int dof = model()->body_dofadr[number_[b]];
      double* const v = mujoco_.data()->qvel + dof;
      const Body& body = scene.bodies[b];
      if (tree[b] >= 0) {
        v[0] = scene.joints[tree[b]].rate;
        dof_of_joint_[tree[b]] = dof;
      } else {
        Eigen::Map<Vec3>{v} = body.velocity;
        Eigen::Map<Vec3>{v + 3} = body.start.R.transpose() * body.spin;
      }
    }
    mj_forward(model(), mujoco_.data());
  }

  void Step(const Loads& loads) override {
    mjData* const d = mujoco_.data();
    mju_zero(d->xfrc_applied, 6 * model()->nbody);
    for (const Wrench& wrench : loads.wrenches) {
      Eigen::Map<Vec3>(d->xfrc_applied + 6 * number_[wrench.body]) += wrench.force;
      Eigen::Map<Vec3>(d->xfrc_applied + 6 * number_[wrench.body] + 3) += wrench.torque;
    }
    for (size_t j = 0; j < loads.joint_forces.size(); ++j) {
      if (dof_of_joint_[j] >= 0) d->qfrc_applied[dof_of_joint_[j]] = loads.joint_forces[j];
    }
    mj_step(model(), d);
    is_fresh_ = false;
    // It starts anew from the beginning after these.
    for (int w : {static_cast<int>(mjWARN_BADQACC), static_cast<int>(mjWARN_BADQPOS),
                  static_cast<int>(mjWARN_BADQVEL)}) {
      if (d->warning[w].number > 0) throw std::runtime_error("unstable: " + WarningText(w));
    }
  }
  Pose BodyPose(int body) const override {
    Refresh();
    const mjData* const d = mujoco_.data();
    const int b = number_[body];
    // The body's frame is at its centre of mass.
    return {Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(d->xmat + 9 * b),
            Eigen::Map<const Vec3>(d->xpos + 3 * b)};
  }
  Vec3 Velocity(int body) const override { return Rates(body).tail<3>(); }
  Vec3 Spin(int body) const override { return Rates(body).head<3>(); }
  double Mass(int body) const override { return model()->body_mass[number_[body]]; }
  double InertiaTrace(int body) const override {
    return Eigen::Map<const Vec3>(model()->body_inertia + 3 * number_[body]).sum();
  }
  int Contacts() const override { return mujoco_.data()->ncon; }
  std::string Complaint() const override {
    for (int w : {static_cast<int>(mjWARN_CONTACTFULL), static_cast<int>(mjWARN_CNSTRFULL)}) {
      if (mujoco_.data()->warning[w].number > 0) return WarningText(w);
    }
    return "";
  }

 private:
  const mjModel* model() const { return mujoco_.model(); }
  std::string WarningText(int w) const {
    return mju_warningText(w, mujoco_.data()->warning[w].lastinfo);
  }
  // Steps leave poses at the start of the step behind.
  void Refresh() const {
    if (is_fresh_) return;
    mj_kinematics(model(), mujoco_.data());
    mj_comPos(model(), mujoco_.data());
    mj_comVel(model(), mujoco_.data());
    is_fresh_ = true;
  }
  Vec6 Rates(int body) const {
    Refresh();
    Vec6 out;
    mj_objectVelocity(model(), mujoco_.data(), mjOBJ_BODY, number_[body], out.data(), 0);
    return out;
  }

  testing::MujocoModel mujoco_;
  std::vector<int> number_, dof_of_joint_;
  mutable bool is_fresh_ = true;
};

Engine MakeMujoco(const char* name, const MujocoSettings& settings, const std::string& words) {
  return {name, words + "; loops close at a point (connect)",
          [=](const Scene& scene) { return std::make_unique<MujocoEngineWorld>(scene, settings); }};
}

constexpr const char* kStiffWords =
    ", 100 iterations, tolerance 1e-12, elliptic cones; contacts, limits and loops with the least "
    "time "
    "constant allowed, 2h, impedance 0.9999, damping ratio 2 of contacts";

// Warnings are in the complaints.
void Hush() {
  mju_user_warning = [](const char*) {};
  mju_user_error = [](const char* message) { throw std::runtime_error(message); };
}

}  // namespace

std::vector<Engine> ListMujoco() {
  Hush();
  return {MakeMujoco("MuJoCo Newton", {"Newton", Stiffness::kMost},
                     std::string("Newton") + kStiffWords),
          MakeMujoco("MuJoCo CG", {"CG", Stiffness::kMost},
                     std::string("conjugate gradients") + kStiffWords),
          MakeMujoco("MuJoCo default", {"Newton", Stiffness::kDefault},
                     "as it comes: Newton, pyramids, time constant 0.02 s, impedance 0.9 to 0.95")};
}

// Conjugate gradients are advised for large systems; in this version the matrix of Newton's method
// is dense, and takes half a minute per factorisation for 1000 spheres.
std::vector<Engine> ListMujocoForBeds() {
  Hush();
  return {MakeMujoco("MuJoCo CG", {"CG", Stiffness::kBed},
                     "conjugate gradients, elliptic cones, sparse Jacobian; contacts with the "
                     "least time constant allowed, 2h, impedance 0.99; otherwise as it comes")};
}

}  // namespace voigt::peers
