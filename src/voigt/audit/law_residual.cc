#include "voigt/audit/law_residual.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"
#include "voigt/math/extremes.h"
#include "voigt/math/finite.h"
#include "voigt/math/sparse_rows.h"

namespace voigt {
namespace {

// A problem at rest without forces has no velocity at all; its residual is then zero over this.
constexpr double kSmallestScale = 1e-100;

// A bound in units of velocity; infinite ones stay so, even where the row cannot move.
double Scale(double w, double bound) { return std::isinf(bound) ? bound : w * bound; }

// Whether v̂ is a velocity of the problem: not where a force law takes its place, and not where it
// is that of a gap too wide to close.
bool AsksForVelocity(bool has_force_law, bool only_pushes, const Row& row, double gamma) {
  return !(has_force_law | (only_pushes & !(row.v_hat > 0) & (gamma == 0)));
}

// The rate at which the law gives the impulse γ: the largest one, where many do. Laws do not
// increase with the rate, so bisection finds it to the last bit.
double CalcRateOfForceLaw(const ForceLaw& law, double gamma, double phi_dot, double phi, double h) {
  const auto is_below = [&](double rate) {  // rate is at or below the one sought
    const double value = CalcForceLaw(law, rate, phi, h).gamma;
    return gamma > 0 ? value >= gamma : value > 0;
  };
  double step = Larger(std::fabs(phi_dot), std::fabs(phi) / h);
  step = Larger(step, kSmallestScale);
  double low = phi_dot, high = phi_dot;
  for (int i = 0; i < 1000 && !is_below(low); ++i, step *= 2) low -= step;
  for (int i = 0; i < 1000 && is_below(high); ++i, step *= 2) high += step;
  for (int i = 0; i < 200; ++i) {
    const double middle = low + 0.5 * (high - low);
    if (!(low < middle && middle < high)) break;
    (is_below(middle) ? low : high) = middle;
  }
  return low;
}

// |min(s, u)| of many rows at once: foundations have thousands.
void CalcUnilateralRows(const double* w, const double* gamma, const double* u, int count,
                        double* __restrict rows) {
  for (int i = 0; i < count; ++i) rows[i] = std::fabs(Smaller(w[i] * gamma[i], u[i]));
}

// A disc of a cone, with the size of what is projected onto it.
struct ProjectedDisc {
  Disc disc;
  double w = 0, norm = 0;
  double offset = 0;  // of its radius
};

// The normal part n of the point of a cone next to x in the metric of w: the zero of
//   n − x_n − Σ_d μ_d w_d/w_n max(0, ‖x_d‖ − offset_d − μ_d n),
// the least of as many linear functions as there are sets of discs at their edges. All rise, so
// that it is the largest of their zeros.
double CalcNormalOfProjection(double x_n, double w_n, const ProjectedDisc* discs, int count) {
  double largest = 0;
  for (int set = 0; set < 1 << count; ++set) {
    double sum = x_n, slope = 1;
    for (int d = 0; d < count; ++d) {
      const double factor = (set >> d & 1) * discs[d].disc.mu * discs[d].w / w_n;
      sum += factor * (discs[d].norm - discs[d].offset);
      slope += factor * discs[d].disc.mu;
    }
    largest = Larger(largest, sum / slope);
  }
  return largest;
}

}  // namespace

bool IsPushingSpring(const RowGroup& group, int r, const Row& row) {
  return CanOnlyPush(group, r) && (row.R > 0 || (r == 0 && !group.force_law.is_linear()));
}

FrictionRule RuleOf(const Solution& solution) {
  return {solution.friction,     solution.normal_bound,  solution.directions, solution.cone_angle,
          &solution.dissipation, &solution.minimum_norm, solution.tolerance};
}

WidenedCone CalcSlipCone(const VelocityProblem& problem, int index, double normal,
                         const MaxDissipationClaim& claim) {
  const RowGroup& group = problem.groups[index];
  const double slip = group.viscous == 0 || claim.slip.empty() ? 0 : claim.slip[index];
  return WidenCone(claim.viscous, group.mu, problem.h * group.viscous * slip, normal);
}

double CalcFrictionRadius(const VelocityProblem& problem, int index, const Disc& disc,
                          const VecX& gamma, const FrictionRule& rule) {
  const RowGroup& group = problem.groups[index];
  const double normal = Larger(0, gamma[group.first_row]);
  if (rule.mode == FrictionMode::kMaxDissipation && disc.first == 1) {
    return CalcSlipCone(problem, index, normal, *rule.dissipation).CalcRadius(normal);
  }
  if (rule.mode != FrictionMode::kLagged) return disc.mu * normal;
  const double bound = rule.normal_bound.empty() ? group.lagged_impulse : rule.normal_bound[index];
  if (!std::isnan(bound)) return disc.mu * bound;
  return gamma.segment(group.first_row + disc.first, disc.count).norm();
}

void LawResidual::SetProblem(const VelocityProblem& problem) {
  problem_ = &problem;
  CalcRowInertia(problem, &scratch_, &w_);
  free_scale_ = kSmallestScale;
  for (const RowGroup& group : problem.groups) {
    free_scale_ = std::max(free_scale_, LargestSum(problem.entries(group, 0), group.row_count,
                                                   problem.cols.data() + group.first_col,
                                                   group.col_count, problem.v_star.data()));
    const Row* const rows = problem.rows.data() + group.first_row;
    double* const w = w_.data() + group.first_row;
    free_scale_ =
        LargestValue(group.row_count, free_scale_, [=](int r) { return std::fabs(rows[r].phi_t); });
    for (int r = group.force_law.is_linear() ? 0 : 1; r < group.row_count; ++r) w[r] += rows[r].R;
  }
}

void LawResidual::CalcVelocities(const VecX& gamma) {
  const VelocityProblem& problem = *problem_;
  impulse_.setZero(problem.nv());
  problem.AddTransposed(gamma, &impulse_);
  v1_ = impulse_;
  if (problem.row_count() > 0) problem.factor->Solve(*problem.pattern, v1_);
  v1_ += problem.v_star;
  problem.Multiply(v1_, &phi_dot_);
  u_.resize(problem.row_count());
  scale_ = {free_scale_, 0};
  for (const RowGroup& group : problem.groups) {
    const int first = group.first_row;
    const Row* const rows = problem.rows.data() + first;
    const double *const w = w_.data() + first, *const gamma_g = gamma.data() + first;
    double* const phi_dot = phi_dot_.data() + first;
    double* const __restrict u = u_.data() + first;
    VelocityScale scale = scale_;
    const auto add = [&](int r, bool has_force_law, bool only_pushes) {
      const Row& row = rows[r];
      phi_dot[r] += row.phi_t;
      u[r] = phi_dot[r] + row.R * gamma_g[r] - row.v_hat;
      const bool asks = AsksForVelocity(has_force_law, only_pushes, row, gamma_g[r]);
      scale.without_impulses = Larger(scale.without_impulses, asks ? std::fabs(row.v_hat) : 0);
      scale.of_impulses = Larger(scale.of_impulses, std::fabs(w[r] * gamma_g[r]));
    };
    if (group.row_count > 0) add(0, !group.force_law.is_linear(), CanOnlyPush(group, 0));
    if (group.law == Law::kUnilateral) {
      for (int r = 1; r < group.row_count; ++r) add(r, false, true);
    } else {
      for (int r = 1; r < group.row_count; ++r) add(r, false, false);
    }
    scale_ = scale;
  }
}

double LawResidual::Calc(const VecX& gamma, const FrictionRule& rule) {
  const VelocityProblem& problem = *problem_;
  VOIGT_CHECK(gamma.size() == problem.row_count());
  const bool is_by_dissipation = rule.mode == FrictionMode::kMaxDissipation;
  if (is_by_dissipation) CalcFrictionless(*rule.dissipation);
  CalcVelocities(gamma);
  rows_.setZero(problem.row_count());
  worst_row_ = problem.row_count() > 0 ? 0 : -1;
  if (!AllFinite(gamma.data(), problem.row_count()) || !v1_.allFinite()) {
    rows_.setConstant(kInfinity);
    return kInfinity;
  }
  if (is_by_dissipation) {
    CalcMaxDissipation(gamma, *rule.dissipation);
  } else if (rule.mode == FrictionMode::kMinimumNorm) {
    CalcMinimumNorm(gamma, *rule.minimum_norm);
  } else {
    for (int g = 0; g < static_cast<int>(problem.groups.size()); ++g) CalcGroup(g, gamma, rule);
  }
  if (worst_row_ < 0) return 0;
  return Larger(rows_.maxCoeff(&worst_row_), scale_.hidden()) / scale_.value();
}

void LawResidual::CalcGroup(int g, const VecX& gamma, const FrictionRule& rule) {
  const RowGroup& group = problem_->groups[g];
  if (group.law == Law::kUnilateral && group.force_law.is_linear()) {
    const int first = group.first_row;
    CalcUnilateralRows(w_.data() + first, gamma.data() + first, u_.data() + first, group.row_count,
                       rows_.data() + first);
    return;
  }
  const bool frictional = group.law == Law::kContact && group.row_count > 1;
  if (frictional && rule.mode == FrictionMode::kCone) {
    CalcCone(group, gamma, CalcNormalForCone(group, gamma), u_);
    return;
  }
  const int own_rows = frictional ? 1 : group.row_count;
  for (int r = 0; r < own_rows; ++r) CalcRow(group.first_row + r, group, gamma, u_);
  if (!frictional) return;
  for (const Disc& disc : group.discs()) {
    const double radius = CalcFrictionRadius(*problem_, g, disc, gamma, rule);
    if (rule.mode == FrictionMode::kPolyhedral && disc.count == 2) {
      CalcPolygon(group, disc, gamma, radius, rule.cone(g));
    } else {
      CalcDisc(group, disc, gamma, radius);
    }
  }
}

void LawResidual::CalcRow(int i, const RowGroup& group, const VecX& gamma, const VecX& u_of_rows) {
  if (i == group.first_row && !group.force_law.is_linear()) {
    return CalcForceLawRow(i, group, gamma);
  }
  const Row& row = problem_->rows[i];
  const double s = w_[i] * gamma[i], u = u_of_rows[i];
  switch (group.law) {
    case Law::kBilateral:
      rows_[i] = std::fabs(u);
      break;
    case Law::kUnilateral:
    case Law::kContact:
      rows_[i] = std::fabs(Smaller(s, u));
      break;
    case Law::kBounded:
      rows_[i] =
          std::fabs(s - Larger(Scale(w_[i], row.lower), Smaller(Scale(w_[i], row.upper), s - u)));
      break;
  }
}

void LawResidual::CalcForceLawRow(int i, const RowGroup& group, const VecX& gamma) {
  const ForceLawValue law =
      CalcForceLaw(group.force_law, phi_dot_[i], problem_->rows[i].phi, problem_->h);
  rows_[i] = std::fabs(gamma[i] - law.gamma) * w_[i] / (1 + law.slope * w_[i]);
}

void LawResidual::CalcDisc(const RowGroup& group, const Disc& disc, const VecX& gamma,
                           double radius) {
  const int first = group.first_row + disc.first, count = disc.count;
  const double w = w_.segment(first, count).mean();
  // Proj(x) = x / max(1, ‖x‖/(w radius)) with x = s − u.
  double square = 0;
  for (int i = first; i < first + count; ++i) {
    const double x = w * gamma[i] - u_[i];
    square += x * x;
  }
  const double length = std::sqrt(square);
  const double shrink = length > w * radius ? w * radius / length : 1;
  double sum = 0;
  for (int i = first; i < first + count; ++i) {
    const double s = w * gamma[i], error = s - shrink * (s - u_[i]);
    sum += error * error;
  }
  rows_[first] = std::sqrt(sum);
}

void LawResidual::CalcPolygon(const RowGroup& group, const Disc& disc, const VecX& gamma,
                              double radius, const PolyhedralCone& cone) {
  const int first = group.first_row + disc.first;
  const double w = w_.segment(first, 2).mean();
  const double s[2] = {w * gamma[first], w * gamma[first + 1]};
  double x = s[0] - u_[first], y = s[1] - u_[first + 1];
  cone.Project(w * radius, &x, &y);
  rows_[first] = std::hypot(s[0] - x, s[1] - y);
}

// Of a force law, u_n is what the rate differs by from the one that gives its impulse.
double LawResidual::CalcNormalForCone(const RowGroup& group, const VecX& gamma) const {
  const int first = group.first_row;
  if (group.force_law.is_linear()) return u_[first];
  return phi_dot_[first] - CalcRateOfForceLaw(group.force_law, gamma[first], phi_dot_[first],
                                              problem_->rows[first].phi, problem_->h);
}

void LawResidual::CalcCone(const RowGroup& group, const VecX& gamma, double u_n, const VecX& u,
                           const WidenedCone* widened) {
  const int first = group.first_row;
  // The discs of γ − u/w, each with the mean of its w. Rows that nothing moves are measured by the
  // others.
  ProjectedDisc discs[3];
  int count = 0;
  double w_n = w_[first], w_max = w_n;
  for (const Disc& disc : group.discs()) {
    discs[count] = {disc, w_.segment(first + disc.first, disc.count).mean()};
    w_max = Larger(w_max, discs[count++].w);
  }
  if (widened != nullptr) {
    discs[0].disc.mu = widened->mu;
    discs[0].offset = widened->offset;
  }
  if (w_max == 0) return;
  if (w_n == 0) w_n = w_max;
  for (ProjectedDisc* d = discs; d < discs + count; ++d) {
    if (d->w == 0) d->w = w_max;
    for (int i = first + d->disc.first; i < first + d->disc.first + d->disc.count; ++i) {
      d->norm = std::hypot(d->norm, gamma[i] - u[i] / d->w);
    }
  }

  const double n = CalcNormalOfProjection(gamma[first] - u_n / w_n, w_n, discs, count);
  double sum = w_n * (gamma[first] - n);
  for (const ProjectedDisc* d = discs; d < discs + count; ++d) {
    const double radius = d->disc.mu * n + d->offset;
    const double shrink = d->norm > radius ? radius / d->norm : 1;
    for (int i = first + d->disc.first; i < first + d->disc.first + d->disc.count; ++i) {
      sum = std::hypot(sum, d->w * (gamma[i] - shrink * (gamma[i] - u[i] / d->w)));
    }
  }
  rows_[first] = std::fabs(sum);
}

void LawResidual::CalcResponse(const VecX& p) {
  multiplier_impulse_.setZero(problem_->nv());
  problem_->AddTransposed(p, &multiplier_impulse_);
  problem_->factor->Solve(*problem_->pattern, multiplier_impulse_);
  problem_->Multiply(multiplier_impulse_, &reduced_u_);
}

double LawResidual::CalcTangentR(const RowGroup& group, int r) const {
  const Row& row = problem_->rows[group.first_row + r];
  if (r > 0 || group.force_law.is_linear()) return row.R;
  const double phi_dot = phi_dot_[group.first_row];
  const double slope = CalcForceLaw(group.force_law, phi_dot, row.phi, problem_->h).slope;
  return slope > 0 ? 1 / slope : 0;
}

}  // namespace voigt
