#include "voigt/sim/held_reporter.h"

#include "voigt/constraints/joint_rows.h"
#include "voigt/dynamics/joint_reactions.h"

namespace voigt {
namespace {

ContactState FindHeldState(const Hold* hold, const Touch& touch) {
  if (hold == nullptr || !(hold->force > 0)) return ContactState::kOpen;
  return hold->sticks() && touch.has_friction() ? ContactState::kStick : ContactState::kSlip;
}

}  // namespace

HeldReporter::HeldReporter(const Model& model)
    : newton_euler_(model), tau_(VecX::Zero(model.nv())) {}

void HeldReporter::ListContacts(const Model& model, const HeldForces& forces,
                                std::vector<ContactReport>* out) {
  const TouchFinder& finder = forces.motion().finder();
  std::vector<Contact> contacts;
  finder.ListContacts(&contacts);
  // The rows are those of a problem with h = 1: its impulses are forces.
  voigt::ListContacts(model, contacts, finder.problem(), forces.motion().row_force(), finder.kin(),
                      out);
  for (size_t k = 0; k < out->size(); ++k) {
    ContactReport& report = (*out)[k];
    report.depth = -contacts[k].phi;
    report.state = FindHeldState(FindHold(forces.holds(), report.id), *finder.Find(report.id));
  }
}

void HeldReporter::CalcReactions(const Model& model, const State& state, const HeldForces& forces,
                                 Reactions* out) {
  const HeldMotion& motion = forces.motion();
  const TouchFinder& finder = motion.finder();
  const Kinematics& kin = finder.kin();
  const ConstraintContext at{model, kin, state.q, state.v, state.t, 1};
  out->joints.assign(model.nb(), Vec6::Zero());
  out->loops.assign(model.loops().size(), Vec6::Zero());
  external_ = motion.loads();
  for (const RowWrench& wrench : finder.wrenches()) {
    Vec6 F;
    F << wrench.torque, wrench.force;
    F *= motion.row_force()[wrench.row];
    external_[wrench.body_B] += ShiftForce(F, wrench.p - kin.X_WL[wrench.body_B].p);
    external_[wrench.body_A] -= ShiftForce(F, wrench.p - kin.X_WL[wrench.body_A].p);
    const int loop = wrench.constraint < 0 ? -1 : finder.constraints().loop_of(wrench.constraint);
    if (loop < 0) continue;
    const Joint& joint = model.loops()[loop];
    const Pose X_WM = CalcJointFrames(at, joint).X_WM;
    const Vec6 at_M = (joint.child == wrench.body_B ? 1 : -1) * ShiftForce(F, wrench.p - X_WM.p);
    out->loops[loop].head<3>() += X_WM.R.transpose() * at_M.head<3>();
    out->loops[loop].tail<3>() += X_WM.R.transpose() * at_M.tail<3>();
  }
  CalcInverseDynamics(model, kin, &forces.v_dot(), &external_, &newton_euler_, &tau_);
  for (int b = 1; b < model.nb(); ++b) {
    out->joints[b] = CalcJointReaction(model, kin, newton_euler_, b);
  }
}

}  // namespace voigt
