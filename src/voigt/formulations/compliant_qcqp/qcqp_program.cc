#include "voigt/formulations/compliant_qcqp/qcqp_program.h"

#include <algorithm>
#include <cmath>

#include "voigt/audit/law_residual.h"
#include "voigt/math/extremes.h"

namespace voigt {
namespace {

const Row& RowAt(const ImpulseIsland& island, int i) {
  return island.problem->rows[island.rows[i]];
}

// visit(group, r, row of the island).
template <class Visit>
void VisitRows(const ImpulseIsland& island, Visit visit) {
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    for (int r = 0; r < group.row_count; ++r) visit(group, r, island.groups[g].first_row + r);
  }
}

}  // namespace

void QcqpProgram::ListVariables(const ImpulseIsland& island) {
  const int count = island.row_count();
  variables_.clear();
  D_.clear();
  soft_.clear();
  r_.clear();
  variable_of_.assign(count, -1);
  extra_.assign(count, 0);
  const auto add = [&](int row, double w) {
    variable_of_[row] = static_cast<int>(variables_.size());
    variables_.push_back(row);
    D_.push_back(1 / std::sqrt(w));
  };
  const auto add_soft = [&](int row, double w) {
    const double R = RowAt(island, row).R;
    extra_[row] = R > 0 ? 0 : weights_.softness;
    soft_.push_back(static_cast<int>(variables_.size()));
    r_.push_back(R + extra_[row]);
    add(row, w + extra_[row]);
  };
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    const int first = island.groups[g].first_row;
    const int own_rows = group.law == Law::kContact ? 1 : group.row_count;
    for (int row = first; row < first + own_rows; ++row) {
      const double w = island.A(row, row);
      if (!(w > 0)) continue;
      const bool is_bounded = group.law == Law::kBounded;
      const bool is_soft = is_bounded && RowAt(island, row).lower < RowAt(island, row).upper;
      is_soft ? add_soft(row, w) : add(row, w);
    }
    if (group.law != Law::kContact || variable_of_[first] < 0) continue;
    for (const Disc& disc : group.discs()) {
      const double w = island.A.diagonal().segment(first + disc.first, disc.count).mean();
      if (!(disc.mu > 0 && w > 0)) continue;
      for (int r = 0; r < disc.count; ++r) add_soft(first + disc.first + r, w);
    }
  }
}

// How large C and E become.
void QcqpProgram::CountRows(const ImpulseIsland& island) {
  pushing_.clear();
  held_.clear();
  given_.clear();
  cone_rows_ = 0;
  VisitRows(island, [&](const RowGroup& group, int r, int row) {
    if (variable_of_[row] < 0) return;
    const Row& data = RowAt(island, row);
    if (CanOnlyPush(group, r)) {
      pushing_.push_back(row);
      cone_rows_ += 2;  // u ≥ 0 and x ≥ 0
    } else if (group.law == Law::kBilateral) {
      held_.push_back(row);
    } else if (group.law == Law::kContact) {
      ++cone_rows_;
    } else if (data.lower == data.upper) {
      given_.push_back(row);
    } else {
      cone_rows_ += std::isfinite(data.lower) + std::isfinite(data.upper);
    }
  });
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    if (island.group(g).law != Law::kContact) continue;
    for (const Disc& disc : island.group(g).discs()) {
      cone_rows_ += variable_of_[island.groups[g].first_row + disc.first] >= 0;
    }
  }
}

