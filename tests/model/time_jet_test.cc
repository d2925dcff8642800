// Derivatives of functions of time: those of expressions against closed forms, against differences
// and against the values that muParser gives.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/support/samples.h"
#include "voigt/math/types.h"
#include "voigt/model/time_function.h"

namespace voigt {
namespace {

TimeJet JetOf(const std::string& text, double t, const NamedConstants& constants = {}) {
  return CompiledTimeFunction(TimeFunction::Parse(text, constants)).CalcJet(t);
}

void ExpectJet(const std::string& text, double t, const TimeJet& exact, double tolerance = 1e-12) {
  const TimeJet jet = JetOf(text, t);
  const auto near = [&](double a, double b, double scale) {
    EXPECT_NEAR(a, b, tolerance * scale) << text << " at " << t;
  };
  near(jet.value, exact.value, std::fabs(exact.value) + 1e-300);
  near(jet.rate, exact.rate, std::fabs(exact.rate) + 1e-300);
  near(jet.curvature, exact.curvature, std::fabs(exact.curvature) + 1e-300);
}

TEST(TimeJet, SineOfAnyFrequency) {
  for (const double hertz : {5, 50, 500}) {
    const double w = 2 * kPi * hertz;
    const std::string text = "0.001*sin(2*pi*" + std::to_string(hertz) + "*t)";
    for (const double t : {0.0003, 0.0101, 0.1233}) {
      const double s = std::sin(w * t), c = std::cos(w * t);
      ExpectJet(text, t, {1e-3 * s, 1e-3 * w * c, -1e-3 * w * w * s});
    }
  }
}

TEST(TimeJet, ProductsQuotientsAndCompositions) {
  for (const double t : {0.3, 1.1, 2.7}) {
    const double e = std::exp(-t), s = std::sin(3 * t), c = std::cos(3 * t);
    ExpectJet("exp(-t)*sin(3*t)", t, {e * s, e * (3 * c - s), e * (-6 * c - 8 * s)});
    ExpectJet("t^3 - 2*t", t, {t * t * t - 2 * t, 3 * t * t - 2, 6 * t});
    const double g = 1 + t * t;
    ExpectJet("1/(1 + t^2)", t, {1 / g, -2 * t / (g * g), (6 * t * t - 2) / (g * g * g)});
    const double u = std::sin(t * t), w = std::cos(t * t);
    ExpectJet("sin(t^2)", t, {u, 2 * t * w, 2 * w - 4 * t * t * u});
    const double r = std::sqrt(g);
    ExpectJet("sqrt(1 + t^2)", t, {r, t / r, 1 / (r * r * r)});
    const double l = std::log(t), p = std::pow(t, t);
    ExpectJet("t^t", t, {p, p * (l + 1), p * ((l + 1) * (l + 1) + 1 / t)});
    const double q = std::log(2.0), z = std::pow(2, t);
    ExpectJet("2^t", t, {z, q * z, q * q * z});
    ExpectJet("(90*t) deg", t, {kPi / 2 * t, kPi / 2, 0});
    ExpectJet("atan2(sin(t), cos(t))", t, {t, 1, 0}, 1e-10);
  }
  ExpectJet("7", 3, {7, 0, 0});
  // Powers that end at zero have no infinite slope times nothing.
  ExpectJet("t^1 + t^2 + t^0", 0, {1, 1, 2});
}

// f′ and f″ by differences of order eight of muParser's values, extended by no more than these.
std::array<double, 2> Differentiate(const CompiledTimeFunction& f, double t, double e) {
  constexpr std::array<double, 4> kFirst = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  constexpr std::array<double, 4> kSecond = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  std::array<double, 2> out = {};
  for (int k = 1; k <= 4; ++k) {
    const double up = f(t + k * e) - f(t), down = f(t - k * e) - f(t);
    out[0] += kFirst[k - 1] * (up - down) / e;
    out[1] += kSecond[k - 1] * (up + down) / (e * e);
  }
  return out;
}

TEST(TimeJet, AllFunctionsHaveTheSlopesOfTheirValues) {
  for (const char* text : {"sin(2*t)",
                           "cos(2*t)",
                           "tan(t/2)",
                           "asin(t/2)",
                           "acos(t/2)",
                           "atan(2*t)",
                           "sinh(t)",
                           "cosh(t)",
                           "tanh(2*t)",
                           "asinh(3*t)",
                           "acosh(1.5 + t)",
                           "atanh(t/2)",
                           "exp(t/2)",
                           "ln(1 + t)",
                           "log(1 + t)",
                           "log2(1 + t)",
                           "log10(1 + t)",
                           "sqrt(1 + t)",
                           "abs(t - 3)",
                           "abs(t)",
                           "sign(t)*t^2",
                           "rint(t)*t",
                           "step(t)*t^2",
                           "min(t, t^2, 9)",
                           "max(t, t^2, -9)",
                           "sum(t, t^2, t^3)",
                           "avg(t, t^2, t^3)",
                           "atan2(1 + t, 2 - t)",
                           "atan2(-1 - t, t - 3)",
                           "(3*t) % 1.7",
                           "(-3*t) % 1.7",
                           "t % (1 + t^2/9)",
                           "t^2.5",
                           "t^-2",
                           "(-t)^3",
                           "1.5^(t^2)",
                           "(1 + t)^t",
                           "t < 2 ? sin(t) : 1",
                           "t > 2 ? 1 : cos(t)",
                           "t >= 0 && t <= 2 ? t^2 : 1",
                           "t < 0 || t > 2 ? 3 : t^3",
                           "t == 5 ? 1 : t",
                           "t != 5 ? t^2 : 1",
                           "(100*t) deg",
                           "-t^2",
                           "+t - -t",
                           "2^-t^2"}) {
    const CompiledTimeFunction f(TimeFunction::Parse(text));
    for (const double t : {0.37, 0.81}) {
      const TimeJet jet = f.CalcJet(t);
      const auto [rate, curvature] = Differentiate(f, t, 2e-3);
      EXPECT_NEAR(jet.value, f(t), 1e-14 * (1 + std::fabs(f(t)))) << text;
      EXPECT_NEAR(jet.rate, rate, 1e-11 * (1 + std::fabs(rate))) << text << " at " << t;
      EXPECT_NEAR(jet.curvature, curvature, 2e-8 * (1 + std::fabs(curvature)))
          << text << " at " << t;
    }
  }
}

// Random expressions of all that the language has, written with as few parentheses as possible: the
// order of operations has to be muParser's.
class RandomExpression {
 public:
  explicit RandomExpression(unsigned seed) : random_(seed) {}

