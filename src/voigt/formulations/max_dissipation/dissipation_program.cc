#include "voigt/formulations/max_dissipation/dissipation_program.h"

#include <algorithm>
#include <cmath>

#include "voigt/audit/law_residual.h"
#include "voigt/math/extremes.h"

namespace voigt {
namespace {

// Impulses below this part of the largest velocity are rounding.
constexpr double kNoImpulse = 1e-15;

const Row& RowOf(const ImpulseIsland& island, int i) {
  return island.problem->rows[island.rows[i]];
}

bool HasFriction(const WidenedCone& cone) { return cone.mu > 0 || cone.offset > 0; }

}  // namespace

int SumOfRow(const RowGroup& group, int r, const Row& row) {
  if (!CanOnlyPush(group, r) || IsPushingSpring(group, r, row)) return -1;
  return row.angular ? 1 : 0;
}

// Sums that leave no impulse at all: their cones have no inside, in which methods could move.
void DissipationProgram::FindEmptySums(const ImpulseIsland& island, const VecX& frictionless) {
  double largest = 0, kappa[kDissipationSums] = {};
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    for (int r = 0; r < group.row_count; ++r) {
      const int row = island.groups[g].first_row + r;
      largest = Larger(largest, std::fabs(island.q[row]));
      const int sum = SumOfRow(group, r, RowOf(island, row));
      if (sum < 0) continue;
      kappa[sum] = Larger(kappa[sum], island.A(row, row) * frictionless[row]);
    }
  }
  for (int s = 0; s < kDissipationSums; ++s) is_empty_[s] = !(kappa[s] > kNoImpulse * largest);
}

// Whether nothing is to be asked for: springs that are open, and rows of empty sums.
bool DissipationProgram::IsIdle(const ImpulseIsland& island, int g, int r,
                                const VecX& frictionless) const {
  const int row = island.groups[g].first_row + r;
  const int sum = SumOfRow(island.group(g), r, RowOf(island, row));
  if (sum >= 0) return is_empty_[sum];
  return IsPushingSpring(island.group(g), r, RowOf(island, row)) && !(frictionless[row] > 0);
}

// Rows with impulses to look for, and the size of those: D = 1/√A_ii, alike over a disc.
void DissipationProgram::ListVariables(const ImpulseIsland& island, const VecX& frictionless) {
  variables_.clear();
  D_.clear();
  variable_of_.assign(island.row_count(), -1);
  const auto add = [&](int row, double w) {
    if (!(w > 0)) return;
    variable_of_[row] = static_cast<int>(variables_.size());
    variables_.push_back(row);
    D_.push_back(1 / std::sqrt(w));
  };
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    const int first = island.groups[g].first_row;
    const int own_rows = group.law == Law::kContact ? 1 : group.row_count;
    for (int r = 0; r < own_rows; ++r) {
      if (IsIdle(island, g, r, frictionless)) continue;
      add(first + r, island.A(first + r, first + r));
    }
    if (group.law != Law::kContact || variable_of_[first] < 0) continue;
    for (const Disc& disc : group.discs()) {
      if (!HasFriction(ConeOf(g, disc))) continue;
      const double w = island.A.diagonal().segment(first + disc.first, disc.count).mean();
      for (int r = 0; r < disc.count; ++r) add(first + disc.first + r, w);
    }
  }
}

// How large C and E become.
void DissipationProgram::CountRows(const ImpulseIsland& island) {
  normals_.clear();
  held_.clear();
  cone_rows_ = equations_ = 0;
  bool has_sum[kDissipationSums] = {};
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    for (int r = 0; r < group.row_count; ++r) {
      const int row = island.groups[g].first_row + r, variable = variable_of_[row];
      const Row& data = RowOf(island, row);
      const int sum = SumOfRow(group, r, data);
      const bool is_spring = IsPushingSpring(group, r, data);
      if (CanOnlyPush(group, r) && variable < 0 && island.A(row, row) > 0) {
        normals_.push_back(row);
        ++cone_rows_;  // u ≥ 0 alone
      }
      if (variable < 0) continue;
      if (sum >= 0) {
        normals_.push_back(row);
        has_sum[sum] = true;
        cone_rows_ += 2;  // u ≥ 0 and x ≥ 0
      } else if (group.law == Law::kBilateral || is_spring) {
        held_.push_back(row);
        ++equations_;
        cone_rows_ += is_spring;  // x ≥ 0
      } else if (group.law == Law::kBounded) {
        if (data.lower == data.upper) {
          ++equations_;
        } else {
          cone_rows_ += std::isfinite(data.lower) + std::isfinite(data.upper);
        }
      } else if (group.law == Law::kContact) {
        ++cone_rows_;
      }
    }
    if (group.law != Law::kContact || variable_of_[island.groups[g].first_row] < 0) continue;
    for (const Disc& disc : group.discs()) {
      cone_rows_ += variable_of_[island.groups[g].first_row + disc.first] >= 0;
    }
  }
  cone_rows_ += has_sum[0] + has_sum[1];
}

