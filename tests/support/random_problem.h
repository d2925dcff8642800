#pragma once

#include <vector>

#include "voigt/problem/row_law.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt::testing {

struct RandomProblemOptions {
  int max_contacts = 6;
  int max_others = 3;           // groups of unilateral, bilateral and bounded rows
  double max_mu = 1;            // friction coefficients are some of 0, 0.1, 0.5, 1 up to this
  double max_stiffness = 1e15;  // of rows that are not rigid
  bool allow_rigid = true;
  bool allow_redundant = true;                // some groups occur twice
  bool allow_trees = true;                    // half of the mass matrices are those of random trees
  bool only_contacts_between_bodies = false;  // nothing touches the world
  // Rows that are nearly rigid (R below 1e-4 kg⁻¹) and contradict each other or rigid ones: the
  // impulses are then as large as the stiffness.
  bool allow_contradictions = false;
  bool force_laws = false;        // some normals are Hertz or Hunt–Crossley
  bool turning_friction = false;  // contacts in space have torsional or rolling friction or both
};

// A problem of 1 to 3 free bodies or of a random forest, with contacts, unilateral, bilateral and
// bounded rows; stiffness 1 … 1e15 or rigid, damping 0, 1, 1e6, 1e12, steps 1e-4 … 0.1. Some
// velocity satisfies all rigid and nearly rigid rows, and their contacts with the slip to spare
// that friction needs, so that a solution exists. The same seed gives the same problem.
struct RandomProblem {
  OwnedProblem owned;
  VecX v0;                    // before the step
  std::vector<Vec3> centres;  // of free bodies, whose rates are [ω; v] in world axes; else empty

  const VelocityProblem& problem() const { return owned.problem; }
};

RandomProblem MakeRandomProblem(int seed, const RandomProblemOptions& options = {});

}  // namespace voigt::testing
