#include "voigt/math/rotation.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "tests/support/random_model.h"

namespace voigt {
namespace {

using testing::Random;
using testing::RandomRotation;
using testing::RandomVector;
using testing::Uniform;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// exp([θ]×) by its power series, with scaling and squaring: shares nothing with the library.
Mat3 MatrixExp(const Vec3& theta) {
  Mat3 A;
  A << 0, -theta[2], theta[1], theta[2], 0, -theta[0], -theta[1], theta[0], 0;
  int halvings = 0;
  while (A.norm() > 0.5) {
    A /= 2;
    ++halvings;
  }
  Mat3 sum = Mat3::Identity(), term = Mat3::Identity();
  for (int k = 1; k < 25; ++k) {
    term = (term * A / k).eval();
    sum += term;
  }
  for (int i = 0; i < halvings; ++i) sum = (sum * sum).eval();
  return sum;
}

Vec4 RandomQuaternion(Random* random) {
  std::normal_distribution<double> normal;
  Vec4 q{normal(*random), normal(*random), normal(*random), normal(*random)};
  return q.normalized();
}

Vec3 RandomDirection(Random* random) {
  std::normal_distribution<double> normal;
  return Vec3{normal(*random), normal(*random), normal(*random)}.normalized();
}

// Directions of all kinds: coordinate axes, diagonals of faces and of the cube, random ones.
std::vector<Vec3> ManyDirections() {
  std::vector<Vec3> directions;
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        if (x != 0 || y != 0 || z != 0) directions.push_back(Vec3(x, y, z).normalized());
      }
    }
  }
  Random random(1);
  for (int i = 0; i < 100; ++i) directions.push_back(RandomDirection(&random));
  return directions;
}

double OrthogonalityError(const Mat3& R) {
  return (R.transpose() * R - Mat3::Identity()).cwiseAbs().maxCoeff();
}

TEST(Rotation, CrossMatrixMultipliesLikeTheCrossProduct) {
  EXPECT_EQ((CrossMatrix({1, 0, 0}) * Vec3(0, 1, 0)).eval(), Vec3(0, 0, 1));
  Random random(2);
  for (int i = 0; i < 20; ++i) {
    const Vec3 a = RandomVector(&random), b = RandomVector(&random);
    EXPECT_LT((CrossMatrix(a) * b - a.cross(b)).norm(), 4 * kEpsilon);
  }
}

TEST(Rotation, QuaternionProductFollowsHamiltonsRules) {
  const Vec4 one(1, 0, 0, 0), i(0, 1, 0, 0), j(0, 0, 1, 0), k(0, 0, 0, 1);
  EXPECT_EQ(QuaternionProduct(i, j), k);
  EXPECT_EQ(QuaternionProduct(j, k), i);
  EXPECT_EQ(QuaternionProduct(k, i), j);
  EXPECT_EQ(QuaternionProduct(j, i), Vec4(-k));
  EXPECT_EQ(QuaternionProduct(i, i), Vec4(-one));
  EXPECT_EQ(QuaternionProduct(j, j), Vec4(-one));
  EXPECT_EQ(QuaternionProduct(k, k), Vec4(-one));
  EXPECT_EQ(QuaternionProduct(QuaternionIdentity(), j), j);
  EXPECT_EQ(QuaternionProduct(j, QuaternionIdentity()), j);
}

TEST(Rotation, QuaternionProductMultipliesMatrices) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Vec4 a = RandomQuaternion(&random), b = RandomQuaternion(&random);
    const Mat3 product = QuaternionToMatrix(QuaternionProduct(a, b));
    EXPECT_LT((product - QuaternionToMatrix(a) * QuaternionToMatrix(b)).norm(), 1e-14);
  }
}

TEST(Rotation, ConjugateInvertsARotation) {
  Random random(4);
  for (int i = 0; i < 50; ++i) {
    const Vec4 q = RandomQuaternion(&random);
    EXPECT_LT((QuaternionProduct(q, QuaternionConjugate(q)) - QuaternionIdentity()).norm(), 4e-15);
    EXPECT_LT(
        (QuaternionToMatrix(QuaternionConjugate(q)) - QuaternionToMatrix(q).transpose()).norm(),
        4e-15);
  }
}

