// Verdicts come from comparisons alone: what each of them needs, and that wrong numbers show.

#include "reproduce/core/verdict.h"

#include <gtest/gtest.h>

#include "voigt/base/errors.h"
#include "voigt/math/types.h"

namespace voigt::reproduce {
namespace {

Claim Near(double value, double tolerance) {
  Claim claim;
  claim.value = value;
  claim.absolute = tolerance;
  return claim;
}

Quantity MakeQuantity(std::optional<Claim> paper, std::optional<Claim> reference,
                      const std::string& why_not = "") {
  Quantity out;
  out.name = "x";
  out.paper = std::move(paper);
  out.reference = std::move(reference);
  out.why_not = why_not;
  return out;
}

Verdict JudgeVerdict(const Quantity& quantity, std::optional<double> ours, bool is_quick = false) {
  return Judge(quantity, ours, is_quick).verdict;
}

TEST(Claim, HoldsWithinTheLargerTolerance) {
  Claim claim = Near(10, 0.1);
  EXPECT_TRUE(claim.Holds(10.09));
  EXPECT_FALSE(claim.Holds(10.11));
  claim.relative = 0.05;
  EXPECT_TRUE(claim.Holds(9.51));
  EXPECT_FALSE(claim.Holds(9.49));
}

TEST(Claim, BoundsAreStrict) {
  Claim claim;
  claim.above = 1;
  claim.below = 2;
  EXPECT_TRUE(claim.Holds(1.5));
  EXPECT_FALSE(claim.Holds(1));
  EXPECT_FALSE(claim.Holds(2));
}

TEST(Claim, NothingHoldsForNumbersThatAreNone) {
  Claim bound;
  bound.above = 0;
  for (double ours : {kNaN, kInfinity}) {
    EXPECT_FALSE(bound.Holds(ours));
    EXPECT_FALSE(Near(1, 1e300).Holds(ours));
  }
}

TEST(Verdict, IsReproducedWherePaperAndReferenceHold) {
  EXPECT_EQ(JudgeVerdict(MakeQuantity(Near(1, 0.1), Near(1.01, 0.01)), 1.015),
            Verdict::kReproduced);
  EXPECT_EQ(JudgeVerdict(MakeQuantity(Near(1, 0.1), std::nullopt), 1.05), Verdict::kReproduced);
}

TEST(Verdict, IsBeyondThePaperWhereOnlyAReferenceIs) {
  EXPECT_EQ(JudgeVerdict(MakeQuantity(std::nullopt, Near(1, 0.1)), 1.05), Verdict::kBeyondPaper);
}

TEST(Verdict, FailsWhereTheReferenceIsAnother) {
  EXPECT_EQ(JudgeVerdict(MakeQuantity(std::nullopt, Near(1, 0.1)), 1.2), Verdict::kNoMatch);
  EXPECT_EQ(JudgeVerdict(MakeQuantity(Near(1.2, 0.1), Near(1, 0.1), "why"), 1.2),
            Verdict::kNoMatch);
}

TEST(Verdict, BlamesThePaperOnlyWithAReferenceAndAReason) {
  EXPECT_EQ(JudgeVerdict(MakeQuantity(Near(2, 0.1), Near(1, 0.1), "why"), 1),
            Verdict::kPaperNotReached);
  EXPECT_EQ(JudgeVerdict(MakeQuantity(Near(2, 0.1), Near(1, 0.1)), 1), Verdict::kNoMatch);
  EXPECT_EQ(JudgeVerdict(MakeQuantity(Near(2, 0.1), std::nullopt, "why"), 1), Verdict::kNoMatch);
}

// An excuse for the paper counts nothing where the paper is right.
TEST(Verdict, IsReproducedWhateverTheExcuse) {
  EXPECT_EQ(JudgeVerdict(MakeQuantity(Near(1, 0.1), Near(1, 0.1), "why"), 1), Verdict::kReproduced);
}

TEST(Verdict, FailsWithoutANumber) {
  Quantity quantity = MakeQuantity(std::nullopt, Near(1, 0.1));
  EXPECT_EQ(JudgeVerdict(quantity, std::nullopt), Verdict::kNoMatch);
  EXPECT_EQ(JudgeVerdict(quantity, std::nullopt, true), Verdict::kNoMatch);
  EXPECT_EQ(JudgeVerdict(quantity, kNaN), Verdict::kNoMatch);
  quantity.is_slow = true;
  EXPECT_EQ(JudgeVerdict(quantity, std::nullopt, true), Verdict::kSkipped);
  EXPECT_EQ(JudgeVerdict(quantity, std::nullopt, false), Verdict::kNoMatch);
  // If it is there, it counts.
  EXPECT_EQ(JudgeVerdict(quantity, 2, true), Verdict::kNoMatch);
}

TEST(Verdict, OfAllIsTheWorst) {
  const auto summarize = [](std::initializer_list<Verdict> verdicts) {
    std::vector<Finding> findings;
    for (Verdict verdict : verdicts) findings.push_back({{}, 1.0, verdict, ""});
    return Summarize(findings);
  };
  using enum Verdict;
  EXPECT_EQ(summarize({kReproduced, kNoMatch, kBeyondPaper}), kNoMatch);
  EXPECT_EQ(summarize({kReproduced, kPaperNotReached, kBeyondPaper}), kPaperNotReached);
  EXPECT_EQ(summarize({kBeyondPaper, kReproduced, kSkipped}), kReproduced);
  EXPECT_EQ(summarize({kBeyondPaper, kSkipped}), kBeyondPaper);
  EXPECT_EQ(summarize({kSkipped}), kSkipped);
  EXPECT_EQ(summarize({}), kNoMatch);
}

ExperimentData ParseQuantity(const std::string& quantity) {
  return ParseExperimentData(
      "paper: P\nplace: figure 1\ntitle: T\nset_up: S\nquantities:\n  - " + quantity + "\n",
      "data.yaml", "data");
}

std::string ComplaintAbout(const std::string& quantity) {
  try {
    ParseQuantity(quantity);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(DataFile, IsRead) {
  const ExperimentData data = ParseQuantity(
      "{name: x, label: L, unit: m, paper: {value: 1e-3, relative: 0.5, from: table 1}, "
      "reference: {above: 0, below: 2/7, says: some, from: closed form}, why_not: W, slow: true}");
  ASSERT_EQ(data.quantities.size(), 1u);
  const Quantity& x = data.quantities[0];
  EXPECT_EQ(*x.paper->value, 1e-3);
  EXPECT_EQ(x.paper->relative, 0.5);
  EXPECT_EQ(x.paper->ToString(), "0.001");
  EXPECT_EQ(*x.reference->below, 2.0 / 7);
  EXPECT_EQ(x.reference->ToString(), "some");
  EXPECT_TRUE(x.is_slow);
}

TEST(DataFile, RefusesWhatCannotBeCompared) {
  const auto expect = [](const std::string& quantity, const std::string& what) {
    EXPECT_NE(ComplaintAbout(quantity).find(what), std::string::npos) << ComplaintAbout(quantity);
  };
  expect("{name: x, label: L}", "nothing to compare with");
  expect("{name: x, label: L, paper: {value: 1, from: table}}", "without a tolerance");
  expect("{name: x, label: L, paper: {from: table}}", "expected either 'value'");
  expect("{name: x, label: L, paper: {value: 1, within: 1, above: 2, from: t}}", "either 'value'");
  expect("{name: x, label: L, paper: {value: 1, within: 1}}", "'from' is missing");
  expect("{name: x, label: L, paper: {above: 1, from: t}, why_not: W}", "an excuse alone");
  expect("{name: x, label: L, paper: {above: 1, from: t}, colour: red}", "unknown key 'colour'");
}

}  // namespace
}  // namespace voigt::reproduce
