#pragma once

#include <vector>

#include "voigt/constraints/joint_rows.h"

namespace voigt {

// A weighted sum over joints, of the tree or of loops: a length l = Σ factor q with the rate
// l̇ = Σ factor v. Angles of loop joints are those within half a turn of zero. For ball and free
// joints the rotation vector stands for q; l̇ is then what the force along l works on, and the
// derivative of l only while the joint turns about one axis.
class JointSum {
 public:
  JointSum(const Model& model, const std::vector<JointTerm>& terms);

  double CalcLength(const ConstraintContext& at) const;

  // Begins a group and adds its row: φ̇ = sign · l̇.
  Row* AddRow(const ConstraintContext& at, Law law, double sign, double phi, RowWriter* rows) const;

  // For rows of two sums: the columns that they need, and factor · l̇ added to the last row.
  static std::vector<int> UniteColumns(const JointSum& a, const JointSum& b);
  void AddToRow(const ConstraintContext& at, double factor, RowWriter* rows) const;
  bool is_angular() const { return is_angular_; }

  // The number of which the factors of angles that are known up to turns are multiples: zero if
  // there are no such angles, or no such number of a sensible size.
  double CalcCommonFactor(const Model& model) const;

 private:
  struct Term {
    JointRows joint;
    int dof;
    double factor;
  };

  static bool CanTurn(const Model& model, const Term& term);

  std::vector<Term> terms_;
  std::vector<int> cols_;
  bool is_angular_ = true;
};

}  // namespace voigt
