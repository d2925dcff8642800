// Where motions of constraints of one's own begin, which do not say their rates: assembly takes
// them from rows at later times alone.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/constraints/row_checks.h"
#include "voigt/constraints/assembly.h"
#include "voigt/io/scene.h"

namespace voigt {
namespace {

using Function = std::function<double(double)>;

// x of body 1 is s(t), or its rate is.
class LedAlong final : public Constraint {
 public:
  LedAlong(bool has_gap, Function s)
      : Constraint("led along"), has_gap_(has_gap), s_(std::move(s)) {}

  bool IsHolonomic() const override { return has_gap_; }
  bool IsPrescribed() const override { return true; }
  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Vec3 p = CalcBodyPose(at.model, at.kin, 1).p;
    const double now = s_(at.t), then = s_(at.t + at.h);
    rows->BeginOnBodies(Law::kBilateral, 0, 1);
    Row* const row = rows->AddWrench(has_gap_ ? p[0] - now : 0, p, Vec3::Zero(), Vec3::UnitX());
    if (has_gap_) {
      row->phi_t = -(then - now) / at.h;
      SetSpring({}, at.h, row);
    } else {
      row->v_hat = then;
    }
  }

 private:
  bool has_gap_;
  Function s_;
};

double AssembleRate(bool has_gap, const Function& s, double t) {
  ModelSpec spec = ParseScene(R"(
bodies: [{name: slide, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: rail, type: prismatic, child: slide, axis: [1, 0, 0]}]
)",
                              "s")
                       .model.spec();
  spec.user_constraints.push_back(std::make_shared<LedAlong>(has_gap, s));
  const Model model = ModelBuilder(std::move(spec)).Build();
  State state;
  state.t = t;
  state.q = VecX::Constant(1, has_gap ? s(t) : 0);
  state.v = VecX::Zero(1);
  const AssemblyResult result = Assemble(model, {}, &state);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.problem->ToString());
  return state.v[0];
}

// 1 mm at any of these frequencies, of gaps and of rates, from rest and in full swing.
TEST(AssemblyRates, AreThoseOfTheFirstMoment) {
  for (double hertz : {0.5, 5.0, 50.0, 500.0}) {
    for (double t : {0.0, 0.3 / hertz}) {
      SCOPED_TRACE(::testing::Message() << hertz << " Hz at " << t);
      const double w = 2 * kPi * hertz;
      const auto s = [w](double at) { return 1e-3 * (1 - std::cos(w * at)); };
      const auto rate = [w](double at) { return 1e-3 * w * std::sin(w * at); };
      EXPECT_NEAR(AssembleRate(true, s, t), rate(t), 1e-8);
      EXPECT_NEAR(AssembleRate(false, rate, t), rate(t), 1e-8);
    }
  }
}

// Differences to both sides of the start would not know what was before, or mix two pieces.
TEST(AssemblyRates, AskForNothingBeforeTheStart) {
  const auto begins = [](double t) { return t < 0 ? kNaN : 0.3 * t + 2 * t * t; };
  EXPECT_NEAR(AssembleRate(true, begins, 0), 0.3, 1e-10);
  const auto kink = [](double t) { return t < 0.5 ? 0 : 0.3 * (t - 0.5); };
  EXPECT_NEAR(AssembleRate(true, kink, 0.5), 0.3, 1e-10);
  const auto jump = [](double t) { return t < 0.5 ? 7 : 0.3 + t; };
  EXPECT_NEAR(AssembleRate(false, jump, 0.5), 0.8, 1e-10);
}

// A speed that does not change is taken as it is.
TEST(AssemblyRates, OfEvenSpeedsAreExact) {
  EXPECT_DOUBLE_EQ(AssembleRate(false, [](double) { return 0.1; }, 0), 0.1);
}

}  // namespace
}  // namespace voigt
