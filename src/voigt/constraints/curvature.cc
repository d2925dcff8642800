#include "voigt/constraints/curvature.h"

#include <Eigen/QR>
#include <array>
#include <cmath>
#include <utility>

#include "voigt/base/check.h"
#include "voigt/constraints/contact_rows.h"
#include "voigt/steppers/along_motion.h"
#include "voigt/steppers/integrate.h"

namespace voigt {
namespace {

constexpr std::array<std::pair<CurvatureTerm, std::string_view>, 3> kNames = {{
    {CurvatureTerm::kNone, "none"},
    {CurvatureTerm::kPredictor, "predictor"},
    {CurvatureTerm::kPrinted, "printed"},
}};

}  // namespace

std::string_view ToString(CurvatureTerm term) {
  for (const auto& [value, name] : kNames) {
    if (value == term) return name;
  }
  return "";
}

std::optional<CurvatureTerm> CurvatureTermFromString(std::string_view name) {
  for (const auto& [value, text] : kNames) {
    if (text == name) return value;
  }
  return std::nullopt;
}

void TakeKnownCurvature(const ConstraintSet& constraints, const ConstraintContext& at,
                        const VelocityProblem& problem, std::vector<double>* scratch, VecX* out) {
  out->setConstant(problem.row_count(), kNaN);
  // Groups of a constraint follow one another; those of its friction come later.
  int constraint = -1;
  size_t next = 0;
  scratch->clear();
  for (const RowGroup& group : problem.groups) {
    if (group.constraint == kContactGroup || (group.id & ConstraintSet::kFrictionId) != 0) break;
    if (group.constraint != constraint) {
      VOIGT_CHECK(next == scratch->size());
      constraint = group.constraint;
      next = 0;
      scratch->clear();
      if (!constraints.list()[constraint]->AddCurvature(at, scratch)) scratch->clear();
    }
    if (scratch->empty()) continue;
    VOIGT_CHECK(next + group.row_count <= scratch->size());
    for (int r = 0; r < group.row_count; ++r) (*out)[group.first_row + r] = (*scratch)[next++];
  }
  VOIGT_CHECK(next == scratch->size());
}

// value_ += weight · G(q ⊕ step v) v.
bool Curvature::AddDifference(const ConstraintSet& constraints, const ConstraintContext& at,
                              double step, double weight) {
  q_ = at.q;
  IntegratePositions(at.model, at.v, step, &q_);
  UpdatePositions(at.model, q_, &kin_);
  UpdateVelocities(at.model, at.v, &kin_);
  moved_.pattern = &at.model.tree().pattern;
  moved_.h = at.h;
  moved_.ClearRows();
  constraints.AddRows({at.model, kin_, q_, at.v, at.t, at.h, at.recovery_speed}, &moved_);
  if (moved_.row_count() != row_count_) return false;
  moved_.Multiply(at.v, &rate_);
  for (int r : rows_) value_[r] += weight * rate_[r];
  return true;
}

bool Curvature::Update(const ConstraintSet& constraints, const ConstraintContext& at,
                       const VelocityProblem& problem) {
  rows_.clear();
  row_count_ = 0;
  for (const RowGroup& group : problem.groups) {
    if (group.constraint == kContactGroup) break;
    row_count_ += group.row_count;
    if (group.law != Law::kBilateral) continue;
    if (!constraints.list()[group.constraint]->IsHolonomic()) continue;
    for (int r = 0; r < group.row_count; ++r) rows_.push_back(group.first_row + r);
  }
  value_.setZero(problem.row_count());
  if (rows_.empty()) return true;
  TakeKnownCurvature(constraints, at, problem, &scratch_, &known_);
  const bool all_known = !known_(rows_).hasNaN();
  for (const MomentWeight& moment : MomentsAlong(at.v)) {
    if (moment.weight == 0 || all_known) continue;
    if (!AddDifference(constraints, at, moment.step, moment.weight)) return false;
  }
  for (int r : rows_) {
    if (!std::isnan(known_[r])) value_[r] = known_[r];
  }
  return true;
}

void Curvature::AddToRows(VelocityProblem* problem) const {
  for (int r : rows_) problem->rows[r].phi_t += problem->h * value_[r];
}

void Curvature::AddToSolution(const VelocityProblem& problem, Solution* solution) const {
  if (rows_.empty()) return;
  const MatX W = problem.ToDenseW()(rows_, rows_);
  const VecX change = -problem.h * value_(rows_);
  solution->gamma(rows_) += W.completeOrthogonalDecomposition().solve(change);
  problem.CalcVelocity(solution->gamma, &solution->v1);
}

}  // namespace voigt
