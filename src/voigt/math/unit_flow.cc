#include "voigt/math/unit_flow.h"

#include <cstddef>

namespace voigt::internal {

void UnitFlow::Reset(int vertices) {
  first_.assign(vertices, -1);
  next_.clear();
  ends_.clear();
  room_.clear();
}

void UnitFlow::AddArc(int from, int to, int capacity) {
  const auto add = [&](int start, int end, int room) {
    next_.push_back(first_[start]);
    first_[start] = static_cast<int>(ends_.size());
    ends_.push_back(end);
    room_.push_back(room);
  };
  add(from, to, capacity);
  add(to, from, 0);
}

int UnitFlow::Maximise() {
  int flow = 0;
  while (FindLevels()) {
    open_ = first_;
    while (SendUnit()) ++flow;
  }
  return flow;
}

// How many arcs vertices are from the source; false if the sink cannot be reached.
bool UnitFlow::FindLevels() {
  levels_.assign(first_.size(), -1);
  levels_[kSource] = 0;
  queue_.assign(1, kSource);
  for (std::size_t q = 0; q < queue_.size(); ++q) {
    for (int arc = first_[queue_[q]]; arc >= 0; arc = next_[arc]) {
      const int to = ends_[arc];
      if (room_[arc] == 0 || levels_[to] >= 0) continue;
      levels_[to] = levels_[queue_[q]] + 1;
      queue_.push_back(to);
    }
  }
  return levels_[kSink] >= 0;
}

// Along a shortest path: arcs that lead nowhere are not tried again.
bool UnitFlow::SendUnit() {
  std::vector<int>& path = queue_;
  path.clear();
  int at = kSource;
  while (at != kSink) {
    int& arc = open_[at];
    while (arc >= 0 && (room_[arc] == 0 || levels_[ends_[arc]] != levels_[at] + 1)) {
      arc = next_[arc];
    }
    if (arc >= 0) {
      path.push_back(arc);
      at = ends_[arc];
      continue;
    }
    if (path.empty()) return false;
    at = ends_[path.back() ^ 1];
    path.pop_back();
    open_[at] = next_[open_[at]];
  }
  for (int arc : path) {
    --room_[arc];
    ++room_[arc ^ 1];
  }
  return true;
}

const std::vector<char>& UnitFlow::FindDrained() {
  drained_.assign(first_.size(), 0);
  drained_[kSink] = 1;
  queue_.assign(1, kSink);
  for (std::size_t q = 0; q < queue_.size(); ++q) {
    for (int arc = first_[queue_[q]]; arc >= 0; arc = next_[arc]) {
      const int from = ends_[arc];
      if (room_[arc ^ 1] == 0 || drained_[from]) continue;
      drained_[from] = 1;
      queue_.push_back(from);
    }
  }
  return drained_;
}

}  // namespace voigt::internal
