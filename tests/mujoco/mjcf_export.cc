#include "tests/mujoco/mjcf_export.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "voigt/dynamics/kinematics.h"
#include "voigt/math/rotation.h"

namespace voigt::testing {
namespace {

std::string Numbers(const Vec3& v) { return fmt::format("{} {} {}", v[0], v[1], v[2]); }

class Exporter {
 public:
  explicit Exporter(const Model& model) : model_(model), kin_(model), children_(model.nb()) {
    UpdatePositions(model, model.NeutralCoordinates(), &kin_);
    for (int b = 1; b < model.nb(); ++b) children_[model.tree().parent[b]].push_back(b);
  }

  std::string Run() {
    out_ = fmt::format(
        "<mujoco>\n<compiler angle=\"radian\" boundmass=\"0\" boundinertia=\"0\"/>\n"
        "<option gravity=\"{}\"/>\n<worldbody>\n",
        Numbers(model_.gravity()));
    for (int b : children_[0]) WriteBody(b, Pose{});
    return out_ + "</worldbody>\n</mujoco>\n";
  }

 private:
  // MuJoCo's body frame is the link frame of the last link of a massless chain.
  void WriteBody(int b, const Pose& X_WP) {
    std::vector<int> chain = {b};
    while (model_.body(chain.back()).mass.mass == 0) {
      const auto& next = children_[chain.back()];
      if (next.size() != 1) throw std::runtime_error("a massless link must carry one link");
      chain.push_back(next[0]);
    }
    const int last = chain.back();
    const Pose X_WL = kin_.X_WL[last];
    const Pose X_PL = X_WP.Inverse() * X_WL;
    const Vec4 q = MatrixToQuaternion(X_PL.R);
    out_ += fmt::format("<body name=\"{}\" pos=\"{}\" quat=\"{} {} {} {}\">\n",
                        model_.body(last).name, Numbers(X_PL.p), q[0], q[1], q[2], q[3]);
    WriteInertia(last);
    for (int link : chain) WriteJoint(link, X_WL);
    for (int child : children_[last]) WriteBody(child, X_WL);
    out_ += "</body>\n";
  }

  void WriteInertia(int b) {
    const SpatialInertia& I = model_.tree().inertia[b];
    const Mat3 C = I.CentralMatrix();
    out_ += fmt::format("<inertial mass=\"{}\" pos=\"{}\" fullinertia=\"{} {} {} {} {} {}\"/>\n",
                        I.mass, Numbers(I.h / I.mass), C(0, 0), C(1, 1), C(2, 2), C(0, 1), C(0, 2),
                        C(1, 2));
  }

  void WriteJoint(int b, const Pose& X_WL) {
    const Tree& tree = model_.tree();
    const JointType type = tree.type[b];
    if (tree.reversed[b]) throw std::runtime_error("MJCF has no joints passed backwards");
    if (type == JointType::kFixed) return;
    if (type == JointType::kFree) {
      const int k = tree.v_start[b];
      for (const VecX* list : {&tree.armature, &tree.stiffness, &tree.damping}) {
        if (!list->segment<6>(k).isZero(0)) {
          throw std::runtime_error("a free joint has no armature, spring or damper in MJCF");
        }
      }
      out_ += fmt::format("<freejoint name=\"{}\"/>\n", model_.joint(b).name);
      return;
    }
    const int k = tree.v_start[b];
    const Vec3 position = X_WL.Inverse() * kin_.X_WL[b].p;
    std::string kind = "ball", axis;
    if (type == JointType::kRevolute || type == JointType::kPrismatic) {
      const bool turns = type == JointType::kRevolute;
      kind = turns ? "hinge" : "slide";
      const Vec3 direction = turns ? kin_.S[k].head<3>() : kin_.S[k].tail<3>();
      axis = fmt::format(" axis=\"{}\"", Numbers(X_WL.R.transpose() * direction));
    } else if (type != JointType::kBall) {
      throw std::runtime_error("no such joint in MJCF: " + std::string(ToString(type)));
    }
    out_ += fmt::format("<joint name=\"{}\" type=\"{}\" pos=\"{}\"{}{}/>\n", model_.joint(b).name,
                        kind, Numbers(position), axis, Passive(b));
  }

  // Armature, spring and damper of a joint, which MJCF takes alike for all its rates.
  std::string Passive(int b) {
    const Tree& tree = model_.tree();
    const int k = tree.v_start[b], count = tree.dof_count[b];
    for (const VecX* list : {&tree.armature, &tree.stiffness, &tree.damping}) {
      if ((list->segment(k, count).array() != (*list)[k]).any()) {
        throw std::runtime_error("MJCF has one armature, stiffness and damping for a ball joint");
      }
    }
    std::string out = fmt::format(" armature=\"{}\" stiffness=\"{}\" damping=\"{}\"",
                                  tree.armature[k], tree.stiffness[k], tree.damping[k]);
    const double rest = tree.rest[tree.q_start[b]];
    if (count == 1) return out + fmt::format(" springref=\"{}\"", rest);
    if (rest != 1) throw std::runtime_error("a ball joint's spring rests at zero in MJCF");
    return out;
  }

  const Model& model_;
  Kinematics kin_;
  std::vector<std::vector<int>> children_;
  std::string out_;
};

}  // namespace

std::string ExportMjcf(const Model& model) { return Exporter(model).Run(); }

}  // namespace voigt::testing
