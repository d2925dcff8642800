#include "voigt/collision/sweep.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "voigt/base/check.h"

namespace voigt {
namespace {

// A box that reaches over more columns than this is large.
constexpr int kManyColumns = 12;

// Up to so many boxes all pairs are tried, which takes less time than to lay out columns.
constexpr int kFewBoxes = 24;

// How finite boxes lie: where they begin and end, how far their middles scatter, how large they
// are.
struct Spread {
  Vec3 lower = Vec3::Constant(kInfinity), upper = Vec3::Constant(-kInfinity);
  Vec3 scatter = Vec3::Zero(), size = Vec3::Zero();
  int count = 0;
};

Spread MeasureSpread(const std::vector<AxisBox>& boxes) {
  Spread out;
  Vec3 sum = Vec3::Zero(), squares = Vec3::Zero();
  for (const AxisBox& box : boxes) {
    if (!IsFinite(box)) continue;
    ++out.count;
    out.lower = out.lower.cwiseMin(box.lower);
    out.upper = out.upper.cwiseMax(box.upper);
    out.size += box.upper - box.lower;
    sum += 0.5 * (box.lower + box.upper);
  }
  if (out.count == 0) return out;
  const Vec3 mean = sum / out.count;
  for (const AxisBox& box : boxes) {
    if (IsFinite(box)) squares += (0.5 * (box.lower + box.upper) - mean).cwiseAbs2();
  }
  out.scatter = squares;
  out.size /= out.count;
  return out;
}

}  // namespace

void Sweep::SetStatic(const std::vector<char>& is_static, const std::vector<AxisBox>& boxes) {
  static_numbers_.clear();
  moving_numbers_.clear();
  for (size_t k = 0; k < is_static.size(); ++k) {
    (is_static[k] ? static_numbers_ : moving_numbers_).push_back(static_cast<int>(k));
  }
  VOIGT_CHECK(boxes.size() == static_numbers_.size());
  std::vector<AxisBox> finite;
  in_tree_.clear();
  endless_.clear();
  for (size_t k = 0; k < boxes.size(); ++k) {
    if (IsFinite(boxes[k])) {
      finite.push_back(boxes[k]);
      in_tree_.push_back(static_cast<int>(k));
    } else {
      endless_.emplace_back(boxes[k], static_cast<int>(k));
    }
  }
  tree_ = BoxTree(std::move(finite));
  counts_.assign(boxes.size(), 0);
}

// Axes, width and number of columns. A few large boxes make columns wide, which costs more tests
// but finds the same pairs.
void Sweep::LayOut(const std::vector<AxisBox>& boxes) {
  const Spread spread = MeasureSpread(boxes);
  axes_ = {0, 1, 2};
  std::sort(axes_.begin(), axes_.end(), [&](int a, int b) {
    const double x = spread.scatter[a], y = spread.scatter[b];
    return x != y ? x > y : a < b;
  });
  const int most = static_cast<int>(std::sqrt(4.0 * boxes.size())) + 1;
  for (int k = 0; k < 2; ++k) {
    const int axis = axes_[k];
    const double range = spread.count > 0 ? spread.upper[axis] - spread.lower[axis] : 0;
    origin_[k] = spread.count > 0 ? spread.lower[axis] : 0;
    width_[k] = std::max(2 * spread.size[axis], range / most);
    count_[k] = width_[k] > 0 ? std::min(most, static_cast<int>(range / width_[k]) + 1) : 1;
  }
}

void Sweep::FillColumns(const std::vector<AxisBox>& boxes) {
  const int count = static_cast<int>(boxes.size());
  reaches_.resize(count);
  large_.clear();
  start_.assign(static_cast<size_t>(count_[0]) * count_[1] + 1, 0);
  const auto column_of = [&](int k, double x) {
    return width_[k] > 0
               ? std::clamp(static_cast<int>((x - origin_[k]) / width_[k]), 0, count_[k] - 1)
               : 0;
  };
  const auto for_each_column = [&](const Reach& reach, auto visit) {
    for (int b = reach.first[1]; b <= reach.last[1]; ++b) {
      for (int a = reach.first[0]; a <= reach.last[0]; ++a) visit(b * count_[0] + a);
    }
  };
  // Count, then place.
  for (int i = 0; i < count; ++i) {
    Reach& reach = reaches_[i];
    reach.first = {-1, -1};
    if (IsFinite(boxes[i])) {
      int columns = 1;
      for (int k = 0; k < 2; ++k) {
        reach.first[k] = column_of(k, boxes[i].lower[axes_[k]]);
        reach.last[k] = column_of(k, boxes[i].upper[axes_[k]]);
        columns *= reach.last[k] - reach.first[k] + 1;
      }
      if (columns > kManyColumns) reach.first = {-1, -1};
    }
    if (IsLarge(i)) {
      large_.push_back(i);
    } else {
      for_each_column(reach, [&](int column) { ++start_[column + 1]; });
    }
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  entries_.resize(start_.back());
  for (int i = 0; i < count; ++i) {
    if (IsLarge(i)) continue;
    for_each_column(reaches_[i], [&](int column) {
      entries_[start_[column]++] = {boxes[i].lower[axes_[2]], i};
    });
  }
  // Starts have become ends.
  std::copy_backward(start_.begin(), start_.end() - 1, start_.end());
  start_[0] = 0;
}

void Sweep::SweepColumn(int column, const std::vector<AxisBox>& boxes) {
  const auto begin = entries_.begin() + start_[column], end = entries_.begin() + start_[column + 1];
  std::sort(begin, end, [](const Entry& a, const Entry& b) {
    return a.lower != b.lower ? a.lower < b.lower : a.box < b.box;
  });
  slabs_.clear();
  for (auto entry = begin; entry != end; ++entry) {
    const AxisBox& box = boxes[entry->box];
    slabs_.push_back({entry->lower,
                      box.upper[axes_[2]],
                      {box.lower[axes_[0]], box.lower[axes_[1]]},
                      {box.upper[axes_[0]], box.upper[axes_[1]]},
                      entry->box});
  }
  const int a = column % count_[0], b = column / count_[0];
  const Slab* const last = slabs_.data() + slabs_.size();
  for (const Slab* first = slabs_.data(); first != last; ++first) {
    for (const Slab* second = first + 1; second != last && second->lower <= first->upper;
         ++second) {
      // One branch for all four: which of them fails first cannot be foreseen.
      const bool overlap = (first->across_lower[0] <= second->across_upper[0]) &
                           (second->across_lower[0] <= first->across_upper[0]) &
                           (first->across_lower[1] <= second->across_upper[1]) &
                           (second->across_lower[1] <= first->across_upper[1]);
      if (!overlap) continue;
      const int i = first->box, j = second->box;
      // Of the columns that both reach over, the first one tells.
      const Reach &p = reaches_[i], &q = reaches_[j];
      if (std::max(p.first[0], q.first[0]) == a && std::max(p.first[1], q.first[1]) == b) Add(i, j);
    }
  }
}

void Sweep::TryLarge(const std::vector<AxisBox>& boxes) {
  for (int i : large_) {
    for (int j = 0; j < static_cast<int>(boxes.size()); ++j) {
      if (IsLarge(j) && j <= i) continue;
      if (Overlap(boxes[i], boxes[j])) Add(i, j);
    }
  }
}

void Sweep::TryAll(const std::vector<AxisBox>& boxes) {
  const int count = static_cast<int>(boxes.size());
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      if (Overlap(boxes[i], boxes[j])) Add(i, j);
    }
  }
}

