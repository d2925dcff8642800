// Impacts by `working`, with the friction of joints: the equations of held motion on rates, in
// place of accelerations.

#include "voigt/events/held_motion.h"
#include "voigt/events/restitution_limit.h"
#include "voigt/math/tree_product.h"

namespace voigt {

double HeldMotion::CalcKineticEnergy(const VecX& v) {
  target_.resize(v.size());
  MultiplyPacked(model_.tree().pattern, configuration_.M(), v, &target_);
  return 0.5 * v.dot(target_);
}

// Contacts and limits that are closed, and the friction of joints: all of it may come to a stop.
void HeldMotion::ListStruck(double reach) {
  struck_.clear();
  for (const Touch& touch : finder_.touches()) {
    if (touch.is_soft() || touch.is_known || touch.phi > reach) continue;
    Hold& hold = struck_.emplace_back();
    hold.id = touch.id;
    hold.state = Stiction::kStick;
  }
  struck_count_ = static_cast<int>(struck_.size());
  for (const Guide& guide : finder_.guides()) {
    if (guide.normal_touch != 0 && FindHold(struck_, guide.normal_touch) == nullptr) continue;
    Hold& hold = struck_.emplace_back();
    hold.id = guide.id;
    hold.is_guide = true;
    hold.state = Stiction::kStick;
  }
}

bool HeldMotion::Strike(double t, const VecX& q, double reach, VecX* v) {
  was_limited_ = false;
  if (!by_working_ || !configuration_.Update(model_, q)) return false;
  UpdateMass();
  finder_.Update(t, q, *v, TouchFinder::kLook);
  ListStruck(reach);
  ListRows(struck_, Tangents::kAll);
  if (rows_.empty()) return false;
  curvature_.setZero(finder_.problem().row_count());
  for (const HeldRow& held : rows_) curvature_[held.row] = finder_.phi_t(held.row);
  problem_.v_dot_free = *v;
  SetRows();
  const VecX u = problem_.a0;
  AddBlocks(struck_, true);
  external_.assign(model_.nb(), Vec6::Zero());
  AddReactions();
  ShareWithTree();
  // Friction is that of sliding, at the speeds before the impact.
  for (size_t b = 0; b < problem_.friction.size(); ++b) {
    const Guide* const guide = block_guide_[b];
    problem_.friction[b].mu =
        guide != nullptr ? guide->mu_sliding : finder_.Find(struck_[block_hold_[b]].id)->mu;
  }
  VecX restitution = VecX::Zero(problem_.rows());
  for (size_t j = 0; j < rows_.size(); ++j) {
    if (!rows_[j].is_normal) continue;
    restitution[static_cast<int>(j)] = finder_.Find(struck_[rows_[j].hold].id)->restitution;
  }
  VecX compression;
  if (!working_.SolveImpact(problem_, u, restitution, &compression, &lambda_)) return false;
  const double before = CalcKineticEnergy(*v);
  const VecX v_compressed = *v + problem_.response * compression;
  *v += problem_.response * lambda_;
  if (!is_driven()) {
    const auto calc = [this](const VecX& x) { return CalcKineticEnergy(x); };
    was_limited_ = LimitRestitution(before, v_compressed, calc, v);
  }
  return v->allFinite();
}

}  // namespace voigt
