#pragma once

#include <vector>

#include "voigt/dynamics/kinematics.h"
#include "voigt/model/time_function.h"

namespace voigt {

// The loads of a model: forces and torques on bodies and joints as functions of time.
class AppliedLoads {
 public:
  AppliedLoads() = default;
  explicit AppliedLoads(const Model& model);

  // Evaluates all loads at time t and the positions in kin.
  void Update(const Model& model, const Kinematics& kin, double t);

  // As joint forces, body loads included: Jᵀ F.
  const VecX& tau() const { return tau_; }

  // Body loads as forces [torque; force] at link origins, per body.
  const std::vector<Vec6>& F_ext() const { return F_ext_; }

 private:
  struct OnBody {
    int body;
    Vec3 point;
    LoadFrame frame;
    std::vector<CompiledTimeFunction> components;  // torque x y z, force x y z
  };
  struct OnDof {
    int dof;
    CompiledTimeFunction force;
  };

  std::vector<OnBody> on_bodies_;
  std::vector<OnDof> on_dofs_;
  VecX tau_;
  std::vector<Vec6> F_ext_;
};

}  // namespace voigt
