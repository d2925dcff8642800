#pragma once

#include <vector>

#include "voigt/sim/simulator.h"

namespace voigt {

// One recorded moment of a run.
struct Sample {
  double t = 0;
  VecX q, v;
  Energy energy;
  double work = 0;  // of loads, dampers and drives since the start
};

// Keeps samples of a run in memory, at most one per interval.
class Recorder {
 public:
  // interval in s; 0 keeps every step.
  explicit Recorder(double interval = 0) : interval_(interval) {}

  // Keeps the present state if its time has come.
  void Offer(Simulator* simulator);

  // Keeps the present state unless it is kept already.
  void Keep(Simulator* simulator);

  const std::vector<Sample>& samples() const { return samples_; }

 private:
  double interval_;
  std::vector<Sample> samples_;
};

}  // namespace voigt
