#pragma once

#include <vector>

#include "voigt/audit/audit.h"
#include "voigt/constraints/impacts.h"
#include "voigt/dynamics/configuration.h"
#include "voigt/formulations/formulation.h"
#include "voigt/problem/row_inertia.h"

namespace voigt {

// Impacts that take no time and come before the forces of a step, so that forces have no part in
// them: laws of restitution that need more than a velocity to rebound with. Each is a sequence of
// velocity problems, which any formulation solves. Rigid rows take part; what yields and what is
// bounded has finite forces, and so no impulse in no time. Gaps are not restored.
//
// In the step that follows, contacts that rebound are held to the speed that they have then, as by
// Newton's law: with one contact and without friction all laws are the same, whatever the forces
// are.
class ImpactPhases {
 public:
  virtual ~ImpactPhases() = default;

  // What one step begins with. `problem` is its problem, with w; `formulation` solves the phases.
  // True if there was an impact.
  virtual bool Update(const Model& model, const std::vector<Contact>& contacts,
                      const std::vector<ImpactRow>& impacts, const VelocityProblem& problem,
                      const Configuration& start, const VecX& v0, bool has_audit,
                      Formulation* formulation) = 0;

  // v̂ of the contacts that rebound, in the problem of the step. None of phases that did not come to
  // their end: what still closes would be pushed by what rebounds.
  void KeepRebounds(VelocityProblem* problem) const;

  // Of the last Update that had an impact.
  const VecX& v() const { return v_; }          // behind it
  const VecX& gamma() const { return gamma_; }  // impulses of all phases, per row of the problem
  SolveStatus status() const { return status_; }
  double residual() const { return residual_; }  // the largest one of the phases
  const SolveStats& stats() const { return stats_; }
  const Audit& audit() const { return audit_; }  // the worst one of the phases, number by number

 protected:
  // How many rows of a group take part: friction all or none of it.
  static int CountRigidRows(const VelocityProblem& problem, const RowGroup& group);
  // An empty problem at `start`, and results of nothing so far.
  void Start(const VelocityProblem& problem, const Configuration& start, const VecX& v0,
             VelocityProblem* phase);
  // Appends `count` rows of a group, from its row `first` on.
  static RowGroup& AppendGroup(const VelocityProblem& problem, const RowGroup& group, int first,
                               int count, VelocityProblem* to);
  // A row that takes part: what touches must not come closer, other gaps may close, and what holds
  // goes on as it does.
  static Row MakeRow(const VelocityProblem& problem, const RowGroup& group, int r, bool is_impact);
  // Into solution_.
  void SolvePhase(const VelocityProblem& phase, bool has_audit, Formulation* formulation);

  Solution solution_;
  VecX v_, gamma_;
  bool is_complete_ = true;
  SolveStatus status_ = SolveStatus::kSolved;
  double residual_ = 0;
  SolveStats stats_;
  Audit audit_;
  RowInertiaScratch row_inertia_;

 private:
  Auditor auditor_;
  Audit phase_audit_;
  VecX no_guess_;
};

}  // namespace voigt