TEST(Rotation, QuaternionToMatrixMatchesKnownRotations) {
  // A quarter turn about z takes x to y.
  const double c = std::sqrt(0.5);
  const Mat3 R = QuaternionToMatrix({c, 0, 0, c});
  EXPECT_LT((R * Vec3::UnitX() - Vec3::UnitY()).norm(), 4e-15);
  EXPECT_LT((R * Vec3::UnitY() + Vec3::UnitX()).norm(), 4e-15);
  // (1, 1, 1, 1)/2 is a third of a turn about the diagonal: x → y → z → x.
  const Mat3 third = QuaternionToMatrix({0.5, 0.5, 0.5, 0.5});
  EXPECT_EQ((third * Vec3::UnitX()).eval(), Vec3::UnitY());
  EXPECT_EQ((third * Vec3::UnitY()).eval(), Vec3::UnitZ());
  EXPECT_EQ((third * Vec3::UnitZ()).eval(), Vec3::UnitX());
}

TEST(Rotation, QuaternionToMatrixIgnoresLengthAndSign) {
  Random random(5);
  for (double scale : {-1.0, 0.3, -17.0, 1e-100, 1e100, 1 + 1e-9}) {
    for (int i = 0; i < 20; ++i) {
      const Vec4 q = RandomQuaternion(&random);
      const Mat3 R = QuaternionToMatrix(scale * q);
      EXPECT_LT((R - QuaternionToMatrix(q)).norm(), 1e-14) << scale;
      EXPECT_LT(OrthogonalityError(R), 1e-14) << scale;
    }
  }
}

TEST(Rotation, MatrixToQuaternionInvertsInAllFourBranches) {
  // The largest of |w|, |x|, |y|, |z| decides the branch; each is made the largest in turn, in
  // both signs, and by a wide and a narrow margin.
  Random random(6);
  for (int branch = 0; branch < 4; ++branch) {
    for (double largest : {10.0, 1.0001, -10.0, -1.0001}) {
      for (int i = 0; i < 50; ++i) {
        Vec4 q;
        for (double& part : q) part = Uniform(&random, -1, 1);
        q[branch] = largest;
        q.normalize();
        const Vec4 back = MatrixToQuaternion(QuaternionToMatrix(q));
        EXPECT_GE(back[0], 0);
        EXPECT_NEAR(back.norm(), 1, 4 * kEpsilon);
        const double difference = std::min((back - q).norm(), (back + q).norm());
        EXPECT_LT(difference, 4e-15) << "branch " << branch;
      }
    }
  }
}

TEST(Rotation, MatrixToQuaternionIsExactForHalfTurns) {
  EXPECT_EQ(MatrixToQuaternion(Mat3::Identity()), QuaternionIdentity());
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 diagonal = Vec3::Constant(-1);
    diagonal[axis] = 1;
    const Vec4 q = MatrixToQuaternion(Mat3(diagonal.asDiagonal()));
    EXPECT_EQ(q, Vec4(Vec4::Unit(1 + axis)));
  }
}

TEST(Rotation, MatrixToQuaternionTakesTheNegativeWHalfAlike) {
  Random random(7);
  for (int i = 0; i < 50; ++i) {
    const Vec4 q = RandomQuaternion(&random);
    EXPECT_EQ(MatrixToQuaternion(QuaternionToMatrix(q)),
              MatrixToQuaternion(QuaternionToMatrix(-q)));
  }
}

TEST(Rotation, ExpIsTheMatrixExponential) {
  Random random(8);
  for (double angle :
       {1e-300, 1e-12, 1e-6, 1.9e-4, 2.1e-4, 1e-2, 0.5, 1.0, 2.0, 3.0, kPi, 4.0, 6.0, 10.0, 30.0}) {
    for (int i = 0; i < 20; ++i) {
      const Vec3 theta = angle * RandomDirection(&random);
      const Vec4 q = QuaternionExp(theta);
      EXPECT_NEAR(q.norm(), 1, 4 * kEpsilon);
      EXPECT_LT((QuaternionToMatrix(q) - MatrixExp(theta)).norm(), 1e-14 * (1 + angle)) << angle;
    }
  }
}

TEST(Rotation, ExpKeepsRelativeAccuracyOfSmallAngles) {
  // The vector part is θ/2 (1 − θ²/24 + …), to all digits on either side of the series' limit.
  for (double angle : {1e-200, 1e-20, 1e-8, 1e-5, 1.9999e-4, 2.0001e-4, 1e-3}) {
    const Vec4 q = QuaternionExp(angle * Vec3(2, -1, 2) / 3);
    const double expected = static_cast<double>(std::sin(static_cast<long double>(angle) / 2));
    EXPECT_NEAR(q.tail<3>().stableNorm() / expected, 1, 4 * kEpsilon) << angle;
  }
}

