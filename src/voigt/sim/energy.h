#pragma once

#include "voigt/constraints/constraint_set.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/model/state.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// The energy of a state [J].
struct Energy {
  double kinetic = 0;
  double gravity = 0;
  double spring = 0;  // of joints of the tree
  // What the work of rows of constraints and contacts has stored: springs and force laws of
  // contacts where the last step ended; soft constraints, soft limits and springs of loop joints;
  // rotors (armature) of loop joints.
  double contacts = 0, constraints = 0, rotors = 0;

  double InRows() const { return contacts + constraints + rotors; }
  double Springs() const { return spring + contacts + constraints; }
  double Total() const { return kinetic + gravity + spring + InRows(); }
};

// The energy of the bodies and of the joints of the tree. Uses *kin as scratch.
Energy CalcEnergy(const Model& model, const State& state, Kinematics* kin);

// What rows of constraints and contacts hold in a state, J.
struct RowStorage {
  double contacts = 0;
  double springs = 0, limits = 0;  // ½ K φ² of bilateral rows, and of unilateral ones with φ < 0
  double rotors = 0;               // kinetic energy
};

class RowStorageFinder {
 public:
  explicit RowStorageFinder(const Model& model);

  // `kin` is up to date with the state.
  RowStorage Calc(const Model& model, const State& state, const Kinematics& kin);

 private:
  ConstraintSet constraints_;
  VelocityProblem problem_;
};

}  // namespace voigt
