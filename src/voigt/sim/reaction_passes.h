#pragma once

#include <algorithm>
#include <vector>

#include "voigt/constraints/build_problem.h"
#include "voigt/constraints/reaction_sharing.h"
#include "voigt/dynamics/configuration.h"
#include "voigt/dynamics/inverse_dynamics.h"
#include "voigt/formulations/formulation.h"
#include "voigt/kernels/anderson.h"
#include "voigt/model/stiction.h"
#include "voigt/problem/row_inertia.h"

namespace voigt {

// Friction that comes from reactions [Sherman], in a step: rows of Law::kBounded with
//
//   |γ| ≤ h μ ρ N,     N = ‖P f(γ, v₁)‖,     ρ the lever of rows that are angles,
//
// where f is what the joint or constraint transmits in this very step. f depends on γ, so that the
// problem is solved again with the N of the last pass until N stays as it is: the rule by which
// `compliant` makes Coulomb's law of bounds that lag, for any formulation that knows bounded rows.
// Where friction has no part in its own normal force one more pass confirms it; elsewhere passes
// are accelerated (kernels/anderson.h).
//
// State::modes has what each element did in the last step (Stiction). One that stuck holds all its
// rows, up to μ_s N. One that slides has friction with μ(v) N, for v at the start of the step,
// along one row, and none across; of several rows that is the direction of its slip at the end of
// the step. Passes find it as they do N, from that at the start: friction along the latter would
// overshoot where it can stop the slip within a few steps. Where holding takes more than μ_s N, it
// slides from this step on, at first against the force that would have held it [Sherman, "impending
// slip direction"].
//
// Where rigid bodies leave open which joint bears how much, f is the least of all
// (ReactionSharing).
//
// f of tree joints is that of Newton and Euler at the start of the step, with
// v̇ = (v₁ − v₀)/h − M⁻¹ c: inertia c acts after the forces of the step (momentum_transport.h), and
// what constraints do about it comes one step later, so that all of it is of first order.
class ReactionPasses {
 public:
  explicit ReactionPasses(const Model& model);

  // What BuildProblem fills in.
  ReactionFrictionRows* rows() { return &rows_; }

  // As Formulation::Solve. The problem's friction rows get their bounds, and those that slide are
  // turned so that their first row is along the slip. `v0`: rates before the forces of the step;
  // `start` has them, too. `F_ext`: loads on bodies (AppliedLoads).
  void Solve(const Model& model, const ConstraintSet& constraints, const Configuration& start,
             const std::vector<Vec6>& F_ext, const VecX& v0, const std::vector<int>& modes,
             const VecX& guess, Formulation* formulation, VelocityProblem* problem,
             Solution* solution);

  // Turns rows and impulses back to what constraints wrote, and tells what sticks.
  void Finish(VelocityProblem* problem, Solution* solution, std::vector<int>* modes);

  // Per element of the last step.
  const RowGroup& ElementGroup(int k, const VelocityProblem& problem) const {
    return problem.groups[elements_[k].group];
  }

  // Of the last step, per FrictionRows, N.
  const VecX& normal_forces() const { return N_; }

 private:
  struct Element {
    int group = 0;
    bool rested = false;  // when the step began
    bool sticks = false;
    bool may_change = false;        // sliding has less friction than sticking, or a direction
    double mu = 0;                  // lever included
    Vec3 direction = Vec3::Zero();  // of the slip, if it does not stick, in rows as written
    Mat3 Q = Mat3::Identity();      // columns are the rows in use, in terms of those written
    Mat3 W = Mat3::Zero();          // of rows as written, if it slides along one of several
  };

  void ListElements(const VelocityProblem& problem, const VecX& v0, const std::vector<int>& modes);
  void TurnToSlip(VelocityProblem* problem);
  void StartReactions(const Model& model, const ConstraintSet& constraints,
                      const Configuration& start, const VelocityProblem& problem);
  void CalcNormalForces(const Model& model, const ConstraintSet& constraints,
                        const Configuration& start, const std::vector<Vec6>& F_ext,
                        const VelocityProblem& problem, const VecX& gamma, const VecX& v1,
                        const VecX& v0, VecX* N);
  void ShareLoads();
  void SetBounds(VelocityProblem* problem) const;
  void Turn(const Vec3& direction, Element* element, VelocityProblem* problem) const;
  void TurnRows(const Mat3& Q, const Element& element, VelocityProblem* problem) const;
  bool LetSlip(const VecX& gamma, const VecX& N, VelocityProblem* problem);
  void ForgetTurned(const VelocityProblem& problem);
  bool HaveSettled(const VelocityProblem& problem, const Solution& solution, const VecX& N) const;
  void Advance(VelocityProblem* problem);
  void ResetUnknowns(const VelocityProblem& problem);
  // Of reaction_directions.cc:
  static Vec3 CalcRates(const VelocityProblem& problem, const Element& element, const VecX& v);
  void CalcResponse(const VelocityProblem& problem, Element* element);
  void BeginSlip(const Vec3& direction, Element* element, VelocityProblem* problem);
  Vec3 FindEndDirection(const VelocityProblem& problem, const Element& element,
                        const Solution& solution, double bound) const;
  void ListDirected(const VelocityProblem& problem);
  void FindEndDirections(const VelocityProblem& problem, const Solution& solution);
  bool DirectionsStay(const VelocityProblem& problem, const Solution& solution) const;
  Vec3 TakeImpulse(const VelocityProblem& problem, const Element& element, const VecX& gamma) const;

  static constexpr double kSettled = 1e-10;  // change from pass to pass: of N, relative, or in rad
  static constexpr double kRoundingOfRates = 1e-14;
  static double RatesOf(const VelocityProblem& problem, const Solution& solution) {
    return std::max(solution.v1.lpNorm<Eigen::Infinity>(),
                    problem.v_star.lpNorm<Eigen::Infinity>());
  }

  ReactionFrictionRows rows_;
  std::vector<Element> elements_;
  std::vector<int> directed_;          // elements that slide along one of several rows,
  std::vector<Vec3> next_directions_;  // and where to, by the last pass
  bool has_tree_joints_ = false;
  ReactionSharing sharing_;
  std::vector<int> rigid_;  // bilateral rows that may share
  RowInertiaScratch row_inertia_;
  NewtonEulerScratch forces_;
  std::vector<Vec6> external_;
  VecX inertial_, v_dot_, tau_, v1_, plain_, start_;  // plain_: forces of rows as written
  VecX N_, N_next_, column_, shared_;
  VecX x_, step_, scale_;  // N and directions of directed_
  Anderson anderson_;
};

}  // namespace voigt
