#pragma once

#include "voigt/base/stopwatch.h"

namespace voigt {

// A bar on standard error with simulated time, speed and the number of contacts. Silent when that
// is not a terminal, and during the first second, so that short runs leave no trace.
class ProgressBar {
 public:
  ProgressBar(double t_start, double t_end);

  void Update(double t, int contacts);

  // Removes the bar.
  void Clear();

 private:
  double t_start_, t_end_;
  bool on_terminal_;
  bool visible_ = false;
  double last_drawn_ = 0;
  Stopwatch stopwatch_;
};

}  // namespace voigt
