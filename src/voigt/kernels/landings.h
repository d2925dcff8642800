#pragma once

#include "voigt/kernels/newton_workspace.h"

namespace voigt {

// Contacts that close one because of the other, as those of a column that falls on the ground: each
// stops a body, and only then does the next one close. Newton's method finds one of them a step.
//
// Follows such sequences from the world: a contact that closes between the world, or a tree that
// was stopped before, and a tree that nothing has stopped so far stops it, as if what it lands on
// could not give way. Contacts found in this way that have no impulse in gamma get what it took;
// returns how many. They are a place to start from: which contacts push is often right, how
// strongly is not.
//
// Looks at blocks between two trees at most whose first row only pushes, with a linear law, alone
// or with friction.
int FindLandings(const IslandView& island, VecX* gamma, NewtonWorkspace* ws);

}  // namespace voigt
