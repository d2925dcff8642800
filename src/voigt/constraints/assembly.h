#pragma once

#include <optional>
#include <vector>

#include "voigt/base/errors.h"
#include "voigt/model/model.h"
#include "voigt/model/state.h"

namespace voigt {

struct AssemblyOptions {
  // Per degree of freedom: coordinates and rates that somebody chose, to be kept if at all
  // possible. Empty: none.
  std::vector<char> keep_q, keep_v;
  double tolerance = 1e-12;   // of φ, relative to the size of the mechanism; of angles in rad
  double h = 1e-6;            // s: of the step for whose end rows are written
  int iteration_limit = 200;  // per attempt
};

struct AssemblyResult {
  // Empty if the state now meets all constraints; otherwise the constraint that is worst.
  std::optional<Problem> problem;
  int iterations = 0;
  int attempts = 0;         // starts from other places, where the given one led nowhere
  double violation = 0;     // largest one left, in the units of the tolerance
  bool moved_kept = false;  // a coordinate or rate that was to be kept had to change

  bool ok() const { return !problem; }
};

// Moves a state onto the constraints: q to φ = 0 for the rigid bilateral rows of all holonomic
// constraints, and v to G v + φ_t = 0 for these and G v + φ_t = v̂ for the rigid bilateral rows of
// all others. What is there already is not touched at all. Soft, unilateral and bounded rows take
// no part.
//
// Positions: min ‖φ(q)‖² by Levenberg–Marquardt with steps that are shortest in the metric of the
// mass matrix and damping proportional to ‖φ‖. Loops in space have redundant rows, so that G loses
// rank on the way to the solution; with this damping the convergence stays quadratic as long as the
// distance to the solutions is bounded by ‖φ‖ [Fan & Yuan 2005]. Rows of Constraint::AddBranchRows
// keep it away from mirrored positions. From where it gets stuck it tries again from places nearby,
// always the same ones.
//
// Velocities: the change of least kinetic energy, by a complete orthogonal decomposition.
//
// Coordinates to keep are held at first; only if that leads nowhere may they move, with a hundred
// times the weight of others. On failure the state is as it was. Dense algebra, of order nv³ per
// iteration where something has to move.
AssemblyResult Assemble(const Model& model, const AssemblyOptions& options, State* state);

}  // namespace voigt
