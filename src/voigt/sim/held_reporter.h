#pragma once

#include <vector>

#include "voigt/events/held_forces.h"
#include "voigt/model/state.h"
#include "voigt/sim/contact_report.h"
#include "voigt/sim/reactions.h"

namespace voigt {

// Contacts and reactions of one moment of event-driven motion.
class HeldReporter {
 public:
  explicit HeldReporter(const Model& model);

  // Closed contacts, limits not among them. Replaces what is in *out.
  static void ListContacts(const Model& model, const HeldForces& forces,
                           std::vector<ContactReport>* out);

  // What Newton and Euler ask for at these accelerations.
  void CalcReactions(const Model& model, const State& state, const HeldForces& forces,
                     Reactions* out);

 private:
  NewtonEulerScratch newton_euler_;
  VecX tau_;
  std::vector<Vec6> external_;
};

}  // namespace voigt
