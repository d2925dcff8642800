#pragma once

#include "voigt/replay/replay_frames.h"
#include "voigt/sim/simulator.h"

namespace voigt {

// Collects the frames of a page while a simulation runs. Long runs end with fewer frames, not with
// a full memory.
class ReplayRecorder {
 public:
  // At most one frame per interval, s.
  ReplayRecorder(const Model& model, double interval)
      : interval_(interval),
        frames_(model),
        constraint_rows_(ListConstraintRows(model, ConstraintSet(model))) {}

  // Keeps the present state if its time has come.
  void Offer(Simulator* simulator);
  // Keeps it unless it is kept already.
  void Keep(Simulator* simulator);

  const ReplayFrames& frames() const { return frames_; }

 private:
  double interval_;
  ReplayFrames frames_;
  std::vector<ConstraintForce> constraint_rows_;
  ForceReport forces_;
  ReplayMoment moment_;
};

}  // namespace voigt
