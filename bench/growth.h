#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/side_by_side.h"

// How the time of a step grows with the size of a problem.
namespace voigt::bench {

struct Times {
  std::vector<double> seconds;  // of each run
  double Minimum() const { return *std::min_element(seconds.begin(), seconds.end()); }
};

// Slope of log time over log size, by least squares.
inline double LogSlope(const std::vector<int>& sizes, const std::vector<double>& seconds) {
  double x_mean = 0, y_mean = 0, xx = 0, xy = 0;
  for (size_t k = 0; k < sizes.size(); ++k) {
    x_mean += std::log(sizes[k]) / sizes.size();
    y_mean += std::log(seconds[k]) / sizes.size();
  }
  for (size_t k = 0; k < sizes.size(); ++k) {
    const double x = std::log(sizes[k]) - x_mean;
    xx += x * x;
    xy += x * (std::log(seconds[k]) - y_mean);
  }
  return xy / xx;
}

// A line for each size, whose runs of `steps` steps took `times`, and the slope.
inline void PrintGrowth(const char* title, const std::vector<int>& sizes,
                        const std::vector<Times>& times, int steps) {
  fmt::print("\n{}\n  {:>8}{:>13}{:>11}{:>20}\n", title, "size", "median [ms]", "min [ms]",
             "us per step, size");
  std::vector<double> medians;
  for (size_t k = 0; k < sizes.size(); ++k) {
    medians.push_back(Median(times[k].seconds));
    fmt::print("  {:>8}{:>13.2f}{:>11.2f}{:>20.4f}\n", sizes[k], 1e3 * medians[k],
               1e3 * times[k].Minimum(), 1e6 * medians[k] / steps / sizes[k]);
  }
  fmt::print("  time grows with size to the power {:.2f}\n", LogSlope(sizes, medians));
}

}  // namespace voigt::bench
