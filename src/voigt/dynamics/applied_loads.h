#pragma once

#include <vector>

#include "voigt/dynamics/kinematics.h"
#include "voigt/model/inputs.h"
#include "voigt/model/time_function.h"

namespace voigt {

// The loads of a model: forces and torques on bodies and joints as functions of time, and those
// that a controller adds.
class AppliedLoads {
 public:
  AppliedLoads() = default;
  explicit AppliedLoads(const Model& model);

  // Evaluates all loads at time t and the positions in kin.
  void Update(const Model& model, const Kinematics& kin, const Inputs& inputs, double t);

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

  void AddForce(const Model& model, const Kinematics& kin, int body, const Vec3& p_W,
                const Vec6& F);

  std::vector<OnBody> on_bodies_;
  std::vector<OnDof> on_dofs_;
  VecX tau_;
  std::vector<Vec6> F_ext_;
  std::vector<int> loaded_;  // bodies whose F_ext_ was set
};

}  // namespace voigt
