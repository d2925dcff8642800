#pragma once

#include <vector>

namespace voigt::internal {

// Maximum flow from a source to a sink along arcs that carry one unit or any number of them, by
// shortest paths [Dinic 1970].
class UnitFlow {
 public:
  static constexpr int kSource = 0, kSink = 1;
  static constexpr int kAnyNumber = 1 << 30;

  void Reset(int vertices);
  void AddArc(int from, int to, int capacity);
  int Maximise();

  // After Maximise: whether more could flow from the source to a vertex, or from it to the sink.
  bool IsFed(int vertex) const { return levels_[vertex] >= 0; }
  const std::vector<char>& FindDrained();

 private:
  bool FindLevels();
  bool SendUnit();

  std::vector<int> first_;                  // arc of a vertex, −1 for none
  std::vector<int> next_, ends_, room_;     // of arcs; that of the opposite direction is a ^ 1
  std::vector<int> levels_, open_, queue_;  // open_: the arcs that have not been tried
  std::vector<char> drained_;
};

}  // namespace voigt::internal
