#pragma once

#include <optional>
#include <string_view>

#include "voigt/constraints/constraint_set.h"
#include "voigt/problem/solution.h"

// The curvature Ġ v₀ of holonomic constraints, for studies of the compliant law. With it, the gap's
// rate is taken as G v₁ + h Ġ v₀ where the step of this library has G v₁ alone. The terms look like
// more accuracy and make long steps unstable: a pendulum in absolute coordinates blows up within
// seconds at h = 0.1 s, where without them it only loses energy.
namespace voigt {

enum class CurvatureTerm {
  kNone,       // φ̇₁ = G v₁: stable for any step and stiffness
  kPredictor,  // φ̇₁ = G v₁ + h Ġ v₀ in the law
  kPrinted,    // λ − W⁺ Ġ v₀ with λ of kNone, as [Drumwright 2019] has it
};

std::string_view ToString(CurvatureTerm term);
std::optional<CurvatureTerm> CurvatureTermFromString(std::string_view name);

// Ġ v of the rows that constraints of the set have written to the problem at `at`, as far as these
// know it (Constraint::AddCurvature); NaN elsewhere. As many as the problem has rows.
void TakeKnownCurvature(const ConstraintSet& constraints, const ConstraintContext& at,
                        const VelocityProblem& problem, std::vector<double>* scratch, VecX* out);

// Ġ v per row of the constraints: m/s², rad/s².
class Curvature {
 public:
  explicit Curvature(const Model& model) : kin_(model) {}

  // The bilateral rows of holonomic constraints; all others get zero. `problem` begins with the
  // rows that `constraints` writes at `at`. What constraints do not know is by differences of order
  // four along v, whose relative error is about 1e-12. False if a constraint has another number of
  // rows next to at.q.
  bool Update(const ConstraintSet& constraints, const ConstraintContext& at,
              const VelocityProblem& problem);

  // As many as the problem has rows.
  const VecX& value() const { return value_; }

  // kPredictor: φ_t ← φ_t + h Ġ v.
  void AddToRows(VelocityProblem* problem) const;

  // kPrinted: γ ← γ − h W⁺ Ġ v on the rows of Update, with W⁺ the pseudo-inverse of their
  // G M⁻¹ Gᵀ, and v₁ to it. Dense.
  void AddToSolution(const VelocityProblem& problem, Solution* solution) const;

 private:
  bool AddDifference(const ConstraintSet& constraints, const ConstraintContext& at, double step,
                     double weight);

  Kinematics kin_;
  VelocityProblem moved_;
  std::vector<int> rows_;  // the bilateral ones of holonomic constraints
  VecX q_, rate_, value_, known_;
  std::vector<double> scratch_;
  int row_count_ = 0;  // of all constraints
};

}  // namespace voigt
