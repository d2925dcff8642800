#include "voigt/constraints/joint_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "voigt/constraints/joint_rows.h"

namespace voigt {
namespace {

class JointSum {
 public:
  JointSum(const Model& model, const std::vector<JointTerm>& terms) {
    for (const JointTerm& term : terms) {
      terms_.push_back({*JointRows::Find(model, term.joint), term.dof, term.factor});
      terms_.back().joint.AppendColumns(model, term.dof, &cols_);
      // The coefficients carry the unit of a displacement where there is one.
      is_angular_ = is_angular_ && terms_.back().joint.IsAngular(term.dof);
    }
    std::sort(cols_.begin(), cols_.end());
    cols_.erase(std::unique(cols_.begin(), cols_.end()), cols_.end());
  }

  double CalcCoordinates(const ConstraintContext& at) const {
    double sum = 0;
    for (const Term& term : terms_) {
      sum += term.factor * term.joint.CalcCoordinate(at, term.dof, 0);
    }
    return sum;
  }

  Row* AddRow(const ConstraintContext& at, double phi, RowWriter* rows) const {
    rows->BeginOnRates(Law::kBilateral, cols_);
    Row* const row = rows->AddZeroRow(phi);
    row->angular = is_angular_;
    for (const Term& term : terms_) term.joint.AddToRow(at, term.dof, term.factor, rows);
    return row;
  }

  // The number of which the factors of angles that are known up to turns are multiples: zero if
  // there are no such angles, or no such number of a sensible size.
  double CalcCommonFactor(const Model& model) const {
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

 private:
  struct Term {
    JointRows joint;
    int dof;
    double factor;
  };

  static bool CanTurn(const Model& model, const Term& term) {
    if (!term.joint.is_loop() || !term.joint.IsAngular(term.dof)) return false;
    const Joint& joint = term.joint.joint(model);
    return joint.type != JointType::kScrew || joint.pitch == 0;
  }

  std::vector<Term> terms_;
  std::vector<int> cols_;
  bool is_angular_ = true;
};

class Coupler final : public Constraint {
 public:
  Coupler(const Model& model, const ConstraintSpec& spec, const CouplerSpec& kind)
      : Constraint(fmt::format("constraint '{}'", spec.name), spec.where),
        sum_(model, kind.terms),
        offset_(kind.offset),
        turn_(2 * kPi * sum_.CalcCommonFactor(model)),
        compliance_{spec.stiffness, spec.damping} {}

  bool IsHolonomic() const override { return true; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    double phi = sum_.CalcCoordinates(at) - offset_;
    if (turn_ > 0) phi = std::remainder(phi, turn_);
    SetSpring(compliance_, at.h, sum_.AddRow(at, phi, rows));
  }

 private:
  JointSum sum_;
  double offset_;
  double turn_;  // φ is known up to multiples of this
  Compliance compliance_;
};

class ConstantSpeed final : public Constraint {
 public:
  ConstantSpeed(const Model& model, const ConstraintSpec& spec, const ConstantSpeedSpec& kind)
      : Constraint(fmt::format("constraint '{}'", spec.name), spec.where),
        sum_(model, kind.terms),
        speed_(kind.speed),
        damping_(spec.damping > 0 ? spec.damping : kInfinity) {}

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    SetVelocityRow(speed_(at.t + at.h), damping_, at.h, sum_.AddRow(at, 0, rows));
  }

 private:
  JointSum sum_;
  CompiledTimeFunction speed_;
  double damping_;
};

}  // namespace

std::shared_ptr<const Constraint> MakeCoupler(const Model& model, const ConstraintSpec& spec,
                                              const CouplerSpec& kind) {
  return std::make_shared<Coupler>(model, spec, kind);
}

std::shared_ptr<const Constraint> MakeConstantSpeed(const Model& model, const ConstraintSpec& spec,
                                                    const ConstantSpeedSpec& kind) {
  return std::make_shared<ConstantSpeed>(model, spec, kind);
}

}  // namespace voigt
