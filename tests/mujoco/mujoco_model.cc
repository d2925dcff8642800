#include "tests/mujoco/mujoco_model.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace voigt::testing {

MujocoModel::MujocoModel(mjModel* model) : model_(model), data_(mj_makeData(model)) {}

MujocoModel MujocoModel::FromText(const std::string& xml) {
  // MuJoCo reads XML from files only; a virtual one serves.
  auto vfs = std::make_unique<mjVFS>();
  mj_defaultVFS(vfs.get());
  mj_makeEmptyFileVFS(vfs.get(), "model.xml", static_cast<int>(xml.size()));
  std::memcpy(vfs->filedata[mj_findFileVFS(vfs.get(), "model.xml")], xml.data(), xml.size());
  char error[1000] = "";
  mjModel* const model = mj_loadXML("model.xml", vfs.get(), error, sizeof(error));
  mj_deleteVFS(vfs.get());
  if (model == nullptr) throw std::runtime_error(error);
  return MujocoModel(model);
}

MujocoModel MujocoModel::FromFile(const std::string& path) {
  char error[1000] = "";
  mjModel* const model = mj_loadXML(path.c_str(), nullptr, error, sizeof(error));
  if (model == nullptr) throw std::runtime_error(error);
  return MujocoModel(model);
}

void MujocoModel::SetState(const VecX& q, const VecX& v) {
  std::copy(q.begin(), q.end(), data_->qpos);
  std::copy(v.begin(), v.end(), data_->qvel);
  mj_kinematics(model_.get(), data_.get());
  mj_comPos(model_.get(), data_.get());
  mj_crb(model_.get(), data_.get());
  mj_factorM(model_.get(), data_.get());
  mj_comVel(model_.get(), data_.get());
}

MatX MujocoModel::MassMatrix() const {
  const int nv = model_->nv;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M(nv, nv);
  mj_fullM(model_.get(), M.data(), data_->qM);
  return M;
}

void MujocoModel::RemoveSprings() {
  std::fill_n(model_->jnt_stiffness, model_->njnt, 0.0);
  std::fill_n(model_->tendon_stiffness, model_->ntendon, 0.0);
}

// MuJoCo computes energies only while asked to, which would slow its steps.
double MujocoModel::CalcEnergy(int which) const {
  const int flags = std::exchange(model_->opt.enableflags, mjENBL_ENERGY);
  mj_energyPos(model_.get(), data_.get());
  mj_energyVel(model_.get(), data_.get());
  model_->opt.enableflags = flags;
  return data_->energy[which];
}

double MujocoModel::PotentialEnergy() const { return CalcEnergy(0); }

double MujocoModel::KineticEnergy() const { return CalcEnergy(1); }

VecX MujocoModel::Bias() const {
  VecX bias(model_->nv);
  mj_rne(model_.get(), data_.get(), /*flg_acc=*/0, bias.data());
  return bias;
}

}  // namespace voigt::testing
