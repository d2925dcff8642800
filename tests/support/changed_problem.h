#pragma once

#include <vector>

#include "voigt/problem/velocity_problem.h"

// A problem changed in ways that must not change its motion.
namespace voigt::testing {

// Groups in another order; order[g] is where the g-th one was.
OwnedProblem PermuteGroups(const OwnedProblem& original, const std::vector<int>& order);
// Every bilateral and unilateral group twice, with half the stiffness and damping; rigid ones as
// they are. The copies come after the originals.
OwnedProblem DuplicateRows(const OwnedProblem& original);
// Every contact twice, with half the stiffness and damping along all of its rows and half of the
// impulse that it remembers; rigid ones as they are. Force laws are left out.
OwnedProblem DuplicateContacts(const OwnedProblem& original);
// Tangents of each contact turned by an angle.
OwnedProblem TurnTangents(const OwnedProblem& original, double angle);
// Masses, impulses, stiffness and damping times a factor.
OwnedProblem ScaleMass(const OwnedProblem& original, double factor);

}  // namespace voigt::testing
