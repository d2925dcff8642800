#pragma once

#include <algorithm>
#include <ctime>
#include <functional>
#include <vector>

namespace voigt::bench {

// What the processor has spent on this thread so far, s: time that other programs take away does
// not count.
inline double ThreadSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Medians of two pieces of work, run alternately so that whatever else the machine does falls on
// both alike.
struct SideBySide {
  double ours = 0, theirs = 0;  // s per call
  double Ratio() const { return ours / theirs; }
};

inline double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// Each round calls each piece `calls` times in a row.
inline SideBySide Measure(int rounds, int calls, const std::function<void()>& ours,
                          const std::function<void()>& theirs) {
  const auto time = [&](const std::function<void()>& work) {
    const double start = ThreadSeconds();
    for (int i = 0; i < calls; ++i) work();
    return (ThreadSeconds() - start) / calls;
  };
  time(ours);
  time(theirs);
  std::vector<double> own, other;
  for (int round = 0; round < rounds; ++round) {
    own.push_back(time(ours));
    other.push_back(time(theirs));
  }
  return {Median(own), Median(other)};
}

}  // namespace voigt::bench
