// What integration leaves of gaps and rates that are held.

#include <Eigen/Cholesky>

#include "voigt/events/held_motion.h"
#include "voigt/steppers/integrate.h"

namespace voigt {
namespace {

// Proximal steps of rows that repeat each other, where only the sum of what rows do counts.
constexpr double kRowProximal = 1e-9;

}  // namespace

// Impulses x ← A⁺ x, and the change of rates that they make in force_.
void HeldMotion::SolveRows(VecX* x) {
  SetRows();
  const MatX& A = problem_.A;
  const double shift = kRowProximal * std::max(A.diagonal().maxCoeff(), 1e-300);
  shifted_ = A;
  shifted_.diagonal().array() += shift;
  const Eigen::LLT<Eigen::Ref<MatX>> factor(shifted_);
  rest_ = *x;
  x->setZero(A.rows());
  for (int k = 0; k < 3; ++k) {
    target_ = rest_ - A * *x;
    factor.solveInPlace(target_);
    *x += target_;
  }
  force_.noalias() = problem_.response * *x;
}

// Rows of contacts that do not press.
void HeldMotion::DropIdle(const std::vector<Hold>& holds) {
  std::erase_if(rows_, [&](const HeldRow& held) {
    return held.hold >= 0 && !holds[held.hold].is_guide && !(holds[held.hold].force > 0);
  });
}

bool HeldMotion::Project(double t, const std::vector<Hold>& holds, VecX* q, VecX* v) {
  constexpr int kNewtonSteps = 4;
  constexpr double kClosed = 1e-15;
  prescribed_.SetMotion(t, q, v);
  ids_.clear();
  for (const Hold& hold : holds) {
    if (hold.force > 0) ids_.push_back(hold.id);
  }
  std::sort(ids_.begin(), ids_.end());
  for (int k = 0; k <= kNewtonSteps; ++k) {
    finder_.Update(t, *q, *v, TouchFinder::kLook, &ids_);
    if (!configuration_.Update(model_, *q)) return false;
    UpdateMass();
    ListRows(holds, Tangents::kNone);
    DropIdle(holds);
    if (rows_.empty()) break;
    right_.resize(static_cast<int>(rows_.size()));
    for (int j = 0; j < right_.size(); ++j) right_[j] = -finder_.problem().rows[rows_[j].row].phi;
    if (k == kNewtonSteps || right_.lpNorm<Eigen::Infinity>() <= kClosed) break;
    SolveRows(&right_);
    IntegratePositions(model_, force_, 1, q);
  }
  ListRows(holds, Tangents::kSticking);
  DropIdle(holds);
  if (rows_.empty()) return true;
  right_.resize(static_cast<int>(rows_.size()));
  for (int j = 0; j < right_.size(); ++j) right_[j] = -finder_.rates()[rows_[j].row];
  SolveRows(&right_);
  *v += force_;
  return v->allFinite();
}

}  // namespace voigt
