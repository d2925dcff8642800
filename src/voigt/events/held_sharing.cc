// How joints of the tree and loops share a load that rigid bodies leave open.

#include "voigt/events/held_motion.h"

namespace voigt {

// Least squares of the problem know multipliers alone. Where what moves nothing goes through joints
// of the tree, too, those of both are λ + share λ + share₀, and normal forces are those of it.
void HeldMotion::ShareWithTree() {
  has_shares_ = false;
  bearings_.clear();
  for (const auto* const list : {&finder_.guides(), &finder_.known_guides()}) {
    for (const Guide& guide : *list) bearings_.push_back(guide.rows);
  }
  if (bearings_.empty()) return;
  bilateral_.clear();  // they come first
  for (const HeldRow& held : rows_) {
    if (held.hold < 0) bilateral_.push_back(held.row);
  }
  sharing_.Update(finder_.constraints(), finder_.kin(), finder_.problem(), bilateral_,
                  prescribed_.flags(), bearings_, finder_.wrenches());
  if (!sharing_.reaches_tree()) return;
  const int count = problem_.rows(), held = static_cast<int>(bilateral_.size());
  has_shares_ = true;
  share_.setZero(count, count);
  share0_.setZero(count);
  VecX own = VecX::Zero(held);
  reactions_.Start(model_, finder_.kin(), problem_.v_dot_free, external_);
  share0_.head(held) = sharing_.CalcChange(own, reactions_.forces());
  for (int j = 0; j < count; ++j) {
    reactions_.AddRow(model_, finder_.kin(), problem_.response.col(j), rows_[j].row,
                      finder_.wrenches());
    if (j < held) own = VecX::Unit(held, j);
    if (j == held) own.setZero();
    share_.col(j).head(held) = sharing_.CalcChange(own, reactions_.forces());
  }
  const auto share = [&](auto& n0, MatX& C) {
    n0 += C * share0_;
    C += (C * share_).eval();
  };
  for (FrictionBlock& block : problem_.friction) {
    if (block.C.size() > 0) share(block.n0, block.C);
  }
  for (size_t k = 0; k < known_C_.size(); ++k) share(known_n0_[k], known_C_[k]);
}

}  // namespace voigt
