#include "voigt/constraints/distance.h"

#include <fmt/format.h>

#include "voigt/constraints/body_point.h"

namespace voigt {
namespace {

class Distance final : public Constraint {
 public:
  Distance(const Model& model, const ConstraintSpec& spec, const DistanceSpec& kind)
      : Constraint(fmt::format("constraint '{}'", spec.name), spec.where),
        A_(model, kind.A),
        B_(model, kind.B),
        length_(kind.length),
        side_(kind.side),
        compliance_{spec.stiffness, spec.damping} {}

  bool IsHolonomic() const override { return side_ == Side::kBoth; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Vec3 p_B = B_.CalcPosition(at), r = p_B - A_.CalcPosition(at);
    const double d = r.norm();
    // Points that coincide are pulled or pushed apart in some direction.
    const Vec3 direction = d > 1e-12 * length_ ? Vec3(r / d) : Vec3(Vec3::UnitZ());
    BeginOnSide(side_, A_.body, B_.body, rows);
    AddRowOnSide(side_, compliance_, at, d - length_, p_B, direction, rows);
  }

 private:
  BodyPoint A_, B_;
  double length_;
  Side side_;
  Compliance compliance_;
};

}  // namespace

std::shared_ptr<const Constraint> MakeDistance(const Model& model, const ConstraintSpec& spec,
                                               const DistanceSpec& kind) {
  return std::make_shared<Distance>(model, spec, kind);
}

}  // namespace voigt
