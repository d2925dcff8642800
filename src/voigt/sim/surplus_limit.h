#pragma once

#include <vector>

#include "voigt/dynamics/configuration.h"
#include "voigt/dynamics/free_velocity.h"
#include "voigt/model/state.h"
#include "voigt/problem/velocity_problem.h"
#include "voigt/sim/tied_trees.h"

namespace voigt {

// Keeps mechanisms from gaining energy by being moved in steps.
//
// Between two configurations a mechanism goes straight where it should go round: gravity and joint
// springs then have less or more potential than their impulses h f have worked for, momenta that
// are carried along lose some energy, and joints that close loops are brought together again by
// impulses that work. Each is small where steps are short, and none knows of the others. Their sum,
//
//   surplus = T(q₁, v) − T(q₀, v₁) + V(q₁) − V(q₀) + ½ h f · (v₀ + v₁) + ½ γ · G (v₀ + v₁),
//
// with the impulses γ of rigid joints that nothing drives, is what the integrator has made of
// nothing. (Kicks of other rows than these have their work taken away from it.) It is added up over
// the steps, tree by tree, in State::surplus: a mechanism may get back what it has lost. Where
// trees that joints tie together have more than 0.75 percent of the largest kinetic energy that
// they had, all their rates are shortened alike until they are at zero: what joints hold stays
// held. A single tree that floats keeps the velocity of its centre of mass.
//
// Trees with loads or drives, and those that drives with a rate tie together, are left alone: what
// these bring in is not among the energies above. Where springs or dampers tie trees together,
// steps are never too long: stiff springs turn bodies by radians in any part of a step.
//
// Of a tree that contacts, limits or dampers push in the step, the work of gravity
// is taken along the momenta, ½ h g · (p(q₀, v₁) + p(q₁, v)), and that of springs at v₁: bodies
// move with v₁, their contacts take the same part of both away, and to count the mean of v₀ would
// call a landing a gain.
class SurplusLimit {
 public:
  explicit SurplusLimit(const Model& model);

  // What a step has gone through.
  struct Motion {
    const VelocityProblem& problem;
    const VecX& gamma;  // of the problem's rows
    const VecX& kick;   // of the same, at the end of the step (sim/constraint_kick.h)
    const VecX &q0, &q1;
    const VecX &v0, &v1;         // before and after the impulses, both at q₀
    const VecX& v_kick;          // with those of the kick
    const VecX& time;            // per rate: over which gravity has made v₁ of v₀
    const Configuration& start;  // at q₀ with the rates v₁
    const TiedTrees& tied;
    const FreeVelocity& free;  // of the step's loads and drives
    const VecX& stuck;         // J per rate: what joints that stick have taken (StuckJoints)
  };
  // `end` is at q₁, *v are the rates there and *carried is what joints that stick carry over; both
  // may be shortened. With `refuses`, steps whose surplus or kick is a large part of the kinetic
  // energy are too long: the result is false, and *state is left alone. So it is, with or without,
  // where a quarter of the largest kinetic energy is left over once everything rests: places alone
  // hold it, and no shorter rates pay for it.
  bool Update(const Model& model, const Motion& motion, bool refuses, Configuration* end, VecX* v,
              VecX* carried, State* state);

 private:
  void ReadRows(const Model& model, const Motion& motion);
  void AddInertia(const Model& model, const Motion& motion, const Kinematics& end, const VecX& v);
  void AddGravity(const Model& model, const Motion& motion, const Kinematics& end);
  bool IsTooLarge(const Tree& tree, const State& state);
  void AddUp(const Tree& tree, State* state);
  void KeepLargest(const Tree& tree, State* state);
  // Returns what is left of the surplus.
  double Shorten(const Model& model, const Kinematics& end, int set, double h, VecX* v,
                 VecX* carried, State* state);
  bool Floats(const Model& model, int set) const;

  // Of the trees that are tied together, at the first of them.
  struct SetEnergy {
    double surplus = 0, largest = 0, kinetic = 0, kick = 0, spared = 0;  // J
    double factor_squared = 1;  // by which that was shortened
  };

  bool has_mechanisms_ = false;
  VecX impulse_, driven_kick_, gravity_;  // N s, N m s; N, N m
  VecX along_;                            // rates at which springs work
  VecX before_;                           // State::surplus
  const TiedTrees* tied_ = nullptr;
  std::vector<SetEnergy> sets_;
  // Per body, of whole trees at their roots.
  std::vector<double> surplus_;                // of the step, J
  std::vector<double> kinetic_;                // where it ends, J
  std::vector<double> kick_energy_;            // J
  std::vector<double> spared_;                 // what is not looked at, J
  std::vector<char> is_pushed_, is_free_;      // per tree at its root
  std::vector<char> is_left_alone_, is_soft_;  // per set at its first root
};

}  // namespace voigt
