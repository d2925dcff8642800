#include "voigt/problem/row_law.h"

#include <gtest/gtest.h>

namespace voigt {
namespace {

// v̂ is linear in φ away from its switches, so differences are exact to rounding.
TEST(RowLaw, SlopeIsTheDerivativeOfTheTarget) {
  const double h = 0.01, e = 1e-6, recovery = 1;
  const Compliance rigid, spring{1e4, 0}, damped{1e4, 300}, damper{0, 300};
  for (const Compliance& compliance : {rigid, spring, damped, damper}) {
    for (const double phi : {-0.5, -0.003, -1e-5, 1e-5, 0.02}) {
      const auto row_at = [&](double gap, bool unilateral) {
        Row row;
        row.phi = gap;
        if (unilateral) {
          SetUnilateralSpring(compliance, h, recovery, &row);
        } else {
          SetSpring(compliance, h, &row);
        }
        return row;
      };
      for (const bool unilateral : {false, true}) {
        const double difference =
            (row_at(phi + e, unilateral).v_hat - row_at(phi - e, unilateral).v_hat) / (2 * e);
        EXPECT_NEAR(row_at(phi, unilateral).v_hat_slope, difference, 1e-7)
            << compliance.stiffness << " " << phi << " " << unilateral;
      }
    }
  }
}

TEST(RowLaw, TargetsOfVelocityRowsDoNotFollowTheGap) {
  Row row;
  row.phi = 3;
  SetSpring({}, 0.01, &row);
  SetVelocityRow(2, kInfinity, 0.01, &row);
  EXPECT_EQ(row.v_hat, 2);
  EXPECT_EQ(row.v_hat_slope, 0);
}

}  // namespace
}  // namespace voigt
