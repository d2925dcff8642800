#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string>

#include "voigt/math/types.h"

namespace voigt::testing {

// A MuJoCo model and its data, owned.
class MujocoModel {
 public:
  // Both throw std::runtime_error with MuJoCo's message.
  static MujocoModel FromText(const std::string& xml);
  static MujocoModel FromFile(const std::string& path);

  const mjModel* model() const { return model_.get(); }
  mjData* data() const { return data_.get(); }

  void SetState(const VecX& q, const VecX& v);
  void SetTimestep(double h) { model_->opt.timestep = h; }

  // Takes springs off all joints and tendons.
  void RemoveSprings();

  // The dense mass matrix, the bias and the energies at the present state, as MuJoCo has them.
  MatX MassMatrix() const;
  VecX Bias() const;
  double KineticEnergy() const;
  double PotentialEnergy() const;  // of gravity and springs

 private:
  explicit MujocoModel(mjModel* model);
  double CalcEnergy(int which) const;

  struct Delete {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
};

}  // namespace voigt::testing
