#include "voigt/formulations/compliant/sensitivity.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"
#include "voigt/formulations/compliant/island_scales.h"
#include "voigt/kernels/convex_set.h"
#include "voigt/kernels/smooth_cone.h"

namespace voigt {
namespace {

double At(const VecX& list, int i) { return list.size() == 0 ? 0 : list[i]; }

// ∂γ/∂φ of a smooth law for a given rate, by differences: users' laws tell no more than values.
double CalcGapSlope(const ForceLaw& law, double phi_dot, double phi, double h) {
  const double e = 1e-5 * std::abs(phi + h * phi_dot);
  if (e == 0) return 0;
  return (CalcForceLaw(law, phi_dot, phi + e, h).gamma -
          CalcForceLaw(law, phi_dot, phi - e, h).gamma) /
         (2 * e);
}

double CalcNorm(const Disc& disc, const double* z) {
  double norm = 0;
  for (int i = disc.first; i < disc.first + disc.count; ++i) norm = std::hypot(norm, z[i]);
  return norm;
}

// How friction coefficients change, disc by disc.
struct CoefficientChange {
  double of[3] = {};
  bool any() const { return of[0] != 0 || of[1] != 0 || of[2] != 0; }
};

CoefficientChange ChangeOf(const RowGroup& group, const Perturbation& change, int i) {
  CoefficientChange out;
  int k = 0;
  out.of[k++] = At(change.dmu, i);
  if (group.has_torsion()) out.of[k++] = At(change.dtorsion, i);
  if (group.has_rolling()) out.of[k++] = At(change.drolling, i);
  return out;
}

// (∂Proj/∂μ) dμ where discs are at their edges, γ_d = μ_d γ t with γ = `normal`, which itself moves
// by `dnormal`.
void MoveDiscs(const ConvexBlock& block, const double* z, const double* gamma, double normal,
               double dnormal, const CoefficientChange& change, double* moved) {
  const double* dmu = change.of;
  for (const Disc& disc : block.discs()) {
    const double norm = CalcNorm(disc, z);
    const bool at_edge = norm > CalcNorm(disc, gamma);
    for (int i = disc.first; at_edge && i < disc.first + disc.count; ++i) {
      moved[i] = (disc.mu * dnormal + normal * *dmu) * z[i] / norm;
    }
    ++dmu;
  }
}

// The same of a cone, whose γ₀ moves along: at `gamma`, γ₀ rises by k for every unit of
// S_d μ_d ‖z_d‖ − S_d μ_d² γ₀ at the edges.
void MoveCone(const ConvexBlock& block, const double* z, const double* S, const double* gamma,
              double k, const CoefficientChange& change, double* moved) {
  const double* dmu = change.of;
  for (const Disc& disc : block.discs()) {
    const double norm = CalcNorm(disc, z);
    if (norm > CalcNorm(disc, gamma)) {
      moved[0] += k * S[disc.first] * (norm - 2 * disc.mu * gamma[0]) * *dmu;
    }
    ++dmu;
  }
  MoveDiscs(block, z, gamma, gamma[0], moved[0], change, moved);
}

// The Coulomb law's disc moves with the normal impulse, which makes P unsymmetric.
bool IsSymmetric(const ConvexProgram& program, std::span<const int> blocks) {
  return std::none_of(blocks.begin(), blocks.end(), [&](int i) {
    return program.blocks[i].set == ConvexSet::kCoulomb && program.blocks[i].has_friction();
  });
}

}  // namespace

void Sensitivity::Resize(const ConvexProgram& program) {
  const int rows = program.row_count();
  P_start_.resize(program.blocks.size());
  int size = 0;
  for (size_t i = 0; i < program.blocks.size(); ++i) {
    P_start_[i] = size;
    size += DerivativeSize(program.blocks[i]);
  }
  for (std::vector<double>* list : {&D_, &P_}) list->resize(size);
  for (std::vector<double>* list :
       {&S_, &R_, &gap_, &slope_, &z_, &projected_, &db_, &moved_, &dz_, &r_, &y_}) {
    list->assign(rows, 0.0);
  }
  dgamma_.setZero(rows);
}

void Sensitivity::Linearize(const VelocityProblem& problem, const ConvexProgram& program, int i,
                            const VecX& gamma) {
  const ConvexBlock& block = program.blocks[i];
  const int first = block.first_row, n = block.row_count;
  const Row& row = problem.rows[first];
  const ForceLaw& law = problem.groups[i].force_law;
  double* const z = z_.data() + first;
  double* const projected = projected_.data() + first;
  const double* const S = S_.data() + first;
  double* const D = D_.data() + P_start_[i];
  MultiplyBlock(program, block, v_.data(), y_.data() + first);
  for (int k = 0; k < n; ++k) {
    const int r = first + k;
    const double u = y_[r] + program.R[r] * gamma[r] - program.b[r];
    z[k] = gamma[r] - u / S_[r];
    gap_[r] = problem.rows[r].v_hat_slope;
  }
  if (IsSmoothCone(block)) {
    const SmoothConePoint point = ProjectSmoothCone(program, block, y_[first], z, S, projected, D);
    // The rate of an impulse moves with the gap; slopes are in D.
    const double slope = CalcGapSlope(law, point.rate + row.phi_t, row.phi, problem.h);
    slope_[first] = 1;
    gap_[first] = point.slope > 0 ? slope / point.slope : 0;
  } else {
    if (block.smooth) {
      const ScalarLaws::Value value = program.laws->Calc(first, y_[first]);
      z[0] = value.gamma;
      slope_[first] = value.slope;
      gap_[first] = CalcGapSlope(law, y_[first] + row.phi_t, row.phi, problem.h);
    }
    Project(block, z, S, program.lower.data() + first, program.upper.data() + first, projected, D);
  }
  CalcNewtonTerms(block, D, S, R_.data() + first, slope_[first], P_.data() + P_start_[i],
                  r_.data() + first);
}

bool Sensitivity::Factor(const ConvexProgram& program, const Islands& islands, int island) {
  const auto blocks = islands.blocks(island);
  matrix_.Analyze(program, blocks, islands.ranges(island), MatrixKind::kAuto);
  return matrix_.Factor(program, P_, P_start_, IsSymmetric(program, blocks));
}

void Sensitivity::Change(const VelocityProblem& problem, const ConvexProgram& program, int i,
                         bool lagged, const Perturbation& change) {
  const ConvexBlock& block = program.blocks[i];
  const int first = block.first_row;
  for (int r = first; r < first + block.row_count; ++r) {
    db_[r] = gap_[r] * At(change.dphi, r);
    moved_[r] = dgamma_[r] = 0;
  }
  const CoefficientChange coefficients = ChangeOf(problem.groups[i], change, i);
  if (!coefficients.any() || !IsCoupled(block.set)) return;
  const double* const z = z_.data() + first;
  const double* const S = S_.data() + first;
  const double* const projected = projected_.data() + first;
  double* const moved = moved_.data() + first;
  if (block.set != ConvexSet::kCone) {
    const double normal = lagged ? block.bound : projected[0];
    return MoveDiscs(block, z, projected, normal, 0, coefficients, moved);
  }
  const double k = IsSmoothCone(block) ? D_[P_start_[i]] : D_[P_start_[i]] / S[0];
  MoveCone(block, z, S, projected, k, coefficients, moved);
}

void Sensitivity::CalcResidual(const ConvexProgram& program, int i, const double* dv1) {
  const ConvexBlock& block = program.blocks[i];
  const int first = block.first_row, n = block.row_count;
  const double* const D = D_.data() + P_start_[i];
  double* const dz = dz_.data() + first;
  double* const dy = y_.data() + first;
  MultiplyBlock(program, block, dv1, dy);
  for (int k = 0; k < n; ++k) {
    const int r = first + k;
    dz[k] = block.smooth && k == 0
                ? db_[r] - slope_[r] * dy[k]
                : dgamma_[r] - (dy[k] + program.R[r] * dgamma_[r] - db_[r]) / S_[r];
  }
  for (int k = 0; k < n; ++k) {
    const bool is_law = block.smooth && k == 0 && !IsSmoothCone(block);
    const double change = is_law ? dz[0] : MultiplyRow(block, D, k, dz);
    r_[first + k] = dgamma_[first + k] - (moved_[first + k] + change);
  }
  CalcNewtonTerms(block, D, S_.data() + first, R_.data() + first, slope_[first],
                  P_.data() + P_start_[i], r_.data() + first);
}

// Δγ = −r̂ + P G H⁻¹ Gᵀ r̂, then dv₁ = dv* + M⁻¹ Gᵀ dγ.
void Sensitivity::TakeStep(const ConvexProgram& program, const Islands& islands, int island,
                           const VecX& dv_star, double* dv1) {
  const auto segment = [&](const DofRange& range) {
    return Eigen::Map<VecX>(dv1 + range.first, range.count);
  };
  for (const DofRange& range : islands.ranges(island)) {
    x_.segment(range.first, range.count).setZero();
    segment(range).setZero();
  }
  for (int i : islands.blocks(island)) {
    const ConvexBlock& block = program.blocks[i];
    AddTransposedBlock(program, block, r_.data() + block.first_row, x_.data());
  }
  matrix_.Solve(program, x_.data());
  for (int i : islands.blocks(island)) {
    const ConvexBlock& block = program.blocks[i];
    const int first = block.first_row;
    const double* const P = P_.data() + P_start_[i];
    double* const y = y_.data() + first;
    MultiplyBlock(program, block, x_.data(), y);
    for (int k = 0; k < block.row_count; ++k) {
      dgamma_[first + k] += MultiplyRow(block, P, k, y) - r_[first + k];
    }
    AddTransposedBlock(program, block, dgamma_.data() + first, dv1);
  }
  for (const DofRange& range : islands.ranges(island)) {
    program.factor->SolveRange(*program.pattern, range.first, range.count, dv1);
    if (dv_star.size() == 0) continue;
    segment(range) += dv_star.segment(range.first, range.count);
  }
}

bool Sensitivity::Calc(const VelocityProblem& problem, const ConvexProgram& program,
                       const Islands& islands, bool lagged, const VecX& gamma,
                       std::span<const Perturbation> changes, MatX* dv1) {
  VOIGT_CHECK(gamma.size() == problem.row_count());
  constexpr int kSteps = 4;  // each gains some eight digits where rows do not repeat each other
  Resize(program);
  problem.CalcVelocity(gamma, &v_);
  x_.setZero(problem.nv());
  dv1->setZero(problem.nv(), static_cast<int>(changes.size()));
  for (int c = 0; c < dv1->cols(); ++c) {
    if (changes[c].dv_star.size() > 0) dv1->col(c) = changes[c].dv_star;
  }
  for (int island = 0; island < islands.count(); ++island) {
    const auto blocks = islands.blocks(island);
    IslandScales scales;
    scales.Update(program, blocks, &S_);
    scales.SetFloor(program, blocks, kFloor, &R_);
    for (int i : blocks) Linearize(problem, program, i, gamma);
    if (!Factor(program, islands, island)) {
      dv1->setZero();
      return false;
    }
    for (int c = 0; c < dv1->cols(); ++c) {
      for (int i : blocks) Change(problem, program, i, lagged, changes[c]);
      for (int step = 0; step < kSteps; ++step) {
        for (int i : blocks) CalcResidual(program, i, dv1->col(c).data());
        TakeStep(program, islands, island, changes[c].dv_star, dv1->col(c).data());
      }
    }
  }
  return true;
}

}  // namespace voigt
