#include "voigt/sim/simulator.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "voigt/base/errors.h"
#include "voigt/dynamics/inertia_check.h"

namespace voigt {
namespace {

void CheckCanRun(const Model& model, const SimulationSettings& settings, const State& initial) {
  ProblemList problems;
  if (!(std::isfinite(settings.step) && settings.step > 0)) {
    problems.Add({}, "simulation", fmt::format("step = {}, expected > 0 s", settings.step));
  }
  if (initial.q.size() != model.nq() || initial.v.size() != model.nv()) {
    problems.Add({}, "initial state",
                 fmt::format("has {} coordinates and {} rates, the model {} and {}",
                             initial.q.size(), initial.v.size(), model.nq(), model.nv()));
  } else if (!initial.IsFinite()) {
    problems.Add({}, "initial state", "is not finite");
  }
  for (const Joint& loop : model.loops()) {
    problems.Add({}, fmt::format("joint '{}'", loop.name),
                 "closes a loop of joints; this version simulates trees only");
  }
  problems.ThrowIfAny();
  CheckEveryDofMovesInertia(model, initial.q);
}

}  // namespace

Simulator::Simulator(Model model, const SimulationSettings& settings, State initial)
    : model_(std::make_unique<const Model>(std::move(model))),
      settings_(settings),
      state_(std::move(initial)),
      energy_scratch_(*model_) {
  CheckCanRun(*model_, settings_, state_);
  switch (settings_.integrator) {
    case Integrator::kSemiImplicitEuler:
      workspace_.emplace(*model_);
      break;
    case Integrator::kRungeKutta4:
      runge_kutta_.emplace(*model_);
      break;
    case Integrator::kAdaptive:
      adaptive_.emplace(*model_);
      break;
  }
}

StepStatus Simulator::Advance() {
  const double h = settings_.step;
  switch (settings_.integrator) {
    case Integrator::kSemiImplicitEuler: {
      const StepStatus status = voigt::Step(*model_, h, &state_, &*workspace_);
      if (status == StepStatus::kOk) {
        work_ += workspace_->work;
        spin_failures_ += workspace_->transport.spin_failures();
      }
      return status;
    }
    case Integrator::kRungeKutta4: {
      next_ = state_;
      const double work = runge_kutta_->Step(h, &next_);
      if (!next_.IsFinite()) return StepStatus::kNotFinite;
      std::swap(state_, next_);
      work_ += work;
      return StepStatus::kOk;
    }
    case Integrator::kAdaptive: {
      const bool reached = adaptive_->AdvanceTo(state_.t + h, &state_);
      work_ = adaptive_->work();
      return reached ? StepStatus::kOk : StepStatus::kToleranceNotReached;
    }
  }
  return StepStatus::kOk;
}

StepStatus Simulator::Step() {
  if (status_ != StepStatus::kOk) return status_;
  status_ = Advance();
  if (status_ == StepStatus::kOk) ++steps_;
  return status_;
}

Energy Simulator::CalcEnergy() { return voigt::CalcEnergy(*model_, state_, &energy_scratch_); }

}  // namespace voigt