TEST(Rotation, ExpOfZeroIsTheIdentityExactly) {
  EXPECT_EQ(QuaternionExp(Vec3::Zero()), QuaternionIdentity());
}

TEST(Rotation, LogOfTheIdentityIsZeroExactly) {
  EXPECT_EQ(QuaternionLog(QuaternionIdentity()), Vec3(Vec3::Zero()));
  EXPECT_EQ(QuaternionLog(-QuaternionIdentity()).norm(), 0);
}

TEST(Rotation, LogInvertsExp) {
  Random random(9);
  for (double angle : {1e-300, 1e-100, 1e-15, 1e-12, 1e-9, 1e-6, 1.99e-4, 2.01e-4, 0.01, 0.7, 2.0,
                       3.0, kPi - 1e-3, kPi - 1e-6, kPi - 1e-9, kPi - 1e-12}) {
    for (int i = 0; i < 20; ++i) {
      const Vec3 theta = angle * RandomDirection(&random);
      const Vec3 back = QuaternionLog(QuaternionExp(theta));
      EXPECT_LT((back - theta).stableNorm(), 4e-15 * angle) << angle;
    }
  }
}

TEST(Rotation, LogOfAHalfTurnIsPiAboutTheAxisOrItsOpposite) {
  for (const Vec3& axis : ManyDirections()) {
    const Vec3 theta = QuaternionLog({0, axis[0], axis[1], axis[2]});
    EXPECT_LT((theta - kPi * axis).norm(), 1e-14);
    const Vec3 opposite = QuaternionLog({0, -axis[0], -axis[1], -axis[2]});
    EXPECT_LT((opposite + kPi * axis).norm(), 1e-14);
  }
}

TEST(Rotation, LogTakesTheShortWayRound) {
  Random random(10);
  for (double angle : {kPi + 1e-9, 3.5, 5.0, 2 * kPi - 1e-6}) {
    const Vec3 axis = RandomDirection(&random);
    const Vec3 theta = QuaternionLog(QuaternionExp(angle * axis));
    EXPECT_LT((theta - (angle - 2 * kPi) * axis).norm(), 1e-14) << angle;
  }
}

TEST(Rotation, LogIgnoresLengthAndSignOfTheQuaternion) {
  Random random(11);
  for (double scale : {0.1, 3.0, -1.0, -40.0}) {
    for (double angle : {1e-14, 1e-6, 1.0, 3.0}) {
      const Vec3 theta = angle * RandomDirection(&random);
      const Vec3 back = QuaternionLog(scale * QuaternionExp(theta));
      EXPECT_LT((back - theta).norm(), 1e-14 * angle) << scale << " " << angle;
    }
  }
}

// d/dt log(q(t)) for q(t) = exp(θ) exp(t ω), by a central difference of fourth order. The logarithm
// of the relative rotation keeps its relative precision at small angles, so this works there too.
Vec3 LogRateByDifferences(const Vec3& theta, const Vec3& omega, double s) {
  const auto log_at = [&](double t) {
    return QuaternionLog(QuaternionProduct(QuaternionExp(theta), QuaternionExp(t * omega)));
  };
  return (8 * (log_at(s) - log_at(-s)) - (log_at(2 * s) - log_at(-2 * s))) / (12 * s);
}

TEST(Rotation, LogRateMatrixMatchesFiniteDifferences) {
  Random random(12);
  for (double angle : {0.0, 1e-8, 1e-3, 0.02, 0.0999, 0.1001, 0.5, 1.0, 2.0, 3.0, 3.1}) {
    for (int i = 0; i < 20; ++i) {
      const Vec3 theta = angle * RandomDirection(&random);
      const Vec3 omega = RandomDirection(&random);
      const Vec3 difference = LogRateByDifferences(theta, omega, 1e-3);
      EXPECT_LT((LogRateMatrix(theta) * omega - difference).norm(), 1e-10) << angle;
    }
  }
}

