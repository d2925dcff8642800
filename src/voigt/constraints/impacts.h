#pragma once

#include <string_view>
#include <vector>

#include "voigt/collision/contact.h"
#include "voigt/model/model.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// What the restitution e of a pair of rigid surfaces means.
enum class RestitutionLaw {
  kNewton,   // the speed after an impact over that before: v̂ = −e φ̇₀ of the contact's row
  kPoisson,  // the impulse of decompression over that of compression (sim/poisson_impact.h)
  // The speed after an impact over that before, of contacts that strike one after the other
  // (sim/impact_sequence.h).
  kSequence,
};

std::string_view ToString(RestitutionLaw law);

// A rigid contact whose gap closes within the step faster than ContactSettings::restitution_speed.
struct ImpactRow {
  int contact = 0;         // which of the step's contacts
  int row = 0;             // of the problem: its normal
  double rate = 0;         // φ̇₀, m/s
  double restitution = 0;  // e
};

// `problem` holds the groups that AddContactRows made of these contacts; v₀ is the velocity before
// the step. `rates` is scratch.
void ListImpacts(const Model& model, const std::vector<Contact>& contacts,
                 const VelocityProblem& problem, const VecX& v0, std::vector<double>* rates,
                 std::vector<ImpactRow>* out);

}  // namespace voigt
