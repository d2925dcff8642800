// Force laws against their formulas as they are printed, written here once more: the potential by
// numeric integration, slopes by differences, and that no law's impulse grows with the rate.

#include "voigt/problem/force_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace voigt {
namespace {

// λ of the depth d and the rate φ̇ of the gap.
using Formula = std::function<double(double d, double phi_dot)>;

struct LawAndFormula {
  const char* name;
  ForceLaw law;
  Formula formula;
};

// λ = F e^{d/l}: pushes at any distance.
class Barrier : public UserForceLaw {
 public:
  static constexpr double kForce = 3, kLength = 0.02;
  ForceLawValue Calc(double phi_dot, double phi, double h) const override {
    const double force = kForce * std::exp(-(phi + h * phi_dot) / kLength);
    return {h * force, h * h * force / kLength, force * kLength};
  }
};

std::vector<LawAndFormula> ListLaws() {
  const auto hertz = [](double K) {
    return LawAndFormula{"hertz", {ForceLaw::Kind::kHertz, K, 0, nullptr}, [=](double d, double) {
                           return d > 0 ? K * std::pow(d, 1.5) : 0;
                         }};
  };
  const auto hunt_crossley = [](double K, double a) {
    return LawAndFormula{"hunt_crossley",
                         {ForceLaw::Kind::kHuntCrossley, K, a, nullptr},
                         [=](double d, double phi_dot) {
                           if (!(d > 0)) return 0.0;
                           return std::max(0.0, K * std::pow(d, 1.5) * (1 - 1.5 * a * phi_dot));
                         }};
  };
  const auto barrier = [](double d, double) {
    return Barrier::kForce * std::exp(d / Barrier::kLength);
  };
  return {hertz(1e3),
          hertz(4e9),
          hunt_crossley(1e3, 0),
          hunt_crossley(1e3, 0.5),
          hunt_crossley(4e9, 20),
          {"user", {ForceLaw::Kind::kUser, 0, 0, std::make_shared<Barrier>()}, barrier}};
}

struct LawPoint {
  double phi_dot, phi, h;
};

// Open, touching, deep; closing, opening, opening faster than 2/(3a), where dissipation ends the
// push of Hunt & Crossley's law.
std::vector<LawPoint> ListPoints() {
  std::vector<LawPoint> out;
  for (double h : {1e-4, 1e-2}) {
    for (double phi : {-0.03, -1e-3, 0.0, 2e-3}) {
      for (double phi_dot : {-3.0, -0.2, 0.0, 0.03, 0.6, 1.5}) out.push_back({phi_dot, phi, h});
    }
  }
  return out;
}

// ∫ f from a to b by Simpson's rule.
double Integrate(const std::function<double(double)>& f, double a, double b, int pieces) {
  const double step = (b - a) / pieces;
  double sum = f(a) + f(b);
  for (int i = 1; i < pieces; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(a + i * step);
  return sum * step / 3;
}

// Where a force that grows with the depth begins, below d: zero, or where dissipation lets go.
double FindEnd(const std::function<double(double)>& force, double d) {
  double low = 0, high = d;
  while (high - low > 1e-15 * d) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (force(middle) > 0 ? high : low) = middle;
  }
  return low;
}

TEST(ForceLaw, ImpulseIsTheFormulaAtTheEndOfTheStep) {
  for (const LawAndFormula& item : ListLaws()) {
    for (const LawPoint& p : ListPoints()) {
      const double gamma = CalcForceLaw(item.law, p.phi_dot, p.phi, p.h).gamma;
      const double expected = p.h * item.formula(-(p.phi + p.h * p.phi_dot), p.phi_dot);
      EXPECT_NEAR(gamma, expected, 1e-13 * expected)
          << item.name << " " << p.phi_dot << " " << p.phi << " " << p.h;
    }
  }
}

// ℓ = ∫ γ dφ̇ from φ̇₁ to where nothing pushes any more: d = 0, or far away for the barrier. With
// d = x² the integrand has all its derivatives where d = 0.
TEST(ForceLaw, PotentialIsTheIntegralOfTheImpulse) {
  for (const LawAndFormula& item : ListLaws()) {
    const bool pushes_from_afar = item.law.kind == ForceLaw::Kind::kUser;
    for (const LawPoint& p : ListPoints()) {
      const double d1 = -(p.phi + p.h * p.phi_dot);
      double expected = 0;
      if (pushes_from_afar) {
        expected = Integrate([&](double d) { return item.formula(d, 0); },
                             d1 - 40 * Barrier::kLength, d1, 4000);
      } else if (d1 > 0) {
        const auto force = [&](double d) { return item.formula(d, -(p.phi + d) / p.h); };
        const double end = FindEnd(force, d1);
        const auto integrand = [&](double x) { return force(x * x) * 2 * x; };
        expected = Integrate(integrand, std::sqrt(end), std::sqrt(d1), 2000);
      }
      EXPECT_NEAR(CalcForceLaw(item.law, p.phi_dot, p.phi, p.h).potential, expected,
                  1e-10 * expected)
          << item.name << " " << p.phi_dot << " " << p.phi << " " << p.h;
    }
  }
}

// ℓ' = −γ and the slope −γ', by differences between points that are on one side of the kinks.
TEST(ForceLaw, SlopesAreDerivatives) {
  int compared = 0;
  for (const LawAndFormula& item : ListLaws()) {
    for (const LawPoint& p : ListPoints()) {
      const double e = 1e-6 * std::max(0.01, std::fabs(p.phi_dot));
      const auto at = [&](double rate) { return CalcForceLaw(item.law, rate, p.phi, p.h); };
      const ForceLawValue now = at(p.phi_dot), less = at(p.phi_dot - e), more = at(p.phi_dot + e);
      EXPECT_GE(now.slope, 0);
      if ((less.gamma > 0) != (more.gamma > 0)) continue;
      const double change = 1e-8 * now.slope * e;  // of γ: what is curved, and rounding below
      EXPECT_NEAR((less.gamma - more.gamma) / (2 * e), now.slope,
                  1e-6 * now.slope + (change + 1e-15 * now.gamma) / e)
          << item.name << " " << p.phi_dot << " " << p.phi << " " << p.h;
      EXPECT_NEAR((less.potential - more.potential) / (2 * e), now.gamma,
                  1e-6 * now.gamma + 1e-15 * now.potential / e)
          << item.name << " " << p.phi_dot << " " << p.phi << " " << p.h;
      compared += now.gamma > 0;
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(ForceLaw, ImpulsesNeverGrowWithTheRate) {
  for (const LawAndFormula& item : ListLaws()) {
    for (double h : {1e-4, 1e-2}) {
      for (double phi : {-0.03, -1e-3, 0.0, 2e-3}) {
        ForceLawValue last = CalcForceLaw(item.law, -5, phi, h);
        for (double rate = -5; rate < 5; rate += 1e-3) {
          const ForceLawValue now = CalcForceLaw(item.law, rate, phi, h);
          EXPECT_LE(now.gamma, last.gamma) << item.name << " " << phi << " " << rate;
          EXPECT_LE(now.potential, last.potential) << item.name << " " << phi << " " << rate;
          last = now;
        }
      }
    }
  }
}

TEST(ForceLaw, TangentHasTheSameImpulseAndSlope) {
  for (const LawAndFormula& item : ListLaws()) {
    for (const LawPoint& p : ListPoints()) {
      const ForceLawValue value = CalcForceLaw(item.law, p.phi_dot, p.phi, p.h);
      const ForceLawTangent tangent = CalcForceLawTangent(item.law, p.phi_dot, p.phi, p.h);
      if (value.slope == 0) {
        EXPECT_EQ(tangent.R, kInfinity);
        continue;
      }
      EXPECT_NEAR(1 / tangent.R, value.slope, 1e-14 * value.slope);
      EXPECT_NEAR((tangent.b - p.phi_dot) / tangent.R, value.gamma,
                  1e-13 * (value.gamma + value.slope * std::fabs(p.phi_dot)));
    }
  }
}

}  // namespace
}  // namespace voigt
