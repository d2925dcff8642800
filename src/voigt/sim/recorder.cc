#include "voigt/sim/recorder.h"

namespace voigt {

void Recorder::Offer(Simulator* simulator) {
  // The times of the steps carry rounding errors: ten steps are ten, not eleven.
  const double tolerance = 1e-3 * simulator->settings().step;
  if (!samples_.empty() && simulator->state().t < samples_.back().t + interval_ - tolerance) return;
  Keep(simulator);
}

void Recorder::Keep(Simulator* simulator) {
  const State& state = simulator->state();
  if (!samples_.empty() && samples_.back().t == state.t) return;
  samples_.push_back({state.t, state.q, state.v, simulator->CalcEnergy(), simulator->work()});
}

}  // namespace voigt
