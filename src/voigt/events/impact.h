#pragma once

#include <memory>
#include <vector>

#include "voigt/audit/audit.h"
#include "voigt/events/regular_mass.h"
#include "voigt/events/touch_finder.h"
#include "voigt/formulations/formulation.h"
#include "voigt/formulations/max_dissipation/dissipation_method.h"

namespace voigt {

// Impacts of all contacts that touch at one moment, together: velocities jump from v⁻ to v⁺ while
// nothing moves.
//
// By maximum dissipation [Drumwright & Shell 2010, QP 1], with M, G in place of A, b:
//   phase I    without friction; its sum of normal impulses bounds those to come
//   phase II   with friction: compression, impulses x
//   phase III  Poisson's restitution [Anitescu & Potra 1997]: the same two phases again, from the
//              velocities of phase II, with normal impulses of at least e x_n
//
// The formulation `working` has impacts of its own (HeldMotion::Strike), and these where it finds
// no impulses.
//
// By any other formulation: one problem with Newton's restitution, v_n⁺ ≥ −e v_n⁻.
//
// Where restitution would leave more energy than there was (Newton's may with friction, Poisson's
// where contacts push and part or differ in e), only the part of it is taken that leaves as much.
class Impact {
 public:
  Impact(const FormulationSettings& settings, bool with_audit);

  // The touches of `finder` with φ ≤ reach take part; friction that comes from reactions does not.
  // False if nothing useful was found.
  bool Resolve(const RegularMass& mass, double reach, TouchFinder* finder, VecX* v);

  // Motion that is prescribed may add energy: nothing is cut then.
  void SetDriven(bool is_driven) { is_driven_ = is_driven; }

  // Of the last Resolve: compression, or all of it by formulations other than maximum dissipation.
  const VelocityProblem& problem() const { return *problem_; }
  const Solution& solution() const { return solution_; }
  const Audit* audit() const { return has_audit_ ? &audit_ : nullptr; }
  int touch_count() const { return touch_count_; }
  bool was_limited() const { return was_limited_; }  // restitution was cut

 private:
  void PrepareRows(double reach, TouchFinder* finder);
  bool Restore(VecX* v);
  bool LimitNewton(VecX* v);
  void LimitEnergy(const VecX& v_compressed, VecX* v);
  double CalcKineticEnergy(const VecX& v);

  FormulationKind kind_;
  bool has_audit_;
  std::unique_ptr<Formulation> formulation_;
  DissipationMethod restorer_;
  ImpulseSpace space_;
  ImpulseIsland island_;
  VelocityProblem* problem_ = nullptr;
  Solution solution_;
  Auditor auditor_;
  Audit audit_;
  VecX restitution_, least_, gamma_, y_, guess_, momentum_, v_before_, v_compressed_;
  Solution compression_;
  int touch_count_ = 0;
  bool was_limited_ = false, is_driven_ = false;
};

}  // namespace voigt
