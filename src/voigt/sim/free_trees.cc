#include "voigt/sim/free_trees.h"

#include <cmath>

#include "voigt/dynamics/drive_forces.h"
#include "voigt/sim/contact_report.h"

namespace voigt {

FreeTrees::FreeTrees(const Model& model) : is_smooth_(model.nb(), 0), is_free_(model.nb(), 0) {
  const Tree& tree = model.tree();
  const auto root_of = [&](int k) { return tree.root[tree.dof_body[k]]; };
  for (int k = 0; k < tree.nv; ++k) is_smooth_[root_of(k)] = 1;
  for (int k = 0; k < tree.nv; ++k) {
    if (tree.damping[k] != 0) is_smooth_[root_of(k)] = 0;
  }
  const DriveForces drives(model);
  if (!drives.has_feedback()) return;
  for (int k : drives.dofs()) is_smooth_[root_of(k)] = 0;
}

// What does not move is not held.
void FreeTrees::Hold(const Model& model, const VelocityProblem& problem, const RowGroup& group,
                     int r) {
  const Tree& tree = model.tree();
  const double* const G = problem.entries(group, r);
  const auto cols = problem.cols_of(group);
  for (int c = 0; c < group.col_count; ++c) {
    if (G[c] != 0) is_free_[tree.root[tree.dof_body[cols[c]]]] = 0;
  }
}

void FreeTrees::Find(const Model& model, const VelocityProblem& problem, const VecX& gamma) {
  is_free_ = is_smooth_;
  const PressingContacts pressing(problem);
  for (const RowGroup& group : problem.groups) {
    const bool always = group.law == Law::kBilateral || group.law == Law::kBounded;
    for (int r = 0; r < group.row_count; ++r) {
      const int i = group.first_row + r;
      if (always || pressing.Has(i, std::abs(gamma[i]))) Hold(model, problem, group, r);
    }
  }
}

}  // namespace voigt
