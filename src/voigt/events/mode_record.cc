// What friction did and does, beside the motion: transitions, and State::modes.

#include "voigt/events/event_integrator_parts.h"

namespace voigt {

// After an event: lists all elements of friction that press, and what has changed of them.
void EventIntegrator::Implementation::RecordModes() {
  next_modes.clear();
  for (const Hold& hold : holds) {
    const Touch* const touch = hold.is_guide ? nullptr : motion.finder()->Find(hold.id);
    if (!hold.is_guide && (touch == nullptr || !touch->has_friction())) continue;
    next_modes.push_back({hold.id, hold.state, hold.force, hold.direction});
  }
  std::sort(next_modes.begin(), next_modes.end(),
            [](const ElementMode& a, const ElementMode& b) { return a.id < b.id; });
  auto old = element_modes.begin();
  auto now = next_modes.begin();
  while (old != element_modes.end() || now != next_modes.end()) {
    const bool has_old =
        old != element_modes.end() && (now == next_modes.end() || old->id <= now->id);
    const bool has_now =
        now != next_modes.end() && (old == element_modes.end() || now->id <= old->id);
    const Stiction from = has_old ? old->mode : Stiction::kOpen;
    const Stiction to = has_now ? now->mode : Stiction::kOpen;
    if (from != to) transitions.push_back({t, has_now ? now->id : old->id, from, to});
    old += has_old;
    now += has_now;
  }
  element_modes.swap(next_modes);
}

void EventIntegrator::Implementation::StoreModes(State* state) const {
  state->modes.clear();
  state->contacts.clear();
  for (const ElementMode& element : element_modes) {
    state->modes.push_back(static_cast<int>(element.mode));
    ContactMemory& memory = state->contacts.emplace_back();
    memory.id = element.id;
    memory.normal_force = element.normal_force;
    memory.slip_direction = element.direction;
  }
}

// Only to tell what changes: modes follow from (t, q, v). Changes of contacts that yield are
// counted from their holds.
void EventIntegrator::Implementation::RestoreModes(const State& state) {
  element_modes.clear();
  if (state.modes.size() != state.contacts.size()) return;
  for (size_t k = 0; k < state.modes.size(); ++k) {
    const int mode = state.modes[k];
    if (mode < 0 || mode >= static_cast<int>(Stiction::kOpen)) continue;
    const ContactMemory& memory = state.contacts[k];
    element_modes.push_back(
        {memory.id, static_cast<Stiction>(mode), memory.normal_force, memory.slip_direction});
  }
  if (element_modes.empty()) return;
  Take(y);
  motion.finder()->Update(t, q, v, TouchFinder::kLook);
  for (const ElementMode& element : element_modes) {
    const Touch* const touch = motion.finder()->Find(element.id);
    if (touch == nullptr || !touch->is_soft()) continue;
    Hold& hold = holds.emplace_back();
    hold.id = element.id;
    hold.is_soft = true;
    hold.state = element.mode;
    hold.direction = element.direction;
  }
}

}  // namespace voigt
