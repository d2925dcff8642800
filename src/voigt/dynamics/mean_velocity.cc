#include "voigt/dynamics/mean_velocity.h"

#include <algorithm>
#include <cmath>

#include "voigt/dynamics/tree_dofs.h"
#include "voigt/math/tree_product.h"

namespace voigt {
namespace {

constexpr double kMostTurn = 0.5;  // rad

// Turns about its centre of mass, with the same moment about every axis.
bool IsRound(const Tree& tree, int b) {
  const Vec3& I = tree.principal_moments[b];
  return tree.is_free_body[b] && tree.inertia[b].h.isZero(0) &&
         I.maxCoeff() - I.minCoeff() <= 1e-14 * I.maxCoeff();
}

}  // namespace

MeanVelocity::MeanVelocity(const Model& model)
    : newton_euler_(model),
      energy_(model.nb(), 0.0),
      change_(model.nb(), 0.0),
      scale_(model.nb(), 1.0),
      c_(VecX::Zero(model.nv())),
      a_(VecX::Zero(model.nv())),
      v_(VecX::Constant(model.nv(), kNaN)) {
  for (int b = 1; b < model.nb(); ++b) {
    if (IsRound(model.tree(), b)) round_.push_back(b);
  }
}

void MeanVelocity::Update(const Model& model, const Configuration& start, const VecX& v1, double h,
                          const std::function<void(VecX*)>& solve_held, std::span<const int> sets) {
  const Tree& tree = model.tree();
  const Kinematics& kin = start.kin();
  v_ = v1;
  if (static_cast<int>(round_.size()) == tree.nb - 1) return;
  CalcInertialBias(model, kin, &newton_euler_, &c_);
  for (int b : round_) c_.segment<6>(tree.v_start[b]).setZero();
  if ((c_.array() == 0).all()) return;
  a_ = -c_;
  solve_held(&a_);
  // Of masses and stiffnesses that differ by more than double precision holds: they move with v₁.
  ForEachTree(tree, [&](int, int first, int count) {
    if (!a_.segment(first, count).allFinite()) a_.segment(first, count).setZero();
  });

  // Twice the kinetic energies of v₁ and of ½ h a.
  const auto set_of = [&](int root) { return sets.empty() ? root : sets[root]; };
  std::fill(energy_.begin(), energy_.end(), 0.0);
  std::fill(change_.begin(), change_.end(), 0.0);
  std::fill(scale_.begin(), scale_.end(), 1.0);
  for (int b = 1; b < tree.nb; ++b) {
    const int set = set_of(tree.root[b]);
    energy_[set] += kin.V[b].dot(kin.I[b] * kin.V[b]);
    if (!tree.is_free_body[b]) continue;
    const double turn = h * kin.V[b].head<3>().norm();
    scale_[set] = std::min(scale_[set], kMostTurn / std::max(turn, kMostTurn));
  }
  MultiplyPacked(tree.pattern, start.M(), a_, &p_);
  ForEachTree(tree, [&](int root, int first, int count) {
    change_[set_of(root)] += 0.25 * h * h * a_.segment(first, count).dot(p_.segment(first, count));
  });
  ForEachTree(tree, [&](int root, int first, int count) {
    const int set = set_of(root);
    const double scale = change_[set] > energy_[set] ? std::sqrt(energy_[set] / change_[set]) : 1;
    v_.segment(first, count) += 0.5 * h * std::min(scale, scale_[set]) * a_.segment(first, count);
  });
}

}  // namespace voigt