// The weights of x and b, and their equations, are to be as near to 1 as all together can: with
// ε = r D² of the stiffest friction, 10⁻⁶ as printed, those of x_n, x_t and b are ζκ, κ and κσ².
void QcqpProgram::SetObjective(const ImpulseIsland& island) {
  const int n = static_cast<int>(variables_.size()), m = static_cast<int>(soft_.size());
  size_ = D_max_ = 0;
  for (int k = 0; k < n; ++k) {
    size_ = std::max(size_, D_[k] * std::fabs(island.q[variables_[k]]));
    D_max_ = std::max(D_max_, D_[k]);
  }
  if (size_ == 0) size_ = 1;
  double epsilon = 1;
  for (int k = 0; k < m; ++k) epsilon = std::min(epsilon, r_[k] * D_[soft_[k]] * D_[soft_[k]]);
  objective_ = std::min({1.0, epsilon, 1 / weights_.zeta});
  sigma_ = std::min(1 / std::sqrt(objective_), 1 / epsilon);

  H_.setZero(n + m, n + m);
  g_.setZero(n + m);
  VisitRows(island, [&](const RowGroup& group, int r, int row) {
    const int k = variable_of_[row];
    if (k < 0) return;
    const bool is_friction = group.law == Law::kContact && r > 0;
    const double weight = CanOnlyPush(group, r) ? weights_.zeta : is_friction ? 1 : 0;
    const double part = D_[k] / D_max_;
    H_(k, k) = objective_ * weight * part * part;
  });
  for (int k = 0; k < m; ++k) {
    const double part = sigma_ * D_[soft_[k]] / D_max_;
    H_(n + k, n + k) = objective_ * part * part;
  }
}

template <class RowOfMatrix>
void QcqpProgram::SetVelocity(const ImpulseIsland& island, int row, RowOfMatrix out,
                              double* constant) const {
  const double unit = D_[variable_of_[row]];
  for (size_t k = 0; k < variables_.size(); ++k) {
    out[static_cast<int>(k)] = unit * island.A(row, variables_[k]) * D_[k];
  }
  out[variable_of_[row]] += unit * unit * extra_[row];
  *constant = unit * island.q[row] / size_;
}

void QcqpProgram::AddHalfLine(int variable, double factor, double d) {
  C_(next_, variable) = factor;
  d_[next_++] = d;
  cones_.push_back(1);
}

// x ≥ 0 and ‖x_t‖ ≤ μ x_n.
void QcqpProgram::AddContact(const ImpulseIsland& island, int g) {
  const RowGroup& group = island.group(g);
  const int first = island.groups[g].first_row, normal = variable_of_[first];
  if (normal < 0) return;
  AddHalfLine(normal, 1, 0);
  for (const Disc& disc : group.discs()) {
    const int tangent = variable_of_[first + disc.first];
    if (tangent < 0) continue;
    C_(next_, normal) = disc.mu * D_[normal] / D_[tangent];
    for (int r = 0; r < disc.count; ++r) C_(next_ + 1 + r, tangent + r) = 1;
    next_ += 1 + disc.count;
    cones_.push_back(1 + disc.count);
  }
}

void QcqpProgram::AddBounds(const ImpulseIsland& island, int row) {
  const int variable = variable_of_[row];
  const Row& data = RowAt(island, row);
  if (variable < 0 || data.lower == data.upper) return;
  const double unit = D_[variable] * size_;
  if (std::isfinite(data.lower)) AddHalfLine(variable, 1, -data.lower / unit);
  if (std::isfinite(data.upper)) AddHalfLine(variable, -1, data.upper / unit);
}

void QcqpProgram::SetConditions(const ImpulseIsland& island) {
  const int n = static_cast<int>(variables_.size()), m = static_cast<int>(soft_.size());
  C_.setZero(cone_rows_, n + m);
  d_.setZero(cone_rows_);
  cones_.clear();
  next_ = 0;
  for (int row : pushing_) {
    SetVelocity(island, row, C_.row(next_), &d_[next_]);
    ++next_;
    cones_.push_back(1);
  }
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    const int first = island.groups[g].first_row;
    if (group.law == Law::kContact) AddContact(island, g);
    for (int row = first; row < first + group.row_count; ++row) {
      if (group.law == Law::kUnilateral && variable_of_[row] >= 0) {
        AddHalfLine(variable_of_[row], 1, 0);
      }
      if (group.law == Law::kBounded) AddBounds(island, row);
    }
  }

  const int equations = static_cast<int>(held_.size() + given_.size()) + m;
  E_.setZero(equations, n + m);
  e_.setZero(equations);
  int next = 0;
  for (int row : held_) {
    SetVelocity(island, row, E_.row(next), &e_[next]);
    ++next;
  }
  for (int k = 0; k < m; ++k, ++next) {
    const double D = D_[soft_[k]];
    SetVelocity(island, variables_[soft_[k]], E_.row(next), &e_[next]);
    E_(next, n + k) = -r_[k] * D * D * sigma_;
  }
  for (int row : given_) {
    const int variable = variable_of_[row];
    E_(next, variable) = 1;
    e_[next++] = -RowAt(island, row).lower / (D_[variable] * size_);
  }
}

