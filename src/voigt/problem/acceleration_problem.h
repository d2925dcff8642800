#pragma once

#include <cstdint>
#include <vector>

#include "voigt/math/types.h"

// The one problem that formulations on accelerations solve [Sherman]:
//
//   M v̇ = f + τ + Gᵀ λ,     a = G v̇ + b,     b = Ġ v
//
// for tens of rows, dense. Multipliers are of three classes, which are kept apart:
//
//   τ     of rates whose motion is prescribed. Their v̇ is known and nothing here moves them; τ
//         follows in the end (hybrid dynamics)
//   λ_N   of rows that do no work: bilateral ones, one-sided ones, friction that sticks
//   λ_W   of friction that slides: a working row, λ = −μ N d along the slip d
//
// The other rates respond by v̇ = v̇_free + M_r⁻¹ Gᵀ λ, with M_r their part of M. That leaves
// a = a₀ + A λ with A = G M_r⁻¹ Gᵀ. A normal force is that of a one-sided row, or linear in
// accelerations and multipliers, N = ‖R_N v̇ + C_N λ + n‖, of which the same leaves N = ‖n₀ + C λ‖.
namespace voigt {

enum class AccelerationLaw : std::uint8_t {
  kBilateral,  // a = 0
  kOneSided,   // 0 ≤ λ ⟂ a ≥ 0
  kFriction,   // of a FrictionBlock
};

// What friction is to do.
enum class FrictionTask : std::uint8_t {
  kSlides,   // along the direction, λ = −μ N d
  kBegins,   // with too little slip to tell: λ = −μ N d and a along d, which is to be found
  kHolds,    // a = 0, whatever force that takes: its limit is watched elsewhere
  kDecides,  // it is at rest: a = 0 with ‖λ‖ ≤ μ N, or λ = −δ μ N d and a = ‖a‖ d, whichever is
};

struct FrictionBlock {
  int first_row = 0, row_count = 1;  // 1 to 3
  FrictionTask task = FrictionTask::kDecides;
  double mu = 0;                  // of its task; where rows are angles, times a radius
  double drop = 1;                // δ of one that decides: what sliding leaves of μ
  Vec3 direction = Vec3::Zero();  // d of one that slides, on its rows; near it, of one that begins
  int normal_row = -1;            // one-sided, without whose λ there is none, and N is it; or
  MatX C;                         // 3 × rows, and
  Vec3 n0 = Vec3::Zero();

  bool is_sliding() const { return task == FrictionTask::kSlides || task == FrictionTask::kBegins; }
};

struct AccelerationProblem {
  VecX v_dot_free;
  std::vector<AccelerationLaw> laws;  // per row
  MatX G;                             // rows × nv
  VecX b;
  std::vector<FrictionBlock> friction;
  VecX unit;  // per row: where rows repeat each other, λ/unit is least; none: all are one

  // What follows from these, by Eliminate.
  MatX response;  // M_r⁻¹ Gᵀ
  MatX A;
  VecX a0;
  double a_scale = 0;  // of accelerations in play: where all of them cancel, a₀ is rounding

  int rows() const { return static_cast<int>(laws.size()); }

  // Fills response, A and a₀. `solve` replaces a vector x of forces on all rates by M_r⁻¹ x, zero
  // for rates that are prescribed.
  template <typename Solve>
  void Eliminate(Solve solve);
};

template <typename Solve>
void AccelerationProblem::Eliminate(Solve solve) {
  response.resize(G.cols(), G.rows());
  for (int j = 0; j < G.rows(); ++j) {
    response.col(j) = G.row(j);
    solve(response.col(j));
  }
  A.noalias() = G * response;
  a0.noalias() = G * v_dot_free;
  a0 += b;
  a_scale = a0.size() == 0 ? 0
                           : G.rowwise().norm().maxCoeff() * v_dot_free.lpNorm<Eigen::Infinity>() +
                                 b.lpNorm<Eigen::Infinity>();
}

}  // namespace voigt
