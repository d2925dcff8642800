#include "voigt/sim/reactions.h"

#include "voigt/base/check.h"
#include "voigt/constraints/contact_rows.h"
#include "voigt/constraints/joint_rows.h"
#include "voigt/dynamics/joint_reactions.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

// Momentum and angular momentum about the centre of mass: [L; p].
Vec6 CalcCentralMomentum(const Kinematics& kin, int b) {
  const SpatialInertia& I = kin.I[b];
  if (I.mass == 0) return Vec6::Zero();
  Vec6 out;
  out << I.CentralMatrix() * kin.V[b].head<3>(), (I * kin.V[b]).tail<3>();
  return out;
}

Vec6 MakeWrench(const Vec3& torque, const Vec3& force) {
  Vec6 F;
  F << torque, force;
  return F;
}

}  // namespace

ReactionFinder::ReactionFinder(const Model& model)
    : kin0_(model), kin1_(model), forces_(model), tau_(VecX::Zero(model.nv())) {}

void ReactionFinder::AddMomentumRates(const Model& model, double h) {
  forces_.F[0].setZero();
  for (int b = 1; b < model.nb(); ++b) {
    const SpatialInertia& I = kin0_.I[b];
    forces_.F[b].setZero();
    if (I.mass == 0) continue;
    Vec6 F = (CalcCentralMomentum(kin1_, b) - CalcCentralMomentum(kin0_, b)) / h;
    F.tail<3>() -= I.mass * model.gravity();
    forces_.F[b] = ShiftForce(F, I.h / I.mass);
  }
}

void ReactionFinder::SubtractWrench(int body_A, int body_B, const Vec3& p_W, const Vec6& F) {
  forces_.F[body_B] -= ShiftForce(F, p_W - kin0_.X_WL[body_B].p);
  forces_.F[body_A] += ShiftForce(F, p_W - kin0_.X_WL[body_A].p);
}

// Rows of rates act within the joints and are no business of the bodies.
void ReactionFinder::SubtractConstraints(const Model& model, const State& state,
                                         const StepWorkspace& step, Reactions* out) {
  const double h = step.problem.h;
  rows_.h = h;
  rows_.pattern = step.problem.pattern;
  rows_.ClearRows();
  wrenches_.clear();
  ConstraintContext at{model, kin0_, step.q0, step.v_begin, state.t - h, h};
  at.drive = &step.actuation.drive();
  step.constraints.AddRows(at, &rows_, &wrenches_);
  friction_.clear();
  step.constraints.AddFriction(at, &rows_, &wrenches_, &friction_);
  VOIGT_CHECK(rows_.row_count() <= step.problem.row_count());
  for (const RowWrench& wrench : wrenches_) {
    const double lambda = step.gamma[wrench.row] / h;
    const Vec6 F = lambda * MakeWrench(wrench.torque, wrench.force);
    SubtractWrench(wrench.body_A, wrench.body_B, wrench.p, F);
    const int loop = step.constraints.loop_of(wrench.constraint);
    if (loop < 0) continue;
    const Joint& joint = model.loops()[loop];
    const Pose X_WM = CalcJointFrames(at, joint).X_WM;
    const Vec6 at_M = (joint.child == wrench.body_B ? 1 : -1) * ShiftForce(F, wrench.p - X_WM.p);
    out->loops[loop] +=
        MakeWrench(X_WM.R.transpose() * at_M.head<3>(), X_WM.R.transpose() * at_M.tail<3>());
  }
}

// Contacts follow one another as their groups do; the rows of a viscous damper come behind those of
// their contact.
void ReactionFinder::SubtractContacts(const StepWorkspace& step) {
  const VelocityProblem& problem = step.problem;
  const VecX& gamma = step.gamma;
  auto next = step.contacts.contacts().begin();
  for (const RowGroup& group : problem.groups) {
    if (group.constraint != kContactGroup && group.constraint != kViscousGroup) continue;
    const auto subtract = [&](const Contact& contact, const Vec3& torque, const Vec3& force) {
      SubtractWrench(contact.body_A, contact.body_B, contact.p_W,
                     MakeWrench(torque, force) / problem.h);
    };
    const int first = group.first_row;
    if (group.constraint == kViscousGroup) {
      const Mat3 frame = RotationWithZ(next[-1].n_W);
      subtract(next[-1], Vec3::Zero(),
               gamma[first] * frame.col(0) + gamma[first + 1] * frame.col(1));
    } else if (group.law != Law::kContact) {
      for (int k = 0; k < group.row_count; ++k, ++next) {
        subtract(*next, Vec3::Zero(), gamma[first + k] * next->n_W);
      }
    } else {
      const Mat3 frame = RotationWithZ(next->n_W);
      const Vec3 force = gamma[first] * next->n_W + gamma[first + 1] * frame.col(0) +
                         gamma[first + 2] * frame.col(1);
      Vec3 torque = Vec3::Zero();
      if (group.has_torsion()) torque += gamma[first + 3] * next->n_W;
      if (group.has_rolling()) {
        const int last = first + group.row_count - 1;
        torque += gamma[last - 1] * frame.col(0) + gamma[last] * frame.col(1);
      }
      subtract(*next, torque, force);
      ++next;
    }
  }
}

void ReactionFinder::Calc(const Model& model, const State& state, const StepWorkspace& step,
                          Reactions* out) {
  UpdatePositions(model, step.q0, &kin0_);
  UpdateVelocities(model, step.v_begin, &kin0_);
  UpdatePositions(model, state.q, &kin1_);
  UpdateVelocities(model, step.v_end, &kin1_);
  out->joints.assign(model.nb(), Vec6::Zero());
  out->loops.assign(model.loops().size(), Vec6::Zero());

  AddMomentumRates(model, step.problem.h);
  for (int b = 1; b < model.nb(); ++b) forces_.F[b] -= step.free.loads().F_ext()[b];
  SubtractConstraints(model, state, step, out);
  SubtractContacts(step);
  GatherForces(model, kin0_, &forces_.F, &tau_);
  for (int b = 1; b < model.nb(); ++b) {
    out->joints[b] = CalcJointReaction(model, kin0_, forces_, b);
  }
}

}  // namespace voigt