void DissipationProgram::SetObjective(const ImpulseIsland& island, const VecX& frictionless) {
  const int n = static_cast<int>(variables_.size());
  H_.resize(n, n);
  g_.resize(n);
  size_ = 0;
  for (int k = 0; k < n; ++k) {
    const int row = variables_[k];
    size_ =
        std::max({size_, D_[k] * std::fabs(island.q[row]), std::fabs(frictionless[row]) / D_[k]});
  }
  if (size_ == 0) size_ = 1;
  for (int k = 0; k < n; ++k) {
    g_[k] = D_[k] * island.q[variables_[k]] / size_;
    for (int j = 0; j < n; ++j) {
      H_(j, k) = D_[j] * D_[k] * island.A(variables_[j], variables_[k]);
    }
  }
}

void DissipationProgram::AddHalfLine(int variable, double factor, double d) {
  C_(next_, variable) = factor;
  d_[next_++] = d;
  cones_.push_back(1);
}

double DissipationProgram::CalcUnit(const ImpulseIsland& island, int row) const {
  return variable_of_[row] < 0 ? 1 / std::sqrt(island.A(row, row)) : D_[variable_of_[row]];
}

// u ≥ 0.
void DissipationProgram::AddNormals(const ImpulseIsland& island) {
  for (int row : normals_) {
    const double unit = CalcUnit(island, row);
    for (size_t k = 0; k < variables_.size(); ++k) {
      C_(next_, k) = unit * island.A(row, variables_[k]) * D_[k];
    }
    d_[next_++] = unit * island.q[row] / size_;
    cones_.push_back(1);
  }
}

// κ − Σ x ≥ 0.
void DissipationProgram::AddSums(const ImpulseIsland& island, const VecX& frictionless) {
  double kappa[kDissipationSums] = {}, square[kDissipationSums] = {};
  bool has_sum[kDissipationSums] = {};
  const auto visit = [&](auto what) {
    for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
      const RowGroup& group = island.group(g);
      for (int r = 0; r < group.row_count; ++r) {
        const int row = island.groups[g].first_row + r;
        const int sum = SumOfRow(group, r, RowOf(island, row));
        if (sum >= 0 && variable_of_[row] >= 0) what(sum, row, variable_of_[row]);
      }
    }
  };
  visit([&](int sum, int row, int variable) {
    kappa[sum] += frictionless[row];
    square[sum] += D_[variable] * D_[variable];
    has_sum[sum] = true;
  });
  for (int sum = 0; sum < kDissipationSums; ++sum) {
    sum_row_[sum] = -1;
    if (!has_sum[sum]) continue;
    sum_row_[sum] = next_;
    sum_factor_[sum] = 1 / std::sqrt(square[sum]);
    d_[next_++] = sum_factor_[sum] * kappa[sum] / size_;
    cones_.push_back(1);
  }
  visit([&](int sum, int, int variable) {
    C_(sum_row_[sum], variable) = -sum_factor_[sum] * D_[variable];
  });
}

// x ≥ 0, or what is there at least.
void DissipationProgram::AddPush(int row) {
  const int variable = variable_of_[row];
  AddHalfLine(variable, 1, -least_[row] / (D_[variable] * size_));
}

// x ≥ 0 and ‖x_t‖ ≤ μ x_n.
void DissipationProgram::AddContact(const ImpulseIsland& island, int g) {
  const RowGroup& group = island.group(g);
  const int first = island.groups[g].first_row, normal = variable_of_[first];
  if (normal < 0) return;
  AddPush(first);
  for (const Disc& disc : group.discs()) {
    const int tangent = variable_of_[first + disc.first];
    if (tangent < 0) continue;
    const WidenedCone cone = ConeOf(g, disc);
    C_(next_, normal) = cone.mu * D_[normal] / D_[tangent];
    d_[next_] = cone.offset / (D_[tangent] * size_);
    for (int r = 0; r < disc.count; ++r) C_(next_ + 1 + r, tangent + r) = 1;
    next_ += 1 + disc.count;
    cones_.push_back(1 + disc.count);
  }
}

void DissipationProgram::AddBounds(const ImpulseIsland& island, int row) {
  const int variable = variable_of_[row];
  const Row& data = RowOf(island, row);
  if (variable < 0 || data.lower == data.upper) return;
  const double unit = D_[variable] * size_;
  if (std::isfinite(data.lower)) AddHalfLine(variable, 1, -data.lower / unit);
  if (std::isfinite(data.upper)) AddHalfLine(variable, -1, data.upper / unit);
}

