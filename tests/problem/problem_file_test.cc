#include "voigt/problem/problem_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "tests/support/random_problem.h"
#include "voigt/base/errors.h"

namespace voigt {
namespace {

std::uint64_t Bits(double value) { return std::bit_cast<std::uint64_t>(value); }

void ExpectSame(const VelocityProblem& a, const VelocityProblem& b) {
  ASSERT_EQ(a.nv(), b.nv());
  ASSERT_EQ(a.row_count(), b.row_count());
  ASSERT_EQ(a.groups.size(), b.groups.size());
  EXPECT_EQ(Bits(a.h), Bits(b.h));
  for (int k = 0; k < a.nv(); ++k) EXPECT_EQ(a.pattern->parent(k), b.pattern->parent(k));
  EXPECT_TRUE((a.M->array() == b.M->array()).all());
  EXPECT_TRUE((a.v_star.array() == b.v_star.array()).all());
  EXPECT_TRUE((a.ToDenseG().array() == b.ToDenseG().array()).all());
  for (int i = 0; i < a.row_count(); ++i) {
    const Row &x = a.rows[i], &y = b.rows[i];
    for (const auto member : {&Row::phi, &Row::phi_t, &Row::c, &Row::tau, &Row::R, &Row::v_hat,
                              &Row::v_hat_slope, &Row::lower, &Row::upper, &Row::guess}) {
      EXPECT_EQ(Bits(x.*member), Bits(y.*member));
    }
    EXPECT_EQ(x.angular, y.angular);
  }
  for (size_t g = 0; g < a.groups.size(); ++g) {
    const RowGroup &x = a.groups[g], &y = b.groups[g];
    EXPECT_EQ(x.law, y.law);
    EXPECT_EQ(x.first_row, y.first_row);
    EXPECT_EQ(x.row_count, y.row_count);
    EXPECT_EQ(x.col_count, y.col_count);
    EXPECT_EQ(Bits(x.mu), Bits(y.mu));
    EXPECT_EQ(Bits(x.torsion), Bits(y.torsion));
    EXPECT_EQ(Bits(x.rolling), Bits(y.rolling));
    EXPECT_EQ(Bits(x.viscous), Bits(y.viscous));
    EXPECT_TRUE(x.lagged_impulse == y.lagged_impulse ||
                (std::isnan(x.lagged_impulse) && std::isnan(y.lagged_impulse)));
    EXPECT_EQ(x.force_law.kind, y.force_law.kind);
    EXPECT_EQ(Bits(x.force_law.stiffness), Bits(y.force_law.stiffness));
    EXPECT_EQ(Bits(x.force_law.dissipation), Bits(y.force_law.dissipation));
    EXPECT_EQ(x.constraint, y.constraint);
    EXPECT_EQ(x.id, y.id);
  }
}

TEST(ProblemFile, ComesBackToTheLastBit) {
  testing::RandomProblemOptions options;
  options.force_laws = options.turning_friction = true;
  for (int seed = 0; seed < 200; ++seed) {
    testing::RandomProblem random = testing::MakeRandomProblem(seed, options);
    VelocityProblem& problem = random.owned.problem;
    problem.groups[0].lagged_impulse = kNaN;
    problem.groups[0].id = ~std::uint64_t{0};
    problem.groups[0].constraint = 3;
    problem.rows[0].angular = true;
    for (RowGroup& group : problem.groups) {
      if (group.law == Law::kContact && group.row_count > 1) group.viscous = 0.1 / 3;
    }
    const std::string text = FormatProblem(problem);
    const OwnedProblem back = ParseProblem(text, "memory");
    ExpectSame(problem, back.problem);
    EXPECT_EQ(FormatProblem(back.problem), text);
  }
}

TEST(ProblemFile, GoesThroughAFile) {
  const testing::RandomProblem random = testing::MakeRandomProblem(7);
  const std::string path = ::testing::TempDir() + "voigt_problem_file_test.txt";
  SaveProblem(random.problem(), path);
  ExpectSame(random.problem(), LoadProblem(path).problem);
  std::filesystem::remove(path);
}

const char kText[] =
    "voigt-problem 1\n"
    "h 0.01  # seconds\n"
    "parents 2 -1 0\n"
    "\n"
    "M 3 1 0.5 2\n"
    "v_star 2 1 -1\n"
    "groups 1\n"
    "group contact 1 2\n"
    "friction 0.5 nan\n"
    "force_law linear 0 0\n"
    "origin -1 0\n"
    "cols 0 1\n"
    "row 0 0 0 0 0 0 0 0 inf 0 0\n"
    "G 1 2\n"
    "end\n";

std::string ErrorOf(const std::string& text) {
  try {
    ParseProblem(text, "run.problem");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string With(const std::string& old_text, const std::string& new_text) {
  std::string text = kText;
  const size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, old_text.size(), new_text);
}

TEST(ProblemFile, ReadsWhatIsWrittenByHand) {
  const OwnedProblem owned = ParseProblem(kText, "run.problem");
  EXPECT_EQ(owned.problem.h, 0.01);
  EXPECT_EQ(owned.problem.rows[0].upper, kInfinity);
  EXPECT_EQ(owned.problem.ToDenseG()(0, 1), 2);
  EXPECT_NEAR(owned.problem.ToDenseW()(0, 0), (2 - 4 * 0.5 + 4) / 1.75, 1e-15);
}

TEST(ProblemFile, DamageIsReportedWithFileAndLine) {
  const struct {
    std::string old_text, new_text;
    int line;
    std::string message;
  } cases[] = {
      {"voigt-problem 1", "voigt-problem 4", 1, "found version 4, expected 1 … 3"},
      {"voigt-problem 1", "scene 1", 1,
       "found 'scene', expected "
       "'voigt-problem'"},
      {"h 0.01", "h -1", 2, "found h = -1, expected h > 0"},
      {"h 0.01", "h 0.01 2", 2, "found '2', expected the end of the line"},
      {"h 0.01", "h", 2, "the line ends early"},
      {"-1 0\n", "-1 1\n", 3,
       "found the parent 1 of 1, expected -1 or a "
       "number on the path to 0"},
      {"parents 2", "parents 2000000000", 3,
       "found 2000000000, expected the "
       "number of degrees of freedom"},
      {"M 3 1 0.5 2", "M 3 1 4 2", 5,
       "the mass matrix is not positive "
       "definite: pivot 0"},
      {"M 3", "M 2", 5, "found 2 numbers, expected 3"},
      {"2 1 -1", "2 1 nan", 6, "found nan, expected a velocity, finite"},
      {"contact", "sticky", 8,
       "found the law 'sticky', expected bilateral, "
       "unilateral, contact or bounded"},
      {"contact 1", "contact 0", 8, "a group needs a row"},
      {"friction 0.5", "friction -1", 9, "found μ = -1, expected at least 0"},
      {"linear", "user", 10,
       "found the force law 'user', expected linear, "
       "hertz or hunt_crossley"},
      {"cols 0 1", "cols 0 2", 12, "found the column 2, expected 0 … 1"},
      {"cols 0 1", "cols 0 x", 12, "found 'x', expected a column"},
      {"0 inf 0", "0 -1 0", 13,
       "the lower bound 0 is not below the upper one "
       "-1"},
      {"row 0 0 0", "row 0 0 -1", 13, "c, tau and R must not be negative"},
      {"end\n", "", 14, "the file ends early, expected 'end'"},
  };
  for (const auto& c : cases) {
    const std::string error = ErrorOf(With(c.old_text, c.new_text));
    EXPECT_EQ(error.find(fmt::format("run.problem:{}:", c.line)), 0u) << error;
    EXPECT_NE(error.find(": problem: " + c.message), std::string::npos) << error;
  }
  EXPECT_EQ(ErrorOf(With("cols 0 1", "cols 0 x")),
            "run.problem:12:8: problem: found 'x', expected a column");
}

// Version 1 has contacts of three rows at most, and no numbers for others.
TEST(ProblemFile, OfVersionTwoKnowsTorsionAndRolling) {
  const auto text = [](int version, const char* rows, const char* friction) {
    std::string row_text;
    for (int r = 0; r < std::atoi(rows); ++r) row_text += "row 0 0 0 0 0 0 0 0 inf 0 0\nG 1 2\n";
    return fmt::format(
        "voigt-problem {}\nh 0.01\nparents 2 -1 0\nM 3 1 0.5 2\nv_star 2 1 -1\ngroups 1\n"
        "group contact {} 2\nfriction {}\nforce_law linear 0 0\norigin -1 0\ncols 0 1\n{}end\n",
        version, rows, friction, row_text);
  };
  const RowGroup group = ParseProblem(text(2, "6", "0.5 nan 0.1 0.2"), "p").problem.groups[0];
  EXPECT_EQ(group.torsion, 0.1);
  EXPECT_EQ(group.rolling, 0.2);
  const struct {
    int version;
    const char *rows, *friction, *message;
  } cases[] = {
      {2, "3", "0.5 nan", "the line ends early"},
      {1, "3", "0.5 nan 0 0", "found '0 0', expected the end of the line"},
      {1, "4", "0.5 nan", "found a contact of 4 rows, which version 1 does not know"},
      {2, "7", "0.5 nan 0 0", "found a contact of 7 rows, expected no more than 6"},
      {2, "3", "0.5 nan 0.1 0", "found torsion = 0.1, and no rows that it acts on"},
      {2, "4", "0.5 nan 0 0.1", "found rolling = 0.1, and no rows that it acts on"},
      {2, "4", "0.5 nan -0.1 0", "found torsion = -0.1, expected at least 0"},
  };
  for (const auto& c : cases) {
    const std::string error = ErrorOf(text(c.version, c.rows, c.friction));
    EXPECT_NE(error.find(c.message), std::string::npos) << error;
  }
}

TEST(ProblemFile, CutAnywhereIsRefused) {
  const std::string text = kText;
  for (size_t size = 0; size + 1 < text.size(); ++size) {
    const std::string error = ErrorOf(text.substr(0, size));
    EXPECT_NE(error.find("run.problem"), std::string::npos) << text.substr(0, size);
  }
}

TEST(ProblemFile, RefusesLawsThatAreProgramsAndFilesThatAreNotThere) {
  class MyLaw : public UserForceLaw {
    ForceLawValue Calc(double, double, double) const override { return {}; }
  };
  OwnedProblem owned = ParseProblem(kText, "run.problem");
  owned.problem.groups[0].force_law.kind = ForceLaw::Kind::kUser;
  owned.problem.groups[0].force_law.user = std::make_shared<MyLaw>();
  EXPECT_THROW(FormatProblem(owned.problem), InputError);
  EXPECT_THROW(LoadProblem("/nowhere/at/all"), InputError);
  EXPECT_THROW(LoadProblem("/"), InputError);
  EXPECT_THROW(SaveProblem(ParseProblem(kText, "").problem, "/nowhere/at/all"), InputError);
}

}  // namespace
}  // namespace voigt
