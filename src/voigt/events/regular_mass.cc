#include "voigt/events/regular_mass.h"

namespace voigt {

void RegularMass::Update(const Model& model, const Configuration& at,
                         const std::vector<char>& prescribed, bool any_prescribed) {
  pattern_ = &model.tree().pattern;
  at_ = &at;
  prescribed_ = any_prescribed ? &prescribed : nullptr;
  if (!any_prescribed) return;
  M_ = at.M();
  for (int k = 0; k < pattern_->size(); ++k) {
    for (int j = 0; j <= pattern_->depth(k); ++j) {
      const int i = pattern_->path(k)[j];
      if (prescribed[k] || prescribed[i]) M_[pattern_->row_start(k) + j] = i == k ? 1 : 0;
    }
  }
  if (factor_.D_inverse().size() != pattern_->size()) factor_ = TreeFactor(*pattern_);
  factor_.Factor(*pattern_, M_);
}

void RegularMass::Solve(Eigen::Ref<VecX> x) const {
  if (prescribed_ != nullptr) {
    for (int k = 0; k < x.size(); ++k) x[k] = (*prescribed_)[k] ? 0 : x[k];
  }
  factor().Solve(*pattern_, x);
}

}  // namespace voigt
