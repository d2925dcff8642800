#include "voigt/collision/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/random_model.h"

namespace voigt {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

// Every pair of boxes, each axis on its own.
Pairs FindAll(const std::vector<AxisBox>& boxes) {
  Pairs out;
  for (size_t i = 0; i < boxes.size(); ++i) {
    for (size_t j = i + 1; j < boxes.size(); ++j) {
      const bool apart = (boxes[i].lower.array() > boxes[j].upper.array()).any() ||
                         (boxes[j].lower.array() > boxes[i].upper.array()).any();
      if (!apart) out.emplace_back(i, j);
    }
  }
  return out;
}

Pairs Sorted(Pairs pairs) {
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

TEST(Sweep, FindsWhatBruteForceFinds) {
  testing::Random random(4);
  Sweep sweep;
  for (int trial = 0; trial < 30; ++trial) {
    std::vector<AxisBox> boxes(trial * 10);
    const Vec3 spread = testing::RandomVector(&random, 5);
    for (AxisBox& box : boxes) {
      const Vec3 middle = testing::RandomVector(&random).cwiseProduct(spread);
      const Vec3 half = testing::RandomVector(&random, 0.5).cwiseAbs();
      box = {middle - half, middle + half};
    }
    EXPECT_EQ(Sorted(sweep.FindPairs(boxes)), FindAll(boxes));
  }
}

TEST(Sweep, CountsBoxesThatTouchAndEqualOnes) {
  Sweep sweep;
  const std::vector<AxisBox> boxes = {{{0, 0, 0}, {1, 1, 1}},
                                      {{1, 1, 1}, {2, 2, 2}},
                                      {{0, 0, 0}, {1, 1, 1}},
                                      {{3, 0, 0}, {4, 1, 1}}};
  EXPECT_EQ(Sorted(sweep.FindPairs(boxes)), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(Sweep, TakesInfiniteBoxesAndNone) {
  Sweep sweep;
  EXPECT_TRUE(sweep.FindPairs({}).empty());
  const Vec3 far = Vec3::Constant(kInfinity);
  EXPECT_EQ(sweep.FindPairs({{-far, far}, {{0, 0, 0}, {1, 1, 1}}, {{5, 0, 0}, {6, 1, 1}}}),
            (Pairs{{0, 1}, {0, 2}}));
}

}  // namespace
}  // namespace voigt
