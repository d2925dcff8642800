#include "voigt/audit/audit.h"

#include <algorithm>
#include <cmath>

#include "voigt/audit/row_energy.h"
#include "voigt/base/check.h"
#include "voigt/math/extremes.h"
#include "voigt/math/tree_product.h"

namespace voigt {
namespace {

// A contact slides, and its directions mean something, beyond this part of the velocity scale, and
// beyond so many times its residual: slip and friction are then off by 5e-6 each, and the cosine of
// the angle between them by 5e-11.
constexpr double kSlides = 1e-6, kKnown = 2e5;
constexpr double kMomentumTolerance = 1e-13;
constexpr double kDissipationTolerance = 1e-9;
constexpr double kEnergyTolerance = 1e-12;
// Residuals are known up to this part of the velocity scale.
constexpr double kRounding = 1e-15;

double LargestEntry(const VecX& x) { return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0; }

double Ratio(double value, double scale) { return scale == 0 ? 0 : value / scale; }

// Keeps the larger one; what is not a number wins and stays.
void Raise(double value, double* largest) {
  if (!std::isnan(*largest) && !(value <= *largest)) *largest = value;
}

// Whether friction is what a program over all contacts makes it, and not a law of each.
bool IsByProgram(const FrictionRule& rule) {
  return rule.mode == FrictionMode::kMaxDissipation || rule.mode == FrictionMode::kMinimumNorm;
}

}  // namespace

std::array<AuditItem, kAuditItems> ListItems(const Audit& audit, double tolerance) {
  return {{{"law", audit.law, tolerance},
           {"momentum", audit.momentum, kMomentumTolerance},
           {"normal", audit.normal, 0},
           {"cone", audit.cone, 1e-12},
           {"antiparallel", audit.antiparallel, 1e-10},
           {"max_dissipation", audit.max_dissipation, kDissipationTolerance},
           {"friction_power", audit.friction_power, 1e-14},
           {"energy", audit.energy, kEnergyTolerance},
           {"work", audit.work, 1e-12}}};
}

std::array<AuditItem, kMomentItems> ListMomentItems(const Audit& audit) {
  return {{{"law", audit.law, 1e-10},
           {"momentum", audit.momentum, 1e-12},
           {"normal", audit.normal, 1e-12},
           {"cone", audit.cone, 1e-9},
           {"antiparallel", audit.antiparallel, 1e-10}}};
}

void TakeWorse(const Audit& other, Audit* worst) {
  for (auto member :
       {&Audit::law, &Audit::momentum, &Audit::normal, &Audit::cone, &Audit::antiparallel,
        &Audit::max_dissipation, &Audit::friction_power, &Audit::energy, &Audit::work,
        &Audit::penetration, &Audit::separation, &Audit::violation, &Audit::deflection,
        &Audit::exact_cone, &Audit::coulomb, &Audit::infeasibility, &Audit::contradiction,
        &Audit::recovery_work, &Audit::drive_work}) {
    if (!(worst->*member >= other.*member)) worst->*member = other.*member;
  }
}

void Auditor::Calc(const VelocityProblem& problem, const VecX& gamma, const VecX& v1,
                   const VecX* v0, const FrictionRule& rule, Audit* out) {
  VOIGT_CHECK(gamma.size() == problem.row_count() && v1.size() == problem.nv());
  *out = {};
  out->law = law_.Calc(problem, gamma, rule);
  out->contradiction = 0;
  if (out->law > rule.tolerance && std::isfinite(out->law)) {
    const Contradiction::Parts parts = contradiction_.SetApart(problem, law_, out->law);
    out->law = parts.law;
    out->contradiction = parts.contradiction;
  }
  CalcMomentum(problem, v1, out);
  CalcGaps(problem, gamma, out);

  impulse_scale_ = 0;
  for (const RowGroup& group : problem.groups) {
    if (group.law != Law::kContact) continue;
    Raise(gamma.segment(group.first_row, group.row_count).norm(), &impulse_scale_);
  }
  out->cone = out->antiparallel = out->max_dissipation = out->friction_power = out->exact_cone = 0;
  for (int g = 0; g < static_cast<int>(problem.groups.size()); ++g) {
    const RowGroup& group = problem.groups[g];
    if (group.law != Law::kContact) continue;
    for (const Disc& disc : group.discs()) CalcFriction(problem, g, disc, gamma, rule, out);
  }
  CalcEnergy(problem, gamma, v1, v0, rule, out);
  out->coulomb = rule.mode == FrictionMode::kCoulomb ? out->law : coulomb_.Calc(problem, gamma);
}

void Auditor::CalcMomentum(const VelocityProblem& problem, const VecX& v1, Audit* out) {
  MultiplyPacked(*problem.pattern, *problem.M, v1, &M_v1_);
  if (v1 == problem.v_star) {
    M_v_star_ = M_v1_;
  } else {
    MultiplyPacked(*problem.pattern, *problem.M, problem.v_star, &M_v_star_);
  }
  const VecX& impulse = law_.impulse();
  double error = 0;
  for (int k = 0; k < problem.nv(); ++k) {
    Raise(std::fabs(M_v1_[k] - M_v_star_[k] - impulse[k]), &error);
  }
  out->momentum = Ratio(error, LargestEntry(M_v_star_) + LargestEntry(impulse));
  if (out->momentum <= kMomentumTolerance) return;
  // The whip of a chain has large rates whose momenta cancel; rounding is relative to the parts.
  // That scale is the larger one, so that what has passed need not be measured by it.
  magnitudes_ = problem.M->cwiseAbs();
  speeds_ = problem.v_star.cwiseAbs();
  MultiplyPacked(*problem.pattern, magnitudes_, speeds_, &M_v0_);
  out->momentum = Ratio(error, LargestEntry(M_v0_) + LargestEntry(impulse));
}

void Auditor::CalcFriction(const VelocityProblem& problem, int index, const Disc& disc,
                           const VecX& gamma, const FrictionRule& rule, Audit* out) const {
  const RowGroup& group = problem.groups[index];
  const int first = group.first_row + disc.first, count = disc.count;
  const auto gamma_t = gamma.segment(first, count);
  const bool is_by_program = IsByProgram(rule);
  const auto u_t = (is_by_program ? law_.reduced_u() : law_.u()).segment(first, count);
  const double radius = CalcFrictionRadius(problem, index, disc, gamma, rule);
  const double impulse = gamma_t.norm(), slip = u_t.norm(), dot = gamma_t.dot(u_t);
  double power = 0;
  for (int i = first; i < first + count; ++i) {
    power += gamma[i] * (law_.phi_dot()[i] - problem.rows[i].v_hat);
  }

  const double w = law_.w().segment(first, count).mean(), scale = law_.scale();
  Raise(Ratio(impulse - radius, impulse_scale_), &out->cone);
  const bool is_polygon = rule.mode == FrictionMode::kPolyhedral && count == 2;
  const double residual = Smaller(law_.rows()[first], rule.tolerance * scale);
  const double known = Larger(kSlides * scale, kKnown * residual);
  if (!is_polygon && slip > known && w * impulse > known) {
    Raise(1 + dot / (slip * impulse), &out->antiparallel);
  }
  const double against = is_polygon ? rule.cone(index).CalcLargest(-u_t[0], -u_t[1]) : slip;
  double dissipation = Ratio(std::fabs(dot + radius * against), impulse_scale_ * scale);
  if (dissipation > kDissipationTolerance) {
    // Impulses that move little may be off by much before any velocity tells.
    const double error = residual + kRounding * scale;
    const double explained = error * (impulse + radius + Ratio(slip + error, w));
    dissipation -= Ratio(explained, impulse_scale_ * scale);
  }
  Raise(dissipation, &out->max_dissipation);
  // What sticks may slip by what the law tolerates, and no further.
  const double slack = residual * (impulse + Ratio(residual, w));
  if (!is_by_program) Raise(Ratio(power - slack, impulse_scale_ * scale), &out->friction_power);
  Raise(impulse - disc.mu * gamma[group.first_row], &out->exact_cone);
}

double CalcInfeasibility(const VelocityProblem& problem) {
  double infeasibility = 0;
  for (const RowGroup& group : problem.groups) {
    for (int r = 0; r < group.row_count; ++r) {
      const Row& row = problem.rows[group.first_row + r];
      const bool is_rigid = row.c == 0 && (r > 0 || group.force_law.is_linear());
      if (!is_rigid) continue;
      if (CanOnlyPush(group, r)) {
        Raise(-row.phi, &infeasibility);
      } else if (group.law == Law::kBilateral) {
        Raise(std::fabs(row.phi), &infeasibility);
      }
    }
  }
  return infeasibility;
}

// Of rows that only push: foundations have thousands. A sum tells what is not a number.
void CalcPushingGaps(const VelocityProblem& problem, const RowGroup& group, const double* gamma,
                     const double* phi_dot, double* normal, double* penetration,
                     double* separation) {
  const Row* const rows = problem.rows.data() + group.first_row;
  const double h = problem.h;
  double least = 0, deepest = 0, widest = 0, sum = 0;
  for (int r = 0; r < group.row_count; ++r) {
    const double phi1 = rows[r].phi + h * phi_dot[r];
    least = Smaller(least, gamma[r]);
    deepest = Smaller(deepest, phi1);
    widest = Larger(widest, gamma[r] > 0 ? phi1 : 0);
    sum += gamma[r] * phi1;
  }
  const double unknown = std::isnan(sum) ? kNaN : 0;
  Raise(unknown - least, normal);
  Raise(unknown - deepest, penetration);
  Raise(unknown + widest, separation);
}

void Auditor::CalcGaps(const VelocityProblem& problem, const VecX& gamma, Audit* out) const {
  double normal = 0, penetration = 0, separation = 0, violation = 0, deflection = 0;
  for (const RowGroup& group : problem.groups) {
    if (group.law == Law::kUnilateral) {
      CalcPushingGaps(problem, group, gamma.data() + group.first_row,
                      law_.phi_dot().data() + group.first_row, &normal, &penetration, &separation);
      continue;
    }
    for (int r = 0; r < group.row_count; ++r) {
      const int i = group.first_row + r;
      const Row& row = problem.rows[i];
      const double rate = law_.phi_dot()[i], phi1 = row.phi + problem.h * rate;
      if (CanOnlyPush(group, r)) {
        Raise(-gamma[i], &normal);
        Raise(-phi1, &penetration);
        if (gamma[i] > 0) Raise(phi1, &separation);
      } else if (group.law == Law::kBilateral) {
        const bool about_velocity = row.c == 0 && row.phi == 0;
        Raise(about_velocity ? problem.h * std::fabs(rate - row.v_hat) : std::fabs(row.phi),
              row.c > 0 ? &deflection : &violation);
      }
    }
  }
  out->normal = normal;
  out->penetration = penetration;
  out->separation = separation;
  out->violation = violation;
  out->deflection = deflection;
  out->infeasibility = CalcInfeasibility(problem);
}

// ½ γ · (u + u(0)): what impulses whose velocities go from u(0) to u put in.
double Auditor::CalcAddedByRows(const VelocityProblem& problem, const VecX& gamma) {
  problem.Multiply(problem.v_star, &free_rates_);
  double sum = 0;
  for (const RowGroup& group : problem.groups) {
    for (int r = 0; r < group.row_count; ++r) {
      const int i = group.first_row + r;
      const Row& row = problem.rows[i];
      if (r == 0 && !group.force_law.is_linear()) {
        // The law's potential takes the place of its spring.
        const double rate = law_.phi_dot()[i];
        sum += 0.5 * gamma[i] * (rate + free_rates_[i] + row.phi_t) +
               CalcForceLaw(group.force_law, rate, row.phi, problem.h).potential -
               CalcForceLaw(group.force_law, 0, row.phi, problem.h).potential;
        continue;
      }
      sum += 0.5 * gamma[i] * (law_.u()[i] + free_rates_[i] + row.phi_t - row.v_hat);
    }
  }
  return sum;
}

double Auditor::CalcExplainedEnergy(const VelocityProblem& problem, const VecX& gamma,
                                    double tolerance) const {
  const double most = tolerance * law_.scale();
  double sum = 0;
  for (const RowGroup& group : problem.groups) {
    const auto impulses = gamma.segment(group.first_row, group.row_count);
    const double of_contact = group.law == Law::kContact ? impulses.norm() : 0;
    for (int r = 0; r < group.row_count; ++r) {
      // Residuals of friction stand in the first of its rows.
      sum += Larger(of_contact, std::fabs(impulses[r])) *
             Smaller(law_.rows()[group.first_row + r] + kRounding * law_.scale(), most);
    }
  }
  return sum;
}

void Auditor::CalcEnergy(const VelocityProblem& problem, const VecX& gamma, const VecX& v1,
                         const VecX* v0, const FrictionRule& rule, Audit* out) {
  // T₁ − T₀ − h f · v₁ with h f = M (v* − v₀).
  const double T1 = 0.5 * v1.dot(M_v1_), T_star = 0.5 * problem.v_star.dot(M_v_star_);
  double T0 = T_star, input = 0;
  if (v0 != nullptr) {
    MultiplyPacked(*problem.pattern, *problem.M, *v0, &M_v0_);
    T0 = 0.5 * v0->dot(M_v0_);
    input = v1.dot(M_v_star_) - v1.dot(M_v0_);
  }

  RowEnergy rows;
  for (const RowGroup& group : problem.groups) {
    AddRowEnergy(problem, group, gamma, law_.phi_dot(), &rows);
  }
  const double scale = T1 + T0 + T_star + std::fabs(input) + rows.V0 + rows.V1 + rows.moved +
                       std::fabs(rows.drive) + std::fabs(rows.recovery);
  out->drive_work = rows.drive;
  out->recovery_work = rows.recovery;
  out->energy = Ratio(T1 - T0 - input + (rows.V1 - rows.V0) - rows.drive - rows.recovery, scale);
  if (out->energy > kEnergyTolerance) {
    const double explained = CalcExplainedEnergy(problem, gamma, rule.tolerance);
    out->energy -= Ratio(explained, scale);
  }
  out->work = Ratio(T1 - T_star - rows.work, scale);
  if (rule.mode == FrictionMode::kMaxDissipation) {
    out->energy = Ratio(CalcAddedByRows(problem, gamma), scale);
  }
}

}  // namespace voigt
