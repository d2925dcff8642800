#include "voigt/replay/replay_recorder.h"

namespace voigt {
namespace {

// Several times what a page may have: how well it can be compressed shows at the end only.
constexpr size_t kMostBytes = 100'000'000;

}  // namespace

void ReplayRecorder::Offer(Simulator* simulator) {
  // Times of steps carry rounding errors: a frame that is due by a hair is due.
  const double tolerance = 1e-3 * simulator->settings().step;
  if (frames_.count() > 0 && simulator->state().t < frames_.t.back() + interval_ - tolerance) {
    return;
  }
  Keep(simulator);
}

void ReplayRecorder::Keep(Simulator* simulator) {
  const State& state = simulator->state();
  if (frames_.count() > 0 && frames_.t.back() == state.t) return;
  moment_.t = state.t;
  moment_.q = state.q;
  moment_.v = state.v;
  simulator->CalcForces(&forces_);
  moment_.acceleration = forces_.acceleration;
  moment_.drive_force = forces_.drive_force;
  ReadForces(constraint_rows_, forces_.constraints, &moment_.constraint_force);
  moment_.energy = simulator->CalcEnergy();
  moment_.work = simulator->work();
  moment_.constraint_work = simulator->constraint_work();
  const Audit* const audit = simulator->step_audit();
  moment_.audit = audit ? *audit : Audit();
  simulator->ListContacts(&moment_.contacts);
  frames_.Add(moment_);
  if (frames_.size() > kMostBytes) {
    frames_.ThinOut();
    interval_ *= 2;
  }
}

}  // namespace voigt
