#include "voigt/constraints/joint_rows.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>

#include "voigt/base/check.h"

namespace voigt {
namespace {

struct Wrench {
  Vec3 torque = Vec3::Zero(), force = Vec3::Zero();
};

// Where an angle is undefined, its derivative is infinite; numbers stay finite all the same.
constexpr double kDegenerate = 1e-9;

// The two angles of a universal joint: atan2(z_F · y_M, y_F · y_M) and atan2(x_F · z_M, x_F · x_M).
Vec3 UniversalGradient(const Mat3& F, const Mat3& M, int k) {
  const auto x_F = F.col(0), y_F = F.col(1), z_F = F.col(2);
  const auto x_M = M.col(0), y_M = M.col(1), z_M = M.col(2);
  const double cosine = k == 0 ? y_F.dot(y_M) : x_F.dot(x_M);
  const double sine = k == 0 ? z_F.dot(y_M) : x_F.dot(z_M);
  const double norm = std::max(cosine * cosine + sine * sine, kDegenerate);
  if (k == 0) return y_M.cross(cosine * z_F - sine * y_F) / norm;
  return (cosine * z_M - sine * x_M).cross(x_F) / norm;
}

// What acts on the child when rate k is pushed: the rate is torque · ω + force · v of M in F, both
// at the origin of M.
Wrench CalcRateWrench(JointType type, const JointFrames& frames, int k) {
  const Mat3 &F = frames.X_WF.R, &M = frames.X_WM.R;
  const Vec3 none = Vec3::Zero();
  switch (type) {
    case JointType::kFixed:
      break;
    case JointType::kRevolute:
    case JointType::kScrew:
      return {CalcAngleGradient(F.col(2), M.col(2)), none};
    case JointType::kPrismatic:
      return {none, F.col(2)};
    case JointType::kCylindrical:
      if (k == 0) return {CalcAngleGradient(F.col(2), M.col(2)), none};
      return {none, F.col(2)};
    case JointType::kUniversal:
      return {UniversalGradient(F, M, k), none};
    case JointType::kPlanar:
      if (k == 2) return {CalcAngleGradient(F.col(2), M.col(2)), none};
      return {none, F.col(k)};
    case JointType::kBall:
      return {M.col(k), none};
    case JointType::kFree:
      if (k < 3) return {none, F.col(k)};
      return {M.col(k - 3), none};
  }
  return {};
}

}  // namespace

Vec3 CalcAngleGradient(const Vec3& z_F, const Vec3& z_M) {
  return (z_F + z_M) / std::max(1 + z_F.dot(z_M), kDegenerate);
}

JointFrames CalcJointFrames(const ConstraintContext& at, const Joint& joint) {
  return {joint.parent, joint.child, CalcBodyPose(at.model, at.kin, joint.parent) * joint.X_PF,
          CalcBodyPose(at.model, at.kin, joint.child) * joint.X_CM};
}

JointRows JointRows::OfTree(const Model& model, int b) {
  JointRows out;
  out.index_ = b;
  out.parent_ = model.joint(b).parent;
  out.child_ = model.joint(b).child;
  out.type_ = model.joint(b).type;
  out.dof_count_ = DofCount(out.type_);
  out.v_start_ = model.tree().v_start[b];
  out.q_start_ = model.tree().q_start[b];
  return out;
}

JointRows JointRows::OfLoop(const Model& model, int loop) {
  JointRows out;
  out.is_loop_ = true;
  out.index_ = loop;
  out.parent_ = model.loops()[loop].parent;
  out.child_ = model.loops()[loop].child;
  out.type_ = model.loops()[loop].type;
  out.dof_count_ = DofCount(out.type_);
  return out;
}

std::optional<JointRows> JointRows::Find(const Model& model, std::string_view name) {
  if (const auto body = model.FindJoint(name)) return OfTree(model, *body);
  if (const auto loop = model.FindLoop(name)) return OfLoop(model, *loop);
  return std::nullopt;
}

void JointRows::CalcCoordinates(const ConstraintContext& at, const double* hint, double* q) const {
  if (!is_loop_) {
    std::copy_n(at.q.data() + q_start_, CoordinateCount(type_), q);
    return;
  }
  const Joint& j = joint(at.model);
  const JointFrames frames = CalcJointFrames(at, j);
  FitCoordinates(type_, j.pitch, frames.X_WF.Inverse() * frames.X_WM, hint, q);
}

double JointRows::CalcCoordinate(const ConstraintContext& at, int k, double hint) const {
  VOIGT_DCHECK(!HasQuaternion(type_));
  if (!is_loop_) return at.q[q_start_ + k];
  std::array<double, kMaxJointDofs> hints{}, q;
  hints[k] = hint;
  CalcCoordinates(at, hints.data(), q.data());
  return q[k];
}

void JointRows::BeginOne(Law law, int k, RowWriter* rows) const {
  if (is_loop_) {
    rows->BeginOnBodies(law, parent_, child_);
  } else {
    const int dof = v_start_ + k;
    rows->BeginOnRates(law, {&dof, 1});
  }
}

Row* JointRows::AddOne(const ConstraintContext& at, int k, double factor, double phi,
                       RowWriter* rows) const {
  Row* row = nullptr;
  if (is_loop_) {
    const JointFrames frames = CalcJointFrames(at, joint(at.model));
    const Wrench wrench = CalcRateWrench(type_, frames, k);
    row = rows->AddWrench(phi, frames.X_WM.p, factor * wrench.torque, factor * wrench.force);
  } else {
    row = rows->AddRates(phi, {&factor, 1});
  }
  row->angular = IsAngular(k);
  return row;
}

void JointRows::BeginAll(Law law, RowWriter* rows) const {
  if (is_loop_) {
    rows->BeginOnBodies(law, parent_, child_);
    return;
  }
  std::array<int, kMaxJointDofs> dofs;
  for (int k = 0; k < dof_count_; ++k) dofs[k] = v_start_ + k;
  rows->BeginOnRates(law, {dofs.data(), static_cast<size_t>(dof_count_)});
}

Row* JointRows::AddMixed(const ConstraintContext& at, const double* factors, double phi,
                         RowWriter* rows) const {
  if (!is_loop_) return rows->AddRates(phi, {factors, static_cast<size_t>(dof_count_)});
  const JointFrames frames = CalcJointFrames(at, joint(at.model));
  Wrench sum;
  for (int k = 0; k < dof_count_; ++k) {
    const Wrench wrench = CalcRateWrench(type_, frames, k);
    sum.torque += factors[k] * wrench.torque;
    sum.force += factors[k] * wrench.force;
  }
  return rows->AddWrench(phi, frames.X_WM.p, sum.torque, sum.force);
}

void JointRows::AppendColumns(const Model& model, int k, std::vector<int>* cols) const {
  if (is_loop_) {
    voigt::AppendColumns(model.tree(), parent_, child_, cols);
  } else {
    cols->push_back(v_start_ + k);
  }
}

void JointRows::AddToRow(const ConstraintContext& at, int k, double factor, RowWriter* rows) const {
  if (!is_loop_) {
    rows->AddRateToRow(v_start_ + k, factor);
    return;
  }
  const JointFrames frames = CalcJointFrames(at, joint(at.model));
  const Wrench wrench = CalcRateWrench(type_, frames, k);
  rows->AddWrenchToRow(parent_, child_, frames.X_WM.p, factor * wrench.torque,
                       factor * wrench.force);
}

}  // namespace voigt