TEST(Rotation, LogRateMatrixInvertsTheSeriesOfTheRightJacobian) {
  // The right Jacobian Σ (−[θ]×)ᵏ/(k+1)! maps rates of θ to ω.
  Random random(13);
  for (double angle : {1e-6, 0.05, 0.0999999, 0.1000001, 0.7, 2.5, 3.14}) {
    for (int i = 0; i < 10; ++i) {
      const Vec3 theta = angle * RandomDirection(&random);
      Mat3 A;
      A << 0, -theta[2], theta[1], theta[2], 0, -theta[0], -theta[1], theta[0], 0;
      Mat3 jacobian = Mat3::Identity(), term = Mat3::Identity();
      for (int k = 1; k < 40; ++k) {
        term = (-term * A / (k + 1)).eval();
        jacobian += term;
      }
      EXPECT_LT((LogRateMatrix(theta) * jacobian - Mat3::Identity()).norm(), 2e-14) << angle;
    }
  }
}

TEST(Rotation, LogRateMatrixIsContinuousWhereTheSeriesEnds) {
  const Vec3 axis = Vec3(3, -4, 12) / 13;
  const double delta = 1e-9;
  const Mat3 jump = LogRateMatrix((0.1 + delta) * axis) - LogRateMatrix((0.1 - delta) * axis);
  // The slope there is [axis]×/2 + O(0.1).
  EXPECT_LT((jump - delta * CrossMatrix(axis)).norm(), 1e-10);
  const double tiny = 1e-16;
  const Mat3 across = LogRateMatrix((0.1 + tiny) * axis) - LogRateMatrix((0.1 - tiny) * axis);
  EXPECT_LT(across.norm(), 1e-14);
}

TEST(Rotation, LogRateMatrixKeepsTheAxisAndIsTheIdentityAtZero) {
  EXPECT_EQ(LogRateMatrix(Vec3::Zero()), Mat3(Mat3::Identity()));
  // Turning on about the same axis changes the angle alone.
  for (double angle : {0.01, 0.3, 3.0}) {
    for (const Vec3& axis : ManyDirections()) {
      EXPECT_LT((LogRateMatrix(angle * axis) * axis - axis).norm(), 1e-14);
    }
  }
}

TEST(Rotation, ExpRateInvertsLogRateMatrix) {
  Random random(21);
  for (double angle : {0.0, 1e-9, 1e-3, 0.4999, 0.5001, 1.0, 2.0, 3.1}) {
    for (int i = 0; i < 20; ++i) {
      const Vec3 theta = angle * RandomDirection(&random), rate = RandomDirection(&random);
      EXPECT_LT((LogRateMatrix(theta) * CalcExpRate(theta, rate) - rate).norm(), 1e-14) << angle;
    }
  }
}

// Along θ(t) = θ + t θ̇ + t²/2 θ̈, also beyond half a turn, where no logarithm leads.
TEST(Rotation, ExpRateAndAccelerationMatchFiniteDifferences) {
  Random random(22);
  const auto differ = [](const auto& f, double s) {
    return Vec3((8 * (f(s) - f(-s)) - (f(2 * s) - f(-2 * s))) / (12 * s));
  };
  for (double angle : {0.0, 1e-6, 0.1, 0.4999, 0.5001, 2.0, 3.2, 9.0, 40.0}) {
    for (int i = 0; i < 20; ++i) {
      const Vec3 theta = angle * RandomDirection(&random), theta_dot = RandomVector(&random, 2);
      const Vec3 theta_ddot = RandomVector(&random, 2);
      const auto at = [&](double t) { return Vec3(theta + t * (theta_dot + t / 2 * theta_ddot)); };
      const Vec4 back = QuaternionConjugate(QuaternionExp(theta));
      const auto turned = [&](double t) {
        return QuaternionLog(QuaternionProduct(back, QuaternionExp(at(t))));
      };
      const auto rate = [&](double t) {
        return CalcExpRate(at(t), Vec3(theta_dot + t * theta_ddot));
      };
      EXPECT_LT((CalcExpRate(theta, theta_dot) - differ(turned, 1e-3)).norm(), 1e-9) << angle;
      EXPECT_LT((CalcExpAcceleration(theta, theta_dot, theta_ddot) - differ(rate, 1e-3)).norm(),
                1e-9)
          << angle;
    }
  }
}

TEST(Rotation, ExpAccelerationIsContinuousWhereItsSeriesEnd) {
  const Vec3 axis = Vec3(3, -4, 12) / 13, rate(1, 2, -1), none = Vec3::Zero();
  const double angle = 0.5, delta = 1e-14;
  const Vec3 jump = CalcExpAcceleration((angle + delta) * axis, rate, none) -
                    CalcExpAcceleration((angle - delta) * axis, rate, none);
  EXPECT_LT(jump.norm(), 1e-13 + 10 * delta);
}

