#include "voigt/dynamics/free_velocity.h"

#include "voigt/base/check.h"
#include "voigt/dynamics/gravity.h"
#include "voigt/dynamics/joint_springs.h"

namespace voigt {

FreeVelocity::FreeVelocity(const Model& model)
    : loads_(model),
      drives_(model),
      M_(VecX::Zero(model.tree().pattern.nonzeros())),
      rhs_(VecX::Zero(model.nv())),
      v_star_(VecX::Constant(model.nv(), kNaN)),
      implicit_damping_(VecX::Zero(model.nv())),
      mean_(VecX::Zero(model.nv())),
      factor_(model.tree().pattern),
      is_implicit_(model.tree().has_springs || (model.tree().damping.array() > 0).any() ||
                   drives_.has_feedback()) {}

bool FreeVelocity::Update(const Model& model, const Configuration& start, const State& state,
                          const VecX& drive, double h) {
  VOIGT_DCHECK(h > 0);

  // Forces at the start of the step; drives with the targets of its end.
  loads_.Update(model, start.kin(), state.inputs, state.t);
  drives_.Update(model, state.t + h, drive, state.q, state.v);
  rhs_ = loads_.tau();
  drives_.AddForces(state.q, state.v, &rhs_);
  AddGravityForces(model, start.kin(), start.composite(), &rhs_);
  if (is_implicit_ && !AddImplicitForces(model, start, state, h)) {
    v_star_.setConstant(kNaN);
    return false;
  }
  rhs_ *= h;
  Solve(model, start, &rhs_);
  v_star_ = state.v + rhs_;
  return true;
}

// What moving on changes in springs, dampers and drives: h² Aᵀ K A, and h K_s + B + B_s, which acts
// like a damper on v*. The drives' own damping is in their force already.
bool FreeVelocity::AddImplicitForces(const Model& model, const Configuration& start,
                                     const State& state, double h) {
  const Tree& tree = model.tree();
  M_ = start.M();
  AddImplicitSprings(model, state.q, state.v, h, &rhs_, &M_);
  implicit_damping_ = h * drives_.stiffness() + tree.damping;
  rhs_.array() -= implicit_damping_.array() * state.v.array();
  implicit_damping_ += drives_.damping();
  for (int k = 0; k < tree.nv; ++k) {
    M_[tree.pattern.row_start(k) + tree.pattern.depth(k)] += h * implicit_damping_[k];
  }
  return factor_.Factor(tree.pattern, M_) < 0;
}

void FreeVelocity::CalcDriveForces(const VecX& q0, const VecX& v1, double h, VecX* force) const {
  force->setZero(v1.size());
  if (drives_.empty()) return;
  drives_.AddForces(q0, v1, force);
  force->array() -= h * drives_.stiffness().array() * v1.array();
}

ForceWork FreeVelocity::CalcWork(const Model& model, const VecX& q0, const VecX& v0, const VecX& v1,
                                 double h) {
  ForceWork out;
  mean_ = 0.5 * h * (v0 + v1);
  out.loads = loads_.tau().dot(mean_);
  if (!is_implicit_ && drives_.empty()) return out;
  VecX& force = rhs_;
  CalcDriveForces(q0, v1, h, &force);
  out.servos = drives_.CalcServoWork(q0, v1, mean_, h);
  out.actuators = force.dot(mean_) - out.servos;
  if (!drives_.has_actuators()) out.actuators = 0;
  out.dampers = -model.tree().damping.cwiseProduct(v1).dot(mean_);
  return out;
}

}  // namespace voigt
