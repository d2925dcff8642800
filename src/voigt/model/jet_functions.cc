#include "voigt/model/jet_functions.h"

#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "voigt/math/types.h"

namespace voigt {
namespace {

// Of what does not change nothing comes, even where a slope is infinite.
double SlopeTimes(double slope, double change) { return change == 0 ? 0 : slope * change; }

// f(u) from f, f′ and f″ at u.
TimeJet Chain(double f, double f1, double f2, const TimeJet& u) {
  return {f, SlopeTimes(f1, u.rate), SlopeTimes(f2, u.rate * u.rate) + SlopeTimes(f1, u.curvature)};
}

TimeJet JetSin(const TimeJet& u) {
  const double s = std::sin(u.value), c = std::cos(u.value);
  return Chain(s, c, -s, u);
}
TimeJet JetCos(const TimeJet& u) {
  const double s = std::sin(u.value), c = std::cos(u.value);
  return Chain(c, -s, -c, u);
}
TimeJet JetTan(const TimeJet& u) {
  const double f = std::tan(u.value), f1 = 1 + f * f;
  return Chain(f, f1, 2 * f * f1, u);
}
// √(1 − x²), without loss where x is near ± 1.
double CoSine(double x) { return std::sqrt((1 - x) * (1 + x)); }
TimeJet JetAsin(const TimeJet& u) {
  const double x = u.value, f1 = 1 / CoSine(x);
  return Chain(std::asin(x), f1, x * f1 * f1 * f1, u);
}
TimeJet JetAcos(const TimeJet& u) {
  const double x = u.value, f1 = -1 / CoSine(x);
  return Chain(std::acos(x), f1, x * f1 * f1 * f1, u);
}
TimeJet JetAtan(const TimeJet& u) {
  const double x = u.value, f1 = 1 / (1 + x * x);
  return Chain(std::atan(x), f1, -2 * x * f1 * f1, u);
}
TimeJet JetSinh(const TimeJet& u) {
  const double s = std::sinh(u.value), c = std::cosh(u.value);
  return Chain(s, c, s, u);
}
TimeJet JetCosh(const TimeJet& u) {
  const double s = std::sinh(u.value), c = std::cosh(u.value);
  return Chain(c, s, c, u);
}
TimeJet JetTanh(const TimeJet& u) {
  // 1 − tanh² loses all digits far out.
  const double f = std::tanh(u.value), c = std::cosh(u.value), f1 = 1 / (c * c);
  return Chain(f, f1, -2 * f * f1, u);
}
TimeJet JetAsinh(const TimeJet& u) {
  const double x = u.value, f1 = 1 / std::sqrt(1 + x * x);
  return Chain(std::asinh(x), f1, -x * f1 * f1 * f1, u);
}
TimeJet JetAcosh(const TimeJet& u) {
  const double x = u.value, f1 = 1 / std::sqrt((x - 1) * (x + 1));
  return Chain(std::acosh(x), f1, -x * f1 * f1 * f1, u);
}
TimeJet JetAtanh(const TimeJet& u) {
  const double x = u.value, f1 = 1 / ((1 - x) * (1 + x));
  return Chain(std::atanh(x), f1, 2 * x * f1 * f1, u);
}
TimeJet JetExp(const TimeJet& u) {
  const double f = std::exp(u.value);
  return Chain(f, f, f, u);
}
// log x/log base, with 1/log base given.
TimeJet JetLog(double f, double scale, const TimeJet& u) {
  const double f1 = scale / u.value;
  return Chain(f, f1, -f1 / u.value, u);
}
TimeJet JetLn(const TimeJet& u) { return JetLog(std::log(u.value), 1, u); }
TimeJet JetLog2(const TimeJet& u) { return JetLog(std::log2(u.value), 1 / std::log(2.0), u); }
TimeJet JetLog10(const TimeJet& u) { return JetLog(std::log10(u.value), 1 / std::log(10.0), u); }
TimeJet JetSqrt(const TimeJet& u) {
  const double f = std::sqrt(u.value), f1 = 0.5 / f;
  return Chain(f, f1, -0.5 * f1 / u.value, u);
}

constexpr std::array<std::pair<const char*, JetFunction>, 18> kSmooth = {{{"sin", JetSin},
                                                                          {"cos", JetCos},
                                                                          {"tan", JetTan},
                                                                          {"asin", JetAsin},
                                                                          {"acos", JetAcos},
                                                                          {"atan", JetAtan},
                                                                          {"sinh", JetSinh},
                                                                          {"cosh", JetCosh},
                                                                          {"tanh", JetTanh},
                                                                          {"asinh", JetAsinh},
                                                                          {"acosh", JetAcosh},
                                                                          {"atanh", JetAtanh},
                                                                          {"exp", JetExp},
                                                                          {"ln", JetLn},
                                                                          {"log", JetLn},
                                                                          {"log2", JetLog2},
                                                                          {"log10", JetLog10},
                                                                          {"sqrt", JetSqrt}}};

int CompareNumbers(double a, double b) { return a < b ? -1 : a > b ? 1 : 0; }

}  // namespace

TimeJet operator+(const TimeJet& a, const TimeJet& b) {
  return {a.value + b.value, a.rate + b.rate, a.curvature + b.curvature};
}

TimeJet operator-(const TimeJet& a, const TimeJet& b) {
  return {a.value - b.value, a.rate - b.rate, a.curvature - b.curvature};
}

TimeJet operator-(const TimeJet& a) { return {-a.value, -a.rate, -a.curvature}; }

TimeJet operator*(const TimeJet& a, const TimeJet& b) {
  return {
      a.value * b.value, SlopeTimes(b.value, a.rate) + SlopeTimes(a.value, b.rate),
      SlopeTimes(b.value, a.curvature) + 2 * a.rate * b.rate + SlopeTimes(a.value, b.curvature)};
}

TimeJet operator*(double factor, const TimeJet& a) {
  return {factor * a.value, factor * a.rate, factor * a.curvature};
}

TimeJet operator/(const TimeJet& a, const TimeJet& b) {
  const double f = a.value / b.value;
  const double rate = (a.rate - SlopeTimes(f, b.rate)) / b.value;
  return {f, rate, (a.curvature - 2 * rate * b.rate - SlopeTimes(f, b.curvature)) / b.value};
}

TimeJet Pow(const TimeJet& x, const TimeJet& y) {
  const double f = std::pow(x.value, y.value);
  if (y.rate == 0 && y.curvature == 0) {
    const double n = y.value;
    const double f1 = n == 0 ? 0 : n * std::pow(x.value, n - 1);
    const double f2 = n == 0 || n == 1 ? 0 : n * (n - 1) * std::pow(x.value, n - 2);
    return Chain(f, f1, f2, x);
  }
  const TimeJet exponent = y * JetLn(x);
  return Chain(f, f, f, exponent);
}

TimeJet Atan2(const TimeJet& y, const TimeJet& x) {
  const double d = x.value * x.value + y.value * y.value;
  const double d1 = 2 * (x.value * x.rate + y.value * y.rate);
  const double rate = (x.value * y.rate - y.value * x.rate) / d;
  const double turn = x.value * y.curvature - y.value * x.curvature;
  return {std::atan2(y.value, x.value), rate, (turn - rate * d1) / d};
}

int CompareJets(const TimeJet& a, const TimeJet& b) {
  if (std::isnan(a.value) || std::isnan(b.value)) return 2;
  if (const int by_value = CompareNumbers(a.value, b.value)) return by_value;
  if (const int by_rate = CompareNumbers(a.rate, b.rate)) return by_rate;
  return CompareNumbers(a.curvature, b.curvature);
}

double CountWhole(const TimeJet& a, const TimeJet& b) {
  const double rest = std::fmod(a.value, b.value);
  const double whole = std::round((a.value - rest) / b.value);
  if (rest != 0 || whole == 0) return whole;
  // A whole number of times that is about to become less is no more.
  const int change = CompareJets(a - whole * b, {});
  const bool falls = (change < 0) == (a.value > 0) && change != 0;
  return falls ? whole - (whole > 0 ? 1 : -1) : whole;
}

JetFunction FindJetFunction(const char* name) {
  for (const auto& [known, function] : kSmooth) {
    if (std::strcmp(known, name) == 0) return function;
  }
  return nullptr;
}

}  // namespace voigt
