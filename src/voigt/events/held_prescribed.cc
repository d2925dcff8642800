// What moves rates whose motion is prescribed has to bring up.

#include "voigt/events/held_motion.h"
#include "voigt/math/tree_product.h"

namespace voigt {

// τ = M v̇ + c − applied forces − Gᵀλ, of rates that are prescribed.
void HeldMotion::TakePrescribedForces(const VecX& v, const VecX& v_dot) {
  if (!prescribed_.any()) return;
  CalcInverseDynamics(model_, finder_.kin(), &v_dot, nullptr, &newton_euler_, &prescribed_force_);
  prescribed_force_ -= equations_.applied_force();
  prescribed_force_ -= contact_force_;
  if (!rows_.empty()) prescribed_force_.noalias() -= problem_.G.transpose() * lambda_;
  AddKnownFriction(v);
  for (int k = 0; k < model_.nv(); ++k) {
    if (!prescribed_.flags()[k]) prescribed_force_[k] = 0;
  }
  power_ += prescribed_force_.dot(v);
}

// M_uu Δv_u = −M_up Δv_p: no impulses on rates that are free.
void HeldMotion::TakeKink(double t, const VecX& q, VecX* v) {
  if (!prescribed_.any() || !configuration_.Update(model_, q)) return;
  UpdateMass();
  q_ = q;
  force_ = *v;
  prescribed_.SetMotion(t, &q_, v);
  target_ = *v - force_;
  rest_.resize(model_.nv());
  MultiplyPacked(model_.tree().pattern, configuration_.M(), target_, &rest_);
  mass_.Solve(rest_);
  *v -= rest_;
}

double HeldMotion::CalcRowRates(double t, const VecX& q, const VecX& v) {
  finder_.Update(t, q, v, TouchFinder::kLook);
  double most = 0;
  for (int row : finder_.bilateral_rows()) most = std::max(most, std::fabs(finder_.rates()[row]));
  return most;
}

// Friction of joints whose motion is prescribed: what moves them has it on top, and nothing else
// feels it. At rest it is anything up to its limit, and left out.
void HeldMotion::AddKnownFriction(const VecX& v) {
  known_friction_.assign(finder_.known_guides().size(), {});
  for (size_t k = 0; k < finder_.known_guides().size(); ++k) {
    const Guide& guide = finder_.known_guides()[k];
    KnownFriction& known = known_friction_[k];
    if (guide.rows.body < 0) continue;
    Vec3 n = known_n0_[k];
    if (!rows_.empty()) n += known_C_[k] * lambda_;
    known.normal_force = n.norm();
    const double rate = guide.rate.norm();
    if (rate <= kNoSlip) continue;
    known.friction = -guide.mu_sliding * known.normal_force / rate * guide.rate;
    force_.setZero(model_.nv());
    for (int i = 0; i < guide.rows.row_count; ++i) {
      AddRow(guide.rows.first_row + i, known.friction[i], &force_);
    }
    prescribed_force_ -= force_;
    friction_power_ += force_.dot(v);
  }
}

}  // namespace voigt
