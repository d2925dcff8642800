// Contacts, with one disc or several: γ is in the cones of all of them, each with its own z_d and
// s_d,
//
//   z_d = E_d γ,    Σ_d E_dᵀ s_d = U(u) = (u₀ + Σ_d μ_d ‖u_d‖, u₁‥),
//
// with E_d = a_d diag(μ_d, 1‥) on γ₀ and the rows of the disc, and without the terms ‖u_d‖ where
// the law is that of the convex cones. With C = ∂U/∂u the step is
//
//   K Δγ = Σ_d E_dᵀ (F_d d_d − r_d) − C G Δv,    K = Σ_d E_dᵀ F_d² E_d + C R,
//
// where the r_d add up to U(u) − Σ_d E_dᵀ s_d. K is an arrow, in which discs meet in γ₀ only, and
// F² = β² (2 w wᵀ − diag(1, −1‥)) leaves nothing in its elimination that cancels.

#include <algorithm>
#include <cmath>

#include "voigt/kernels/interior_point.h"

namespace voigt {
namespace {

// Of the products z·s: what counts as a slip of nearly zero.
constexpr double kNearlyZero = 1e-3;

using RowsVec = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxDiscRows, 1>;
using ConstRows = Eigen::Map<const VecX>;
using Rows = Eigen::Map<VecX>;

// R of a row in K, with a floor: rows that stick are otherwise so much stiffer than bodies are
// heavy that H = M + Gᵀ P G has no digits left for M.
double CalcSoftR(const ConvexProgram& program, const NewtonWorkspace& ws, int row) {
  constexpr double kSoft = 1e-3;  // of the floor elsewhere
  return std::max(program.R[row], kSoft * ws.R[row]);
}

// What the rows of a disc have in K; vectors end with zero where it has one row.
struct DiscTerms {
  Vec2 k = Vec2::Zero();         // beside γ₀
  double across = 0, along = 0;  // eigenvalues of the inverse of their own part, along k and across
  double schur = 0;              // what is left for γ₀ when they are eliminated

  // (their own part)⁻¹ x.
  Vec2 Divide(const Vec2& x) const {
    const double square = k.squaredNorm();
    if (square == 0) return across * x;
    return across * x + (along - across) * k.dot(x) / square * k;
  }
};

template <int n>
DiscTerms MakeDiscTerms(const ConeScaling<n>& scaling, double a, double mu, double R) {
  const double stiffness = a * a * scaling.beta * scaling.beta;
  const ConeVec<n> w = scaling.F.col(0) / scaling.beta;
  const double stretch = w.squaredNorm();  // = 1 + 2 ‖w₁‥‖²
  DiscTerms out;
  for (int i = 1; i < n; ++i) out.k[i - 1] = 2 * mu * stiffness * w[0] * w[i];
  out.across = 1 / (stiffness + R);
  out.along = 1 / (stiffness * stretch + R);
  out.schur = mu * mu * stiffness * (stiffness + R * stretch) * out.along;
  return out;
}

}  // namespace

void InteriorPoint::UpdateDiscs(const ConvexProgram& program, const VecX& gamma, double mu,
                                const Contact& contact, NewtonWorkspace* ws) {
  const int rows = contact.count;
  const RowsVec u = ConstRows(ws->y.data() + contact.row, rows) +
                    ConstRows(program.R.data() + contact.row, rows)
                        .cwiseProduct(gamma.segment(contact.row, rows)) -
                    ConstRows(program.b.data() + contact.row, rows);
  DiscsMat C = DiscsMat::Identity(rows, rows);
  CalcDiscsResidual(contact, u.data(), mu, &C);
  InvertDiscs(program, contact, C, *ws);
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      ws->P.data() + contact.P, rows, rows) = discs_[contact.discs] * C;
}

// The r_d, of which the first has all of u₀; and the first row of C.
void InteriorPoint::CalcDiscsResidual(const Contact& contact, const double* u, double mu,
                                      DiscsMat* C) {
  double rest = u[0];
  int row = 1;
  for (int c = contact.first_cone; c < contact.first_cone + contact.cone_count; ++c) {
    const Cone& cone = cones_[c];
    const int count = cone.count - 1;
    const ConstRows u_d(u + row, count);
    if (contact.is_coulomb) {
      const SmoothLength slip(u_d.norm(), cone.a, kNearlyZero * mu);
      rest += cone.a * cone.mu * slip.value;
      C->block(0, row, 1, count) = cone.a * cone.mu * slip.slope * u_d.transpose();
    }
    rest -= cone.a * cone.mu * s_[cone.row];
    r_[cone.row] = 0;
    for (int i = 0; i < count; ++i) {
      r_[cone.row + 1 + i] = u_d[i] / cone.a - s_[cone.row + 1 + i];
    }
    row += count;
  }
  const Cone& first = cones_[contact.first_cone];
  r_[first.row] = rest / (first.a * first.mu);
}

