#include "voigt/kernels/levenberg_marquardt.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>

#include "tests/support/allocation_counter.h"
#include "tests/support/dense_problem.h"

namespace voigt {
namespace {

using testing::CountAllocations;
using testing::RandomMatrix;

// Where columns nearly repeat each other, the orthogonal factor must be chosen.
TEST(DampedLeastSquaresTest, AgreesWithPivotedReflectionsWhateverTheConditionIs) {
  std::mt19937 random(1);
  DampedLeastSquares own;
  int orthogonal = 0;
  for (int sample = 0; sample < 200; ++sample) {
    const int size = 1 + sample % 20;
    MatX J = RandomMatrix(size, size, &random);
    if (sample % 3 == 1) J.col(size - 1) = J.col(0) + 1e-9 * J.col(size - 1);
    if (sample % 3 == 2) J.row(size - 1).setZero();
    const VecX b = RandomMatrix(size, 1, &random);
    for (const double lambda : {1.0, 1e-3, 1e-14, 1e-24}) {
      MatX stacked(2 * size, size);
      stacked << J, std::sqrt(lambda) * MatX::Identity(size, size);
      VecX right = VecX::Zero(2 * size);
      right.head(size) = b;
      VecX x(size);
      own.SetMatrix(J);
      own.Factor(lambda);
      own.Solve(b, x);
      orthogonal += own.is_orthogonal();
      // Judged by what was to be made small: the gradient, in units of its terms.
      const VecX gradient = stacked.transpose() * (stacked * x - right);
      const double terms = J.norm() * ((J * x - b).norm() + J.norm() * x.norm());
      EXPECT_LE(gradient.norm(), 1e-12 * terms) << sample << " " << lambda;
      const VecX expected = stacked.colPivHouseholderQr().solve(right);
      EXPECT_LE((stacked * x - right).norm(), (stacked * expected - right).norm() +
                                                  1e-9 * right.norm() +
                                                  1e-13 * stacked.norm() * x.norm())
          << sample << " " << lambda;
    }
  }
  EXPECT_GT(orthogonal, 200);
}

// Curved, with a kink in each equation: Φᵢ = xᵢ² + ½|xᵢ₊₁| − 2 − i/10.
class CurvedSystem : public SquareSystem {
 public:
  explicit CurvedSystem(int size) : size_(size) {}
  int size() const override { return size_; }
  void CalcResidual(const Eigen::Ref<const VecX>& x, Eigen::Ref<VecX> phi) override {
    for (int i = 0; i < size_; ++i) {
      const int next = (i + 1) % size_;
      phi[i] = x[i] * x[i] + 0.5 * std::abs(x[next]) - 2 - 0.1 * i;
    }
  }
  void CalcJacobian(const Eigen::Ref<const VecX>& x, Eigen::Ref<MatX> J) override {
    J.setZero();
    for (int i = 0; i < size_; ++i) {
      J(i, i) += 2 * x[i];
      J(i, (i + 1) % size_) += x[(i + 1) % size_] >= 0 ? 0.5 : -0.5;
    }
  }

