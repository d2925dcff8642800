#pragma once

#include <vector>

#include "voigt/sim/impact_phases.h"

namespace voigt {

// Impacts one after the other. Of the contacts that would close within the step at the speeds that
// bodies have now, φ + h φ̇ < 0, the one that closes first strikes alone, by Newton's law and with
// its friction; of those that close together the fastest one, and of equals the first. Then others
// close, until none does. What strikes is a single contact and what is held rigidly, so that
// without friction, and with e = 1, every impact keeps the energy, and rows of balls that touch
// pass it on. What comes closer more slowly than restitution_speed is left to the forces of the
// step.
//
// Gaps are those of the start of the step, since the bodies will move over all of it at the speeds
// that come out. (Along the way from impact to impact some contacts are open at its end that
// overlap so: the step would stop them, at the cost of energy.)
//
// With e < 1 a sequence that presses bodies together has no end, as a ball between a box and the
// floor, but its speeds fall by a factor each time; where that takes too long, contacts that still
// close are stopped together in the step, and this is told as another way.
class ImpactSequence final : public ImpactPhases {
 public:
  bool Update(const Model& model, const std::vector<Contact>& contacts,
              const std::vector<ImpactRow>& impacts, const VelocityProblem& problem,
              const Configuration& start, const VecX& v0, bool has_audit,
              Formulation* formulation) override;

 private:
  // The normal of a rigid contact.
  struct Normal {
    int group = 0, row = 0;  // of the step's problem; row of its group
    double restitution = 0;
    double gap = 0, rate = 0;  // φ at the start, φ̇ now
  };

  void ListNormals(const Model& model, const std::vector<Contact>& contacts,
                   const VelocityProblem& problem);
  void AddHeldRows(const VelocityProblem& problem);
  void CalcRates(const VelocityProblem& problem);
  const Normal* FindNext(double least, double h) const;
  void Strike(const Normal& normal, const VelocityProblem& problem, bool has_audit,
              Formulation* formulation);

  std::vector<Normal> normals_;
  VelocityProblem phase_;  // what is held, and one contact behind it
  std::vector<int> rows_;  // of the step's problem, per row of phase_
  size_t held_groups_ = 0, held_rows_ = 0, held_cols_ = 0, held_entries_ = 0;
};

}  // namespace voigt
