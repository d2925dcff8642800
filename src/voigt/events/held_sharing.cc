// How joints of the tree and loops share a load that rigid bodies leave open.

#include <Eigen/QR>

#include "voigt/events/held_motion.h"

namespace voigt {

// Those on bilateral rows that move nothing which is free to move; the rows are in bilateral_.
const MatX& HeldMotion::CalcIdle() {
  bilateral_.clear();
  for (int j = 0; j < problem_.rows(); ++j) {
    if (problem_.laws[j] == AccelerationLaw::kBilateral) bilateral_.push_back(j);
  }
  const int held = static_cast<int>(bilateral_.size());
  idle_G_T_.resize(model_.nv(), held);
  for (int i = 0; i < held; ++i) idle_G_T_.col(i) = problem_.G.row(bilateral_[i]);
  for (int k = 0; k < model_.nv() && prescribed_.any(); ++k) {
    if (prescribed_.flags()[k]) idle_G_T_.row(k).setZero();
  }
  return idle_.Calc(idle_G_T_);
}

// The lever at which a joint's bearing bears moments, m; one where it has none.
double HeldMotion::FindLever(int body, const RowWrench* wrench) const {
  for (const auto* const list : {&finder_.guides(), &finder_.known_guides()}) {
    for (const Guide& guide : *list) {
      const bool is_own = IsOfJoint(finder_.constraints(), guide.rows, body, wrench);
      if (is_own && guide.rows.law.radius > 0) return guide.rows.law.radius;
    }
  }
  return 1;
}

// e = e₀ + E λ: what joints of the tree bear, and the multipliers of bilateral rows; moments as
// forces at the levers of bearings.
void HeldMotion::CalcLoads(MatX* E, VecX* e0) {
  const int count = problem_.rows(), joints = model_.nb() - 1;
  E->setZero(6 * joints + count, count);
  e0->setZero(6 * joints + count);
  for (int j = 0; j < count; ++j) {
    if (problem_.laws[j] != AccelerationLaw::kBilateral) continue;
    double lever = 1;
    for (const RowWrench& wrench : finder_.wrenches()) {
      const bool is_moment = wrench.row == rows_[j].row && wrench.force.isZero(0);
      if (is_moment) lever = FindLever(-1, &wrench);
    }
    (*E)(6 * joints + j, j) = 1 / lever;
  }
  const auto take = [&](Eigen::Ref<VecX> out) {
    for (int b = 1; b < model_.nb(); ++b) {
      out.segment<3>(6 * (b - 1)) = reactions_.CalcTreeForce(b);
      out.segment<3>(6 * (b - 1) + 3) = reactions_.CalcTreeMoment(b) / FindLever(b, nullptr);
    }
  };
  reactions_.Start(model_, finder_.kin(), problem_.v_dot_free, external_);
  take(*e0);
  for (int j = 0; j < count; ++j) {
    reactions_.AddRow(model_, finder_.kin(), problem_.response.col(j), rows_[j].row,
                      finder_.wrenches());
    take(E->col(j));
  }
}

// Least squares of the problem know multipliers alone. Forces Z z that move nothing go through
// joints of the tree, too, which are part of the load: with z = B λ + b least squares of both are
// λ + Z z, and normal forces are those of it.
void HeldMotion::ShareWithTree() {
  constexpr double kNothing = 1e-9;  // of forces in the loops
  has_shares_ = false;
  if (finder_.guides().empty() && finder_.known_guides().empty()) return;
  const MatX& idle = CalcIdle();
  if (idle.cols() == 0) return;
  MatX Z = MatX::Zero(problem_.rows(), idle.cols());
  for (int i = 0; i < idle.rows(); ++i) Z.row(bilateral_[i]) = idle.row(i);
  MatX E;
  VecX e0;
  CalcLoads(&E, &e0);
  const MatX EZ = E * Z;
  const int in_tree = 6 * (model_.nb() - 1);
  if (EZ.topRows(in_tree).cwiseAbs().maxCoeff() <= kNothing * EZ.cwiseAbs().maxCoeff()) return;
  const Eigen::ColPivHouseholderQR<MatX> least(EZ);
  has_shares_ = true;
  share_ = -Z * least.solve(E);
  share0_ = -Z * least.solve(e0);
  for (FrictionBlock& block : problem_.friction) {
    if (block.C.size() == 0) continue;
    block.n0 += block.C * share0_;
    block.C += (block.C * share_).eval();
  }
  for (size_t k = 0; k < known_C_.size(); ++k) {
    known_n0_[k] += known_C_[k] * share0_;
    known_C_[k] += (known_C_[k] * share_).eval();
  }
}

}  // namespace voigt
