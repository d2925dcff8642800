#include "voigt/audit/row_energy.h"

#include <cmath>

#include "voigt/math/extremes.h"

namespace voigt {
namespace {

inline void AddRow(const VelocityProblem& problem, const RowGroup& group, int r, double gamma,
                   double phi_dot, RowEnergy* out) {
  const Row& row = problem.rows[group.first_row + r];
  out->work += gamma * (phi_dot - row.phi_t);
  out->moved += std::fabs(gamma * phi_dot) + std::fabs(gamma * row.phi_t);
  out->drive -= gamma * row.phi_t;

  if (r == 0 && !group.force_law.is_linear()) {
    out->V0 += CalcForceLaw(group.force_law, 0, row.phi, problem.h).potential;
    out->V1 += CalcForceLaw(group.force_law, phi_dot, row.phi, problem.h).potential;
    return;
  }

  const bool tangent = group.law == Law::kContact && r > 0;
  const bool has_spring = row.c > 0 && !tangent && group.law != Law::kBounded;
  if (has_spring) {
    double phi0 = row.phi, phi1 = row.phi + problem.h * phi_dot;
    if (group.law != Law::kBilateral) {
      phi0 = Smaller(0, phi0);
      phi1 = Smaller(0, phi1);
    }
    const double half_K = 0.5 / row.c;
    out->V0 += half_K * phi0 * phi0;
    out->V1 += half_K * phi1 * phi1;
    return;
  }

  // A motor whose bounds do not contain zero moves things as it likes.
  if (group.law == Law::kBounded && !(row.lower <= 0 && 0 <= row.upper)) {
    out->drive += gamma * phi_dot;
    return;
  }
  (row.phi != 0 ? out->recovery : out->drive) += gamma * row.v_hat;
}

// Rows that only push, of which foundations have thousands: springs without AddRow's questions.
void AddPushingRows(const VelocityProblem& problem, const RowGroup& group, const double* gamma,
                    const double* phi_dot, RowEnergy* out) {
  const Row* const rows = problem.rows.data() + group.first_row;
  const double h = problem.h;
  RowEnergy sum = *out;      // in registers
  double c = 0, half_K = 0;  // mostly those of the row before
  for (int r = 0; r < group.row_count; ++r) {
    if (!(rows[r].c > 0)) {
      AddRow(problem, group, r, gamma[r], phi_dot[r], &sum);
      continue;
    }
    const double drive = gamma[r] * rows[r].phi_t, power = gamma[r] * phi_dot[r];
    sum.work += power - drive;
    sum.moved += std::fabs(power) + std::fabs(drive);
    sum.drive -= drive;
    const double phi0 = Smaller(0, rows[r].phi);
    const double phi1 = Smaller(0, rows[r].phi + h * phi_dot[r]);
    if (rows[r].c != c) {
      c = rows[r].c;
      half_K = 0.5 / c;
    }
    sum.V0 += half_K * phi0 * phi0;
    sum.V1 += half_K * phi1 * phi1;
  }
  *out = sum;
}

}  // namespace

void AddRowEnergy(const VelocityProblem& problem, const RowGroup& group, const VecX& gamma,
                  const VecX& phi_dot, RowEnergy* out) {
  if (group.law == Law::kUnilateral && group.force_law.is_linear()) {
    return AddPushingRows(problem, group, gamma.data() + group.first_row,
                          phi_dot.data() + group.first_row, out);
  }
  RowEnergy sum = *out;  // in registers
  for (int r = 0; r < group.row_count; ++r) {
    AddRow(problem, group, r, gamma[group.first_row + r], phi_dot[group.first_row + r], &sum);
  }
  *out = sum;
}

}  // namespace voigt
