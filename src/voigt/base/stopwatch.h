#pragma once

#include <chrono>

namespace voigt {

// Wall-clock seconds since construction.
class Stopwatch {
 public:
  double Seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

// A limit of wall time for work that can stop early. Without a limit it never passes, and nobody
// asks the clock.
class Deadline {
 public:
  Deadline() = default;
  explicit Deadline(double seconds) : seconds_(seconds) {}
  bool HasPassed() const { return seconds_ > 0 && watch_.Seconds() > seconds_; }

 private:
  Stopwatch watch_;
  double seconds_ = 0;
};

}  // namespace voigt
