// Where impulses that grow along a line leave their sets, against a look at points of the line.

#include "voigt/kernels/give_way.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/kernels/disc_blocks.h"

namespace voigt {
namespace {

struct Line {
  ConvexProgram program;
  VecX gamma;
  std::vector<double> step;
};

// One block, and impulses inside of its set.
Line MakeLine(ConvexSet set, int rows, std::mt19937* random) {
  std::uniform_real_distribution<double> real(-1, 1), positive(0.2, 2);
  Line out;
  ConvexBlock block;
  block.set = set;
  block.row_count = rows;
  if (IsCoupled(set)) testing::SetRandomDiscs(rows, random, &block);
  out.gamma.resize(rows);
  for (int i = 0; i < rows; ++i) {
    out.program.lower.push_back(-positive(*random));
    out.program.upper.push_back(positive(*random));
    out.step.push_back(real(*random));
    out.gamma[i] = set == ConvexSet::kHalfLines ? positive(*random) : 0.1 * real(*random);
  }
  if (IsCoupled(set)) {
    out.gamma[0] = positive(*random);
    const double radius = set == ConvexSet::kDisc ? block.bound : out.gamma[0];
    for (const Disc& disc : block.discs()) {
      auto part = out.gamma.segment(disc.first, disc.count);
      part *= 0.9 * disc.mu * radius / (part.norm() + 1e-3);
    }
  }
  out.program.blocks = {block};
  return out;
}

bool IsInside(const Line& line, double t) {
  const ConvexBlock& block = line.program.blocks[0];
  const VecX gamma = line.gamma + t * Eigen::Map<const VecX>(line.step.data(), line.gamma.size());
  for (int i = 0; i < block.row_count; ++i) {
    if (block.set == ConvexSet::kHalfLines && gamma[i] < 0) return false;
    if (block.set != ConvexSet::kIntervals) continue;
    if (gamma[i] < line.program.lower[i] || gamma[i] > line.program.upper[i]) return false;
  }
  if (!IsCoupled(block.set)) return true;
  const double normal = block.set == ConvexSet::kDisc ? block.bound : gamma[0];
  for (const Disc& disc : block.discs()) {
    if (gamma.segment(disc.first, disc.count).norm() > disc.mu * normal) return false;
  }
  return gamma[0] >= 0;
}

const ConvexSet kSets[] = {ConvexSet::kAll,  ConvexSet::kHalfLines, ConvexSet::kIntervals,
                           ConvexSet::kDisc, ConvexSet::kCone,      ConvexSet::kCoulomb};

TEST(GiveWay, FindsTheFirstBoundOrOneCloseBehindIt) {
  std::mt19937 random(1);
  const std::vector<int> blocks = {0};
  int finite = 0, endless = 0;
  for (const ConvexSet set : kSets) {
    for (int trial = 0; trial < 500; ++trial) {
      const Line line = MakeLine(set, (IsCoupled(set) ? 2 : 1) + trial % 5, &random);
      ASSERT_TRUE(IsInside(line, 0));
      const double t = CountStepsToBounds(line.program, blocks, line.gamma, line.step);
      ASSERT_GT(t, 0);
      if (t == kInfinity) {
        ++endless;
        EXPECT_TRUE(IsInside(line, 1e6));  // and, sets being convex, all the way there
        continue;
      }
      ++finite;
      EXPECT_TRUE(IsInside(line, t / 1.5 * (1 - 1e-9)));
      EXPECT_FALSE(IsInside(line, t * (1 + 1e-9)));
    }
  }
  EXPECT_GT(finite, 1000);
  EXPECT_GT(endless, 500);
}

// What is at its bound already has given way.
TEST(GiveWay, PassesOverWhatIsAtItsBound) {
  ConvexBlock block;
  block.set = ConvexSet::kCoulomb;
  block.row_count = 3;
  block.mu = 0.5;
  ConvexProgram program;
  program.blocks = {block};
  EXPECT_EQ(CountStepsToBounds(program, std::vector<int>{0}, Vec3(2, 1, 0), {0, 1, 0}), kInfinity);
  EXPECT_NEAR(CountStepsToBounds(program, std::vector<int>{0}, Vec3(2, 0, 0), {0, 1, 0}), 1, 1e-15);
  // The normal impulse goes first.
  EXPECT_NEAR(CountStepsToBounds(program, std::vector<int>{0}, Vec3(2, 1, 0), {-4, 0, 0}), 0.5,
              1e-15);
}

}  // namespace
}  // namespace voigt
