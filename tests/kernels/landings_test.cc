#include "voigt/kernels/landings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "voigt/kernels/block_gauss_seidel.h"

namespace voigt {
namespace {

constexpr double kFallStep = 0.01;

// Masses of 1 kg above each other that slide along one axis, with gaps below them.
struct Column {
  explicit Column(const std::vector<double>& gaps, double speed) : count(int(gaps.size())) {
    pattern = TreePattern(std::vector<int>(count, -1));
    M = VecX::Ones(count);
    factor = TreeFactor(pattern);
    factor.Factor(pattern, M);
    v_star = VecX::Constant(count, -speed);
    for (int i = 0; i < count; ++i) {
      ConvexBlock block;
      block.set = ConvexSet::kHalfLines;
      block.first_row = i;
      block.row_count = 1;
      block.first_col = int(cols.size());
      block.first_entry = int(G.size());
      if (i > 0) {
        cols.push_back(i - 1);
        G.push_back(-1);
      }
      cols.push_back(i);
      G.push_back(1);
      block.col_count = int(cols.size()) - block.first_col;
      program.blocks.push_back(block);
      program.R.push_back(1e-7);
      program.b.push_back(-gaps[i] / kFallStep);
      program.w.push_back(i > 0 ? 2 : 1);
      program.lower.push_back(0);
      program.upper.push_back(0);
      ranges.push_back({i, 1});
    }
    program.pattern = &pattern;
    program.M = &M;
    program.factor = &factor;
    program.v_star = &v_star;
    program.cols = cols.data();
    program.G = G.data();
    order.resize(count);
    std::iota(order.begin(), order.end(), 0);
  }

  int Find(VecX* gamma) {
    NewtonWorkspace ws;
    ws.Resize(program);
    return FindLandings({program, order, ranges, nullptr, nullptr}, gamma, &ws);
  }

  // Which contacts push in the end.
  std::vector<bool> SolveContactByContact() {
    BlockGaussSeidel method;
    GaussSeidelSettings settings;
    settings.max_sweeps = 100000;
    GaussSeidelStats stats;
    VecX v = v_star, gamma = VecX::Zero(count);
    EXPECT_TRUE(method.Solve(program, order, ranges, settings, &v, &gamma, &stats).converged);
    std::vector<bool> out;
    for (double impulse : gamma) out.push_back(impulse > 0);
    return out;
  }

  int count;
  TreePattern pattern;
  VecX M, v_star;
  TreeFactor factor;
  std::vector<int> cols, order;
  std::vector<double> G;
  std::vector<DofRange> ranges;
  ConvexProgram program;
};

std::vector<bool> Pushes(const VecX& gamma) {
  std::vector<bool> out;
  for (double impulse : gamma) out.push_back(impulse > 0);
  return out;
}

TEST(Landings, OfAColumnAreFoundAllAtOnce) {
  // Two masses at rest, three that reach them within the step, two that do not.
  Column column({0, 0, 0.05, 0.1, 0.1, 0.2, 0.1}, 40);
  VecX gamma = VecX::Zero(7);
  EXPECT_EQ(column.Find(&gamma), 5);
  EXPECT_EQ(Pushes(gamma), column.SolveContactByContact());
  EXPECT_EQ(std::count(gamma.begin(), gamma.end(), 0.0), 2);
}

TEST(Landings, DoNotDependOnTheOrderOfContacts) {
  Column column({0, 0, 0.05, 0.1, 0.1, 0.2, 0.1}, 40);
  VecX upwards = VecX::Zero(7), downwards = upwards;
  column.Find(&upwards);
  std::reverse(column.order.begin(), column.order.end());
  EXPECT_EQ(column.Find(&downwards), 5);
  EXPECT_EQ(upwards, downwards);
}

TEST(Landings, LeaveImpulsesThatAreThere) {
  Column column({0, 0, 0.05, 0.3}, 20);
  VecX gamma(4);
  gamma << 3, 2, 0, 0;
  EXPECT_EQ(column.Find(&gamma), 1);
  EXPECT_EQ(gamma[0], 3);
  EXPECT_EQ(gamma[1], 2);
  EXPECT_GT(gamma[2], 0);
  EXPECT_EQ(gamma[3], 0);
  // What stops one mass as if the other could not give way: 20 m/s less the gap over the step.
  EXPECT_NEAR(gamma[2], 20 - 5, 1e-5);
}

TEST(Landings, AreNotThoseOfBodiesThatFly) {
  Column column({1, 0.01, 0.01}, 40);
  column.v_star[2] = -50;  // the third meets the second in the air
  VecX gamma = VecX::Zero(3);
  EXPECT_EQ(column.Find(&gamma), 0);
  EXPECT_EQ(gamma, VecX(VecX::Zero(3)));
}

TEST(Landings, PassByRowsOfOtherKinds) {
  Column column({0, 0, 0}, 1);
  column.program.blocks[1].set = ConvexSet::kAll;
  VecX gamma = VecX::Zero(3);
  EXPECT_EQ(column.Find(&gamma), 1);
  EXPECT_GT(gamma[0], 0);
  column.program.blocks[0].smooth = true;
  gamma.setZero();
  EXPECT_EQ(column.Find(&gamma), 0);
}

}  // namespace
}  // namespace voigt
