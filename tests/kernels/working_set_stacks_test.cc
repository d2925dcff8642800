// Friction of boxes that stand on each other: corners that repeat, each with a limit of its own.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/samples.h"
#include "voigt/kernels/working_set.h"

namespace voigt {
namespace {

using testing::SampleCount;

struct StackOfBoxes {
  int count = 1;
  bool is_soft = false;   // normal forces are known
  double push = 0;        // random accelerations of the boxes, as a part of gravity
  double unevenness = 0;  // of known normal forces
};

// Cubes of 1 kg and 0.1 m with four corners each, out of line by up to a tenth of their edge.
WorkingProblem MakeStackOfBoxes(const StackOfBoxes& stack, std::mt19937* random) {
  std::uniform_real_distribution<double> sample(-1, 1);
  const auto draw = [&] { return sample(*random); };
  constexpr double kEdge = 0.1, kInertia = kEdge * kEdge / 6, kGravity = 9.81;
  const int n = stack.count, rows = 4 * n * (stack.is_soft ? 2 : 3);
  MatX G = MatX::Zero(rows, 6 * n);
  VecX inverse(6 * n), v_dot(6 * n);
  for (int b = 0; b < n; ++b) {
    for (int i = 0; i < 3; ++i) {
      inverse[6 * b + i] = 1 / kInertia;
      inverse[6 * b + 3 + i] = 1;
      v_dot[6 * b + i] = 50 * stack.push * draw();
      v_dot[6 * b + 3 + i] = kGravity * (stack.push * draw() - (i == 2 ? 1 : 0));
    }
  }
  WorkingProblem out;
  out.is_one_sided.assign(rows, 0);
  int row = 0;
  for (int b = 0; b < n; ++b) {
    const Vec3 shift(0.01 * draw(), 0.01 * draw(), kEdge);  // from the centre of the box below
    for (int corner = 0; corner < 4; ++corner) {
      const Vec3 p(corner % 2 == 0 ? -kEdge / 2 : kEdge / 2, corner < 2 ? -kEdge / 2 : kEdge / 2,
                   -kEdge / 2);
      const auto add = [&](const Vec3& d) {
        G.block(row, 6 * b, 1, 3) = p.cross(d).transpose();
        G.block(row, 6 * b + 3, 1, 3) = d.transpose();
        if (b > 0) {
          G.block(row, 6 * b - 6, 1, 3) = -(p + shift).cross(d).transpose();
          G.block(row, 6 * b - 3, 1, 3) = -d.transpose();
        }
        return row++;
      };
      FrictionElement& element = out.elements.emplace_back();
      element.mu = 0.5;
      element.row_count = 2;
      if (stack.is_soft) {
        element.C = MatX::Zero(1, rows);
        element.n0 = VecX::Constant(1, (n - b) * kGravity / 4 * (1 + stack.unevenness * draw()));
      } else {
        element.normal_row = add(Vec3::UnitZ());
        out.is_one_sided[element.normal_row] = 1;
      }
      element.first_row = add(Vec3::UnitX());
      add(Vec3::UnitY());
    }
  }
  out.A = G * inverse.asDiagonal() * G.transpose();
  out.a0 = G * v_dot;
  out.a_scale = G.rowwise().norm().maxCoeff() * v_dot.lpNorm<Eigen::Infinity>();
  return out;
}

// How far multipliers are from the laws of corners at rest, by λ and a alone, N.
double CalcStackError(const WorkingProblem& problem, const VecX& lambda) {
  const VecX a = problem.a0 + problem.A * lambda;
  double error = 0;
  for (const FrictionElement& element : problem.elements) {
    const int normal = element.normal_row;
    if (normal >= 0) error = std::max(error, std::fabs(std::fmin(lambda[normal], a[normal])));
    const double limit = element.mu * (normal >= 0 ? lambda[normal] : element.n0[0]);
    const VecX force = lambda.segment(element.first_row, 2);
    const VecX slip = a.segment(element.first_row, 2);
    error = std::max(error, force.norm() - limit);
    if (slip.norm() > 1e-6) {
      error = std::max(error, (force + limit * slip.normalized()).norm());
    }
  }
  return error;
}

struct StackTotals {
  WorkingStats stats;
  int unsolved = 0;
  double error = 0;
};

StackTotals SolveStacks(const StackOfBoxes& stack, int samples) {
  std::mt19937 random(stack.count);
  StackTotals out;
  for (int i = 0; i < samples; ++i) {
    const WorkingProblem problem = MakeStackOfBoxes(stack, &random);
    WorkingSet set;
    if (set.Solve(problem, {}, &out.stats).status != WorkingStatus::kSolved) {
      ++out.unsolved;
      continue;
    }
    out.error = std::max(out.error, CalcStackError(problem, set.lambda()));
  }
  return out;
}

// Known normal forces make a convex problem of friction: there is always a solution.
TEST(WorkingSetStacks, SoftCornersAreAlwaysSolved) {
  int starts = 0, shares = 0;
  for (int count : {1, 2, 3, 5}) {
    for (double unevenness : {0.0, 0.9}) {
      for (double push : {0.05, 0.3, 1.0}) {
        SCOPED_TRACE(::testing::Message()
                     << count << " boxes, push " << push << ", unevenness " << unevenness);
        const StackTotals run =
            SolveStacks({count, true, push, unevenness}, SampleCount(count > 3 ? 5 : 15));
        EXPECT_EQ(run.unsolved, 0);
        EXPECT_LT(run.error, 1e-10);
        starts += run.stats.starts;
        shares += run.stats.shares;
      }
    }
  }
  // Without sweeps, and without sharing other than by least squares, some of them are not.
  if (SampleCount(15) < 15) return;
  EXPECT_GT(starts, 0);
  EXPECT_GT(shares, 0);
}

TEST(WorkingSetStacks, RigidCornersAreSolvedWhereBoxesStandOrBeginToSlide) {
  for (int count : {1, 2, 3, 5}) {
    for (double push : {0.05, 0.3}) {
      SCOPED_TRACE(::testing::Message() << count << " boxes, push " << push);
      const StackTotals run = SolveStacks({count, false, push, 0}, SampleCount(count > 3 ? 5 : 15));
      EXPECT_EQ(run.unsolved, 0);
      EXPECT_LT(run.error, 1e-10);
    }
  }
}

// All boxes are shaken by accelerations of g.
TEST(WorkingSetStacks, BoxesThatTumbleAreSolved) {
  for (int count : {1, 2, 3, 5}) {
    const StackTotals run = SolveStacks({count, false, 1, 0}, SampleCount(count > 3 ? 30 : 60));
    EXPECT_EQ(run.unsolved, 0) << count;
    EXPECT_LT(run.error, 1e-8) << count;
  }
}

TEST(LongWorkingSetStacks, BoxesThatTumbleAreSolved) {
  for (int count : {8, 10}) {
    const StackTotals run = SolveStacks({count, false, 1, 0}, 30);
    EXPECT_EQ(run.unsolved, 0) << count;
    EXPECT_LT(run.error, 1e-8) << count;
  }
}

}  // namespace
}  // namespace voigt