  std::string Make(int depth) {
    if (depth == 0) return Leaf();
    const auto sub = [&] { return Make(depth - 1); };
    switch (Pick(13)) {
      case 0:
        return sub() + Operator() + sub();
      case 1:
        return sub() + Operator() + sub() + Operator() + sub();
      case 2:
        return "(" + sub() + ")";
      case 3:
        return "-" + Leaf() + Operator() + Leaf() + " - -" + Leaf();
      case 4:
        return Function() + "(" + sub() + ")";
      case 5:
        return (Pick(2) ? "min(" : "max(") + sub() + ", " + sub() + ", " + sub() + ")";
      case 6:
        return (Pick(2) ? "sum(" : "avg(") + sub() + ", " + sub() + ")";
      case 7:
        return sub() + " ? " + sub() + " : " + sub();
      case 8:
        return "(" + sub() + Comparison() + sub() + " ? " + sub() + " : " + sub() + ")";
      case 9:
        return "atan2(" + sub() + ", " + sub() + ")";
      // muParser cuts constants at && and || to whole numbers: these are of comparisons.
      case 11:
        return "((" + sub() + ")" + Comparison() + "(" + sub() + ")" + (Pick(2) ? " && " : "||") +
               Leaf() + Comparison() + "t)";
      case 10:
        return "(" + sub() + ")^" + (Pick(2) ? "2" : "-" + Leaf());
      default:
        return Leaf() + " deg" + Operator() + sub();
    }
  }

 private:
  int Pick(int n) { return static_cast<int>(random_() % n); }
  std::string Leaf() {
    static const std::array<const char*, 8> kLeaves = {"t",  "t",    "2",    "0.7",
                                                       "pi", "mass", "1e-1", "3."};
    return kLeaves[Pick(8)];
  }
  std::string Operator() {
    static const std::array<const char*, 8> kOperators = {" + ", "-",   "*",   "/",
                                                          "^",   " % ", " < ", ">="};
    return kOperators[Pick(8)];
  }
  std::string Comparison() {
    static const std::array<const char*, 6> kComparisons = {"<", "<=", ">", ">=", "==", "!="};
    return kComparisons[Pick(6)];
  }
  std::string Function() {
    static const std::array<const char*, 23> kFunctions = {
        "sin",   "cos",   "tan",   "asin",  "acos", "atan", "sinh", "cosh",
        "tanh",  "asinh", "acosh", "atanh", "exp",  "ln",   "log",  "log2",
        "log10", "sqrt",  "abs",   "sign",  "rint", "step", "sin"};
    return kFunctions[Pick(23)];
  }