// K⁻¹ by elimination of the rows of discs, and the scalings that K is made of.
void InteriorPoint::InvertDiscs(const ConvexProgram& program, const Contact& contact,
                                const DiscsMat& C, const NewtonWorkspace& ws) {
  const int rows = contact.count;
  DiscsMat& K_inverse = discs_[contact.discs];
  K_inverse.setZero(rows, rows);
  // What rows of discs have to the right of γ₀ in K, and below it, divided by their own part.
  RowsVec right = RowsVec::Zero(rows), below = RowsVec::Zero(rows);
  right[0] = below[0] = -1;
  double schur = CalcSoftR(program, ws, contact.row);
  int row = 1;
  for (int c = contact.first_cone; c < contact.first_cone + contact.cone_count; ++c) {
    const Cone& cone = cones_[c];
    const int count = cone.count - 1;
    const double R_d = CalcSoftR(program, ws, contact.row + row);
    DiscTerms terms;
    WithSize(cone.count, [&](auto size) {
      constexpr int n = size.value;
      if constexpr (n > 1) terms = MakeDiscTerms<n>(ScaleCone<n>(c), cone.a, cone.mu, R_d);
    });
    Vec2 beside = Vec2::Zero();  // what is unsymmetric of K
    for (int i = 0; i < count; ++i) beside[i] = R_d * C(0, row + i);
    const Vec2 right_d = terms.along * terms.k + terms.Divide(beside);
    for (int i = 0; i < count; ++i) {
      const Vec2 column = terms.Divide(Vec2::Unit(i));
      for (int j = 0; j < count; ++j) K_inverse(row + j, row + i) = column[j];
      below[row + i] = terms.along * terms.k[i];
      right[row + i] = right_d[i];
    }
    schur += terms.schur - terms.along * beside.dot(terms.k);
    row += count;
  }
  K_inverse += below * right.transpose() / schur;
}

// q = K⁻¹ Σ_d E_dᵀ (F_d d_d − r_d).
void InteriorPoint::CalcDiscsImpulse(const Contact& contact) {
  RowsVec sum = RowsVec::Zero(contact.count);
  int row = 1;
  for (int c = contact.first_cone; c < contact.first_cone + contact.cone_count; ++c) {
    const Cone& cone = cones_[c];
    sum[0] += cone.a * cone.mu * (Fd_[cone.row] - r_[cone.row]);
    for (int i = 1; i < cone.count; ++i, ++row) {
      sum[row] = cone.a * (Fd_[cone.row + i] - r_[cone.row + i]);
    }
  }
  Rows(q_.data() + contact.row, contact.count) = discs_[contact.discs] * sum;
}

// Moves what the floor of R has changed to the right side: q + P (R_soft − R) Δγ, with the Δγ that
// this leads to, the solution of a linear system x = c + B x. Shares of rows that repeat each other
// depend on no more than how near these are to the walls of their cones, which the floor hides: B
// has a long row of eigenvalues close to one. A product costs a small part of a factor.
void InteriorPoint::SharpenDiscsImpulses(const IslandView& island, NewtonWorkspace* ws) {
  constexpr int kMostProducts = 20;
  constexpr double kEnough = 1e-4;
  const ConvexProgram& program = island.program;
  int rows = 0;
  ForEachRow(program, island.blocks, [&](int r) {
    first_q_[r] = q_[r];
    ++rows;
  });
  ws->weight.resize(rows);
  ws->change.resize(rows);
  int k = 0;
  ForEachRow(program, island.blocks, [&](int r) { ws->weight[k++] = std::sqrt(ws->S[r]); });
  // ws->change ← what q leads to, weighted.
  const auto respond = [&] {
    SolveForVelocities(island, ws);
    int i = 0;
    ForEachRow(program, island.blocks, [&](int r) {
      ws->change[i] = ws->weight[i] * q_[r];
      ++i;
    });
  };
  // q ← q + P (R_soft − R) Δγ.
  const auto sharpen = [&](const VecX& weighted) {
    int i = 0;
    ForEachRow(program, island.blocks, [&](int r) {
      dgamma_[r] = weighted[i] / ws->weight[i];
      ++i;
    });
    for (const Contact& contact : contacts_) {
      if (contact.discs >= 0) SharpenDiscsImpulse(program, contact, *ws);
    }
  };
  respond();
  sharpening_.Start(ws->change, kMostProducts);
  while (sharpening_.NeedsProduct(kEnough)) {
    ForEachRow(program, island.blocks, [&](int r) { q_[r] = 0; });
    sharpen(sharpening_.direction());
    respond();
    sharpening_.Add(ws->change);
  }
  sharpening_.Finish(&ws->point);
  ForEachRow(program, island.blocks, [&](int r) { q_[r] = first_q_[r]; });
  sharpen(ws->point);
}

void InteriorPoint::SharpenDiscsImpulse(const ConvexProgram& program, const Contact& contact,
                                        const NewtonWorkspace& ws) {
  const int first = contact.row, rows = contact.count;
  for (int c = 0; c < rows; ++c) {
    const int row = first + c;
    const double change = (CalcSoftR(program, ws, row) - program.R[row]) * dgamma_[row];
    for (int r = 0; r < rows; ++r) q_[first + r] += ws.P[contact.P + r * rows + c] * change;
  }
}

// How u₀ is divided between the discs follows from z·Δs + s·Δz = z·F d.
void InteriorPoint::CalcDiscsStep(const ConvexProgram& program, const Contact& contact,
                                  const NewtonWorkspace& ws) {
  const auto rows_of = [](const std::vector<double>& list, const Cone& cone) {
    return ConstRows(list.data() + cone.row, cone.count);
  };
  int row = contact.row + 1;
  for (int c = contact.first_cone; c < contact.first_cone + contact.cone_count; ++c) {
    const Cone& cone = cones_[c];
    dz_[cone.row] = cone.a * cone.mu * q_[contact.row];
    ds_[cone.row] = 0;
    for (int i = 1; i < cone.count; ++i, ++row) {
      dz_[cone.row + i] = cone.a * q_[row];
      ds_[cone.row + i] = (ws.dy[row] + program.R[row] * q_[row]) / cone.a + r_[cone.row + i];
    }
    ds_[cone.row] = (rows_of(z_, cone).dot(rows_of(Fd_, cone) - rows_of(ds_, cone)) -
                     rows_of(s_, cone).dot(rows_of(dz_, cone))) /
                    z_[cone.row];
  }
}

}  // namespace voigt
