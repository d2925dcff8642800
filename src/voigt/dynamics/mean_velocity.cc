#include "voigt/dynamics/mean_velocity.h"

#include <algorithm>
#include <cmath>

#include "voigt/dynamics/tree_dofs.h"

namespace voigt {

MeanVelocity::MeanVelocity(const Model& model)
    : newton_euler_(model),
      energy_(model.nb(), 0.0),
      c_(VecX::Zero(model.nv())),
      a_(VecX::Zero(model.nv())),
      v_(VecX::Constant(model.nv(), kNaN)) {}

void MeanVelocity::Update(const Model& model, const Configuration& start, const VecX& v1, double h,
                          const std::function<void(VecX*)>& solve_held) {
  const Tree& tree = model.tree();
  const Kinematics& kin = start.kin();
  CalcInertialBias(model, kin, &newton_euler_, &c_);
  v_ = v1;
  if ((c_.array() == 0).all()) return;
  a_ = -c_;
  solve_held(&a_);

  // ‖½ h a‖² in the metric of H is −¼ h² aᵀ c; ‖v₁‖² in that of M is twice the kinetic energy.
  std::fill(energy_.begin(), energy_.end(), 0.0);
  for (int b = 1; b < tree.nb; ++b) energy_[tree.root[b]] += kin.V[b].dot(kin.I[b] * kin.V[b]);
  ForEachTree(tree, [&](int root, int first, int count) {
    const auto a = a_.segment(first, count);
    const double change = -0.25 * h * h * a.dot(c_.segment(first, count));
    const double scale = change > energy_[root] ? std::sqrt(energy_[root] / change) : 1;
    v_.segment(first, count) += 0.5 * h * scale * a;
  });
}

}  // namespace voigt
