#include "voigt/sim/energy_books.h"

#include <algorithm>
#include <cmath>

#include "voigt/audit/row_energy.h"
#include "voigt/constraints/contact_rows.h"
#include "voigt/constraints/paid_depth.h"

namespace voigt {
namespace {

// What residuals and rounding explain, as a part of what moves.
constexpr double kRounding = 1e-8;

bool IsDriven(EnergyLine line) {
  return line == EnergyLine::kLoads || line == EnergyLine::kMotors || line == EnergyLine::kServos ||
         line == EnergyLine::kActuators || line == EnergyLine::kPrescribed;
}

int CountNormals(const RowGroup& group) { return group.law == Law::kContact ? 1 : group.row_count; }

}  // namespace

EnergyBooks::EnergyBooks(const ConstraintSet& constraints) : constraints_(constraints.list()) {}

EnergyLine EnergyBooks::LineOf(const RowGroup& group, const Row& row) const {
  if (group.constraint < 0) return EnergyLine::kContactFriction;  // kViscousGroup
  const auto own = constraints_[group.constraint]->energy_line();
  if (own) return *own;
  switch (group.law) {
    case Law::kBounded:
      return EnergyLine::kJointFriction;
    case Law::kUnilateral:
    case Law::kContact:
      return EnergyLine::kLimits;
    case Law::kBilateral:
      break;
  }
  if (row.c > 0 || !group.force_law.is_linear()) return EnergyLine::kSprings;
  return row.R > 0 ? EnergyLine::kDampers : EnergyLine::kJoints;
}

void EnergyBooks::AddForces(const ForceWork& work) {
  (*this)[EnergyLine::kLoads] += work.loads;
  (*this)[EnergyLine::kServos] += work.servos;
  (*this)[EnergyLine::kActuators] += work.actuators;
  (*this)[EnergyLine::kDampers] += work.dampers;
}

void EnergyBooks::AddContact(const VelocityProblem& problem, const RowGroup& group,
                             const VecX& gamma) {
  const int normals = CountNormals(group);
  for (int r = 0; r < group.row_count; ++r) {
    const int i = group.first_row + r;
    const Row& row = problem.rows[i];
    const double work = 0.5 * gamma[i] * (rates0_[i] + rates1_[i]);
    if (r >= normals) {
      (*this)[EnergyLine::kContactFriction] += work;
      continue;
    }
    const bool is_let_out = row.phi < 0 && row.c == 0 && group.force_law.is_linear();
    // The foot of a spring moves all the step; what rigid rows ask for is reached at its end.
    const double asked = is_let_out ? gamma[i] * std::max(row.v_hat, 0.0) : 0;
    const double recovery =
        gamma[i] * std::max(-row.phi_t, 0.0) + std::clamp(work, 0.0, std::max(asked, 0.0));
    (*this)[EnergyLine::kRecovery] += recovery;
    (*this)[EnergyLine::kContacts] += work - recovery;
  }
}

void EnergyBooks::NoteExcess(double excess, double scale, std::uint64_t id, double t) {
  if (!(excess > kRounding * scale)) return;
  unexplained_.sum += excess;
  if (excess <= unexplained_.largest) return;
  unexplained_.largest = excess;
  unexplained_.id = id;
  unexplained_.t = t;
}

void EnergyBooks::AddWork(const VelocityProblem& problem, const RowGroup& group,
                          const VecX& gamma) {
  for (int i = group.first_row; i < group.first_row + group.row_count; ++i) {
    (*this)[LineOf(group, problem.rows[i])] += 0.5 * gamma[i] * (rates0_[i] + rates1_[i]);
  }
}

double EnergyBooks::AddKick(const VelocityProblem& problem, const VecX& gamma, const VecX& v1,
                            const VecX& v) {
  problem.Multiply(v1, &rates0_);
  problem.Multiply(v, &rates1_);
  for (const RowGroup& group : problem.groups) {
    if (group.constraint != kContactGroup) AddWork(problem, group, gamma);
  }
  return 0.5 * gamma.dot(rates0_ + rates1_);
}

void EnergyBooks::AddRows(const VelocityProblem& problem, const VecX& gamma, const VecX& v0,
                          const VecX& v1, double t, Claim claim, double tolerance) {
  if (problem.row_count() == 0) return;
  problem.Multiply(v0, &rates0_);
  problem.Multiply(v1, &rates1_);
  for (const RowGroup& group : problem.groups) {
    if (group.constraint == kContactGroup) {
      AddContact(problem, group, gamma);
    } else {
      AddWork(problem, group, gamma);
    }
  }
  for (int i = 0; i < problem.row_count(); ++i) rates1_[i] += problem.rows[i].phi_t;
  if (claim != Claim::kNone) Judge(problem, gamma, rates1_, t, claim, tolerance);
}

namespace {

// That an impulse makes of its own row.
double CalcLargestVelocity(const VelocityProblem& problem, const VecX& gamma) {
  double largest = 0;
  for (size_t i = 0; i < problem.w.size(); ++i) {
    largest = std::max(largest, (problem.w[i] + problem.rows[i].R) * std::abs(gamma[i]));
  }
  return largest;
}

}  // namespace

// Motors, servos and the like bring in what they are asked to.
void EnergyBooks::Judge(const VelocityProblem& problem, const VecX& gamma, const VecX& phi_dot,
                        double t, Claim claim, double tolerance) {
  RowEnergy e;
  // What impulses that are as good as they were asked to be may put in.
  double impulses = 0;
  const double allowed = tolerance * CalcLargestVelocity(problem, gamma);
  const auto note = [&](std::uint64_t id) {
    const double scale = e.moved + e.V0 + e.V1 + std::abs(e.drive) + std::abs(e.recovery);
    const double excess = e.work + e.V1 - e.V0 - e.drive - e.recovery;
    NoteExcess(excess - allowed * impulses, scale, id, t);
  };
  for (const RowGroup& group : problem.groups) {
    const bool is_contact = group.constraint == kContactGroup;
    if (!is_contact && IsDriven(LineOf(group, problem.rows[group.first_row]))) continue;
    AddRowEnergy(problem, group, gamma, phi_dot, &e);
    impulses += gamma.segment(group.first_row, group.row_count).lpNorm<1>();
    // Springs of contacts are left with no more than what was put into them
    // (ContactMemory::energy).
    if (is_contact) e.V1 = 0;
    if (claim == Claim::kSum) continue;
    note(group.id);
    e = {};
    impulses = 0;
  }
  if (claim == Claim::kSum) note(0);
}

void EnergyBooks::AddOverlap(const VelocityProblem& problem) {
  double held = 0;
  for (const RowGroup& group : problem.groups) {
    if (group.constraint != kContactGroup) continue;
    for (int r = 0; r < CountNormals(group); ++r) {
      const Row& row = problem.rows[group.first_row + r];
      held += CalcStoredEnergy(group, row, row.phi);
    }
  }
  (*this)[EnergyLine::kOverlap] += held;
  (*this)[EnergyLine::kContacts] -= held;
}

}  // namespace voigt
