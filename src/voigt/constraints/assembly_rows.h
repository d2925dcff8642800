#pragma once

#include <optional>
#include <vector>

#include "voigt/base/errors.h"
#include "voigt/constraints/constraint_set.h"
#include "voigt/model/state.h"

namespace voigt {

// The rows that assembly has to meet, as dense matrices. Rows of displacements are divided by the
// size of the mechanism, so that all are of one kind.
class AssemblyRows {
 public:
  AssemblyRows(const Model& model, const State& start, double h);

  bool empty() const { return set_.empty(); }
  double size() const { return size_; }  // m
  // What rounding makes of positions this far from the origin, as residuals.
  double rounding() const { return rounding_; }

  // φ at q, of holonomic constraints.
  void UpdatePositions(const VecX& q);
  // G v + φ_t − v̂ at q, of all constraints, with v̂ = 0 for holonomic ones, and the size of the
  // terms of which that is the sum.
  void UpdateVelocities(const VecX& q, const VecX& v);
  // What rounding may make of velocities where φ_t and v̂ are differences: of constraints that do
  // not know it (Constraint::AddTimeRates). As residuals.
  double velocity_noise() const { return velocity_noise_; }
  // Of the rows last updated.
  MatX MakeG() const;

  int count() const { return static_cast<int>(residual_.size()); }
  const VecX& residual() const { return residual_; }
  // The largest sum of terms, taken without their signs, after UpdateVelocities.
  double CalcFastest() const { return count() == 0 ? 0 : magnitude_.maxCoeff(); }
  double CalcWorst() const { return count() == 0 ? 0 : residual_.cwiseAbs().maxCoeff(); }

  // The constraint of row r, and r's residual in its own unit.
  const Constraint& constraint(int r) const { return *set_.list()[owner_[r]]; }
  double CalcUnscaled(int r) const { return residual_[r] * (is_angular_[r] ? 1 : size_); }
  bool is_angular(int r) const { return is_angular_[r]; }

  // The first constraint that is met in the wrong way at q, with what is wrong.
  std::optional<Problem> FindWrongBranch(const VecX& q);

 private:
  ConstraintContext Context(const VecX& q, double h) { return {model_, kin_, q, v_, t_, h}; }
  void Collect(const VecX& q, bool holonomic_only, double h);
  void TakeOffsets(VecX* out) const;
  bool Extrapolate(const VecX& q, double length);
  void CalcTimeRates(const VecX& q);
  bool TakeKnownRates(const VecX& q);
  void Measure();

  const Model& model_;
  ConstraintSet set_;
  Kinematics kin_;
  VecX v_;
  double t_, h_, size_ = 1, rounding_ = 0;
  VelocityProblem problem_;

  // Which rows of problem_ count, in which group they are and whose they are.
  std::vector<int> rows_, groups_, owner_;
  std::vector<char> is_angular_;
  VecX residual_, magnitude_, time_rate_;
  VecX offset_, first_, sum_, change_, error_;  // of differences in time
  double velocity_noise_ = 0;
  std::vector<TimeRates> known_;  // of the rows of one constraint
};

}  // namespace voigt
