// The audit of every scene, against one that rebuilds the step's problem from model and state.

#include "voigt/sim/fresh_audit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "tests/support/scenes.h"
#include "voigt/constraints/row_writer.h"
#include "voigt/formulations/compliant/compliant.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

class FreshAudit : public ::testing::TestWithParam<std::string> {};

// Where there is nothing to judge, that is said by name; scenes without rows have nothing to
// compare.
TEST_P(FreshAudit, AgreesWithTheAuditOfTheStep) {
  const Scene scene = testing::LoadNamedScene(GetParam());
  const std::string obstacle = FindObstacleToFreshAudit(scene.model, scene.settings);
  if (!obstacle.empty()) {
    EXPECT_GT(obstacle.size(), 10u);
    return;
  }
  Simulator simulator = testing::MakeSimulator(scene);
  const double h = scene.settings.step;
  constexpr int kMost = 600, kEnough = 8;
  int judged = 0, with_rows = 0;
  for (int i = 0; i < kMost && judged < kEnough; ++i) {
    const State before = simulator.state();
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    if (simulator.problem().row_count() == 0) continue;
    // The first steps that have rows, and then some.
    if (with_rows++ >= 4 && with_rows % 9 != 0) continue;
    ++judged;
    const Audit anew =
        JudgeAnew(simulator.model(), simulator.settings(), before, h, simulator.solution());
    const Audit& own = *simulator.step_audit();
    const double tolerance = scene.settings.formulation.tolerance();
    const auto a = ListItems(anew, tolerance), b = ListItems(own, tolerance);
    for (int k = 0; k < kAuditItems; ++k) {
      EXPECT_TRUE(a[k].passes()) << a[k].name << " = " << a[k].value << " in step " << i;
      EXPECT_NEAR(a[k].value, b[k].value, a[k].tolerance + 1e-12) << a[k].name << " in step " << i;
    }
    // Gaps in m, to what contacts are found to again without what the last step knew of them.
    EXPECT_NEAR(anew.penetration, own.penetration, 1e-9) << i;
    EXPECT_NEAR(anew.violation, own.violation, 1e-12) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, FreshAudit, ::testing::ValuesIn(testing::ListNamedScenes()),
                         [](const auto& entry) { return entry.param; });

std::string SliderText(const std::string& simulation, const std::string& friction) {
  return fmt::format(R"(
bodies:
  - {{name: box, mass: 2, inertia: point}}
joints:
  - {{name: rail, type: prismatic, child: box, axis: [1, 0, 0], limits: [-1, 0.01]{}}}
initial: {{rail: {{v: 3}}}}
simulation: {{step: 1e-3, until: 0.01{}}}
)",
                     friction, simulation);
}

// Asks for another speed whenever it is asked: no two looks at the same state agree.
class Fickle final : public Constraint {
 public:
  Fickle() : Constraint("fickle") {}
  bool IsHolonomic() const override { return false; }
  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Vec3 p = CalcBodyPose(at.model, at.kin, 1).p;
    rows->BeginOnBodies(Law::kBilateral, 0, 1);
    rows->AddWrench(0, p, Vec3::Zero(), Vec3::UnitX())->v_hat = 1 + 0.1 * ++looks_;
  }

 private:
  mutable int looks_ = 0;
};

