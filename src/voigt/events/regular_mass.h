#pragma once

#include <vector>

#include "voigt/dynamics/configuration.h"

namespace voigt {

// M_r, the part of the mass matrix of rates that are free to respond: M itself, or, where the
// motion of some rates is prescribed, M with the identity in their place.
class RegularMass {
 public:
  // Belongs to the configuration and to the flags, which stay somebody else's.
  void Update(const Model& model, const Configuration& at, const std::vector<char>& prescribed,
              bool any_prescribed);

  // x ← M_r⁻¹ x for forces on all rates; zero for rates that are prescribed.
  void Solve(Eigen::Ref<VecX> x) const;

  const VecX& M() const { return prescribed_ == nullptr ? at_->M() : M_; }
  const TreeFactor& factor() const { return prescribed_ == nullptr ? at_->factor() : factor_; }

 private:
  const TreePattern* pattern_ = nullptr;
  const Configuration* at_ = nullptr;
  const std::vector<char>* prescribed_ = nullptr;  // null if none is
  VecX M_;
  TreeFactor factor_;
};

}  // namespace voigt
