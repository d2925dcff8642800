#include "voigt/io/expression.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "voigt/math/types.h"

namespace voigt {
namespace {

// Why a text is no number; empty if it is one.
std::string WhyNot(const std::string& text, const NamedConstants& constants = {}) {
  try {
    EvaluateNumber(text, constants);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(EvaluateNumber, ReadsPlainNumbersExactly) {
  EXPECT_EQ(EvaluateNumber("0.1", {}), 0.1);
  EXPECT_EQ(EvaluateNumber("-2.5e-3", {}), -2.5e-3);
  EXPECT_EQ(EvaluateNumber("+7", {}), 7);
  EXPECT_EQ(EvaluateNumber(".5", {}), 0.5);
  EXPECT_EQ(EvaluateNumber("9007199254740993e0", {}), 9007199254740992.0);
  EXPECT_EQ(EvaluateNumber("inf", {}), kInfinity);
  EXPECT_EQ(EvaluateNumber("-inf", {}), -kInfinity);
}

TEST(EvaluateNumber, SaysWhenANumberIsTooLarge) {
  const std::string why = "the number is too large, expected at most 1.79e308";
  EXPECT_EQ(WhyNot("1e400"), why);
  EXPECT_EQ(WhyNot("-1e309"), why);
  EXPECT_EQ(WhyNot("1e308"), "");
  EXPECT_EQ(EvaluateNumber("1e-400", {}), 0);
  EXPECT_EQ(EvaluateNumber("-1E-400", {}), 0);
  try {
    EvaluateFunction("1e400", {});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(error.what(), why);
  }
}

TEST(EvaluateNumber, EvaluatesExpressionsOfConstants) {
  const NamedConstants constants = {{"n", 12}, {"length", 0.25}};
  EXPECT_EQ(EvaluateNumber("n", constants), 12);
  EXPECT_EQ(EvaluateNumber("(n - 1) * length / 2", constants), 1.375);
  EXPECT_EQ(EvaluateNumber("min(n, 3, max(1, 2))", constants), 2);
  EXPECT_EQ(EvaluateNumber("n >= 12 ? 1 : 0", constants), 1);
  EXPECT_EQ(EvaluateNumber("n == 12 && n != 3", constants), 1);
  EXPECT_DOUBLE_EQ(EvaluateNumber("sqrt(2)^2 + ln(exp(1))", constants), 3);
}

TEST(EvaluateNumber, DegreesBindTighterThanArithmetic) {
  EXPECT_DOUBLE_EQ(EvaluateNumber("90 deg", {}), kPi / 2);
  EXPECT_DOUBLE_EQ(EvaluateNumber("-90deg", {}), -kPi / 2);
  EXPECT_DOUBLE_EQ(EvaluateNumber("2 * 45 deg", {}), kPi / 2);
  EXPECT_DOUBLE_EQ(EvaluateNumber("(30 + 60) deg", {}), kPi / 2);
  EXPECT_DOUBLE_EQ(EvaluateNumber("a deg", {{"a", 180}}), kPi);
}

TEST(EvaluateNumber, RefusesWhatIsNoNumber) {
  for (const char* text : {"", " ", "abc", "1 000", "3..4", "1 +", "(1", "2 kg", "true", "t"}) {
    EXPECT_NE(WhyNot(text), "") << text;
  }
}

// The expression library would take 1,5 for the list 1 and 5 and answer 5.
TEST(EvaluateNumber, RefusesDecimalCommas) {
  for (const char* text : {"1,5", "(1),(5)", "max(1, 2), 3", ","}) {
    EXPECT_NE(WhyNot(text), "") << text;
  }
}

TEST(EvaluateNumber, RefusesAssignments) {
  for (const char* text : {"a = 3", "a=3", "a =< 3", "=", "a < 1 ? a = 2 : 3"}) {
    EXPECT_NE(WhyNot(text, {{"a", 1}}), "") << text;
  }
}

TEST(EvaluateNumber, RefusesUndefinedResults) {
  for (const char* text : {"nan", "0/0", "sqrt(-1)", "inf - inf"}) {
    EXPECT_EQ(WhyNot(text), "the result is undefined") << text;
  }
}

TEST(EvaluateFunction, KeepsConstantsConstant) {
  const TimeFunction f = EvaluateFunction("2 * a", {{"a", 3}});
  EXPECT_TRUE(f.is_constant());
  EXPECT_EQ(f.constant(), 6);
}

TEST(EvaluateFunction, FollowsTime) {
  const TimeFunction f = EvaluateFunction("t < 1 ? a * t : 30 deg", {{"a", 3}});
  EXPECT_FALSE(f.is_constant());
  const CompiledTimeFunction compiled(f);
  EXPECT_EQ(compiled(0.5), 1.5);
  EXPECT_DOUBLE_EQ(compiled(2), kPi / 6);
}

TEST(EvaluateFunction, RefusesWhatNumbersRefuse) {
  for (const char* text :
       {"1,5", "1,5 * t", "t = 1", "t = 1 ? 2 : 3", "sqrt(-1)", "nan", "u * t", "sin(t", ""}) {
    EXPECT_THROW(EvaluateFunction(text, {}), std::invalid_argument) << text;
  }
}

TEST(ExpressionNames, AreIdentifiersWithoutAMeaningOfTheirOwn) {
  for (const char* name : {"n", "half_width", "_x", "L2", "step", "sin", "T"}) {
    EXPECT_EQ(DescribeNameDefect(name), std::nullopt) << name;
  }
  for (const char* name : {"", "2n", "half-width", "a b", "größe", "a.b", "${i}"}) {
    EXPECT_EQ(DescribeNameDefect(name),
              fmt::format("'{}' is no name for expressions: use letters, digits and _", name));
  }
  for (const char* name : {"t", "pi", "inf", "Inf", "infinity", "NaN", "deg"}) {
    EXPECT_EQ(DescribeNameDefect(name),
              fmt::format("'{}' has a meaning of its own, choose another", name));
  }
}

// A name may be that of a function as well: only a parenthesis calls it.
TEST(ExpressionNames, MayBeThoseOfFunctions) {
  EXPECT_EQ(EvaluateNumber("step + step(1)", {{"step", 0.5}}), 1.5);
}

}  // namespace
}  // namespace voigt