TEST(Rotation, QuaternionRateMatchesFiniteDifferences) {
  Random random(14);
  const double s = 1e-4;
  for (int i = 0; i < 50; ++i) {
    const Vec4 q = RandomQuaternion(&random);
    const Vec3 omega = RandomVector(&random, 3);
    // ω is in rotated axes: R(t) = R exp([tω]×).
    const Mat3 R = QuaternionToMatrix(q);
    const auto at = [&](double t) {
      const Vec4 moved = MatrixToQuaternion(R * MatrixExp(t * omega));
      return moved.dot(q) < 0 ? Vec4(-moved) : moved;
    };
    const Vec4 difference = (at(s) - at(-s)) / (2 * s);
    EXPECT_LT((QuaternionRate(q, omega) - difference).norm(), 1e-7);
    // The rate does not change the length.
    EXPECT_NEAR(QuaternionRate(q, omega).dot(q), 0, 4e-15);
  }
}

TEST(Rotation, RotationAboutIsTheMatrixExponential) {
  Random random(15);
  for (double angle : {-7.0, -kPi, -1e-9, 0.0, 1e-5, 1.0, kPi / 2, 3.0, 9.0}) {
    for (const Vec3& axis : ManyDirections()) {
      EXPECT_LT((RotationAbout(axis, angle) - MatrixExp(angle * axis)).norm(), 1e-14);
    }
  }
}

TEST(Rotation, RollPitchYawTurnsAboutFixedAxesXThenYThenZ) {
  const double quarter = kPi / 2;
  // Each angle alone.
  EXPECT_LT((RotationFromRollPitchYaw({quarter, 0, 0}) * Vec3::UnitY() - Vec3::UnitZ()).norm(),
            4e-15);
  EXPECT_LT((RotationFromRollPitchYaw({0, quarter, 0}) * Vec3::UnitZ() - Vec3::UnitX()).norm(),
            4e-15);
  EXPECT_LT((RotationFromRollPitchYaw({0, 0, quarter}) * Vec3::UnitX() - Vec3::UnitY()).norm(),
            4e-15);
  // All three, worked out by hand: x stays under roll, goes to −z by pitch and stays under yaw;
  // y goes to z by roll, to x by pitch, to y by yaw.
  const Mat3 R = RotationFromRollPitchYaw({quarter, quarter, quarter});
  EXPECT_LT((R * Vec3::UnitX() + Vec3::UnitZ()).norm(), 4e-15);
  EXPECT_LT((R * Vec3::UnitY() - Vec3::UnitY()).norm(), 4e-15);
  // The entries that URDF's convention names: R(2,0) = −sin(pitch), yaw and roll by atan2.
  const Vec3 rpy(0.3, -0.7, 2.1);
  const Mat3 A = RotationFromRollPitchYaw(rpy);
  EXPECT_NEAR(std::atan2(A(2, 1), A(2, 2)), rpy[0], 4e-15);
  EXPECT_NEAR(-std::asin(A(2, 0)), rpy[1], 4e-15);
  EXPECT_NEAR(std::atan2(A(1, 0), A(0, 0)), rpy[2], 4e-15);
}

TEST(Rotation, RotationWithZIsARotationForAllDirections) {
  for (const Vec3& z : ManyDirections()) {
    const Mat3 R = RotationWithZ(z);
    EXPECT_EQ(Vec3(R.col(2)), z);
    EXPECT_LT(OrthogonalityError(R), 4e-15);
    EXPECT_NEAR(R.determinant(), 1, 4e-15);
  }
}

TEST(Rotation, RotationWithZIsARotationCloseToTheAxes) {
  for (double off : {1e-3, 1e-8, 1e-16, 1e-200}) {
    for (int axis = 0; axis < 3; ++axis) {
      for (double sign : {1.0, -1.0}) {
        Vec3 z = Vec3::Constant(off);
        z[axis] = sign;
        z.normalize();
        const Mat3 R = RotationWithZ(z);
        EXPECT_LT((R.col(2) - z).norm(), 1e-300);
        EXPECT_LT(OrthogonalityError(R), 4e-15);
        EXPECT_NEAR(R.determinant(), 1, 4e-15);
      }
    }
  }
}

TEST(Rotation, RotationWithZIsTheIdentityForZ) {
  EXPECT_EQ(RotationWithZ(Vec3::UnitZ()), Mat3(Mat3::Identity()));
}

}  // namespace
}  // namespace voigt
