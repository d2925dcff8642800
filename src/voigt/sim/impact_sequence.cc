#include "voigt/sim/impact_sequence.h"

#include <algorithm>

#include "voigt/constraints/contact_rows.h"
#include "voigt/math/sparse_rows.h"

namespace voigt {
namespace {

// Impacts of one step, per contact.
constexpr size_t kMost = 100;

}  // namespace

void ImpactSequence::ListNormals(const Model& model, const std::vector<Contact>& contacts,
                                 const VelocityProblem& problem) {
  normals_.clear();
  int contact = 0;
  for (int g = 0; g < static_cast<int>(problem.groups.size()); ++g) {
    const RowGroup& group = problem.groups[g];
    if (group.constraint != kContactGroup) continue;
    const int count = group.law == Law::kContact ? 1 : group.row_count;
    const bool is_rigid = CountRigidRows(problem, group) > 0;
    for (int r = 0; r < count; ++r, ++contact) {
      if (!is_rigid) continue;
      const double e = CombineSides(model, contacts[contact]).restitution;
      normals_.push_back({g, r, e, problem.rows[group.first_row + r].phi, 0});
    }
  }
}

// All but contacts: joints that close loops, limits that are reached.
void ImpactSequence::AddHeldRows(const VelocityProblem& problem) {
  rows_.clear();
  for (const RowGroup& group : problem.groups) {
    const int count = group.constraint < 0 ? 0 : CountRigidRows(problem, group);
    if (count == 0) continue;
    AppendGroup(problem, group, 0, count, &phase_);
    for (int r = 0; r < count; ++r) {
      phase_.rows.push_back(MakeRow(problem, group, r, false));
      rows_.push_back(group.first_row + r);
    }
  }
  held_groups_ = phase_.groups.size();
  held_rows_ = phase_.rows.size();
  held_cols_ = phase_.cols.size();
  held_entries_ = phase_.G.size();
}

void ImpactSequence::CalcRates(const VelocityProblem& problem) {
  for (Normal& normal : normals_) {
    const RowGroup& group = problem.groups[normal.group];
    normal.rate = problem.rows[group.first_row + normal.row].phi_t;
    double rate = 0;
    MultiplyRows(problem.entries(group, normal.row), 1, problem.cols.data() + group.first_col,
                 group.col_count, v_.data(), &rate);
    normal.rate += rate;
  }
}

// That closes first; null if none does.
const ImpactSequence::Normal* ImpactSequence::FindNext(double least, double h) const {
  const Normal* next = nullptr;
  double soonest = h;
  for (const Normal& normal : normals_) {
    if (!(normal.rate < -least)) continue;
    const double time = std::max(normal.gap, 0.0) / -normal.rate;
    if (!(time <= soonest)) continue;
    if (next != nullptr && time == soonest && normal.rate >= next->rate) continue;
    next = &normal;
    soonest = time;
  }
  return next;
}

void ImpactSequence::Strike(const Normal& normal, const VelocityProblem& problem, bool has_audit,
                            Formulation* formulation) {
  phase_.groups.resize(held_groups_);
  phase_.rows.resize(held_rows_);
  phase_.cols.resize(held_cols_);
  phase_.G.resize(held_entries_);
  phase_.w.clear();
  rows_.resize(held_rows_);
  const RowGroup& group = problem.groups[normal.group];
  const int count = group.law == Law::kContact ? CountRigidRows(problem, group) : 1;
  AppendGroup(problem, group, normal.row, count, &phase_);
  for (int r = normal.row; r < normal.row + count; ++r) {
    Row row = MakeRow(problem, group, r, true);
    if (r == normal.row) row.v_hat = -normal.restitution * normal.rate;
    phase_.rows.push_back(row);
    rows_.push_back(group.first_row + r);
  }
  SetRowInertia(&row_inertia_, &phase_);
  phase_.v_star = v_;
  SolvePhase(phase_, has_audit, formulation);
  if (status_ == SolveStatus::kFailed) return;
  for (size_t i = 0; i < rows_.size(); ++i) gamma_[rows_[i]] += solution_.gamma[i];
  v_ = solution_.v1;
}

bool ImpactSequence::Update(const Model& model, const std::vector<Contact>& contacts,
                            const std::vector<ImpactRow>& impacts, const VelocityProblem& problem,
                            const Configuration& start, const VecX& v0, bool has_audit,
                            Formulation* formulation) {
  ListNormals(model, contacts, problem);
  // What closes now may have none, and pass the impact on to contacts that have.
  const bool any_rebound =
      std::ranges::any_of(normals_, [](const Normal& normal) { return normal.restitution > 0; });
  if (impacts.empty() || !any_rebound) return false;
  Start(problem, start, v0, &phase_);
  AddHeldRows(problem);
  const double least = model.spec().contact.restitution_speed;
  for (size_t count = 0;; ++count) {
    CalcRates(problem);
    const Normal* const next = FindNext(least, problem.h);
    if (next == nullptr) return true;
    if (count == kMost * normals_.size()) {
      is_complete_ = false;
      stats_.solved_by = Attempt::kOtherWays;
      return true;
    }
    Strike(*next, problem, has_audit, formulation);
    if (status_ == SolveStatus::kFailed) return true;
  }
}

}  // namespace voigt
