#include "voigt/steppers/along_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "voigt/math/types.h"

namespace voigt {
namespace {

// Values of a polynomial at the moments, NaN where `missing` has a one.
std::array<double, 4> TakeValues(const std::array<MomentWeight, 4>& moments, const VecX& c,
                                 unsigned missing) {
  std::array<double, 4> out;
  for (int k = 0; k < 4; ++k) {
    const double s = moments[k].step;
    out[k] = c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * c[4])));
    if (missing >> k & 1) out[k] = kNaN;
  }
  return out;
}

// However many values there are, the formula has the order that they allow: it is exact for
// polynomials of that degree, and the error of others has the power of the step that is next.
TEST(AlongMotion, DifferentiatesFromTheValuesThatThereAre) {
  const auto moments = MomentsAlong(VecX::Constant(1, 2.0));
  const double e = moments[0].step;
  for (unsigned missing = 0; missing < 15; ++missing) {
    const auto has = [&](int k) { return (missing >> k & 1) == 0; };
    const int count = has(0) + has(1) + has(2) + has(3);
    const bool is_single = count == 1;
    // Three of four hold a pair, and so do two of them, but for one of each side and distance.
    const bool is_skew = missing == 0b0110 || missing == 0b1001;
    const int degree = count == 4 ? 4 : is_single || is_skew ? 1 : 2;
    VecX c = VecX::Zero(5);
    c[0] = 0.7;
    c[1] = -1.3;
    if (degree >= 2) c[2] = 40;
    if (degree >= 4) c[3] = 9, c[4] = 30;
    const double rate = DifferentiateAlong(moments, TakeValues(moments, c, missing), c[0]);
    EXPECT_NEAR(rate, c[1], 1e-11) << missing;
    if (degree == 4) continue;
    VecX more = VecX::Zero(5);
    more[degree + 1] = 1;
    const double error = DifferentiateAlong(moments, TakeValues(moments, more, missing), 0);
    EXPECT_LE(std::abs(error), 4.1 * std::pow(e, degree)) << missing;
  }
  EXPECT_EQ(DifferentiateAlong(moments, {kNaN, kNaN, kNaN, kNaN}, 3), 0);
}

// Where a contact comes to an edge, rates beyond are those of another feature: a jump of any size
// that counts, on either side and after one step or two, leaves the rate of the other side.
TEST(AlongMotion, TakesTheSmootherSideOfAJump) {
  const auto moments = MomentsAlong(VecX::Constant(1, 2.0));
  VecX c = VecX::Zero(5);
  c[0] = 1e-3;
  c[1] = -1.3;
  c[2] = 4;
  for (const double jump : {1e-6, -1e-3, 0.5, -4.0}) {
    for (const double from : {0.5, 1.5, -0.5, -1.5}) {
      auto values = TakeValues(moments, c, 0);
      for (int k = 0; k < 4; ++k) {
        const double steps = moments[k].step / moments[0].step;
        if (from > 0 ? steps > from : steps < from) values[k] += jump;
      }
      const double rate = DifferentiateAlong(moments, values, c[0]);
      // Less than a tenth of what rates differ by may pass for a bend.
      const double spread = std::fabs(c[1]) * 2 * moments[0].step;
      const double allowed = std::fabs(jump) < spread ? std::fabs(jump) / moments[0].step : 1e-11;
      EXPECT_NEAR(rate, c[1], allowed) << jump << ' ' << from;
    }
  }
}

}  // namespace
}  // namespace voigt