  std::mt19937 random_;
};

TEST(TimeJet, ValuesAndSlopesAreThoseOfMuParser) {
  int values = 0, slopes = 0;
  const int count = testing::SampleCount(20000);
  RandomExpression random(1);
  for (int k = 0; k < count; ++k) {
    const std::string text = random.Make(1 + k % 3);
    const CompiledTimeFunction f(TimeFunction::Parse(text, {{"mass", 1.3}}));
    const double t = 0.2347 + 0.61 * (k % 7);
    const double value = f(t);
    const TimeJet jet = f.CalcJet(t);
    if (!std::isfinite(value) || std::fabs(value) > 1e3) continue;
    // Where rounding may decide on a branch, both are right.
    bool is_apart = true;
    for (const double away : {1e-9, 1e-3}) {
      is_apart &= f.CalcPiece(t - away) == f.CalcPiece(t + away);
    }
    if (!is_apart) continue;
    ++values;
    ASSERT_NEAR(jet.value, value, 1e-9 * (1 + std::fabs(value))) << text << " at " << t;
    // Differences tell what they are good for by themselves, with two spacings.
    const auto fine = Differentiate(f, t, 1e-4), coarse = Differentiate(f, t, 2e-4);
    for (int i = 0; i < 2; ++i) {
      const double error = 10 * std::fabs(fine[i] - coarse[i]) + (i == 0 ? 1e-9 : 1e-5);
      const double size = std::fabs(fine[i]);
      if (!(error < 1e-4 * (1 + size))) continue;
      // Infinities on the way leave no slope, as in (1/0)^-1; it is then no number.
      if (std::isnan(i == 0 ? jet.rate : jet.curvature)) continue;
      ++slopes;
      ASSERT_NEAR(i == 0 ? jet.rate : jet.curvature, fine[i], error * (1 + size))
          << text << " at " << t;
    }
  }
  EXPECT_GT(values, count / 2);
  EXPECT_GT(slopes, count / 2);
}

TEST(TimeJet, KinksHaveTheSlopesOfThePieceThatBegins) {
  for (const char* text : {"t < 1 ? 0 : (t - 1)*(t + 2)", "t <= 1 ? 0 : (t - 1)*(t + 2)",
                           "t >= 1 ? (t - 1)*(t + 2) : 0", "t > 1 ? (t - 1)*(t + 2) : 0",
                           "max(0, (t - 1)*(t + 2))", "step(t - 1)*(t - 1)*(t + 2)",
                           "0.5*((t - 1) + abs(t - 1))*(t + 2)", "-min(0, (1 - t)*(t + 2))"}) {
    ExpectJet(text, 1, {0, 3, 2}, 1e-14);
    ExpectJet(text, std::nextafter(1.0, 0.0), {0, 0, 0}, 1e-14);
  }
  // A sawtooth that begins anew, up and down.
  ExpectJet("t % 2", 4, {0, 1, 0});
  EXPECT_EQ(JetOf("(4 - t) % 2", 2).value, 2);
  EXPECT_EQ(JetOf("(4 - t) % 2", 2).rate, -1);
  // Jumps: values from the right.
  EXPECT_EQ(JetOf("t <= 1 ? 5 : 7", 1).value, 7);
  EXPECT_EQ(JetOf("step(1 - t)", 1).value, 0);
  EXPECT_EQ(JetOf("sign(t - 1)", 1).value, 1);
  EXPECT_EQ(JetOf("rint(1.5 - t)", 1).value, 0);
}

TEST(TimeJet, PiecesEndWhereConditionsChange) {
  const auto end = [](std::vector<const char*> texts, double t0, double t1) {
    std::vector<CompiledTimeFunction> functions;
    for (const char* text : texts) functions.emplace_back(TimeFunction::Parse(text));
    return FindPieceEnd(functions, t0, t1);
  };
  EXPECT_EQ(end({"t < 1 ? 0 : t - 1"}, 0, 2), 1);
  EXPECT_EQ(end({"t <= 1 ? 0 : t - 1"}, 0, 2), 1);
  EXPECT_EQ(end({"t <= 1 ? 0 : t - 1"}, 0, 1), 1);
  EXPECT_EQ(end({"t < 1 ? 0 : t - 1"}, 1, 2), kInfinity);
  EXPECT_EQ(end({"t < 1 ? 0 : t - 1"}, 0, 0.99), kInfinity);
  EXPECT_EQ(end({"max(0, t - 1.5)", "abs(t - 0.7)", "sin(t)"}, 0, 2), 0.7);
  EXPECT_NEAR(end({"abs(sin(t))"}, 1, 4), kPi, 1e-15);
  EXPECT_EQ(end({"t % 0.25"}, 0.3, 0.6), 0.5);
  EXPECT_EQ(end({"sin(t) + t^2"}, 0, 100), kInfinity);
}

TEST(TimeJet, LongListsOfPiecesAndDeepNesting) {
  std::string list;
  for (int k = 1; k < 800; ++k) {
    list += "t < " + std::to_string(k) + " ? " + std::to_string(k) + "*t : ";
  }
  EXPECT_EQ(JetOf(list + "0", 654.5).rate, 655);
  const auto nested = [](int n) { return std::string(n, '(') + "t" + std::string(n, ')'); };
  EXPECT_EQ(JetOf(nested(200), 3).rate, 1);
  EXPECT_THROW(JetOf(nested(5000), 3), std::invalid_argument);
}

}  // namespace
}  // namespace voigt
