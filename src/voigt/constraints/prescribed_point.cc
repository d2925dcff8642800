#include "voigt/constraints/prescribed_point.h"

#include <fmt/format.h>

#include <vector>

#include "voigt/constraints/body_point.h"
#include "voigt/constraints/time_rates.h"

namespace voigt {
namespace {

class PrescribedPoint final : public Constraint {
 public:
  PrescribedPoint(const Model& model, const ConstraintSpec& spec, const PrescribedPointSpec& kind)
      : Constraint(fmt::format("constraint '{}'", spec.name), spec.where),
        body_A_(*model.FindBody(kind.on)),
        B_(model, kind.B),
        compliance_{spec.stiffness, spec.damping} {
    for (const TimeFunction& component : kind.position) position_.emplace_back(component);
  }

  bool IsHolonomic() const override { return true; }
  bool IsPrescribed() const override { return !AreConstant(position_); }

  bool AddTimeRates(const ConstraintContext& at, std::vector<TimeRates>* out) const override {
    AddRatesOfGaps(position_, at.t, out);
    return true;
  }

  std::optional<EnergyLine> energy_line() const override { return EnergyLine::kPrescribed; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Pose X_WA = CalcBodyPose(at.model, at.kin, body_A_);
    const Vec3 p_W = B_.CalcPosition(at), p_A = X_WA.Inverse() * p_W;
    rows->BeginOnBodies(Law::kBilateral, body_A_, B_.body);
    for (int i = 0; i < 3; ++i) {
      const double s0 = position_[i](at.t), s1 = position_[i](at.t + at.h);
      Row* const row = rows->AddWrench(p_A[i] - s0, p_W, Vec3::Zero(), X_WA.R.col(i));
      row->phi_t = -(s1 - s0) / at.h;
      SetSpring(compliance_, at.h, row);
    }
  }

 private:
  int body_A_;
  BodyPoint B_;
  std::vector<CompiledTimeFunction> position_;
  Compliance compliance_;
};

}  // namespace

std::shared_ptr<const Constraint> MakePrescribedPoint(const Model& model,
                                                      const ConstraintSpec& spec,
                                                      const PrescribedPointSpec& kind) {
  return std::make_shared<PrescribedPoint>(model, spec, kind);
}

}  // namespace voigt