bool QcqpProgram::Update(const ImpulseIsland& island, const QcqpWeights& weights) {
  weights_ = weights;
  ListVariables(island);
  if (variables_.empty()) return false;
  CountRows(island);
  SetObjective(island);
  SetConditions(island);
  return true;
}

void QcqpProgram::SetStart(const ImpulseIsland& island, const VecX& gamma,
                           ConeQpPoint* point) const {
  const int n = static_cast<int>(variables_.size()), m = static_cast<int>(soft_.size());
  point->z.resize(0);
  point->y.resize(0);
  point->x.setZero(n + m);
  if (gamma.isZero(0)) return;
  for (int k = 0; k < n; ++k) point->x[k] = gamma[variables_[k]] / (D_[k] * size_);
  for (int k = 0; k < m; ++k) {
    const int row = variables_[soft_[k]];
    const double u = island.A.row(row).dot(gamma) + extra_[row] * gamma[row] + island.q[row];
    point->x[n + k] = u / (r_[k] * size_ * D_[soft_[k]] * sigma_);
  }
}

double QcqpProgram::CalcDualSize(const ConeQpPoint& point) const {
  double largest = 0;
  for (int k = 0; k < point.x.size(); ++k) {
    largest = std::max(largest, std::fabs(H_(k, k) * point.x[k]));
  }
  for (const VecX* multipliers : {&point.z, &point.y}) {
    if (multipliers->size() > 0) {
      largest = std::max(largest, multipliers->lpNorm<Eigen::Infinity>());
    }
  }
  return largest;
}

void QcqpProgram::ScaleObjective(double factor, ConeQpPoint* point) {
  H_ *= factor;
  objective_ *= factor;
  point->z *= factor;
  point->y *= factor;
}

void QcqpProgram::GetImpulses(const ImpulseIsland& island, const ConeQpPoint& point,
                              VecX* gamma) const {
  gamma->setZero(island.row_count());
  for (size_t k = 0; k < variables_.size(); ++k) {
    (*gamma)[variables_[k]] = D_[k] * size_ * point.x[static_cast<int>(k)];
  }
  VisitRows(island, [&](const RowGroup& group, int r, int row) {
    const Row& data = RowAt(island, row);
    double* const x = &(*gamma)[row];
    if (CanOnlyPush(group, r)) *x = Larger(0, *x);
    if (group.law == Law::kBounded) *x = Larger(data.lower, Smaller(data.upper, *x));
  });
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    if (group.law != Law::kContact) continue;
    const int first = island.groups[g].first_row;
    for (const Disc& disc : group.discs()) {
      auto tangent = gamma->segment(first + disc.first, disc.count);
      const double length = tangent.norm(), radius = disc.mu * (*gamma)[first];
      if (length > radius) tangent *= radius / length;
    }
  }
}

// The objective is κ/(s D_max)² times as large as in N² s², and conditions D/s times.
void QcqpProgram::GetMultipliers(const ConeQpPoint& point, VecX* multiplier) const {
  multiplier->setZero(static_cast<int>(variable_of_.size()));
  const double factor = size_ * D_max_ * D_max_ / objective_;
  for (size_t k = 0; k < pushing_.size(); ++k) {
    const int row = pushing_[k];
    (*multiplier)[row] = factor * D_[variable_of_[row]] * Larger(0, point.z[static_cast<int>(k)]);
  }
  int next = 0;
  for (int row : held_) (*multiplier)[row] = factor * D_[variable_of_[row]] * point.y[next++];
  // −b/r: the multipliers y say the same with fewer digits, where those of normals are large.
  const int n = static_cast<int>(variables_.size());
  for (size_t k = 0; k < soft_.size(); ++k) {
    const double b = size_ * D_[soft_[k]] * sigma_ * point.x[n + static_cast<int>(k)];
    (*multiplier)[variables_[soft_[k]]] = -b / r_[k];
  }
}

}  // namespace voigt
