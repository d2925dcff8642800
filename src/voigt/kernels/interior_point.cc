#include "voigt/kernels/interior_point.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "voigt/kernels/natural_newton.h"

namespace voigt {
namespace {

template <int n>
using Vec = Eigen::Map<ConeVec<n>>;
template <int n>
using ConstVec = Eigen::Map<const ConeVec<n>>;
template <int n>
using ConstMat = Eigen::Map<const ConeMat<n>>;

// Whether every disc has friction, in one direction or two.
bool HasRoundDiscs(const ConvexBlock& block) {
  const DiscList discs = block.discs();
  return block.row_count > 1 && std::all_of(discs.begin(), discs.end(), [](const Disc& disc) {
           return disc.mu > 0 && disc.count <= 2;
         });
}

bool Knows(const ConvexBlock& block) {
  if (block.smooth) return false;
  switch (block.set) {
    case ConvexSet::kAll:
    case ConvexSet::kHalfLines:
      return true;
    case ConvexSet::kCone:
    case ConvexSet::kCoulomb:
      return HasRoundDiscs(block);
    default:
      return false;
  }
}

}  // namespace

bool InteriorPoint::Applies(const IslandView& island) {
  return std::all_of(island.blocks.begin(), island.blocks.end(),
                     [&](int i) { return Knows(island.program.blocks[i]); });
}

// visit(cone, number of the cone, std::integral_constant<int, its size>).
template <typename Visit>
void InteriorPoint::ForEachCone(Visit visit) {
  for (size_t k = 0; k < cones_.size(); ++k) {
    WithSize(cones_[k].count, [&](auto size) { visit(cones_[k], k, size); });
  }
}

void InteriorPoint::ListContacts(const IslandView& island, const NewtonWorkspace& ws) {
  cones_.clear();
  contacts_.clear();
  discs_.clear();
  has_coulomb_ = false;
  free_rows_.clear();
  free_P_.clear();
  for (int i : island.blocks) {
    const ConvexBlock& block = island.program.blocks[i];
    const int first = block.first_row, P = ws.P_start[i];
    if (IsCoupled(block.set)) {
      AddContact(block, P, ws);
      continue;
    }
    for (int r = 0; r < block.row_count; ++r) {
      if (block.set == ConvexSet::kHalfLines) {
        contacts_.push_back({first + r, 1, P + r, static_cast<int>(cones_.size())});
        AddCone(1, ws.S[first + r], 1);
      } else {
        free_rows_.push_back(first + r);
        free_P_.push_back(P + r);
      }
    }
  }
  scalings_.resize(cones_.size());
}

void InteriorPoint::AddContact(const ConvexBlock& block, int P, const NewtonWorkspace& ws) {
  Contact& contact = contacts_.emplace_back();
  contact = {block.first_row, block.row_count, P, static_cast<int>(cones_.size())};
  contact.is_coulomb = block.set == ConvexSet::kCoulomb;
  has_coulomb_ = has_coulomb_ || contact.is_coulomb;
  for (const Disc& disc : block.discs()) {
    AddCone(1 + disc.count, ws.S[block.first_row + disc.first], disc.mu);
  }
  contact.cone_count = static_cast<int>(cones_.size()) - contact.first_cone;
  contact.discs = static_cast<int>(discs_.size());
  discs_.emplace_back();
}

void InteriorPoint::AddCone(int count, double S, double mu) {
  const int row = cones_.empty() ? 0 : cones_.back().row + cones_.back().count;
  cones_.push_back({row, count, std::sqrt(S), mu});
}

// In the middle of all cones, as far out as velocities of this scale and their impulses are.
void InteriorPoint::SetStart(double scale, const IslandView& island, VecX* gamma) {
  const size_t rows = island.program.row_count();
  const size_t cone_rows = cones_.back().row + cones_.back().count;
  for (auto* list : {&z_, &s_, &r_, &Fd_, &dz_, &ds_}) {
    list->resize(std::max(list->size(), cone_rows));
  }
  for (auto* list : {&q_, &first_q_, &dgamma_, &best_}) list->resize(std::max(list->size(), rows));
  double sum = 0;
  for (const Cone& cone : cones_) sum += 1 / (cone.a * cone.a);
  const double size = size_ = scale * std::sqrt(sum / cones_.size());
  for (int r : free_rows_) (*gamma)[r] = 0;
  for (const Contact& contact : contacts_) {
    const Cone& first = cones_[contact.first_cone];
    for (int r = 0; r < contact.count; ++r) {
      (*gamma)[contact.row + r] = r == 0 ? size / (first.a * first.mu) : 0;
    }
    // z₀ of further discs is what γ₀ makes it; all have the same product z·s.
    for (int k = 0; k < contact.cone_count; ++k) {
      const Cone& cone = cones_[contact.first_cone + k];
      const double ratio = k == 0 ? 1 : cone.a * cone.mu / (first.a * first.mu);
      for (int r = cone.row; r < cone.row + cone.count; ++r) {
        z_[r] = s_[r] = dz_[r] = ds_[r] = 0;
      }
      z_[cone.row] = size * ratio;
      s_[cone.row] = size / ratio;
    }
  }
}

void InteriorPoint::UpdateCones(const ConvexProgram& program, const VecX& gamma, double mu,
                                NewtonWorkspace* ws) {
  for (size_t k = 0; k < free_rows_.size(); ++k) {
    ws->P[free_P_[k]] = 1 / ws->R[free_rows_[k]];
  }
  for (const Contact& contact : contacts_) {
    if (contact.discs >= 0) {
      UpdateDiscs(program, gamma, mu, contact, ws);
    } else {
      UpdateRow(program, gamma, contact, ws);
    }
  }
}

// Of a row that pushes; all are numbers.
void InteriorPoint::UpdateRow(const ConvexProgram& program, const VecX& gamma,
                              const Contact& contact, NewtonWorkspace* ws) {
  const int row = contact.row;
  const Cone& cone = cones_[contact.first_cone];
  const double u = ws->y[row] + program.R[row] * gamma[row] - program.b[row];
  r_[cone.row] = u / cone.a - s_[cone.row];
  const double F = ScaleCone<1>(contact.first_cone).F(0, 0);
  const double K = F * F * cone.a + program.R[row] / cone.a;
  scalings_[contact.first_cone].K_inverse = 1 / K;
  ws->P[contact.P] = 1 / (K * cone.a);
}

// λ ∘ d = −λ ∘ λ for the predictor, target · e − λ ∘ λ − (F Δz) ∘ (F⁻¹ Δs) after it.
void InteriorPoint::SetRightSides(double target) {
  ForEachCone([&](const Cone& cone, size_t k, auto size) {
    constexpr int n = size.value;
    const Scaling& scaling = scalings_[k];
    const ConeVec<n> lambda = ConstVec<n>(scaling.lambda);
    const ConstMat<n> F(scaling.F);
    ConeVec<n> d = -lambda;
    if (target >= 0) {
      const ConeVec<n> a = F * ConstVec<n>(dz_.data() + cone.row);
      const ConeVec<n> b = ConstMat<n>(scaling.F_inverse) * ConstVec<n>(ds_.data() + cone.row);
      ConeVec<n> right = -MultiplyInCone<n>(a, b);
      right[0] += target;
      d += DivideInCone<n>(lambda, right);
    }
    Vec<n>(Fd_.data() + cone.row) = F * d;
  });
}

void InteriorPoint::CalcDirection(const IslandView& island, const VecX& gamma,
                                  NewtonWorkspace* ws) {
  const ConvexProgram& program = island.program;
  // q, then Δγ = q − P G Δv.
  for (int r : free_rows_) {
    q_[r] = -(ws->y[r] + program.R[r] * gamma[r] - program.b[r]) / ws->R[r];
  }
  for (const Contact& contact : contacts_) {
    if (contact.discs >= 0) {
      CalcDiscsImpulse(contact);
    } else {
      const int row = cones_[contact.first_cone].row;
      q_[contact.row] = scalings_[contact.first_cone].K_inverse * (Fd_[row] - r_[row]);
    }
  }
  if (!discs_.empty()) SharpenDiscsImpulses(island, ws);
  SolveForVelocities(island, ws);
  for (const Contact& contact : contacts_) {
    if (contact.discs >= 0) {
      CalcDiscsStep(program, contact, *ws);
    } else {
      CalcRowStep(program, contact, *ws);
    }
  }
}

void InteriorPoint::SolveForVelocities(const IslandView& island, NewtonWorkspace* ws) {
  const ConvexProgram& program = island.program;
  for (const DofRange& range : island.ranges) ws->x.segment(range.first, range.count).setZero();
  for (int i : island.blocks) {
    const ConvexBlock& block = program.blocks[i];
    AddTransposedBlock(program, block, q_.data() + block.first_row, ws->x.data());
  }
  island.matrix->Solve(program, ws->x.data());
  for (int i : island.blocks) {
    const ConvexBlock& block = program.blocks[i];
    const int first = block.first_row;
    double* const dy = ws->dy.data() + first;
    MultiplyBlock(program, block, ws->x.data(), dy);
    for (int r = 0; r < block.row_count; ++r) {
      q_[first + r] -= MultiplyRow(block, ws->P.data() + ws->P_start[i], r, dy);
    }
  }
}

// Not Δs = F d − F² Δz, whose terms cancel where a row does not push.
void InteriorPoint::CalcRowStep(const ConvexProgram& program, const Contact& contact,
                                const NewtonWorkspace& ws) {
  const int row = contact.row;
  const Cone& cone = cones_[contact.first_cone];
  dz_[cone.row] = cone.a * q_[row];
  ds_[cone.row] = (ws.dy[row] + program.R[row] * q_[row]) / cone.a + r_[cone.row];
}

double InteriorPoint::CalcStepLength() {
  double alpha = 1;
  ForEachCone([&](const Cone& cone, size_t, auto size) {
    constexpr int n = size.value;
    const auto limit = [&](const std::vector<double>& x, const std::vector<double>& dx) {
      alpha = std::min(alpha, CalcStepInCone<n>(ConstVec<n>(x.data() + cone.row),
                                                ConstVec<n>(dx.data() + cone.row)));
    };
    limit(z_, dz_);
    limit(s_, ds_);
  });
  return alpha;
}

double InteriorPoint::CalcLargestResidual() const {
  double largest = 0;
  for (const Cone& cone : cones_) {
    for (int r = cone.row; r < cone.row + cone.count; ++r) {
      largest = std::max(largest, std::abs(r_[r]));
    }
  }
  return largest;
}

double InteriorPoint::CalcGap(double alpha) const {
  double sum = 0;
  for (const Cone& cone : cones_) {
    for (int r = cone.row; r < cone.row + cone.count; ++r) {
      sum += (z_[r] + alpha * dz_[r]) * (s_[r] + alpha * ds_[r]);
    }
  }
  return sum / cones_.size();
}

// The step is short where z and s are far from the path on which all products are alike: then one
// step leads back to it, without asking how far the straight way would lead.
void InteriorPoint::ChooseStep(const IslandView& island, const VecX& gamma, bool back_to_path,
                               double mu, NewtonWorkspace* ws) {
  constexpr double kLeast = 1e-6, kOfResidual = 1e-7, kBack = 0.8;
  double target = kBack * mu;
  if (back_to_path) {
    for (const Cone& cone : cones_) {
      for (int r = cone.row; r < cone.row + cone.count; ++r) dz_[r] = ds_[r] = 0;
    }
  } else {
    SetRightSides(-1);
    CalcDirection(island, gamma, ws);
    const double ratio = std::clamp(CalcGap(CalcStepLength()) / mu, 0.0, 1.0);
    target = std::max(ratio * ratio * ratio, kLeast) * mu;
  }
  // Products must not vanish before the residuals do.
  SetRightSides(std::max(target, kOfResidual * size_ * CalcLargestResidual()));
  CalcDirection(island, gamma, ws);
}

InteriorPointResult InteriorPoint::Solve(const IslandView& island,
                                         const InteriorPointSettings& settings, VecX* v,
                                         VecX* gamma, NewtonWorkspace* ws, NewtonStats* stats) {
  constexpr double kToTheWall = 0.99, kShort = 0.2, kNothing = 1e-3;
  // At last, products of z and s have no digits left; little is gained from there on.
  constexpr double kNearlyThere = 1e-6, kWorse = 3;
  constexpr int kPatience = 8, kLittlePatience = 4;
  const auto copy = [&](const double* from, double* to) {
    ForEachRow(island.program, island.blocks, [&](int r) { to[r] = from[r]; });
  };
  InteriorPointResult best;
  ListContacts(island, *ws);
  if (cones_.empty()) return best;
  SetStart(settings.scale, island, gamma);
  int blocked = 0, stale = 0;
  double halved = kInfinity;
  bool back_to_path = false;
  for (int iteration = 0;; ++iteration) {
    // Where the point is: v = v* + M⁻¹ Gᵀ γ, ws->y = G v.
    const double residual = CalcNaturalResidual(island, v, *gamma, ws);
    stale = residual >= 0.5 * halved ? stale + 1 : 0;
    if (stale == 0) halved = residual;
    if (!(residual >= best.residual)) {
      best.residual = residual;
      copy(gamma->data(), best_.data());
    }
    best.converged = best.residual <= settings.tolerance * settings.scale;
    const bool is_near = best.residual <= kNearlyThere * settings.scale;
    const bool is_over = stale > (is_near ? kLittlePatience : kPatience) || blocked > 2 ||
                         (is_near && residual > kWorse * best.residual);
    if (best.converged || is_over || iteration == settings.max_iterations ||
        settings.deadline.HasPassed()) {
      break;
    }
    const double mu = CalcGap(0);
    UpdateCones(island.program, *gamma, mu, ws);
    if (!UpdateFactor(island, !has_coulomb_, 0, ws, stats)) break;
    ++stats->iterations;
    ChooseStep(island, *gamma, back_to_path, mu, ws);
    if (!std::isfinite(CalcGap(1))) break;
    const double alpha = kToTheWall * CalcStepLength();
    back_to_path = alpha < kShort && !back_to_path;
    blocked = alpha < kNothing ? blocked + 1 : 0;
    ForEachRow(island.program, island.blocks, [&](int r) { (*gamma)[r] += alpha * q_[r]; });
    for (const Cone& cone : cones_) {
      for (int r = cone.row; r < cone.row + cone.count; ++r) {
        z_[r] += alpha * dz_[r];
        s_[r] += alpha * ds_[r];
      }
    }
  }
  copy(best_.data(), gamma->data());
  return best;
}

}  // namespace voigt