void Sweep::TryStatic(const std::vector<AxisBox>& moving, double reach) {
  const Vec3 around = Vec3::Constant(reach);
  for (int i = 0; i < static_cast<int>(moving.size()); ++i) {
    const AxisBox box = {moving[i].lower - around, moving[i].upper + around};
    near_.clear();
    tree_.FindNear(box, &near_);
    for (int& k : near_) k = in_tree_[k];
    for (const auto& [endless, k] : endless_) {
      if (Overlap(box, endless)) near_.push_back(k);
    }
    for (const int k : near_) {
      const int number = static_numbers_[k];
      if (moving_numbers_[i] < number) {
        found_.emplace_back(i, number);
      } else {
        static_.emplace_back(k, moving_numbers_[i]);
        if (counts_[k]++ == 0) touched_.push_back(k);
      }
    }
  }
}

// By the first of a pair in as many boxes as move, then by the second, of which there are few.
void Sweep::SortPairs(int count, std::vector<Pair>* out) {
  start_.assign(count + 1, 0);
  for (const auto& [i, j] : found_) ++start_[i + 1];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  out->resize(found_.size());
  for (const auto& [i, j] : found_) (*out)[start_[i]++] = {NumberOf(i), j};
  auto begin = out->begin();
  for (int i = 0; i < count; ++i) {
    const auto end = out->begin() + start_[i];
    std::sort(begin, end);
    begin = end;
  }
}

// The second of each pair came in ascending order. Only static boxes that are near something are
// looked at.
void Sweep::MergeStaticFirst() {
  std::sort(touched_.begin(), touched_.end());
  int end = 0;
  for (const int k : touched_) {
    end += counts_[k];
    counts_[k] = end - counts_[k];
  }
  sorted_.resize(static_.size());
  for (const auto& [k, j] : static_) sorted_[counts_[k]++] = {static_numbers_[k], j};
  for (const int k : touched_) counts_[k] = 0;
  pairs_.clear();
  std::merge(moving_first_.begin(), moving_first_.end(), sorted_.begin(), sorted_.end(),
             std::back_inserter(pairs_));
}

const std::vector<std::pair<int, int>>& Sweep::FindPairs(const std::vector<AxisBox>& moving,
                                                         double reach) {
  VOIGT_CHECK(!has_static() || moving.size() == moving_numbers_.size());
  found_.clear();
  static_.clear();
  touched_.clear();
  if (moving.size() <= kFewBoxes) {
    TryAll(moving);
  } else {
    LayOut(moving);
    FillColumns(moving);
    for (int column = 0; column < count_[0] * count_[1]; ++column) SweepColumn(column, moving);
    TryLarge(moving);
  }
  if (has_static()) TryStatic(moving, reach);
  SortPairs(static_cast<int>(moving.size()), static_.empty() ? &pairs_ : &moving_first_);
  if (!static_.empty()) MergeStaticFirst();
  return pairs_;
}

}  // namespace voigt
