#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "voigt/base/errors.h"
#include "voigt/events/contact_modes.h"
#include "voigt/events/event.h"
#include "voigt/events/held_forces.h"
#include "voigt/events/impact.h"
#include "voigt/model/state.h"

namespace voigt {

enum class EventStatus {
  kOk,
  kToleranceNotReached,  // the motion is singular
  kNoForces,             // closed contacts have no solution, as friction may have it (Painlevé)
  kImpactFailed,
  kEventsWithoutEnd,  // events follow each other and no time passes
  kStopped,           // by the caller, on the way
  kContradiction,     // bilateral constraints contradict each other, or what is prescribed
  kFrictionLocks,     // by `working`: friction has no solution, and no impulse makes one
};

// Event-driven integration of rigid bodies with contact: smooth motion (held_motion.h) of high
// order with error control, up to the moment of the next event, which is found as a root; there
// velocities may jump (impact.h), and what contacts do from then on is decided anew
// (contact_modes.h).
//
// Where friction leaves no accelerations, or where forces grow without bound on the way there,
// `working` stops sliding by an impulse (event kLock), if one within friction does.
//
// Roots: gaps of open contacts, forces of closed ones, slip of those that slide, the distance of
// friction from its cone of those that stick; of contacts that yield what soft_normal.h and
// event_search.cc say. Each step of the integrator is searched at eight
// moments: shapes that meet and part again between two of them are missed. Steps are no longer than
// the intervals that are asked for, end where motion that is prescribed has a kink, and are no
// longer than the method follows such motion.
class EventIntegrator {
 public:
  struct Settings {
    double absolute_tolerance = 1e-13;
    double relative_tolerance = 1e-13;
    double reach = 1e-9;       // gaps below this are closed, m or rad
    double least_hop = 1e-12;  // bounces of less height are summed, m
    long most_at_once = 1000;  // events within 10 µs, before it is given up
  };

  EventIntegrator(const Model& model, const FormulationSettings& formulation, bool with_audit)
      : EventIntegrator(model, formulation, with_audit, Settings()) {}
  EventIntegrator(const Model& model, const FormulationSettings& formulation, bool with_audit,
                  const Settings& settings);
  EventIntegrator(EventIntegrator&&) noexcept;
  ~EventIntegrator();

  // Advances the state to t_end exactly; it decides all by itself how. Where that fails, the state
  // is the last good one.
  // `stop`, if given, is asked before every step of the integrator; where it says so, what the
  // call has counted and worked out is as before, and the state is no use.
  EventStatus AdvanceTo(double t_end, State* state, const std::function<bool()>& stop = nullptr);

  // Of the last call, in order.
  const std::vector<Event>& events() const;
  // Changes of what friction does, of the same, in order. What it does where a run begins is there
  // as a change from kOpen; State::modes and State::contacts tell the next call what it was.
  const std::vector<Transition>& transitions() const;
  // Called after every impact that was resolved, with impact() as it is then.
  void SetImpactListener(std::function<void(const Impact&)> listener);

  // Of a call that has failed with one of the statuses about contacts, constraints and friction:
  // where, as Event::id has it, or zero if that is not known.
  std::uint64_t trouble() const;

  const EventTotals& totals() const;
  // Forces and accelerations where the last call ended, worked out when they are asked for, by
  // their own means: nothing that comes later depends on it. Null where the state is another one,
  // or nothing was found.
  const HeldForces* CalcForces(const State& state) const;
  // In the last call: of loads, dampers and drives, and of contacts.
  double work() const;
  double contact_work() const;
  // Of prescribed rates, where the last call ended; zero elsewhere.
  const VecX& prescribed_force() const;
  // Closed contacts and limits that press now.
  int pressing_count() const;
  long inexact_contacts() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> own_;
};

// What a model has that event-driven integration does not know: soft constraints and limits, dry
// friction of joints by numbers, rolling friction, actuators with activations; and what only
// `working` does, friction of joints by their reactions, contacts that yield, static friction of
// contacts and motion that is prescribed.
void CheckEventDriven(const Model& model, const State& initial, FormulationKind formulation,
                      ProblemList* problems);

}  // namespace voigt
