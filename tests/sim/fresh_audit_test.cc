// The audit of every scene, against one that rebuilds the step's problem from model and state.

#include "tests/support/fresh_audit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/formulations/compliant/compliant.h"

namespace voigt {
namespace {

bool CanBeJudgedAnew(const Scene& scene) {
  return scene.settings.integrator == Integrator::kSemiImplicitEuler &&
         scene.settings.restitution == RestitutionLaw::kNewton &&
         scene.settings.curvature == CurvatureTerm::kNone &&
         !ConstraintSet(scene.model).has_reaction_friction();
}

class FreshAudit : public ::testing::TestWithParam<std::string> {};

TEST_P(FreshAudit, AgreesWithTheAuditOfTheStep) {
  const Scene scene = testing::LoadNamedScene(GetParam());
  if (!CanBeJudgedAnew(scene)) GTEST_SKIP() << "the step changes its problem on its way";
  Simulator simulator = testing::MakeSimulator(scene);
  const double h = scene.settings.step;
  int judged = 0;
  for (int i = 0; i < 40; ++i) {
    const State before = simulator.state();
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    if (simulator.problem().row_count() == 0) continue;
    // The first steps, and then some.
    if (i >= 4 && i % 9 != 0) continue;
    ++judged;
    const Audit anew = testing::JudgeAnew(simulator.model(), simulator.settings(), before, h,
                                          simulator.solution());
    const Audit& own = *simulator.step_audit();
    const auto a = ListItems(anew), b = ListItems(own);
    for (int k = 0; k < kAuditItems; ++k) {
      EXPECT_TRUE(a[k].passes()) << a[k].name << " = " << a[k].value << " in step " << i;
      EXPECT_NEAR(a[k].value, b[k].value, a[k].tolerance + 1e-12) << a[k].name << " in step " << i;
    }
    // Gaps in m, to what contacts are found to again without what the last step knew of them.
    EXPECT_NEAR(anew.penetration, own.penetration, 1e-9) << i;
    EXPECT_NEAR(anew.violation, own.violation, 1e-12) << i;
  }
  RecordProperty("judged", judged);
}

INSTANTIATE_TEST_SUITE_P(Scenes, FreshAudit, ::testing::ValuesIn(testing::ListNamedScenes()),
                         [](const auto& entry) { return entry.param; });

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
    const Audit anew = testing::JudgeAnew(simulator.model(), simulator.settings(), before,
                                          scene.settings.step, solution);
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
