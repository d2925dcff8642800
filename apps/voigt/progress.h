#pragma once

#include "voigt/base/stopwatch.h"

namespace voigt {

// A bar on standard error with simulated time and speed. Silent when that is not a terminal, and
// during the first second, so that short runs leave no trace.
class ProgressBar {
 public:
  explicit ProgressBar(double t_end);

  void Update(double t);

  // Removes the bar.
  void Clear();

 private:
  double t_end_;
  bool on_terminal_;
  bool visible_ = false;
  double last_drawn_ = 0;
  Stopwatch stopwatch_;
};

}  // namespace voigt
