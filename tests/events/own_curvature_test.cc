// Ġ v of constraints of one's own, said and by differences, against a closed form.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/constraints/row_writer.h"
#include "voigt/events/held_motion.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

// The origin of body 1 stays on a sphere: φ = ρ − R with ρ = ‖p‖ and n = p/ρ, and Ġ v = n · J̇ v +
// (‖ṗ‖² − (n · ṗ)²)/ρ.
class OwnHoop final : public Constraint {
 public:
  OwnHoop(double radius, bool says) : Constraint("own hoop"), radius_(radius), says_(says) {}

  bool IsHolonomic() const override { return true; }
  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Vec3 p = CalcBodyPose(at.model, at.kin, 1).p;
    rows->BeginOnBodies(Law::kBilateral, 0, 1);
    SetSpring({}, at.h, rows->AddWrench(p.norm() - radius_, p, Vec3::Zero(), p.normalized()));
  }
  bool AddCurvature(const ConstraintContext& at, std::vector<double>* out) const override {
    if (!says_) return false;
    const Vec3 p = CalcBodyPose(at.model, at.kin, 1).p, n = p.normalized();
    const Vec3 p_dot = CalcPointVelocity(at.kin, 1, p).tail<3>();
    const double across = p_dot.squaredNorm() - std::pow(n.dot(p_dot), 2);
    out->push_back(n.dot(CalcPointBias(at.model, at.kin, 1, p)) + across / p.norm());
    return true;
  }

 private:
  double radius_;
  bool says_;
};

// How far v̇ of a bead that runs round with u is from −u²/R, relative.
double CalcHoopError(double radius, bool says) {
  ModelSpec spec = ParseScene(R"(
gravity: [0, 0, 0]
bodies: [{name: bead, mass: 2, inertia: [1, 1, 1]}]
joints: [{name: free, type: free, child: bead}]
)",
                              "text")
                       .model.spec();
  spec.user_constraints.push_back(std::make_shared<OwnHoop>(radius, says));
  const Model model = ModelBuilder(std::move(spec)).Build();
  VecX q = model.NeutralCoordinates(), v = VecX::Zero(model.nv()), v_dot;
  const double u = 3;
  q.head<3>() = radius * Vec3(0.6, 0, -0.8);
  v.head<3>() = u * Vec3(0.8, 0, 0.6);
  HeldMotion motion(model, true);
  std::vector<Hold> holds;
  EXPECT_TRUE(motion.CalcAcceleration(0, q, v, &holds, &v_dot));
  const Vec3 expected = -u * u / radius * Vec3(0.6, 0, -0.8);
  return (v_dot.head<3>() - expected).norm() / expected.norm();
}

// Differences are over a millimetre.
TEST(OwnCurvature, IsExactHoweverSmallTheHoop) {
  EXPECT_LT(CalcHoopError(1, false), 1e-11);
  EXPECT_GT(CalcHoopError(0.005, false), 1e-5);
  for (double radius : {1.0, 0.005, 1e-4}) EXPECT_LT(CalcHoopError(radius, true), 1e-14) << radius;
}

}  // namespace
}  // namespace voigt
