#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "voigt/constraints/constraint_set.h"
#include "voigt/constraints/energy_line.h"
#include "voigt/dynamics/free_velocity.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// Energy that came from nowhere: what impulses put in beyond what their laws allow.
struct UnexplainedEnergy {
  double sum = 0;        // J
  double largest = 0;    // J, of one joint, constraint or contact in one step
  std::uint64_t id = 0;  // of that (FrictionNames::Describe)
  double t = kNaN;       // s, when that step began
};

// Where the energy of a run comes from and where it goes.
//
// An impulse γ of a row that takes its rate from φ̇₀ to φ̇₁ does the work ½ γ (φ̇₀ + φ̇₁), and a force
// the same with h f: these add up to the kinetic energy that a step's impulses make, exactly. Each
// stands under the line of what made the row. Springs of rows hold energy, Energy::contacts and
// Energy::constraints; Simulator::CalcEnergyLines adds it to the lines of their rows.
//
// Unexplained is what a row puts in beyond its law, γ φ̇₁ + V₁ − V₀ − (drive and recovery) > 0
// (RowEnergy): springs that were found deeper than they were left, impulses that do not meet their
// law. Friction by a program over all contacts (FrictionMode::kMaxDissipation, compliant-qcqp)
// promises nothing of single contacts: there the sum over all rows counts.
class EnergyBooks {
 public:
  // What can be held against the laws of rows: each of them, their sum, or nothing, as where
  // impulses of impacts by Poisson's law are among them.
  enum class Claim { kEachRow, kSum, kNone };

  explicit EnergyBooks(const ConstraintSet& constraints);

  // Forces that are no rows, over one step.
  void AddForces(const ForceWork& work);
  // Friction of joints that stick, beside the impulses of its rows (StuckJoints), J.
  void AddStuck(double work) { (*this)[EnergyLine::kJointFriction] += work; }
  // The rows of one step from t, with the rates before and after their impulses, which meet their
  // laws to the tolerance, relative to the velocities that impulses make.
  void AddRows(const VelocityProblem& problem, const VecX& gamma, const VecX& v0, const VecX& v1,
               double t, Claim claim, double tolerance);
  // Impulses at the end of the step (ConstraintKick) that take v₁ to v; their work, J.
  double AddKick(const VelocityProblem& problem, const VecX& gamma, const VecX& v1, const VecX& v);
  // What contacts of the run's first step hold before it.
  void AddOverlap(const VelocityProblem& problem);

  const EnergyLines& lines() const { return lines_; }
  const UnexplainedEnergy& unexplained() const { return unexplained_; }

 private:
  double& operator[](EnergyLine line) { return lines_[static_cast<size_t>(line)]; }
  EnergyLine LineOf(const RowGroup& group, const Row& row) const;
  void AddContact(const VelocityProblem& problem, const RowGroup& group, const VecX& gamma);
  void NoteExcess(double excess, double scale, std::uint64_t id, double t);

  void Judge(const VelocityProblem& problem, const VecX& gamma, const VecX& phi_dot, double t,
             Claim claim, double tolerance);

  std::vector<std::shared_ptr<const Constraint>> constraints_;
  EnergyLines lines_ = {};
  UnexplainedEnergy unexplained_;
  void AddWork(const VelocityProblem& problem, const RowGroup& group, const VecX& gamma);

  VecX rates0_, rates1_;  // G v₀; G v₁, then φ̇₁
};

}  // namespace voigt
