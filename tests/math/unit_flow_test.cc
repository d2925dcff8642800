#include "voigt/math/unit_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <utility>

namespace voigt::internal {
namespace {

// Graphs small enough that all sets of vertices can be tried: the least capacity that leaves a set
// with the source in it is the greatest flow, and both ends of the cut have it.
TEST(UnitFlow, IsTheLeastCut) {
  constexpr int kVertices = 9;
  std::mt19937 random(1);
  std::uniform_int_distribution<int> vertex(0, kVertices - 1), capacity(0, 3);
  struct Arc {
    int from, to, capacity;
  };
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Arc> arcs;
    UnitFlow flow;
    flow.Reset(kVertices);
    for (int a = 0; a < 25; ++a) {
      const Arc arc{vertex(random), vertex(random), std::max(1, capacity(random))};
      if (arc.from == arc.to) continue;
      arcs.push_back(arc);
      flow.AddArc(arc.from, arc.to, arc.capacity);
    }
    const auto cut = [&](const auto& is_in) {
      int sum = 0;
      for (const Arc& arc : arcs) {
        if (is_in(arc.from) && !is_in(arc.to)) sum += arc.capacity;
      }
      return sum;
    };
    int least = 1 << 20;
    for (unsigned set = 0; set < 1u << kVertices; ++set) {
      if (!(set >> UnitFlow::kSource & 1) || (set >> UnitFlow::kSink & 1)) continue;
      least = std::min(least, cut([&](int v) { return (set >> v & 1) != 0; }));
    }
    EXPECT_EQ(flow.Maximise(), least) << trial;
    EXPECT_EQ(cut([&](int v) { return flow.IsFed(v); }), least) << trial;
    const std::vector<char> drained = flow.FindDrained();
    EXPECT_EQ(cut([&](int v) { return !drained[v]; }), least) << trial;
  }
}

}  // namespace
}  // namespace voigt::internal
