#pragma once

#include <string>
#include <string_view>

#include "voigt/problem/velocity_problem.h"

// A problem as a text file, to be solved again alone: for reports of bugs, regression tests and
// comparisons of solvers. Numbers come back to the last bit. One line each:
//
//   voigt-problem 3                          version of the format; 1 and 2 are read, too
//   h 0.01
//   parents 6 -1 0 1 2 3 4                   the tree pattern: count, parents
//   M 21 …                                   packed mass matrix: count, entries
//   v_star 6 …
//   groups 1                                 then per group:
//   group contact 3 6                        law, rows, columns
//   friction 0.5 nan 0 0 0                   μ, lagged impulse, torsion, rolling, viscous;
//                                            in version 1 two of them, in 2 four
//   force_law linear 0 0                     kind, stiffness, dissipation
//   origin -1 7                              constraint, id
//   cols 0 1 2 3 4 5
//   row 0 0 0 0 0 0 0 0 0 0 0                φ φ_t c τ R v̂ ∂v̂/∂φ lower upper guess angular
//   G 1 0 0 0 0 0                            of that row; then the next row
//   end
//
// Empty lines and what follows a # are ignored.
namespace voigt {

// Groups must stand in the order of their rows. Throws InputError if one has a user's force law:
// that is a program, not data.
std::string FormatProblem(const VelocityProblem& problem);
void SaveProblem(const VelocityProblem& problem, const std::string& path);

// Throws InputError with file and line where the text is damaged or cannot be a problem.
OwnedProblem ParseProblem(std::string_view text, const std::string& file);
OwnedProblem LoadProblem(const std::string& path);

}  // namespace voigt
