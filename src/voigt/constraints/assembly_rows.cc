#include "voigt/constraints/assembly_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "voigt/base/check.h"
#include "voigt/constraints/row_writer.h"

namespace voigt {

AssemblyRows::AssemblyRows(const Model& model, const State& start, double h)
    : model_(model), set_(model), kin_(model), v_(start.v), t_(start.t), h_(h) {
  problem_.pattern = &model.tree().pattern;
  problem_.h = h;
  voigt::UpdatePositions(model_, start.q, &kin_);
  Measure();
}

// The size is the diagonal of the box that holds all link origins and the ends of all loops.
void AssemblyRows::Measure() {
  Vec3 low = Vec3::Constant(kInfinity), high = -low;
  double farthest = 0;
  const auto add = [&](const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
    farthest = std::max(farthest, p.norm());
  };
  for (int b = 1; b < model_.nb(); ++b) add(kin_.X_WL[b].p);
  for (const Joint& loop : model_.loops()) {
    add(CalcBodyPose(model_, kin_, loop.parent) * loop.X_PF.p);
    add(CalcBodyPose(model_, kin_, loop.child) * loop.X_CM.p);
  }
  const double diagonal = model_.nb() > 1 ? (high - low).norm() : 0;
  if (diagonal > 0 && std::isfinite(diagonal)) size_ = diagonal;
  rounding_ = 64 * std::numeric_limits<double>::epsilon() * farthest / size_;
}

// Writes rows and lists the rigid bilateral ones.
void AssemblyRows::Collect(const VecX& q, bool holonomic_only, double h) {
  voigt::UpdatePositions(model_, q, &kin_);
  problem_.ClearRows();
  RowWriter writer(model_, kin_, &problem_);
  const ConstraintContext at = Context(q, h);
  for (size_t i = 0; i < set_.list().size(); ++i) {
    if (holonomic_only && !set_.list()[i]->IsHolonomic()) continue;
    writer.SetConstraint(static_cast<int>(i));
    set_.list()[i]->AddRows(at, &writer);
    if (holonomic_only) set_.list()[i]->AddBranchRows(at, &writer);
  }
  rows_.clear();
  groups_.clear();
  owner_.clear();
  is_angular_.clear();
  for (size_t g = 0; g < problem_.groups.size(); ++g) {
    const RowGroup& group = problem_.groups[g];
    if (group.law != Law::kBilateral) continue;
    for (int r = group.first_row; r < group.first_row + group.row_count; ++r) {
      if (problem_.rows[r].R > 0) continue;
      rows_.push_back(r);
      groups_.push_back(static_cast<int>(g));
      owner_.push_back(group.constraint);
      is_angular_.push_back(problem_.rows[r].angular);
    }
  }
}

void AssemblyRows::UpdatePositions(const VecX& q) {
  Collect(q, true, h_);
  residual_.resize(rows_.size());
  for (int i = 0; i < count(); ++i) {
    residual_[i] = problem_.rows[rows_[i]].phi / (is_angular_[i] ? 1 : size_);
  }
}

// φ_t and v̂ at the start of rows that know them, into time_rate_ and the problem: v̂ of rows is that
// of the end of a step. Whether that is all which moves.
bool AssemblyRows::TakeKnownRates(const VecX& q) {
  bool is_all = true;
  size_t i = 0, g = 0;
  for (size_t c = 0; c < set_.list().size(); ++c) {
    const Constraint& constraint = *set_.list()[c];
    known_.clear();
    const bool is_known = constraint.AddTimeRates(Context(q, h_), &known_);
    // Groups are in the order of constraints. Rows that are not rigid and bilateral do not count.
    while (g < problem_.groups.size() && problem_.groups[g].constraint < static_cast<int>(c)) ++g;
    for (; i < rows_.size() && owner_[i] == static_cast<int>(c); ++i) {
      if (!is_known) {
        is_all &= time_rate_[i] == 0;
        continue;
      }
      const size_t place = rows_[i] - problem_.groups[g].first_row;
      VOIGT_CHECK(place < known_.size());
      const double rate = known_[place].first;
      time_rate_[i] = constraint.IsHolonomic() ? rate : 0;
      if (!constraint.IsHolonomic()) problem_.rows[rows_[i]].v_hat = -rate;
    }
  }
  return is_all;
}

// φ_t of all rows at the start. Constraints that do not know it give the mean over a step, which of
// a motion that begins from rest is not zero: means over six steps tell what they tend to, to order
// six. Only times from the start on are asked for: what motions were before that may be undefined.
void AssemblyRows::CalcTimeRates(const VecX& q) {
  constexpr double kTimeStep = 2.5e-4;  // s
  constexpr std::array<double, 6> kWeights = {6, -15, 20, -15, 6, -1};
  const auto take = [&] {
    time_rate_.resize(rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) time_rate_[i] = problem_.rows[rows_[i]].phi_t;
  };
  Collect(q, false, h_);
  take();
  velocity_noise_ = 0;
  if (TakeKnownRates(q)) return;
  const VecX by_one = time_rate_;
  sum_.setZero(by_one.size());
  for (int k = 1; k <= 6; ++k) {
    Collect(q, false, k * kTimeStep);
    take();
    if (time_rate_.size() != sum_.size()) break;
    sum_ += kWeights[k - 1] * time_rate_;
  }
  Collect(q, false, h_);
  const bool is_good = time_rate_.size() == sum_.size() && sum_.allFinite();
  time_rate_ = is_good ? sum_ : by_one;
  TakeKnownRates(q);
  velocity_noise_ = 64 * std::numeric_limits<double>::epsilon() / (is_good ? kTimeStep : h_);
}

void AssemblyRows::UpdateVelocities(const VecX& q, const VecX& v) {
  v_ = v;
  CalcTimeRates(q);
  residual_.resize(rows_.size());
  magnitude_.resize(rows_.size());
  for (int i = 0; i < count(); ++i) {
    const Row& row = problem_.rows[rows_[i]];
    const RowGroup& group = problem_.groups[groups_[i]];
    const double* const entries = problem_.entries(group, rows_[i] - group.first_row);
    const double target = constraint(i).IsHolonomic() ? 0 : row.v_hat;
    double sum = time_rate_[i] - target, size = std::abs(time_rate_[i]) + std::abs(target);
    for (int k = 0; k < group.col_count; ++k) {
      const double term = entries[k] * v[problem_.cols_of(group)[k]];
      sum += term;
      size += std::abs(term);
    }
    residual_[i] = sum / (is_angular_[i] ? 1 : size_);
    magnitude_[i] = size / (is_angular_[i] ? 1 : size_);
  }
}

MatX AssemblyRows::MakeG() const {
  MatX G = MatX::Zero(count(), model_.nv());
  for (int i = 0; i < count(); ++i) {
    const RowGroup& group = problem_.groups[groups_[i]];
    const double* const entries = problem_.entries(group, rows_[i] - group.first_row);
    for (int k = 0; k < group.col_count; ++k) {
      G(i, problem_.cols_of(group)[k]) = entries[k] / (is_angular_[i] ? 1 : size_);
    }
  }
  return G;
}

std::optional<Problem> AssemblyRows::FindWrongBranch(const VecX& q) {
  voigt::UpdatePositions(model_, q, &kin_);
  for (const auto& constraint : set_.list()) {
    if (const auto wrong = constraint->DescribeWrongBranch(Context(q, h_))) {
      return Problem{constraint->where(), constraint->name(), *wrong};
    }
  }
  return std::nullopt;
}

}  // namespace voigt
