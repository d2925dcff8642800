#include "voigt/kernels/row_independence.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numeric>

#include "tests/support/free_body_rows.h"

namespace voigt {
namespace {

struct Bodies : testing::FreeBodyRows {
  explicit Bodies(int count) : FreeBodyRows(count, 7) {}

  bool Check() {
    program.cols = cols.data();
    program.G = G.data();
    program.b.resize(program.R.size());
    std::vector<int> blocks(program.blocks.size());
    std::iota(blocks.begin(), blocks.end(), 0);
    RowIndependence independence;
    independence.Analyze(program, blocks, ranges);
    return independence.Check(program, blocks);
  }
};

TEST(RowIndependence, OfStacksAndTrees) {
  Bodies stack(5);
  stack.AddRows(-1, 0, 3);
  for (int b = 0; b < 4; ++b) stack.AddRows(b, b + 1, 3);
  EXPECT_TRUE(stack.Check());

  // A body that carries all the others, and hangs on the world by six rows.
  Bodies star(6);
  star.AddRows(-1, 0, 6);
  for (int b = 1; b < 6; ++b) star.AddRows(0, b, 3);
  EXPECT_TRUE(star.Check());
}

// The rows of the last block become those of forces at a point of its only body.
void PushAtPoint(const Vec3& p, Bodies* bodies) {
  double* G = bodies->G.data() + bodies->program.blocks.back().first_entry;
  for (int r = 0; r < 3; ++r) {
    const Vec3 n = Vec3::Unit(r), torque = p.cross(n);
    std::copy_n(torque.data(), 3, G + 6 * r);
    std::copy_n(n.data(), 3, G + 6 * r + 3);
  }
}

TEST(RowIndependence, OfTwoBlocksOnOneBodyDependsOnTheirNumbers) {
  Bodies table(1);
  table.AddRows(-1, 0, 3);
  table.AddRows(-1, 0, 3);
  EXPECT_TRUE(table.Check());

  // Two feet may push against each other.
  Bodies feet(1);
  for (double x : {-1.0, 1.0}) {
    feet.AddRows(-1, 0, 3, ConvexSet::kCoulomb);
    PushAtPoint({x, 0.3, -0.5}, &feet);
  }
  EXPECT_FALSE(feet.Check());
}

TEST(RowIndependence, IsNotLookedForInHeaps) {
  Bodies ring(5);
  for (int b = 0; b < 5; ++b) ring.AddRows(b, (b + 1) % 5, 3);
  EXPECT_FALSE(ring.Check());
}

// A link that turns about y: friction along y moves nothing, whatever axes its two rows have.
struct Swinging {
  Swinging(double angle, double y_rate) {
    const Vec3 along(0.3, y_rate, 1.5);  // of the point, per rate
    const Mat3 axes = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
    const Vec3 other(-2, 0, 0.7);
    for (const Vec3& n : {Vec3(axes.col(2)), Vec3(axes.col(0)), Vec3(axes.col(1))}) {
      G.insert(G.end(), {n.dot(along), n.dot(other)});
    }
    ConvexBlock block;
    block.set = ConvexSet::kCoulomb;
    block.row_count = 3;
    block.col_count = 2;
    program.blocks.push_back(block);
    program.R.resize(3);
    program.b.assign(3, 0.0);
    program.cols = cols;
    program.G = G.data();
    independence.Analyze(program, blocks, ranges);
  }
  bool Check() { return independence.Check(program, blocks); }

  const int cols[2] = {0, 1}, blocks[1] = {0};
  const DofRange ranges[1] = {{0, 2}};
  std::vector<double> G;
  ConvexProgram program;
  RowIndependence independence;
};

TEST(RowIndependence, LeavesOutFrictionThatMovesNothing) {
  for (double angle : {0.0, 0.4, 1.5, -2.0}) {
    Swinging link(angle, 0);
    ASSERT_TRUE(link.Check()) << angle;
    VecX gamma(3);
    gamma << 2, std::cos(angle) + 3 * std::sin(angle), -std::sin(angle) + 3 * std::cos(angle);
    const VecX moved =
        gamma.transpose() * Eigen::Map<Eigen::Matrix<double, 3, 2, Eigen::RowMajor>>(link.G.data());
    link.independence.DropStill(&gamma);
    EXPECT_NEAR(gamma[1], std::cos(angle), 1e-15);
    EXPECT_NEAR(gamma[2], -std::sin(angle), 1e-15);
    const VecX moves =
        gamma.transpose() * Eigen::Map<Eigen::Matrix<double, 3, 2, Eigen::RowMajor>>(link.G.data());
    EXPECT_LT((moves - moved).norm(), 1e-14);
  }
  // What moves a little is not left out, and what a belt drags is not either.
  EXPECT_FALSE(Swinging(0.4, 1e-6).Check());
  Swinging belt(0.4, 0);
  belt.program.b[1] = 0.1;
  EXPECT_FALSE(belt.Check());
}

TEST(RowIndependence, EndsWhereRowsOfABlockRepeatEachOther) {
  Bodies stack(2);
  stack.AddRows(-1, 0, 3);
  stack.AddRows(0, 1, 3);
  ASSERT_TRUE(stack.Check());
  // The third row of the second block as a sum of its others, on the body that is a leaf.
  const ConvexBlock& block = stack.program.blocks[1];
  double* const G = stack.G.data() + block.first_entry;
  for (int k = 6; k < 12; ++k) G[24 + k] = G[k] - 2 * G[12 + k];
  EXPECT_FALSE(stack.Check());
}

TEST(RowIndependence, NeedsAsManyRatesAsRows) {
  Bodies one(1);
  one.AddRows(-1, 0, 7);
  EXPECT_FALSE(one.Check());
}

}  // namespace
}  // namespace voigt
