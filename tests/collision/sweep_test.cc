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

// All boxes move.
const Pairs& FindPairs(const std::vector<AxisBox>& boxes, Sweep* sweep) {
  return sweep->FindPairs(boxes);
}

std::vector<AxisBox> Select(const std::vector<AxisBox>& boxes, const std::vector<char>& is_static,
                            char which) {
  std::vector<AxisBox> out;
  for (size_t i = 0; i < boxes.size(); ++i) {
    if (is_static[i] == which) out.push_back(boxes[i]);
  }
  return out;
}

std::vector<AxisBox> MakeRandomBoxes(int count, double spread, double size,
                                     testing::Random* random) {
  std::vector<AxisBox> out;
  for (int i = 0; i < count; ++i) {
    const Vec3 middle = testing::RandomVector(random, spread);
    const Vec3 half = testing::RandomVector(random, i % 31 == 5 ? 10 * size : size).cwiseAbs();
    out.push_back({middle - half, middle + half});
  }
  return out;
}

// A few boxes, and behind them none or so many that columns are laid out: a row of them far away,
// none of which overlap.
std::vector<AxisBox> AddRow(std::vector<AxisBox> boxes, int count) {
  for (int k = 0; k < count; ++k) {
    const Vec3 lower(100 + 2 * k, 200, 300);
    boxes.push_back({lower, lower + Vec3::Ones()});
  }
  return boxes;
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
    EXPECT_EQ(Sorted(FindPairs(boxes, &sweep)), FindAll(boxes));
  }
}

// Many small boxes in flat and in tall heaps, some far away, and a few large ones.
TEST(Sweep, FindsWhatBruteForceFindsAmongMany) {
  testing::Random random(5);
  Sweep sweep;
  for (const Vec3& spread :
       {Vec3(4, 4, 4), Vec3(30, 30, 0.1), Vec3(0.1, 0.1, 100), Vec3(0, 0, 0)}) {
    std::vector<AxisBox> boxes(700);
    for (size_t i = 0; i < boxes.size(); ++i) {
      Vec3 middle = testing::RandomVector(&random).cwiseProduct(spread);
      if (i % 100 == 7) middle *= 1000;
      const double size = i % 97 == 3 ? 20 : 0.3;
      const Vec3 half = testing::RandomVector(&random, size).cwiseAbs();
      boxes[i] = {middle - half, middle + half};
    }
    boxes[5].upper[1] = kInfinity;
    EXPECT_EQ(Sorted(FindPairs(boxes, &sweep)), FindAll(boxes));
  }
}

TEST(Sweep, CountsBoxesThatTouchAndEqualOnes) {
  Sweep sweep;
  const std::vector<AxisBox> boxes = {{{0, 0, 0}, {1, 1, 1}},
                                      {{1, 1, 1}, {2, 2, 2}},
                                      {{0, 0, 0}, {1, 1, 1}},
                                      {{3, 0, 0}, {4, 1, 1}}};
  for (int more : {0, 50}) {
    EXPECT_EQ(Sorted(FindPairs(AddRow(boxes, more), &sweep)), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  }
}

TEST(Sweep, TakesInfiniteBoxesAndNone) {
  Sweep sweep;
  EXPECT_TRUE(FindPairs({}, &sweep).empty());
  const Vec3 far = Vec3::Constant(kInfinity);
  const std::vector<AxisBox> boxes = {{-far, far}, {{0, 0, 0}, {1, 1, 1}}, {{5, 0, 0}, {6, 1, 1}}};
  EXPECT_EQ(FindPairs(boxes, &sweep), (Pairs{{0, 1}, {0, 2}}));
  const Pairs& among_many = FindPairs(AddRow(boxes, 50), &sweep);
  ASSERT_EQ(among_many.size(), 52u);
  for (int k = 0; k < 52; ++k) EXPECT_EQ(among_many[k], std::pair(0, k + 1));
}

TEST(Sweep, LeavesOutPairsOfWhichNoneMoves) {
  Sweep sweep;
  const AxisBox box = {{0, 0, 0}, {1, 1, 1}};
  for (int more : {0, 50}) {
    std::vector<char> is_static(3 + more, 0);
    is_static[0] = is_static[2] = 1;
    sweep.SetStatic(is_static, {box, box});
    EXPECT_EQ(sweep.FindPairs(AddRow({box}, more)), (Pairs{{0, 1}, {1, 2}}));
  }
}

// Static boxes among the others, set once and met step after step, then others instead of them; all
// pairs in order. The last round has none again.
TEST(Sweep, FindsStaticBoxesLikeBruteForceInOrder) {
  testing::Random random(6);
  Sweep sweep;
  for (const double share : {0.1, 0.5, 0.95, 1.0, 0.0}) {
    for (const int count : {5, 40, 600}) {
      SCOPED_TRACE(::testing::Message() << share << " of " << count);
      std::vector<char> is_static;
      for (int i = 0; i < count; ++i) is_static.push_back(testing::Uniform(&random, 0, 1) < share);
      std::vector<AxisBox> fixed = MakeRandomBoxes(count, 4, 0.3, &random);
      if (count > 5) fixed[3].lower[2] = -kInfinity;
      sweep.SetStatic(is_static, Select(fixed, is_static, 1));
      for (const double reach : {0.0, 0.25}) {
        std::vector<AxisBox> boxes = MakeRandomBoxes(count, 4, 0.3, &random), larger;
        for (int i = 0; i < count; ++i) {
          if (is_static[i]) boxes[i] = fixed[i];
          const Vec3 by = Vec3::Constant(is_static[i] ? reach : 0);
          larger.push_back({boxes[i].lower - by, boxes[i].upper + by});
        }
        Pairs expected = FindAll(larger);
        std::erase_if(expected, [&](const auto& pair) {
          return is_static[pair.first] && is_static[pair.second];
        });
        EXPECT_EQ(sweep.FindPairs(Select(boxes, is_static, 0), reach), expected);
      }
    }
  }
}

}  // namespace
}  // namespace voigt
