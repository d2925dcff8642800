#pragma once

#include "voigt/formulations/compliant/island_cones.h"
#include "voigt/formulations/compliant/redundancy.h"
#include "voigt/formulations/impulse_space/impulse_island.h"
#include "voigt/kernels/block_gauss_seidel.h"
#include "voigt/kernels/contact_sweeps.h"
#include "voigt/kernels/implicit_ncp.h"
#include "voigt/kernels/interior_point.h"
#include "voigt/kernels/lemke.h"
#include "voigt/kernels/natural_newton.h"
#include "voigt/kernels/newton_workspace.h"
#include "voigt/problem/attempt.h"
#include "voigt/problem/friction_mode.h"
#include "voigt/problem/solution.h"

namespace voigt {

// What one island of the compliant program came to.
struct IslandResult {
  SolveStatus status = SolveStatus::kFailed;
  double residual = kNaN;  // velocity
  double scale = 1;        // velocity: the largest of the island
  int friction_passes = 0;
  Attempt solved_by = Attempt::kNothing;
  int sweeps = 0;                // over a packed bed
  bool is_swept = false;         // by these alone: nothing is factored
  int dependent_directions = 0;  // in which rigid rows contradict each other
};

struct IslandSettings {
  FrictionMode friction = FrictionMode::kCoulomb;
  AttemptSet attempts = AttemptSet::All();
  double tolerance = 1e-8, aim = 1e-12;
  int max_iterations = 500;
  Deadline deadline;  // of the whole solve
  MatrixKind matrix_kind = MatrixKind::kAuto;
};

// Of islands whose impulses are in half-lines and intervals.
struct IslandBoxes {
  Lemke lemke;
  VecX lower, upper, gamma;
};

// Memory of the methods, and impulses put aside: of the whole program, each island uses its rows.
struct IslandWorkspace {
  void Resize(const ConvexProgram& program);

  NewtonWorkspace newton;
  BlockGaussSeidel gauss_seidel;
  ContactSweeps contact_sweeps;
  InteriorPoint interior_point;
  ImplicitNcp implicit_ncp;
  ImpulseAssembler assembler;
  ImpulseIsland impulses;
  std::vector<NcpBlock> ncp_blocks;
  VecX island_gamma;
  IslandBoxes boxes;
  IslandCones cones;
  Redundancy redundancy;
  std::vector<double> pass, best, swept, inconsistency;
  std::vector<double> asked;  // of small_gaps.h
  std::vector<double> R;      // of the program, while it has others
};

// Solves an island of a program whose contacts are discs (coulomb, lagged) or cones. `lagged`
// holds, per block, the normal impulse expected of a contact or NaN. v and gamma: warm start and
// result. The sets and bounds of the island's blocks in *program are changed on the way. `problem`
// is what the program was made of, block by group: its gaps tell which rigid rows are dependent.
IslandResult SolveIsland(const IslandSettings& settings, const VelocityProblem& problem,
                         std::span<const double> lagged, ConvexProgram* program,
                         const IslandView& island, IslandStructure* structure, VecX* v, VecX* gamma,
                         IslandWorkspace* ws, NewtonStats* stats);

}  // namespace voigt
