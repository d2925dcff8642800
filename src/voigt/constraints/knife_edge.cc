#include "voigt/constraints/knife_edge.h"

#include <fmt/format.h>

#include "voigt/constraints/body_point.h"

namespace voigt {
namespace {

class KnifeEdge final : public Constraint {
 public:
  KnifeEdge(const Model& model, const ConstraintSpec& spec, const KnifeEdgeSpec& kind)
      : Constraint(fmt::format("constraint '{}'", spec.name), spec.where),
        body_A_(*model.FindBody(kind.on)),
        B_(model, kind.B),
        direction_(kind.direction.stableNormalized()),
        damping_(spec.damping > 0 ? spec.damping : kInfinity) {}

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Pose X_WB = CalcBodyPose(at.model, at.kin, B_.body);
    rows->BeginOnBodies(Law::kBilateral, body_A_, B_.body);
    Row* const row = rows->AddWrench(0, X_WB * B_.point, Vec3::Zero(), X_WB.R * direction_);
    SetVelocityRow(0, damping_, at.h, row);
  }

 private:
  int body_A_;
  BodyPoint B_;
  Vec3 direction_;  // in the frame of B
  double damping_;
};

}  // namespace

std::shared_ptr<const Constraint> MakeKnifeEdge(const Model& model, const ConstraintSpec& spec,
                                                const KnifeEdgeSpec& kind) {
  return std::make_shared<KnifeEdge>(model, spec, kind);
}

}  // namespace voigt
