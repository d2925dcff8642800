#include "voigt/model/time_function.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "voigt/math/types.h"

namespace voigt {
namespace {

double At(const std::string& text, double t, const NamedConstants& constants = {}) {
  return CompiledTimeFunction(TimeFunction::Parse(text, constants))(t);
}

// The reason that Parse gives, "" if it accepts the text.
std::string ParseError(const std::string& text, const NamedConstants& constants = {}) {
  try {
    TimeFunction::Parse(text, constants);
    return "";
  } catch (const std::invalid_argument& error) {
    EXPECT_STRNE(error.what(), "") << text;
    return error.what();
  }
}

TEST(TimeFunction, IsZeroByDefault) {
  const TimeFunction function;
  EXPECT_TRUE(function.is_constant());
  EXPECT_EQ(CompiledTimeFunction(function)(3), 0);
}

TEST(TimeFunction, ConstantsStayExact) {
  for (double value : {0.1, -2.5, 1e300, 5e-324}) {
    const TimeFunction function(value);
    EXPECT_TRUE(function.is_constant());
    EXPECT_EQ(function.constant(), value);
    const CompiledTimeFunction compiled(function);
    EXPECT_EQ(compiled(0), value);
    EXPECT_EQ(compiled(17), value);
  }
}

TEST(TimeFunction, EvaluatesExpressionsOfTime) {
  for (double t : {-1.0, 0.0, 0.3, 2.0, 100.0}) {
    EXPECT_EQ(At("t", t), t);
    EXPECT_EQ(At("2*t + 1", t), 2 * t + 1);
    EXPECT_NEAR(At("5*sin(2*pi*t)", t), 5 * std::sin(2 * kPi * t), 1e-12);
    EXPECT_NEAR(At("exp(-t)*cos(t) + sqrt(abs(t))", t),
                std::exp(-t) * std::cos(t) + std::sqrt(std::abs(t)), 1e-13);
    EXPECT_NEAR(At("t^2 - t/3", t), t * t - t / 3, 1e-11);
  }
}

TEST(TimeFunction, DividesLikeRealNumbers) { EXPECT_EQ(At("1/2", 0), 0.5); }

TEST(TimeFunction, KnowsPiAndInfinity) {
  EXPECT_EQ(At("pi", 0), kPi);
  EXPECT_EQ(At("inf", 0), kInfinity);
  EXPECT_EQ(At("-inf", 0), -kInfinity);
}

TEST(TimeFunction, ReadsDegrees) {
  EXPECT_NEAR(At("180 deg", 0), kPi, 4e-15);
  EXPECT_NEAR(At("90deg", 0), kPi / 2, 4e-15);
  EXPECT_NEAR(At("-30 deg", 0), -kPi / 6, 4e-15);
  EXPECT_NEAR(At("2*45 deg + 90 deg", 0), kPi, 4e-15);
  EXPECT_NEAR(At("(t + 1) deg", 179), kPi, 4e-15);
  EXPECT_NEAR(At("sin(30 deg)", 0), 0.5, 4e-15);
}

TEST(TimeFunction, StepsUpAtZero) {
  EXPECT_EQ(At("step(t - 1)", 0.999), 0);
  EXPECT_EQ(At("step(t - 1)", 1), 1);
  EXPECT_EQ(At("step(t - 1)", 1.001), 1);
  EXPECT_EQ(At("3*step(t) - 3*step(t - 2)", 1), 3);
  EXPECT_EQ(At("3*step(t) - 3*step(t - 2)", 2.5), 0);
}

TEST(TimeFunction, ChoosesByCondition) {
  EXPECT_EQ(At("t < 1 ? 3 : 0", 0.5), 3);
  EXPECT_EQ(At("t < 1 ? 3 : 0", 1), 0);
  EXPECT_EQ(At("t < 1 ? 1 : t < 2 ? 2 : 3", 1.5), 2);
  EXPECT_EQ(At("t > 1 && t < 2 ? 7 : 8", 1.5), 7);
}

TEST(TimeFunction, TakesTheRemainderOfADivision) {
  EXPECT_EQ(At("t % 2", 5), 1);
  EXPECT_EQ(At("t % 2", 5.5), 1.5);
  EXPECT_EQ(At("3 * 5 % 4", 0), 3);
  EXPECT_EQ(At("1 + 5 % 4", 0), 2);
}

TEST(TimeFunction, UsesNamedConstants) {
  const NamedConstants constants = {{"amplitude", 3}, {"omega", 2}};
  EXPECT_NEAR(At("amplitude*sin(omega*t)", 0.7, constants), 3 * std::sin(1.4), 4e-15);
  EXPECT_EQ(ParseError("amplitude", constants), "");
  EXPECT_NE(ParseError("amplitude").find("amplitude"), std::string::npos);
}

TEST(TimeFunction, KeepsItsTextAndConstants) {
  const TimeFunction function = TimeFunction::Parse("a*t", {{"a", 2}});
  EXPECT_FALSE(function.is_constant());
  EXPECT_EQ(function.text(), "a*t");
  ASSERT_EQ(function.constants().size(), 1u);
  EXPECT_EQ(function.constants()[0].first, "a");
  EXPECT_EQ(function.constants()[0].second, 2);
}

TEST(TimeFunction, RefusesTextThatIsNoExpression) {
  for (const char* text : {"", " ", "1 +", "2 * * 3", "sin(t", "sin()", "(", "t t", "unknown + 1",
                           "foo(t)", "3 apples", "t ? 1", "\"text\"", "1..2", "deg"}) {
    EXPECT_NE(ParseError(text), "") << "'" << text << "' was accepted";
  }
}

TEST(TimeFunction, RefusesAssignmentsAndLists) {
  // "t = 1 ? …" is a mistyped "==" and "1, 2" a mistyped "1.2"; both would evaluate to something.
  for (const char* text : {"t = 1", "t += 1", "t = 1 ? 2 : 3", "1, 2", "t, 2*t"}) {
    EXPECT_NE(ParseError(text), "") << "'" << text << "' was accepted";
  }
}

TEST(TimeFunction, SaysWhatIsWrong) {
  EXPECT_NE(ParseError("1 + velocity*t").find("velocity"), std::string::npos);
}

TEST(TimeFunction, RefusesConstantsThatHideTimeOrFunctions) {
  EXPECT_NE(ParseError("t", {{"t", 1}}), "");
  EXPECT_NE(ParseError("1", {{"two words", 1}}), "");
  EXPECT_NE(ParseError("1", {{"", 1}}), "");
}

TEST(TimeFunction, EvaluatesAfterMoving) {
  CompiledTimeFunction first(TimeFunction::Parse("2*t"));
  CompiledTimeFunction second(std::move(first));
  EXPECT_EQ(second(3), 6);
  CompiledTimeFunction third(TimeFunction(1.5));
  EXPECT_EQ(third(3), 1.5);
  third = std::move(second);
  EXPECT_EQ(third(4), 8);

  std::vector<CompiledTimeFunction> many;
  for (int i = 0; i < 50; ++i) {
    many.emplace_back(TimeFunction::Parse("t + " + std::to_string(i)));
  }
  for (int i = 0; i < 50; ++i) EXPECT_EQ(many[i](0.5), i + 0.5);
}

TEST(TimeFunction, CopiesEvaluateIndependently) {
  const TimeFunction function = TimeFunction::Parse("t^2");
  const TimeFunction copy = function;
  const CompiledTimeFunction a(function), b(copy);
  EXPECT_EQ(a(2), 4);
  EXPECT_EQ(b(3), 9);
  EXPECT_EQ(a(2), 4);
}

TEST(EvaluateExpression, KnowsConstantsButNotTime) {
  EXPECT_EQ(EvaluateExpression("3*mass + 1", {{"mass", 2}}), 7);
  EXPECT_NEAR(EvaluateExpression("90 deg", {}), kPi / 2, 4e-15);
  EXPECT_THROW(EvaluateExpression("t", {}), std::invalid_argument);
}

TEST(EvaluateExpression, RefusesTextThatIsNoExpression) {
  for (const char* text : {"", "1 +", "abc", "1, 2", "mass = 3"}) {
    EXPECT_THROW(EvaluateExpression(text, {{"mass", 2}}), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace voigt
