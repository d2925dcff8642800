// m ẍ + b ẋ + k x = 0 by three Euler schemes [Drumwright 2019, §3, figures 1 to 3]: where each is
// stable, and that a compliant row is the implicit one.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/scenes.h"

namespace voigt {
namespace {

using Mat2 = Eigen::Matrix2d;

struct Oscillator {
  double k = 0, b = 0, h = 0;  // per unit of mass
};

// (x, v) after a step = A (x, v).
Mat2 Explicit(const Oscillator& o) {
  return (Mat2() << 1, o.h, -o.h * o.k, 1 - o.h * o.b).finished();
}

// v₁ from the old position and the new velocity, x₁ from v₁.
Mat2 SemiImplicit(const Oscillator& o) {
  const double beta = 1 + o.h * o.b;
  const Mat2 v = (Mat2() << 1, 0, -o.h * o.k / beta, 1 / beta).finished();
  return (Mat2() << 1, o.h, 0, 1).finished() * v;
}

Mat2 Implicit(const Oscillator& o) {
  const double beta = 1 + o.h * o.b + o.h * o.h * o.k;
  const Mat2 v = (Mat2() << 1, 0, -o.h * o.k / beta, 1 / beta).finished();
  return (Mat2() << 1, o.h, 0, 1).finished() * v;
}

// Both eigenvalues of a 2 × 2 matrix are inside the unit circle if and only if its trace and
// determinant lie in a triangle. For the three schemes its sides become:
bool IsStableExplicit(const Oscillator& o) {
  return o.h * o.k < o.b && 2 * o.h * o.b < 4 + o.h * o.h * o.k;
}
bool IsStableSemiImplicit(const Oscillator& o) {
  return o.b > 0 && o.h * o.h * o.k < 4 + 2 * o.h * o.b;
}

double SpectralRadius(const Mat2& A) { return A.eigenvalues().cwiseAbs().maxCoeff(); }

// The largest |x| of a part of the run from x = 1 at rest.
double Amplitude(const Mat2& A, int from, int to) {
  Vec2 y(1, 0);
  double largest = 0;
  for (int i = 0; i < to; ++i) {
    y = A * y;
    if (i >= from) largest = std::max(largest, std::abs(y[0]));
  }
  return largest;
}

TEST(SpringMassDamper, ExplicitEulerNeedsDampingButNotTooMuch) {
  const double h = 1e-5, k = 1e6;
  EXPECT_NEAR(SpectralRadius(Explicit({k, 1, h})), std::sqrt(1 + h * (h * k - 1)), 1e-14);
  EXPECT_GT(Amplitude(Explicit({k, 1, h}), 0, 500000), 1e9);
  // hk = b: the amplitude neither grows nor shrinks.
  EXPECT_NEAR(SpectralRadius(Explicit({k, 10, h})), 1, 1e-12);
  EXPECT_LT(Amplitude(Explicit({k, 2e5, h}), 0, 50000), 1 + 1e-12);
  EXPECT_GT(Amplitude(Explicit({k, 2.1e5, h}), 0, 2000), 1e9);
}

TEST(SpringMassDamper, SemiImplicitEulerNeedsSoftSprings) {
  EXPECT_LT(Amplitude(SemiImplicit({1e6, 1, 1e-3}), 9000, 10000), 0.02);
  EXPECT_GT(Amplitude(SemiImplicit({1e7, 1, 1e-3}), 0, 50), 1e9);
}

TEST(SpringMassDamper, ImplicitEulerIsStableAndDampsWhatHasNoDamper) {
  const double k = 1e6;
  for (const double h : {1e-5, 1e-2}) {
    EXPECT_NEAR(SpectralRadius(Implicit({k, 0, h})), 1 / std::sqrt(1 + h * h * k), 1e-14);
  }
  // After one period and a half, 942 short steps, 5 % are gone; the first long one leaves 1 %.
  EXPECT_NEAR(Amplitude(Implicit({k, 0, 1e-5}), 700, 1000), std::pow(1 + 1e-4, -0.5 * 942), 0.005);
  EXPECT_LT(Amplitude(Implicit({k, 0, 1e-2}), 0, 1), 0.01);
}

TEST(SpringMassDamper, LimitsAreThoseOfTheEigenvalues) {
  int stable[3] = {}, count = 0;
  for (double k = 1; k < 1e9; k *= 2.7) {
    for (double b = 1e-3; b < 1e7; b *= 3.1) {
      for (double h = 1e-5; h < 1; h *= 3.3) {
        const Oscillator o{k, b, h};
        // Rounding decides nearer to the limit than this.
        const auto check = [&](const Mat2& A, bool is_stable) {
          const double radius = SpectralRadius(A);
          if (std::abs(radius - 1) > 1e-9) {
            EXPECT_EQ(radius < 1, is_stable) << k << " " << b << " " << h;
          }
          return is_stable;
        };
        stable[0] += check(Explicit(o), IsStableExplicit(o));
        stable[1] += check(SemiImplicit(o), IsStableSemiImplicit(o));
        stable[2] += check(Implicit(o), true);
        ++count;
      }
    }
  }
  EXPECT_LT(stable[0], stable[1]);
  EXPECT_LT(stable[1], stable[2]);
  EXPECT_EQ(stable[2], count);
}

// A sliding body of 1 kg held at x = 0 by a row of stiffness k and damping b.
TEST(SpringMassDamper, CompliantRowIsTheImplicitEulerStep) {
  const double x0 = 0.7, v0 = -0.4;
  for (const double b : {0.0, 1.0, 1e6}) {
    for (double k = 1; k < 1.1e15; k *= 10) {
      for (const double h : {1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0}) {
        Scene scene = ParseScene(fmt::format(R"(
gravity: [0, 0, 0]
bodies:
  - {{name: block, mass: 1, inertia: [1, 1, 1]}}
joints:
  - {{name: slide, type: prismatic, child: block, axis: [1, 0, 0]}}
constraints:
  - {{name: spring, type: lock, joint: slide, at: 0, stiffness: {}, damping: {}}}
initial:
  slide: {{q: {}, v: {}}}
simulation: {{step: {}}}
)",
                                             k, b, x0, v0, h),
                                 "oscillator");
        scene.settings.formulation.compliant.tolerance = 1e-15;
        Simulator simulator = testing::MakeSimulator(scene);
        ASSERT_EQ(simulator.Step(), StepStatus::kOk);
        const Vec2 exact = Implicit({k, b, h}) * Vec2(x0, v0);
        const double speed = std::abs(v0) + x0 / h;
        EXPECT_NEAR(simulator.state().v[0], exact[1], 1e-13 * speed) << k << " " << b << " " << h;
        EXPECT_NEAR(simulator.state().q[0], exact[0], 1e-13 * h * speed)
            << k << " " << b << " " << h;
      }
    }
  }
}

}  // namespace
}  // namespace voigt
