#include "voigt/constraints/row_writer.h"

#include <algorithm>

#include "voigt/base/check.h"

namespace voigt {

RowGroup& RowWriter::Begin(Law law) {
  RowGroup& group = problem_.groups.emplace_back();
  group.law = law;
  group.first_row = problem_.row_count();
  group.first_col = static_cast<int>(problem_.cols.size());
  group.first_entry = static_cast<int>(problem_.G.size());
  group.constraint = constraint_;
  return group;
}

RowGroup& RowWriter::BeginOnBodies(Law law, int body_A, int body_B) {
  RowGroup& group = Begin(law);
  body_A_ = body_A;
  body_B_ = body_B;

  // Both paths without their common start, in ascending order.
  const Tree& tree = model_.tree();
  const int last_A = tree.last_dof[body_A], last_B = tree.last_dof[body_B];
  const int size_A = last_A < 0 ? 0 : tree.pattern.depth(last_A) + 1;
  const int size_B = last_B < 0 ? 0 : tree.pattern.depth(last_B) + 1;
  const int common = size_A == 0 || size_B == 0 ? 0 : tree.pattern.CommonPathLength(last_A, last_B);
  const auto append = [&](int last, int size) {
    if (size <= common) return;
    const int* const path = tree.pattern.path(last);
    problem_.cols.insert(problem_.cols.end(), path + common, path + size);
  };
  // Subtrees are contiguous: beyond the common part, one path comes before the other.
  const bool A_first = last_A < last_B;
  append(A_first ? last_A : last_B, A_first ? size_A : size_B);
  append(A_first ? last_B : last_A, A_first ? size_B : size_A);
  group.col_count = static_cast<int>(problem_.cols.size()) - group.first_col;
  VOIGT_DCHECK(std::is_sorted(problem_.cols.begin() + group.first_col, problem_.cols.end()));
  return group;
}

RowGroup& RowWriter::BeginOnRates(Law law, std::span<const int> dofs) {
  VOIGT_DCHECK(std::is_sorted(dofs.begin(), dofs.end()));
  RowGroup& group = Begin(law);
  problem_.cols.insert(problem_.cols.end(), dofs.begin(), dofs.end());
  group.col_count = static_cast<int>(dofs.size());
  return group;
}

Row* RowWriter::AddRow(double phi) {
  ++problem_.groups.back().row_count;
  Row& row = problem_.rows.emplace_back();
  row.phi = phi;
  return &row;
}

Row* RowWriter::AddWrench(double phi, const Vec3& p, const Vec3& torque, const Vec3& force) {
  const Tree& tree = model_.tree();
  const RowGroup& group = problem_.groups.back();
  const int* const cols = problem_.cols.data() + group.first_col;

  // Which of the columns move B: those on its path. The wrench at the origin of each link.
  const int last_B = tree.last_dof[body_B_];
  const int size_B = last_B < 0 ? 0 : tree.pattern.depth(last_B) + 1;
  const int* const path_B = last_B < 0 ? nullptr : tree.pattern.path(last_B);
  int body = -1;
  Vec3 torque_at_link = torque;
  for (int k = 0; k < group.col_count; ++k) {
    const int dof = cols[k];
    if (tree.dof_body[dof] != body) {
      body = tree.dof_body[dof];
      torque_at_link = torque + (p - kin_.X_WL[body].p).cross(force);
    }
    const Vec6& S = kin_.S[dof];
    const int depth = tree.pattern.depth(dof);
    const bool moves_B = depth < size_B && path_B[depth] == dof;
    const double entry = S.head<3>().dot(torque_at_link) + S.tail<3>().dot(force);
    problem_.G.push_back(moves_B ? entry : -entry);
  }
  return AddRow(phi);
}

Row* RowWriter::AddRates(double phi, std::span<const double> coefficients) {
  VOIGT_DCHECK(static_cast<int>(coefficients.size()) == problem_.groups.back().col_count);
  problem_.G.insert(problem_.G.end(), coefficients.begin(), coefficients.end());
  return AddRow(phi);
}

}  // namespace voigt