 private:
  int size_;
};

// x² + 1 has no zero; its least square is at x = 0.
class NoZero : public SquareSystem {
 public:
  int size() const override { return 1; }
  void CalcResidual(const Eigen::Ref<const VecX>& x, Eigen::Ref<VecX> phi) override {
    phi[0] = x[0] * x[0] + 1;
  }
  void CalcJacobian(const Eigen::Ref<const VecX>& x, Eigen::Ref<MatX> J) override {
    J(0, 0) = 2 * x[0];
  }
};

class LevenbergMarquardtTest : public ::testing::TestWithParam<LevenbergMarquardtVariant> {
 protected:
  LevenbergMarquardtTest() { settings_.variant = GetParam(); }
  LevenbergMarquardtResult Solve(SquareSystem* system, VecX* x) {
    return method_.Solve(settings_, system, {}, {}, *x, &stats_);
  }
  LevenbergMarquardtSettings settings_;
  LevenbergMarquardtStats stats_;
  LevenbergMarquardt method_;
};

TEST_P(LevenbergMarquardtTest, FindsZerosQuadratically) {
  for (const int size : {1, 3, 10, 40}) {
    CurvedSystem system(size);
    VecX x = VecX::Constant(size, 3);
    stats_ = {};
    const auto result = Solve(&system, &x);
    EXPECT_TRUE(result.converged()) << size;
    EXPECT_LE(result.residual, 1e-14);
    EXPECT_LE(stats_.iterations, 12) << size;
    VecX phi(size);
    system.CalcResidual(x, phi);
    EXPECT_EQ(phi.cwiseAbs().maxCoeff(), result.residual);
  }
}

TEST_P(LevenbergMarquardtTest, SaysThatThereIsNoZeroAndReturnsTheLeastResidual) {
  NoZero system;
  VecX x = VecX::Constant(1, 2);
  const auto result = Solve(&system, &x);
  EXPECT_EQ(result.status, LevenbergMarquardtStatus::kStagnated);
  // It gives up where the residual does not halve any more, which is not the very minimum.
  EXPECT_NEAR(result.residual, 1, 1e-6);
  EXPECT_NEAR(x[0], 0, 1e-3);
}

TEST_P(LevenbergMarquardtTest, StopsAtItsLimitAndRefusesWhatIsNotFinite) {
  CurvedSystem system(3);
  VecX x = VecX::Constant(3, 3);
  settings_.max_iterations = 2;
  EXPECT_EQ(Solve(&system, &x).status, LevenbergMarquardtStatus::kIterationLimit);
  EXPECT_EQ(stats_.iterations, 2);
  x[1] = kNaN;
  EXPECT_EQ(Solve(&system, &x).status, LevenbergMarquardtStatus::kNotFinite);
}

TEST_P(LevenbergMarquardtTest, AllocatesNothingOnceASizeWasSeen) {
  if (CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  CurvedSystem large(40), small(7);
  VecX x = VecX::Constant(40, 3), y = VecX::Constant(7, 3);
  Solve(&large, &x);
  x.setConstant(2.5);
  const long before = CountAllocations();
  Solve(&small, &y);
  Solve(&large, &x);
  EXPECT_EQ(CountAllocations(), before);
}

INSTANTIATE_TEST_SUITE_P(Variants, LevenbergMarquardtTest,
                         ::testing::Values(LevenbergMarquardtVariant::kRegular,
                                           LevenbergMarquardtVariant::kProjected),
                         [](const auto& variant) {
                           return variant.param == LevenbergMarquardtVariant::kRegular ? "Rlm"
                                                                                       : "Plm";
                         });

TEST(ProjectedLevenbergMarquardt, StaysWithinItsBoundsAndFindsTheLeastThere) {
  CurvedSystem system(4);
  LevenbergMarquardtSettings settings;
  settings.variant = LevenbergMarquardtVariant::kProjected;
  LevenbergMarquardt method;
  LevenbergMarquardtStats stats;
  // The zero with x₁ < 0, where Φ has another piece.
  std::vector<double> lower = {0, -kInfinity, 0, 0}, upper = {kInfinity, 0, kInfinity, kInfinity};
  VecX x = VecX::Constant(4, 1);
  EXPECT_TRUE(method.Solve(settings, &system, lower, upper, x, &stats).converged());
  EXPECT_LT(x[1], 0);
  EXPECT_GE(x[0], 0);
  // No zero within: the gradient of ½‖Φ‖² pushes all that sits at a bound against it.
  upper.assign(4, 1.2);
  lower.assign(4, 0);
  x.setConstant(0.5);
  const auto result = method.Solve(settings, &system, lower, upper, x, &stats);
  EXPECT_EQ(result.status, LevenbergMarquardtStatus::kStagnated);
  VecX phi(4);
  MatX J(4, 4);
  system.CalcResidual(x, phi);
  system.CalcJacobian(x, J);
  const VecX gradient = J.transpose() * phi;
  for (int i = 0; i < 4; ++i) {
    const double moved = std::clamp(x[i] - gradient[i], lower[i], upper[i]);
    EXPECT_NEAR(moved, x[i], 1e-6) << i;
  }
}

}  // namespace
}  // namespace voigt
