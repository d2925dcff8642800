#include "voigt/dynamics/free_velocity.h"

#include <algorithm>

#include "voigt/base/check.h"
#include "voigt/dynamics/gravity.h"
#include "voigt/dynamics/joint_springs.h"

namespace voigt {
namespace {

bool HasAny(const std::vector<char>& marks) {
  return std::find(marks.begin(), marks.end(), 1) != marks.end();
}

}  // namespace

ForceWork& ForceWork::operator+=(const ForceWork& other) {
  loads += other.loads;
  servos += other.servos;
  actuators += other.actuators;
  dampers += other.dampers;
  return *this;
}

FreeVelocity::FreeVelocity(const Model& model)
    : loads_(model),
      loads_at_end_(model),
      drives_(model),
      M_(VecX::Zero(model.tree().pattern.nonzeros())),
      rhs_(VecX::Zero(model.nv())),
      v_star_(VecX::Constant(model.nv(), kNaN)),
      implicit_damping_(VecX::Zero(model.nv())),
      taken_back_(VecX::Zero(model.nv())),
      time_back_(VecX::Zero(model.nv())),
      way_(VecX::Zero(model.nv())),
      half_kick_(VecX::Zero(model.nv())),
      drive_force_(VecX::Zero(model.nv())),
      M_halves_(VecX::Zero(model.tree().pattern.nonzeros())),
      factor_(model.tree().pattern),
      factor_of_halves_(model.tree().pattern),
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
  if ((is_implicit_ &&
       !AddImplicitForces(model, start, state.q, state.v, h, &rhs_, &M_, &factor_)) ||
      !TakeBackHalf(model, start, state, h)) {
    v_star_.setConstant(kNaN);
    return false;
  }
  rhs_ *= h;
  Solve(model, start, &rhs_);
  for (int k = 0; k < model.nv(); ++k) {
    v_star_[k] = state.v[k] + (time_back_[k] > 0 ? taken_back_[k] : rhs_[k]);
  }
  return true;
}

// From rhs_, the force that v₀ would have.
bool FreeVelocity::TakeBackHalf(const Model& model, const Configuration& start, const State& state,
                                double h) {
  taken_back_.setZero();
  time_back_.setZero();
  if (!HasAny(state.synchronous)) return true;
  const Tree& tree = model.tree();
  for (int k = 0; k < tree.nv; ++k) {
    if (state.synchronous[tree.root[tree.dof_body[k]]] != 0) time_back_[k] = 0.5 * h;
  }
  taken_back_ = time_back_.cwiseProduct(rhs_);
  if (is_implicit_) {
    M_halves_ = 0.5 * (start.M() + M_);
    if (factor_of_halves_.Factor(tree.pattern, M_halves_) >= 0) return false;
    factor_of_halves_.Solve(tree.pattern, taken_back_);
  } else {
    start.factor().Solve(tree.pattern, taken_back_);
  }
  return true;
}

ForceWork FreeVelocity::CalcHalfKick(const Model& model, const Configuration& end,
                                     const Inputs& inputs, double t, double h,
                                     const std::vector<char>& synchronous, const VecX& q,
                                     const VecX& v) {
  ForceWork work;
  const Tree& tree = model.tree();
  const auto is_kicked = [&](int k) { return synchronous[tree.root[tree.dof_body[k]]] != 0; };
  half_kick_.setZero();
  if (!HasAny(synchronous)) return work;

  loads_at_end_.Update(model, end.kin(), inputs, t);
  drive_force_.setZero();
  // Where any has feedback, none is in a tree that is kicked; without, neither q nor v matters.
  if (!drives_.has_feedback()) drives_.AddForces(v, v, &drive_force_);
  half_kick_ = loads_at_end_.tau() + drive_force_;
  AddGravityForces(model, end.kin(), end.composite(), &half_kick_);
  if (is_implicit_ &&
      !AddImplicitForces(model, end, q, v, h, &half_kick_, &M_halves_, &factor_of_halves_)) {
    half_kick_.setConstant(kNaN);
    return work;
  }
  for (int k = 0; k < tree.nv; ++k) half_kick_[k] *= is_kicked(k) ? 0.5 * h : 0;
  (is_implicit_ ? factor_of_halves_ : end.factor()).Solve(tree.pattern, half_kick_);
  for (int k = 0; k < tree.nv; ++k) {
    if (!is_kicked(k)) continue;
    const double way = 0.5 * h * (v[k] + 0.5 * half_kick_[k]);
    work.loads += loads_at_end_.tau()[k] * way;
    work.actuators += drive_force_[k] * way;
  }
  return work;
}

// What moving on changes in springs, dampers and drives: h² Aᵀ K A, and h K_s + B + B_s, which acts
// like a damper on v*. The drives' own damping is in their force already.
bool FreeVelocity::AddImplicitForces(const Model& model, const Configuration& at, const VecX& q,
                                     const VecX& v, double h, VecX* rhs, VecX* M,
                                     TreeFactor* factor) {
  const Tree& tree = model.tree();
  *M = at.M();
  AddImplicitSprings(model, q, v, h, rhs, M);
  implicit_damping_ = h * drives_.stiffness() + tree.damping;
  rhs->array() -= implicit_damping_.array() * v.array();
  implicit_damping_ += drives_.damping();
  for (int k = 0; k < tree.nv; ++k) {
    (*M)[tree.pattern.row_start(k) + tree.pattern.depth(k)] += h * implicit_damping_[k];
  }
  return factor->Factor(tree.pattern, *M) < 0;
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
  way_ = 0.5 * h * (v0 - taken_back_ + v1) - time_back_.cwiseProduct(v0 - 0.5 * taken_back_);
  out.loads = loads_.tau().dot(way_);
  if (!is_implicit_ && drives_.empty()) return out;
  VecX& force = rhs_;
  CalcDriveForces(q0, v1, h, &force);
  out.servos = drives_.CalcServoWork(q0, v1, way_, h);
  out.actuators = force.dot(way_) - out.servos;
  if (!drives_.has_actuators()) out.actuators = 0;
  out.dampers = -model.tree().damping.cwiseProduct(v1).dot(way_);
  return out;
}

}  // namespace voigt
