#include "voigt/constraints/constraint_set.h"

#include "voigt/constraints/row_writer.h"

namespace voigt {

ConstraintSet::ConstraintSet(const Model& model) {
  for (const auto& constraint : model.spec().user_constraints) list_.push_back(constraint);
}

void ConstraintSet::AddRows(const ConstraintContext& at, VelocityProblem* problem) const {
  RowWriter rows(at.model, at.kin, problem);
  for (size_t i = 0; i < list_.size(); ++i) {
    rows.SetConstraint(static_cast<int>(i));
    list_[i]->AddRows(at, &rows);
  }
}

}  // namespace voigt
