#include "voigt/formulations/impulse_space/pointed_cone.h"

#include <algorithm>
#include <cmath>

#include "voigt/audit/law_residual.h"

namespace voigt {

void PointedCone::AddVariable(int row, double w) {
  rows_.push_back(row);
  D_.push_back(1 / std::sqrt(w));
}

void PointedCone::ListVariables(const VecX& gamma) {
  rows_.clear();
  D_.clear();
  normals_.clear();
  cones_.clear();
  for (int g = 0; g < static_cast<int>(island_.groups.size()); ++g) {
    const RowGroup& group = island_.group(g);
    if (group.law == Law::kBounded) continue;
    const int first = island_.groups[g].first_row;
    const int own_rows = group.law == Law::kContact ? 1 : group.row_count;
    for (int r = 0; r < own_rows; ++r) {
      const int i = island_.rows[first + r];
      const Row& row = island_.problem->rows[i];
      const double w = island_.A(first + r, first + r);
      const bool is_rigid = row.c == 0 && row.R == 0 && (r > 0 || group.force_law.is_linear());
      if (!is_rigid || !(w > 0)) continue;
      const bool pushes = CanOnlyPush(group, r);
      if (pushes && row.phi > 0 && !(gamma[i] > 0)) continue;
      const int normal = static_cast<int>(rows_.size());
      AddVariable(first + r, w);
      if (!pushes) continue;
      normals_.push_back(normal);
      if (group.law != Law::kContact) continue;
      for (const Disc& disc : group.discs()) {
        const auto diagonal = island_.A.diagonal().segment(first + disc.first, disc.count);
        const double w_t = diagonal.mean();
        if (disc.mu == 0 || !(w_t > 0)) continue;
        cones_.push_back({normal, static_cast<int>(rows_.size()), disc.count, disc.mu});
        for (int k = 0; k < disc.count; ++k) AddVariable(first + disc.first + k, w_t);
      }
    }
  }
}

void PointedCone::FillProgram() {
  const int n = static_cast<int>(rows_.size());
  H_.resize(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) H_(i, j) = D_[i] * island_.A(rows_[i], rows_[j]) * D_[j];
  }
  g_.setZero(n);
  E_.setZero(1, n);
  for (int k : normals_) E_(0, k) = 1;
  e_.setConstant(1, -1);

  // Half-lines for all normals: those with friction lie in cones besides, which cost little.
  int rows = static_cast<int>(normals_.size());
  for (const Cone& cone : cones_) rows += 1 + cone.count;
  C_.setZero(rows, n);
  d_.setZero(rows);
  sizes_.assign(normals_.size(), 1);
  int row = 0;
  for (int k : normals_) C_(row++, k) = 1;
  for (const Cone& cone : cones_) {
    sizes_.push_back(1 + cone.count);
    C_(row++, cone.normal) = cone.mu * D_[cone.normal] / D_[cone.first];
    for (int k = 0; k < cone.count; ++k) C_(row++, cone.first + k) = 1;
  }
}

PointedCone::Result PointedCone::SolveIsland() {
  FillProgram();
  ConeQpStats stats;
  const ConeQpResult result = kernel_.Solve({H_, g_, C_, d_, sizes_, E_, e_}, {}, &point_, &stats);
  const double square = point_.x.dot(H_ * point_.x);
  return {std::sqrt(std::max(0.0, square)), result.converged};
}

PointedCone::Result PointedCone::Calc(const VelocityProblem& problem, const VecX& gamma) {
  Result out;
  space_.Update(problem);
  for (int i = 0; i < space_.count(); ++i) {
    space_.Assemble(i, &island_);
    ListVariables(gamma);
    if (normals_.empty()) continue;
    const Result own = SolveIsland();
    out.is_certain = out.is_certain && own.is_certain;
    out.margin = std::min(out.margin, own.margin);
  }
  return out;
}

}  // namespace voigt
