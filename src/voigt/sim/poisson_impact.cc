#include "voigt/sim/poisson_impact.h"

#include <algorithm>

#include "voigt/base/check.h"
#include "voigt/constraints/contact_rows.h"

namespace voigt {

void PoissonImpact::ListRows(const VelocityProblem& problem,
                             const std::vector<ImpactRow>& impacts) {
  rows_.clear();
  normals_.clear();
  int contact = 0;
  for (const RowGroup& group : problem.groups) {
    const int count = CountRigidRows(problem, group);
    if (count > 0) AddGroup(problem, group, impacts, contact);
    if (group.constraint != kContactGroup) continue;
    contact += group.law == Law::kContact ? 1 : group.row_count;
  }
}

void PoissonImpact::AddGroup(const VelocityProblem& problem, const RowGroup& group,
                             const std::vector<ImpactRow>& impacts, int first_contact) {
  VelocityProblem& to = compression_;
  const int count = CountRigidRows(problem, group);
  AppendGroup(problem, group, 0, count, &to);
  const int normals = group.law == Law::kContact ? 1 : group.row_count;
  for (int r = 0; r < count; ++r) {
    const int i = group.first_row + r;
    const bool is_impact = std::any_of(impacts.begin(), impacts.end(),
                                       [i](const ImpactRow& impact) { return impact.row == i; });
    if (group.constraint == kContactGroup && r < normals) {
      normals_.push_back(
          {to.row_count(), first_contact + r, static_cast<int>(to.groups.size()) - 1});
    }
    to.rows.push_back(MakeRow(problem, group, r, is_impact));
    rows_.push_back(i);
  }
}

void PoissonImpact::CalcRestored(const Model& model, const std::vector<Contact>& contacts) {
  const double least = model.spec().contact.restitution_speed;
  restored_.setZero(compression_.row_count());
  with_friction_ = 0;
  for (Normal& normal : normals_) {
    const double p = solution_.gamma[normal.row];
    normal.restored = 0;
    if (!(p * compression_.w[normal.row] > least)) continue;
    normal.restored = CombineSides(model, contacts[normal.contact]).restitution * p;
    restored_[normal.row] = normal.restored;
    const RowGroup& group = compression_.groups[normal.group];
    with_friction_ += normal.restored > 0 && group.law == Law::kContact && group.row_count > 1;
  }
}

// The friction that e p_c,n allows: a contact of the mass at `dof` with the tangents of another.
void PoissonImpact::AddFrictionOfRestored(const Normal& normal, int dof) {
  VelocityProblem& to = decompression_;
  const RowGroup& like = compression_.groups[normal.group];
  RowGroup& own = to.groups.emplace_back(like);
  own.first_row = to.row_count();
  own.first_col = static_cast<int>(to.cols.size());
  own.col_count = like.col_count + 1;
  own.first_entry = static_cast<int>(to.G.size());
  const auto cols = compression_.cols_of(like);
  to.cols.insert(to.cols.end(), cols.begin(), cols.end());
  to.cols.push_back(dof);
  for (int r = 0; r < like.row_count; ++r) {
    const double* const G = compression_.entries(like, r);
    if (r == 0) to.G.insert(to.G.end(), like.col_count, 0.0);
    if (r > 0) to.G.insert(to.G.end(), G, G + like.col_count);
    to.G.push_back(r == 0 ? 1 : 0);
    Row row = compression_.rows[like.first_row + r];
    if (r == 0) row = Row{};
    to.rows.push_back(row);
    rows_of_friction_.push_back(r == 0 ? -1 : rows_[like.first_row + r]);
  }
}

void PoissonImpact::BuildDecompression() {
  VelocityProblem& to = decompression_;
  to = compression_;
  to.w.clear();
  compression_.CalcVelocity(restored_, &to.v_star);
  to.v_star += solution_.v1 - compression_.v_star;
  rows_of_friction_.clear();
  if (with_friction_ == 0) {
    SetRowInertia(&row_inertia_, &to);
    return;
  }

  const int nv = compression_.nv(), entries = static_cast<int>(compression_.M->size());
  parents_.assign(nv + with_friction_, -1);
  for (int k = 0; k < nv; ++k) parents_[k] = compression_.pattern->parent(k);
  pattern_ = TreePattern(parents_);
  M_.resize(entries + with_friction_);
  M_.head(entries) = *compression_.M;
  to.v_star.conservativeResize(nv + with_friction_);
  int dof = nv;
  for (const Normal& normal : normals_) {
    const RowGroup& group = compression_.groups[normal.group];
    if (!(normal.restored > 0) || group.law != Law::kContact || group.row_count == 1) continue;
    // Of the size of the contact's own, so that numbers are alike.
    const double w = compression_.w[normal.row];
    M_[pattern_.row_start(dof)] = 1 / w;
    to.v_star[dof] = -w * normal.restored;
    AddFrictionOfRestored(normal, dof);
    ++dof;
  }
  factor_ = TreeFactor(pattern_);
  VOIGT_CHECK(factor_.Factor(pattern_, M_) == -1);
  to.pattern = &pattern_;
  to.M = &M_;
  to.factor = &factor_;
  SetRowInertia(&row_inertia_, &to);
}

bool PoissonImpact::Update(const Model& model, const std::vector<Contact>& contacts,
                           const std::vector<ImpactRow>& impacts, const VelocityProblem& problem,
                           const Configuration& start, const VecX& v0, bool has_audit,
                           Formulation* formulation) {
  const bool any_rebound =
      std::ranges::any_of(impacts, [](const ImpactRow& impact) { return impact.restitution > 0; });
  if (!any_rebound) return false;
  Start(problem, start, v0, &compression_);
  ListRows(problem, impacts);
  SetRowInertia(&row_inertia_, &compression_);
  SolvePhase(compression_, has_audit, formulation);
  if (status_ == SolveStatus::kFailed) return true;
  for (size_t i = 0; i < rows_.size(); ++i) gamma_[rows_[i]] = solution_.gamma[i];
  v_ = solution_.v1;

  CalcRestored(model, contacts);
  if (restored_.isZero(0)) return true;
  BuildDecompression();
  SolvePhase(decompression_, has_audit, formulation);
  if (status_ == SolveStatus::kFailed) return true;
  const int own = compression_.row_count();
  for (int i = 0; i < own; ++i) gamma_[rows_[i]] += solution_.gamma[i] + restored_[i];
  for (size_t i = 0; i < rows_of_friction_.size(); ++i) {
    if (rows_of_friction_[i] >= 0) gamma_[rows_of_friction_[i]] += solution_.gamma[own + i];
  }
  v_ = solution_.v1.head(problem.nv());
  return true;
}

}  // namespace voigt
