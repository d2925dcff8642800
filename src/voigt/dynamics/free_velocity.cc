#include "voigt/dynamics/free_velocity.h"

#include "voigt/base/check.h"
#include "voigt/dynamics/gravity.h"
#include "voigt/dynamics/joint_springs.h"

namespace voigt {

FreeVelocity::FreeVelocity(const Model& model)
    : loads_(model),
      servos_(model),
      M_(VecX::Zero(model.tree().pattern.nonzeros())),
      rhs_(VecX::Zero(model.nv())),
      v_star_(VecX::Constant(model.nv(), kNaN)),
      implicit_damping_(VecX::Zero(model.nv())),
      factor_(model.tree().pattern),
      is_implicit_(model.tree().has_springs || (model.tree().damping.array() > 0).any() ||
                   !servos_.empty()) {}

bool FreeVelocity::Update(const Model& model, const Configuration& start, const State& state,
                          double h) {
  VOIGT_DCHECK(h > 0);

  // Forces at the start of the step; servos with the targets of its end.
  loads_.Update(model, start.kin(), state.t);
  servos_.Update(state.t + h);
  rhs_ = loads_.tau();
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

// What moving on changes in springs, dampers and servos: h² Aᵀ K A, and h K_s + B + B_s, which acts
// like a damper on v*. The servo's own damping is in its force already.
bool FreeVelocity::AddImplicitForces(const Model& model, const Configuration& start,
                                     const State& state, double h) {
  const Tree& tree = model.tree();
  M_ = start.M();
  AddImplicitSprings(model, state.q, state.v, h, &rhs_, &M_);
  servos_.AddForces(state.q, state.v, &rhs_);
  implicit_damping_ = h * servos_.stiffness() + tree.damping;
  rhs_.array() -= implicit_damping_.array() * state.v.array();
  implicit_damping_ += servos_.damping();
  for (int k = 0; k < tree.nv; ++k) {
    M_[tree.pattern.row_start(k) + tree.pattern.depth(k)] += h * implicit_damping_[k];
  }
  return factor_.Factor(tree.pattern, M_) < 0;
}

double FreeVelocity::CalcWork(const Model& model, const State& start, const VecX& v1, double h) {
  const Tree& tree = model.tree();
  // Servos at the end of the step: q₁ = q₀ + h v₁ for the scalar coordinates they act on.
  VecX& force = rhs_;
  force = loads_.tau();
  if (is_implicit_) {
    servos_.AddForces(start.q, v1, &force);
    force.array() -= (h * servos_.stiffness() + tree.damping).array() * v1.array();
  }
  return 0.5 * h * force.dot(start.v + v1);
}

}  // namespace voigt
