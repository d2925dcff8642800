#pragma once

#include <vector>

#include "voigt/collision/contact.h"
#include "voigt/model/model.h"
#include "voigt/model/state.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// Depth that no work has made holds no energy.
//
// A soft contact pushes by its depth, and what its spring holds at the end of a step is what the
// bodies have put into it. The shapes may then be found deeper than that: a corner has turned
// further than its tangent said, another face has become the nearest way out, a thin body came to
// lie beyond the middle of another one, or shapes overlap where a run begins. A spring as deep as
// that would give back what nobody has put in, more with every step that finds such depths.
//
// Hence the springs of two shapes hold no more, all together, than they did where the last step
// ended: all their depths are shortened alike, d → κ d, until that is so. The rest, (1 − κ) d, is
// made up for at no more than the speed at which rigid shapes are pushed apart, by a gap that moves
// (φ_t < 0): its work is γ φ_t, known and small.
//
// Where a run begins, nobody knows of a last step. Bodies may then rest on springs that bear them:
// depths count up to that at which a contact bears the weight of all bodies together.
//
// `contacts` are those of the problem's rows; the state has what they left behind.
void ShortenUnpaidDepths(const Model& model, const std::vector<Contact>& contacts,
                         const State& state, VelocityProblem* problem);

// What the spring or force law of a contact's normal row holds at a gap φ, J; rigid ones nothing.
double CalcStoredEnergy(const RowGroup& group, const Row& row, double phi);

}  // namespace voigt