// The step's own rows are met. Rows that are worked out anew are not the same here.
TEST(FreshAudit, IsASetting) {
  for (const AuditKind kind : {AuditKind::kStep, AuditKind::kAnew}) {
    const char* const audit = kind == AuditKind::kAnew ? ", audit: anew" : "";
    Scene scene = ParseScene(SliderText(audit, ""), "slider");
    ASSERT_EQ(scene.settings.audit, kind);
    ModelSpec spec = scene.model.spec();
    spec.user_constraints.push_back(std::make_shared<Fickle>());
    Simulator simulator(ModelBuilder(spec).Build(), scene.settings, scene.initial);
    for (int i = 0; i < 5; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    EXPECT_EQ(simulator.audit().steps, 5);
    EXPECT_EQ(simulator.audit().failed, kind == AuditKind::kAnew ? 5 : 0);
    EXPECT_EQ(simulator.audit().is_anew, kind == AuditKind::kAnew);
    EXPECT_EQ(simulator.solver().not_solved, 0);
  }
}

// Impulses for other rows than there are.
TEST(FreshAudit, FailsWhereRowsAreNotFoundAgain) {
  const Scene scene = ParseScene(SliderText("", ""), "slider");
  Simulator simulator = testing::MakeSimulator(scene);
  const State before = simulator.state();
  ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  Solution solution = simulator.solution();
  solution.gamma = VecX::Zero(solution.gamma.size() + 1);
  const Audit anew = JudgeAnew(simulator.model(), simulator.settings(), before, 1e-3, solution);
  EXPECT_FALSE(ListItems(anew)[0].passes());
  AuditTotals totals;
  totals.Add(anew);
  EXPECT_EQ(totals.failed, 1);
}

TEST(FreshAudit, IsRefusedWhereStepsChangeTheirProblem) {
  const auto expect = [](const std::string& simulation, const std::string& friction,
                         const std::string& part) {
    const Scene scene = ParseScene(SliderText(", audit: anew" + simulation, friction), "slider");
    try {
      testing::MakeSimulator(scene);
      ADD_FAILURE() << simulation << friction;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("audit = anew: " + part), std::string::npos)
          << error.what();
    }
  };
  expect(", integrator: event-driven", "", "the integrator event-driven is not judged so");
  expect(", restitution: poisson", "", "steps with 'restitution: poisson'");
  expect(", curvature: predictor", "", "steps with 'curvature: predictor'");
  expect("", ", friction: {kinetic: 0.1}", "joint friction that comes from reactions");

  const Scene scene = ParseScene(R"(
materials: {default: {friction: 0.1, static_friction: 0.2}}
world: {geometry: [{shape: half-space}]}
bodies: [{name: ball, geometry: [{shape: sphere, radius: 1, density: 1}]}]
joints: [{name: fall, type: free, child: ball}]
)",
                                 "ball");
  EXPECT_EQ(FindObstacleToFreshAudit(scene.model, scene.settings),
            "contacts with more friction at rest than in motion cannot be judged so");
}

TEST(FreshAudit, IsOneOfThreeWords) {
  try {
    ParseScene(SliderText(", audit: maybe", ""), "slider");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'maybe', expected true, false or anew"),
              std::string::npos)
        << error.what();
  }
}

// A wrong Jacobian: the solver meets the laws of the problem that it is given, and an audit of that
// problem is content; one that works out its own Jacobians is not.
TEST(FreshAudit, SeesAWrongJacobianThatTheProblemHides) {
  const Scene scene = testing::LoadNamedScene("card_house");
  Simulator simulator = testing::MakeSimulator(scene);
  for (int i = 0; i < 10; ++i) simulator.Step();
  const State before = simulator.state();
  ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  for (const double factor : {1.0, 1 + 1e-6}) {
    VelocityProblem wrong = simulator.problem();
    const int entry = wrong.groups[0].first_entry;
    // The first row's first entry that is not zero.
    const auto at = std::find_if(wrong.G.begin() + entry, wrong.G.end(),
                                 [](double x) { return std::fabs(x) > 0.1; });
    ASSERT_NE(at, wrong.G.end());
    *at *= factor;
    Compliant compliant;
    Solution solution;
    compliant.Solve(wrong, VecX(), &solution);
    Auditor auditor;
    Audit own;
    auditor.Calc(wrong, solution.gamma, solution.v1, &before.v, RuleOf(solution), &own);
    const Audit anew =
        JudgeAnew(simulator.model(), simulator.settings(), before, scene.settings.step, solution);
    const auto items = ListItems(anew), own_items = ListItems(own);
    const auto passes = [](const AuditItem& item) { return item.passes(); };
    EXPECT_TRUE(std::all_of(own_items.begin(), own_items.end(), passes)) << factor;
    EXPECT_EQ(std::all_of(items.begin(), items.end(), passes), factor == 1) << factor;
    if (factor != 1) {
      EXPECT_GT(std::max(anew.law, anew.momentum), 1e-9);
    }
  }
}

}  // namespace
}  // namespace voigt
