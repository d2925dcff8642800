#pragma once

#include <cstdint>
#include <string_view>

#include "voigt/model/stiction.h"

namespace voigt {

// What ends a piece of smooth motion (event_integrator.h).
enum class EventKind {
  kImpact,   // gaps close: all contacts that touch then are resolved together
  kRest,     // a sequence of ever smaller bounces ends; its time is that of their sum
  kRelease,  // a contact stops pressing and parts
  kStick,    // a contact that slides comes to a stop
  kSlip,     // one that sticks begins to slide
  kTurn,     // one that slides stops and slides back
  kLock,     // no accelerations agree with sliding: an impulse stops it
  // Of contacts that yield, whose states are three (model/stiction.h):
  kTouch,      // one closes
  kBreakaway,  // one that sticks begins to creep
  kSlowdown,   // one that slips is slow and cannot stick: it creeps
};

std::string_view ToString(EventKind kind);

struct Event {
  EventKind kind = EventKind::kImpact;
  double t = 0;          // s
  std::uint64_t id = 0;  // of the contact, limit or friction of a joint (Contact::id,
                         // RowGroup::id); of an impact, the first of them
};

// Sums over a run.
struct EventTotals {
  long impacts = 0, rests = 0, releases = 0, sticks = 0, slips = 0, turns = 0, locks = 0;
  long touches = 0, breakaways = 0, slowdowns = 0;
  long most_simultaneous = 0;  // contacts of one impact
  long limited = 0;            // impacts whose restitution was cut, or it would have added energy
  // Impacts without the friction of joints, for which no impulses were found.
  long without_joint_friction = 0;
  // By `working`: searches that began anew from the states of sweeps, and those of them where
  // friction that repeats holds by other than the least forces.
  long sweep_starts = 0, shared = 0;
  // Iterations of Newton's method for normal forces, and factorizations of its matrix; repetitions
  // instead, and how often they did not contract and Newton's method took over.
  long newton_iterations = 0, factorizations = 0, fixed_point_iterations = 0, takeovers = 0;
  long pieces = 0;       // steps of the integrator
  long evaluations = 0;  // of accelerations

  long events() const {
    return impacts + rests + releases + sticks + slips + turns + locks + touches + breakaways +
           slowdowns;
  }
  void Add(const Event& event);
};

// A change of what friction does: of a contact, or of the friction of a joint or a guided point.
struct Transition {
  double t = 0;          // s
  std::uint64_t id = 0;  // as Event::id
  Stiction from = Stiction::kOpen, to = Stiction::kOpen;
};

}  // namespace voigt
