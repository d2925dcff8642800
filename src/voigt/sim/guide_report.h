#pragma once

#include <cstdint>
#include <vector>

#include "voigt/constraints/constraint_set.h"
#include "voigt/events/held_forces.h"
#include "voigt/model/stiction.h"
#include "voigt/sim/reaction_passes.h"

namespace voigt {

// Friction that comes from a reaction: that of a joint or of a guided point, as an engineer asks
// for it. Of a time step forces are means; with the integrator event-driven they are those of a
// moment.
struct GuideReport {
  std::uint64_t id = 0;          // Transition::id
  int guide = 0;                 // in FrictionNames::guides()
  int row_count = 0;             // along a line or about an axis 1, in a plane 2, about a point 3
  double normal_force = 0;       // N that it comes from, N
  Vec3 friction = Vec3::Zero();  // on its rows, N; N m where they are angles
  Vec3 rate = Vec3::Zero();      // of them, m/s or rad/s; of a time step at its end
  Stiction state = Stiction::kOpen;  // open where a one-sided guide does not press
};

// Of all guides of a model, in the order of FrictionNames::guides(). Both replace what is in *out.

// Of a moment of event-driven motion. Friction of a joint whose motion is prescribed is left out
// while it rests: it may be anything up to its limit.
void ListGuides(const HeldForces& forces, std::vector<GuideReport>* out);

// Of a step, whose rows are as constraints wrote them; `modes`: what they did in it.
void ListGuides(const ConstraintSet& constraints, const ReactionPasses& passes,
                const VelocityProblem& problem, const Solution& solution,
                const std::vector<int>& modes, std::vector<GuideReport>* out);

}  // namespace voigt