// u as without friction (zero, unless rows contradict each other), and given impulses.
void DissipationProgram::AddEquations(const ImpulseIsland& island, const VecX& frictionless) {
  const int n = static_cast<int>(variables_.size());
  E_.setZero(equations_, n);
  e_.setZero(equations_);
  int next = 0;
  for (int row : held_) {
    const int variable = variable_of_[row];
    E_.row(next) = H_.row(variable);
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += H_(k, variable) * frictionless[variables_[k]] / D_[k];
    e_[next++] = -sum / size_;
  }
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    if (island.group(g).law != Law::kBounded) continue;
    for (int r = 0; r < island.group(g).row_count; ++r) {
      const int row = island.groups[g].first_row + r, variable = variable_of_[row];
      const Row& data = RowOf(island, row);
      if (variable < 0 || data.lower != data.upper) continue;
      E_(next, variable) = 1;
      e_[next++] = -data.lower / (D_[variable] * size_);
    }
  }
}

bool DissipationProgram::Update(const ImpulseIsland& island, const VecX& frictionless,
                                const VecX& least, std::span<const WidenedCone> slip) {
  least_ = least;
  slip_.assign(slip.begin(), slip.end());
  FindEmptySums(island, frictionless);
  ListVariables(island, frictionless);
  bool has_friction = false;
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    if (group.law != Law::kContact) continue;
    for (const Disc& disc : group.discs()) {
      has_friction |= variable_of_[island.groups[g].first_row + disc.first] >= 0;
    }
  }
  if (!has_friction) return false;
  SetObjective(island, frictionless);
  CountRows(island);
  C_.setZero(cone_rows_, static_cast<int>(variables_.size()));
  d_.setZero(cone_rows_);
  cones_.clear();
  next_ = 0;
  AddNormals(island);
  AddSums(island, frictionless);
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    const int first = island.groups[g].first_row;
    if (group.law == Law::kContact) AddContact(island, g);
    for (int row = first; row < first + group.row_count; ++row) {
      if (group.law == Law::kUnilateral && variable_of_[row] >= 0) AddPush(row);
      if (group.law == Law::kBounded) AddBounds(island, row);
    }
  }
  AddEquations(island, frictionless);
  return true;
}

void DissipationProgram::SetStart(const VecX& gamma, ConeQpPoint* point) const {
  point->x.resize(static_cast<int>(variables_.size()));
  for (size_t k = 0; k < variables_.size(); ++k) {
    point->x[k] = gamma[variables_[k]] / (D_[k] * size_);
  }
  point->z.resize(0);
  point->y.resize(0);
}

void DissipationProgram::GetImpulses(const ImpulseIsland& island, const ConeQpPoint& point,
                                     VecX* gamma) const {
  for (size_t k = 0; k < variables_.size(); ++k) {
    const bool is_zero = std::fabs(point.x[k]) < kNoImpulse;
    (*gamma)[variables_[k]] = is_zero ? 0 : D_[k] * size_ * point.x[k];
  }
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    const int first = island.groups[g].first_row;
    for (int r = 0; r < group.row_count; ++r) {
      const Row& row = RowOf(island, first + r);
      double* const x = &(*gamma)[first + r];
      if (CanOnlyPush(group, r)) *x = Larger(least_[first + r], *x);
      if (group.law == Law::kBounded) *x = Larger(row.lower, Smaller(row.upper, *x));
    }
    if (group.law != Law::kContact) continue;
    for (const Disc& disc : group.discs()) {
      auto tangent = gamma->segment(first + disc.first, disc.count);
      const double length = tangent.norm(), radius = ConeOf(g, disc).CalcRadius((*gamma)[first]);
      if (length > radius) tangent *= radius / length;
    }
  }
}

void DissipationProgram::GetMultipliers(const ImpulseIsland& island, const ConeQpPoint& point,
                                        VecX* multiplier, double* price) const {
  for (size_t k = 0; k < normals_.size(); ++k) {
    (*multiplier)[normals_[k]] = CalcUnit(island, normals_[k]) * size_ * Larger(0, point.z[k]);
  }
  for (size_t k = 0; k < held_.size(); ++k) {
    (*multiplier)[held_[k]] = CalcUnit(island, held_[k]) * size_ * point.y[k];
  }
  for (int sum = 0; sum < kDissipationSums; ++sum) {
    price[sum] =
        sum_row_[sum] < 0 ? 0 : sum_factor_[sum] * size_ * Larger(0, point.z[sum_row_[sum]]);
  }
}

void DissipationProgram::RaisePrices(const ImpulseIsland& island, const VecX& gamma,
                                     const VecX& multiplier, double* price) const {
  const VecX u = island.A * (gamma - multiplier) + island.q;
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    const int first = island.groups[g].first_row;
    for (int r = 0; r < group.row_count; ++r) {
      const int sum = SumOfRow(group, r, RowOf(island, first + r));
      if (sum < 0 || !is_empty_[sum]) continue;
      double needed = -u[first + r];
      if (group.law == Law::kContact) {
        for (const Disc& disc : group.discs()) {
          needed += disc.mu * u.segment(first + disc.first, disc.count).norm();
        }
      }
      price[sum] = Larger(price[sum], needed);
    }
  }
}

}  // namespace voigt
