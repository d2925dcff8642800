#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "voigt/math/disc.h"
#include "voigt/math/tree_factor.h"
#include "voigt/math/tree_pattern.h"
#include "voigt/problem/force_law.h"

// The one problem that every velocity-level formulation solves.
//
// Over a step of length h the rates go from the free velocity v* to v₁ = v* + M⁻¹ Gᵀ γ. Each row
// has a gap φ, a row of G with φ̇ = G v + φ_t, an impulse γ [N s] and the residual velocity
//
//   u = G v₁ + φ_t + R γ − v̂,     R = c/(h(h + τ)),   v̂ = −φ/(h + τ),   c = 1/K,   τ = B/K,
//
// which is the implicit spring-damper λ = −K φ₁ − B φ̇₁, φ₁ = φ + h φ̇₁, when u = 0
// [Drumwright 2019, §4]. R = 0 is rigid. Laws tie u to γ.
namespace voigt {

enum class Law : std::uint8_t {
  kBilateral,   // u = 0
  kUnilateral,  // 0 ≤ γ ⟂ u ≥ 0; every row of the group on its own
  kContact,     // first row unilateral; the others: friction, discs of ‖γ_d‖ ≤ μ_d γ_n against u_d
  kBounded,     // γ in [lower, upper]; u = 0 inside, u ≥ 0 at the lower and u ≤ 0 at the upper end
};

std::string_view ToString(Law law);

// One scalar condition.
struct Row {
  double phi = 0;          // gap at the start of the step: m, rad
  double phi_t = 0;        // ∂φ/∂t: m/s, rad/s
  double c = 0;            // compliance 1/K: m/N, rad/(N m); 0 is rigid
  double tau = 0;          // B/K: s
  double R = 0;            // 1/kg, 1/(kg m²)
  double v_hat = 0;        // m/s, rad/s
  double v_hat_slope = 0;  // ∂v̂/∂φ, 1/s
  double lower = 0;        // of bounded rows: impulses, N s, N m s
  double upper = 0;
  double guess = 0;      // impulse expected from the last step, to start from
  bool angular = false;  // φ is an angle
};

// Rows that share their columns and their law.
//
// Those of a contact are the normal, the tangents (one in the plane, two in space) and, behind two
// tangents, one about the normal and two about the tangents, each of these or neither. Friction is
// a disc for each: against slip with ‖γ_t‖ ≤ μ γ_n, against spin with |m_n| ≤ torsion γ_n, against
// rolling with ‖m_t‖ ≤ rolling γ_n, where the last two are lengths.
struct RowGroup {
  Law law = Law::kBilateral;
  int first_row = 0, row_count = 0;
  int first_col = 0, col_count = 0;  // in `cols`: the degrees of freedom that move these rows
  int first_entry = 0;               // in `G`: row_count × col_count numbers, row by row
  double mu = 0;                     // friction coefficient of a contact
  double torsion = 0, rolling = 0;   // of a contact with rows for them: m
  double viscous = 0;                // of a contact, in its cone: N s/m (ViscousFriction)
  double lagged_impulse = kNaN;      // of a contact: γ_n expected from the last step; NaN if new
  ForceLaw force_law;                // of the first row
  int constraint = -1;               // which constraint made it, for names and forces
  std::uint64_t id = 0;              // the same from step to step, for warm starts

  // Of a contact, which has 3 rows and no others, or 4 (torsion), 5 (rolling) or 6 (both).
  static constexpr int kMaxContactRows = 6;
  bool has_torsion() const { return row_count == 4 || row_count == 6; }
  bool has_rolling() const { return row_count >= 5; }
  DiscList discs() const {
    DiscList out;
    out.Add(row_count > 3 ? 2 : row_count - 1, mu);
    if (has_torsion()) out.Add(1, torsion);
    if (has_rolling()) out.Add(2, rolling);
    return out;
  }
};

struct VelocityProblem {
  double h = 0;  // s

  // Mass matrix, packed as TreePattern says, and its factor. They belong to somebody else.
  const TreePattern* pattern = nullptr;
  const VecX* M = nullptr;
  const TreeFactor* factor = nullptr;

  VecX v_star;

  std::vector<Row> rows;
  std::vector<RowGroup> groups;
  std::vector<int> cols;
  std::vector<double> G;
  std::vector<double> w;  // diagonal of G M⁻¹ Gᵀ (row_inertia.h), or empty: not worked out so far

  int nv() const { return pattern->size(); }
  int row_count() const { return static_cast<int>(rows.size()); }

  std::span<const int> cols_of(const RowGroup& group) const {
    return {cols.data() + group.first_col, static_cast<size_t>(group.col_count)};
  }
  // Row r of a group, r = 0 … row_count − 1, over the group's columns.
  const double* entries(const RowGroup& group, int r) const {
    return G.data() + group.first_entry + r * group.col_count;
  }

  // Removes the rows and keeps the memory.
  void ClearRows();

  // y = G v, and x += Gᵀ γ.
  void Multiply(const VecX& v, VecX* y) const;
  void AddTransposed(const VecX& gamma, VecX* x) const;

  // v₁ = v* + M⁻¹ Gᵀ γ: momentum holds to rounding, whatever γ is.
  void CalcVelocity(const VecX& gamma, VecX* v1) const;

  // For tests and small studies.
  MatX ToDenseG() const;
  MatX ToDenseW() const;  // G M⁻¹ Gᵀ
};

// A problem with its own mass matrix.
struct OwnedProblem {
  TreePattern pattern;
  VecX M;
  TreeFactor factor;
  VelocityProblem problem;

  OwnedProblem() = default;
  OwnedProblem(const OwnedProblem& other);
  OwnedProblem& operator=(const OwnedProblem& other);

  // Points the problem at the members; factors M. Throws InputError if it is not positive definite.
  void Attach();
};

}  // namespace voigt
