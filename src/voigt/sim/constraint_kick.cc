#include "voigt/sim/constraint_kick.h"

#include <algorithm>
#include <cmath>

#include "voigt/dynamics/tree_dofs.h"

namespace voigt {
namespace {

// Most energy of a kick, as part of the kinetic energy of what is tied together. On a circle that
// is turned through by an angle α in a step, the kick is tan(α/2) of the speed: half a radian is
// not shortened.
constexpr double kMostEnergy = 0.0625;

}  // namespace

// v_ = M⁻¹ Gᵀ γ.
void ConstraintKick::CalcChange(const VelocityProblem& problem) {
  impulse_.setZero(problem.nv());
  problem.AddTransposed(gamma_, &impulse_);
  v_ = impulse_;
  problem.factor->Solve(*problem.pattern, v_);
}

bool ConstraintKick::Shorten(const Model& model, const VelocityProblem& problem,
                             const Kinematics& kin, std::span<const int> sets) {
  const Tree& tree = model.tree();
  energy_.assign(tree.nb, 0.0);
  kick_energy_.assign(tree.nb, 0.0);
  for (int b = 1; b < tree.nb; ++b)
    energy_[sets[tree.root[b]]] += kin.V[b].dot(kin.I[b] * kin.V[b]);
  ForEachTree(tree, [&](int root, int first, int count) {
    kick_energy_[sets[root]] += v_.segment(first, count).dot(impulse_.segment(first, count));
  });
  bool is_short = false;
  for (const RowGroup& group : problem.groups) {
    if (group.law != Law::kBilateral || group.col_count == 0) continue;
    const int set = sets[tree.root[tree.dof_body[problem.cols_of(group)[0]]]];
    const double most = kMostEnergy * energy_[set];
    if (!(kick_energy_[set] > most)) continue;
    gamma_.segment(group.first_row, group.row_count) *= std::sqrt(most / kick_energy_[set]);
    is_short = true;
  }
  return is_short;
}

bool ConstraintKick::Update(const Model& model, const VelocityProblem& problem,
                            const Configuration& start, const VecX& v1, const VecX& lambda,
                            std::span<const int> sets) {
  gamma_.setZero(problem.row_count());
  for (const RowGroup& group : problem.groups) {
    if (group.law != Law::kBilateral) continue;
    gamma_.segment(group.first_row, group.row_count) =
        0.5 * problem.h * lambda.segment(group.first_row, group.row_count);
  }
  if (gamma_.isZero(0) || !gamma_.allFinite()) return false;
  CalcChange(problem);
  if (Shorten(model, problem, start.kin(), sets)) CalcChange(problem);
  v_ += v1;
  return true;
}

}  // namespace voigt
