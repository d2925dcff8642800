#include <gtest/gtest.h>

#include <cmath>

#include "voigt/kernels/working_set.h"

namespace voigt {
namespace {

constexpr double kMu = 0.5, kNormal = 10, kLimit = kMu * kNormal;

// A body whose inertia differs from row to row, pulled by a little more than friction holds.
WorkingProblem MakePulled(const VecX& inverse_mass, const VecX& pull) {
  WorkingProblem out;
  out.A = inverse_mass.asDiagonal();
  out.a0 = out.A * pull;
  out.is_one_sided.assign(pull.size(), 0);
  FrictionElement& element = out.elements.emplace_back();
  element.row_count = static_cast<int>(pull.size());
  element.mu = kMu;
  element.C = MatX::Zero(1, pull.size());
  element.n0 = VecX::Constant(1, kNormal);
  return out;
}

// Friction is against the acceleration that it leaves, as an angle: also where that acceleration is
// a small part of the one that friction takes away, down to what rounding leaves of it. From
// ratios of a million on Newton's method comes to friction that drives, or nowhere, from some
// pulls.
TEST(WorkingSetDirections, AreThoseOfSmallAccelerations) {
  for (int rows : {2, 3}) {
    for (double ratio : {1e2, 1e4, 1e6, 1e8}) {
      for (double excess : {1e-1, 1e-3, 1e-5}) {
        for (int i = 0; i < 8; ++i) {
          SCOPED_TRACE(::testing::Message() << rows << " rows, masses 1 to " << ratio << ", "
                                            << excess << " beyond the limit, pull " << i);
          const double angle = 0.3 + 0.7 * i, level = rows == 3 ? 0.6 : 1;
          const Vec3 direction(level * std::cos(angle), level * std::sin(angle), 0.8);
          const Vec3 inverse_mass(1, 1 / ratio, 1 / std::sqrt(ratio));
          const WorkingProblem problem =
              MakePulled(inverse_mass.head(rows), kLimit * (1 + excess) * direction.head(rows));
          WorkingSet set;
          WorkingStats stats;
          ASSERT_EQ(set.Solve(problem, {}, &stats).status, WorkingStatus::kSolved);
          EXPECT_EQ(set.states()[0], FrictionState::kCreeps);
          EXPECT_LE(stats.iterations, ratio < 1e6 ? 20 : 60);
          const VecX a = problem.a0 + problem.A * set.lambda();
          const double off = (set.lambda() / kLimit + a.normalized()).norm();
          EXPECT_LT(off, std::max(1e-10, 1e-14 * problem.a0.norm() / a.norm()));
        }
      }
    }
  }
}

}  // namespace
}  // namespace voigt
