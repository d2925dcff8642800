#include "voigt/kernels/contact_sweeps.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/allocation_counter.h"
#include "tests/support/random_problem.h"
#include "voigt/audit/law_residual.h"
#include "voigt/formulations/compliant/problem_as_convex_program.h"

namespace voigt {
namespace {

using testing::CountAllocations;
using testing::MakeRandomProblem;
using testing::RandomProblem;
using testing::RandomProblemOptions;

struct SweepsOutcome {
  VecX gamma;
  bool converged = true;
  double law = kNaN;  // by the audit
  int sweeps = 0;
};

class SweepsRunner {
 public:
  // With Coulomb's law; `start` may be empty. False if there are islands that the method does not
  // take.
  bool Solve(const VelocityProblem& problem, const VecX& start, int max_sweeps,
             SweepsOutcome* out) {
    convex_.Update(problem, FrictionMode::kCoulomb);
    ConvexProgram& program = convex_.program();
    for (ConvexBlock& block : program.blocks) {
      if (block.set == ConvexSet::kDisc) block.set = ConvexSet::kCoulomb;
    }
    islands_.Find(program);
    for (int i = 0; i < islands_.count(); ++i) {
      if (!ContactSweeps::Applies(program, islands_.blocks(i), islands_.ranges(i))) return false;
    }
    out->gamma = start;
    if (start.size() == 0) out->gamma.setZero(problem.row_count());
    out->converged = true;
    out->sweeps = 0;
    ContactSweepsSettings settings;
    settings.max_sweeps = max_sweeps;
    settings.tolerance = 1e-12 * std::max(1e-3, problem.v_star.cwiseAbs().maxCoeff());
    for (int i = 0; i < islands_.count(); ++i) {
      const ContactSweepsResult result =
          sweeps_.Solve(program, islands_.blocks(i), islands_.ranges(i), settings, &out->gamma);
      out->converged = out->converged && result.converged;
      out->sweeps += result.sweeps;
    }
    out->law = law_.Calc(problem, out->gamma, {FrictionMode::kCoulomb});
    return true;
  }

 private:
  ProblemAsConvexProgram convex_;
  Islands islands_;
  ContactSweeps sweeps_;
  LawResidual law_;
};

RandomProblemOptions OfContactsOnFreeBodies() {
  RandomProblemOptions options;
  options.max_others = 0;
  options.max_mu = 0.5;
  options.allow_trees = false;
  return options;
}

// A method of first order: badly conditioned problems remain, and it must say so. `choose`(seed,
// &options) sets what else contacts have; a part of `least` percent is to be solved.
template <typename Choose>
void ExpectLawIsMet(int least, const Choose& choose) {
  constexpr int kCount = 1000;
  RandomProblemOptions options = OfContactsOnFreeBodies();
  SweepsRunner runner;
  SweepsOutcome outcome;
  int taken = 0, solved = 0;
  for (int seed = 0; seed < kCount; ++seed) {
    choose(seed, &options);
    const RandomProblem random = MakeRandomProblem(seed, options);
    if (!runner.Solve(random.problem(), {}, 1000, &outcome)) continue;
    ++taken;
    ASSERT_TRUE(outcome.gamma.allFinite()) << seed;
    if (!outcome.converged) continue;
    EXPECT_LT(outcome.law, 1e-10) << seed;
    ++solved;
  }
  EXPECT_GT(taken, 400);
  EXPECT_GE(solved, least * taken / 100);
}

TEST(ContactSweeps, MeetTheLawOnRandomProblemsOrSayThatTheyDoNot) {
  ExpectLawIsMet(98, [](int, RandomProblemOptions*) {});
}

TEST(ContactSweeps, MeetForceLawsAndFrictionAgainstSpinAndRolling) {
  ExpectLawIsMet(95, [](int seed, RandomProblemOptions* options) {
    options->force_laws = seed % 2 == 0;
    options->turning_friction = seed % 3 != 0;
  });
}

// From a solution few sweeps are enough to see that it is one.
TEST(ContactSweeps, UseWhereTheyStart) {
  SweepsRunner runner;
  SweepsOutcome cold, warm;
  int cold_sweeps = 0, warm_sweeps = 0;
  for (int seed = 0; seed < 300; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed, OfContactsOnFreeBodies());
    if (!runner.Solve(random.problem(), {}, 1000, &cold) || !cold.converged) continue;
    runner.Solve(random.problem(), cold.gamma, 1000, &warm);
    EXPECT_TRUE(warm.converged) << seed;
    cold_sweeps += cold.sweeps;
    warm_sweeps += warm.sweeps;
  }
  EXPECT_LT(2 * warm_sweeps, cold_sweeps);
}

TEST(ContactSweeps, SolveASingleContactInOneSweep) {
  RandomProblemOptions options = OfContactsOnFreeBodies();
  options.max_contacts = 1;
  options.allow_redundant = false;
  SweepsRunner runner;
  SweepsOutcome outcome;
  int taken = 0;
  for (int seed = 0; seed < 1000; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed, options);
    if (!runner.Solve(random.problem(), {}, 1, &outcome)) continue;
    ++taken;
    EXPECT_LT(outcome.law, 1e-11) << seed;
  }
  EXPECT_GT(taken, 400);
}

TEST(ContactSweeps, TakeContactsOfFreeBodiesAlone) {
  RandomProblemOptions options;
  options.max_contacts = 2;
  const auto is_other = [](const RowGroup& group) {
    const bool has_one_tangent = group.law == Law::kContact && group.row_count == 2;
    return group.law == Law::kBilateral || group.law == Law::kBounded || has_one_tangent;
  };
  SweepsRunner runner;
  SweepsOutcome outcome;
  int taken = 0;
  for (int seed = 0; seed < 2000; ++seed) {
    options.max_others = seed % 2 == 0 ? 3 : 0;
    const RandomProblem random = MakeRandomProblem(seed, options);
    const auto& groups = random.problem().groups;
    const bool has_others = std::any_of(groups.begin(), groups.end(), is_other);
    const bool is_taken = runner.Solve(random.problem(), {}, 1, &outcome);
    // A tree may be a chain of six joints, which is as good as a free body.
    if (has_others) {
      EXPECT_FALSE(is_taken) << seed;
    } else if (options.max_others == 0) {
      EXPECT_TRUE(is_taken || random.centres.empty()) << seed;
    }
    taken += is_taken;
  }
  EXPECT_GT(taken, 20);
  EXPECT_LT(taken, 1500);
}

TEST(ContactSweeps, AllocateNothingOnceWarm) {
  if (CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  const RandomProblem random = MakeRandomProblem(11, OfContactsOnFreeBodies());
  SweepsRunner runner;
  SweepsOutcome outcome;
  for (int i = 0; i < 2; ++i) runner.Solve(random.problem(), {}, 100, &outcome);
  const long before = CountAllocations();
  runner.Solve(random.problem(), {}, 100, &outcome);
  EXPECT_EQ(CountAllocations(), before);
}

}  // namespace
}  // namespace voigt
