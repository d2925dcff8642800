#include "voigt/sim/constraint_kick.h"

#include <algorithm>
#include <cmath>

#include "voigt/dynamics/tree_dofs.h"

namespace voigt {
namespace {

// Most energy of a kick, as part of the kinetic energy of a tree. On a circle that is turned
// through by an angle α in a step, the kick is tan(α/2) of the speed: half a radian is not
// shortened.
constexpr double kMostEnergy = 0.0625;

}  // namespace

// v_ = M⁻¹ Gᵀ γ.
void ConstraintKick::CalcChange(const VelocityProblem& problem) {
  impulse_.setZero(problem.nv());
  problem.AddTransposed(gamma_, &impulse_);
  v_ = impulse_;
  problem.factor->Solve(*problem.pattern, v_);
}

bool ConstraintKick::ShortenByTree(const Model& model, const VelocityProblem& problem,
                                   const Kinematics& kin) {
  const Tree& tree = model.tree();
  energy_.assign(tree.nb, 0.0);
  fraction_.assign(tree.nb, 1.0);
  for (int b = 1; b < tree.nb; ++b) energy_[tree.root[b]] += kin.V[b].dot(kin.I[b] * kin.V[b]);
  bool is_short = false;
  ForEachTree(tree, [&](int root, int first, int count) {
    const double kick = v_.segment(first, count).dot(impulse_.segment(first, count));
    const double most = kMostEnergy * energy_[root];
    if (kick > most) {
      fraction_[root] = std::sqrt(most / kick);
      is_short = true;
    }
  });
  if (!is_short) return false;
  for (const RowGroup& group : problem.groups) {
    double fraction = 1;
    for (int k : problem.cols_of(group)) {
      fraction = std::min(fraction, fraction_[tree.root[tree.dof_body[k]]]);
    }
    gamma_.segment(group.first_row, group.row_count) *= fraction;
  }
  return true;
}

bool ConstraintKick::Update(const Model& model, const VelocityProblem& problem,
                            const Configuration& start, const VecX& v1, const VecX& lambda) {
  gamma_.setZero(problem.row_count());
  for (const RowGroup& group : problem.groups) {
    if (group.law != Law::kBilateral) continue;
    gamma_.segment(group.first_row, group.row_count) =
        0.5 * problem.h * lambda.segment(group.first_row, group.row_count);
  }
  if (gamma_.isZero(0) || !gamma_.allFinite()) return false;
  CalcChange(problem);
  if (ShortenByTree(model, problem, start.kin())) CalcChange(problem);
  v_ += v1;
  return true;
}

}  // namespace voigt
