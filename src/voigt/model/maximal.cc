#include "voigt/model/maximal.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "voigt/base/check.h"
#include "voigt/math/rotation.h"
#include "voigt/math/spatial.h"
#include "voigt/model/joint_motion.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

// Pose and velocity [ω; v] of a body's own frame, in world axes.
struct BodyMotion {
  Pose X;
  Vec6 V = Vec6::Zero();
};

// A frame fixed to a body moves with it.
BodyMotion OnBody(const BodyMotion& body, const Pose& X_BF) {
  return {body.X * X_BF, ShiftMotion(body.V, body.X.R * X_BF.p)};
}

// The other end of a joint: from the motion of one side to that of the other.
BodyMotion AcrossJoint(const Joint& joint, bool reversed, const BodyMotion& inboard,
                       const double* q, const double* v) {
  const Pose X_FM = CalcJointPose(joint.type, joint.pitch, q);
  BodyMotion outboard;
  outboard.X = inboard.X * (reversed ? X_FM.Inverse() : X_FM);
  const Mat3& R_WF = reversed ? outboard.X.R : inboard.X.R;
  const Mat3& R_WM = reversed ? inboard.X.R : outboard.X.R;
  Vec6 S[kMaxJointDofs];
  CalcJointAxes(joint.type, joint.pitch, R_WF, R_WM, S);
  Vec6 V_FM = Vec6::Zero();  // motion of M in F, at the origin of M
  for (int k = 0; k < DofCount(joint.type); ++k) V_FM += S[k] * v[k];
  const Vec3 arm = outboard.X.p - inboard.X.p;
  outboard.V = ShiftMotion(inboard.V, arm);
  outboard.V += reversed ? Vec6(-ShiftMotion(V_FM, arm)) : V_FM;
  return outboard;
}

std::vector<BodyMotion> CalcBodyMotions(const Model& model, const State& state) {
  const Tree& tree = model.tree();
  std::vector<BodyMotion> motion(model.nb());
  for (int b = 1; b < model.nb(); ++b) {
    const Joint& joint = model.joint(b);
    const bool reversed = tree.reversed[b];
    const BodyMotion inboard = OnBody(motion[tree.parent[b]], reversed ? joint.X_CM : joint.X_PF);
    const BodyMotion outboard =
        AcrossJoint(joint, reversed, inboard, state.q.data() + tree.q_start[b],
                    state.v.data() + tree.v_start[b]);
    motion[b] = OnBody(outboard, (reversed ? joint.X_PF : joint.X_CM).Inverse());
  }
  return motion;
}

// Bodies keep their names, not their numbers.
void RenumberWrenches(const Model& from, const Model& to, Inputs* inputs) {
  for (AppliedWrench& wrench : inputs->wrenches) {
    wrench.body = *to.FindBody(from.body(wrench.body).name);
  }
}

}  // namespace

Model ToMaximal(const Model& model) {
  ModelSpec spec = model.spec();
  std::unordered_set<std::string> taken;
  for (JointSpec& joint : spec.joints) {
    joint.tree = TreeChoice::kLoop;
    taken.insert(joint.name);
  }
  for (const BodySpec& body : spec.bodies) {
    JointSpec free;
    free.name = "free:" + body.name;
    while (taken.contains(free.name)) free.name += "'";
    free.type = JointType::kFree;
    free.child = body.name;
    free.tree = TreeChoice::kTree;
    spec.joints.push_back(free);
  }
  return ModelBuilder(std::move(spec)).Build();
}

State ToMaximalState(const Model& model, const State& state, const Model& maximal) {
  VOIGT_CHECK(state.q.size() == model.nq() && state.v.size() == model.nv());
  const std::vector<BodyMotion> motion = CalcBodyMotions(model, state);
  State out = state;
  // Forces on rates of tree joints have no counterpart; wrenches on bodies have.
  VOIGT_CHECK(state.inputs.joint_force.isZero(0));
  out.inputs.joint_force.resize(0);
  RenumberWrenches(model, maximal, &out.inputs);
  out.q.resize(maximal.nq());
  out.v.resize(maximal.nv());
  for (int b = 1; b < model.nb(); ++b) {
    const int m = *maximal.FindBody(model.body(b).name);
    const int q_start = maximal.tree().q_start[m], v_start = maximal.tree().v_start[m];
    const BodyMotion& body = motion[b];
    out.q.segment<3>(q_start) = body.X.p;
    out.q.segment<4>(q_start + 3) = MatrixToQuaternion(body.X.R);
    out.v.segment<3>(v_start) = body.V.tail<3>();
    out.v.segment<3>(v_start + 3) = body.X.R.transpose() * body.V.head<3>();
  }
  return out;
}

MinimalState ToMinimalState(const Model& maximal, const State& state, const Model& model,
                            const State& hint) {
  VOIGT_CHECK(state.q.size() == maximal.nq() && state.v.size() == maximal.nv());
  VOIGT_CHECK(hint.q.size() == model.nq());
  const Tree& tree = model.tree();
  const std::vector<BodyMotion> given = CalcBodyMotions(maximal, state);
  const auto motion_of = [&](int b) {
    return b == 0 ? BodyMotion{} : given[*maximal.FindBody(model.body(b).name)];
  };
  MinimalState out;
  out.state = state;
  VOIGT_CHECK(state.inputs.joint_force.isZero(0));
  RenumberWrenches(maximal, model, &out.state.inputs);
  out.state.inputs.joint_force.resize(0);
  out.state.q.resize(model.nq());
  out.state.v.resize(model.nv());
  for (int b = 1; b < model.nb(); ++b) {
    const Joint& joint = model.joint(b);
    const BodyMotion F = OnBody(motion_of(joint.parent), joint.X_PF);
    const BodyMotion M = OnBody(motion_of(joint.child), joint.X_CM);
    double* const q = out.state.q.data() + tree.q_start[b];
    double* const v = out.state.v.data() + tree.v_start[b];

    // Coordinates from the relative pose, rates from the relative motion, both in axes of F.
    const Pose X_FM = F.X.Inverse() * M.X;
    FitCoordinates(joint.type, joint.pitch, X_FM, hint.q.data() + tree.q_start[b], q);
    const Vec6 V_W = M.V - ShiftMotion(F.V, M.X.p - F.X.p);
    Vec6 V_FM;
    V_FM << F.X.R.transpose() * V_W.head<3>(), F.X.R.transpose() * V_W.tail<3>();
    FitRates(joint.type, joint.pitch, X_FM.R, V_FM, v);

    // What the joint cannot represent.
    const Pose fitted = CalcJointPose(joint.type, joint.pitch, q);
    Vec6 S[kMaxJointDofs];
    CalcJointAxes(joint.type, joint.pitch, Mat3::Identity(), X_FM.R, S);
    Vec6 rest = V_FM;
    for (int k = 0; k < DofCount(joint.type); ++k) rest -= S[k] * v[k];
    const Vec3 rotation = QuaternionLog(MatrixToQuaternion(fitted.R.transpose() * X_FM.R));
    out.position_error = std::max(out.position_error, (fitted.p - X_FM.p).norm());
    out.rotation_error = std::max(out.rotation_error, rotation.norm());
    out.velocity_error =
        std::max({out.velocity_error, rest.head<3>().norm(), rest.tail<3>().norm()});
  }
  return out;
}

}  // namespace voigt
