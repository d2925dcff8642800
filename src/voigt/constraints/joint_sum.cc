#include "voigt/constraints/joint_sum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "voigt/model/joint_motion.h"

namespace voigt {
namespace {

// One component of the displacement and rotation vector of a ball or free joint.
double CalcDisplacement(const ConstraintContext& at, const JointRows& joint, JointType type,
                        int dof) {
  std::array<double, kMaxJointDofs + 1> neutral, q;
  std::array<double, kMaxJointDofs> e;
  SetNeutral(type, neutral.data());
  joint.CalcCoordinates(at, neutral.data(), q.data());
  CalcDeflection(type, q.data(), neutral.data(), e.data());
  return e[dof];
}

}  // namespace

JointSum::JointSum(const Model& model, const std::vector<JointTerm>& terms) {
  for (const JointTerm& term : terms) {
    terms_.push_back({*JointRows::Find(model, term.joint), term.dof, term.factor});
    terms_.back().joint.AppendColumns(model, term.dof, &cols_);
    // The coefficients carry the unit of a displacement where there is one.
    is_angular_ = is_angular_ && terms_.back().joint.IsAngular(term.dof);
  }
  std::sort(cols_.begin(), cols_.end());
  cols_.erase(std::unique(cols_.begin(), cols_.end()), cols_.end());
}

double JointSum::CalcLength(const ConstraintContext& at) const {
  double sum = 0;
  for (const Term& term : terms_) {
    const JointType type = term.joint.joint(at.model).type;
    sum += term.factor * (HasQuaternion(type) ? CalcDisplacement(at, term.joint, type, term.dof)
                                              : term.joint.CalcCoordinate(at, term.dof, 0));
  }
  return sum;
}

Row* JointSum::AddRow(const ConstraintContext& at, Law law, double sign, double phi,
                      RowWriter* rows) const {
  rows->BeginOnRates(law, cols_);
  Row* const row = rows->AddZeroRow(phi);
  row->angular = is_angular_;
  AddToRow(at, sign, rows);
  return row;
}

std::vector<int> JointSum::UniteColumns(const JointSum& a, const JointSum& b) {
  std::vector<int> cols;
  std::set_union(a.cols_.begin(), a.cols_.end(), b.cols_.begin(), b.cols_.end(),
                 std::back_inserter(cols));
  return cols;
}

void JointSum::AddToRow(const ConstraintContext& at, double factor, RowWriter* rows) const {
  for (const Term& term : terms_) term.joint.AddToRow(at, term.dof, factor * term.factor, rows);
}

double JointSum::CalcCommonFactor(const Model& model) const {
  double common = 0, largest = 0;
  for (const Term& term : terms_) {
    if (!CanTurn(model, term)) continue;
    double a = std::abs(term.factor);
    largest = std::max(largest, a);
    while (a > 1e-6 * largest) {
      const double rest = std::abs(std::remainder(common, a));
      common = a;
      a = rest;
    }
  }
  return common >= 0.01 * largest ? common : 0;
}

bool JointSum::CanTurn(const Model& model, const Term& term) {
  if (!term.joint.is_loop() || !term.joint.IsAngular(term.dof)) return false;
  const Joint& joint = term.joint.joint(model);
  return joint.type != JointType::kScrew || joint.pitch == 0;
}

}  // namespace voigt
