#include "voigt/formulations/impulse_space/contact_as_lcp.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace voigt {
namespace {

// Impulse per unit of a group's variables.
double CalcUnit(const ImpulseIsland& island, int g) {
  const double largest =
      island.A.diagonal().segment(island.groups[g].first_row, island.group(g).row_count).maxCoeff();
  return largest > 0 ? 1 / std::sqrt(largest) : 1;
}

// Friction as near to its limit as this part of it slides.
constexpr double kAtEdge = 1e-9;

// As Lemke::set() has it.
constexpr char kAboveLower = 1, kAtUpper = 2;

}  // namespace

void ContactAsLcp::Update(const ImpulseIsland& island, int directions,
                          const std::vector<double>& cone_angle) {
  ListColumns(island, directions, cone_angle);
  FillMatrix(island);
}

void ContactAsLcp::AddColumn(int row, double entry, double lower, double upper) {
  columns_.push_back({row, 1, {entry, 0}});
  lower_list_.push_back(lower);
  upper_list_.push_back(upper);
}

void ContactAsLcp::ListColumns(const ImpulseIsland& island, int directions,
                               const std::vector<double>& cone_angle) {
  columns_.clear();
  lower_list_.clear();
  upper_list_.clear();
  polygons_.clear();
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    const double unit = CalcUnit(island, g);
    if (group.law == Law::kContact) {
      ListContact(island, g, directions, cone_angle[island.groups[g].group], unit);
      continue;
    }
    for (int r = 0; r < group.row_count; ++r) {
      const int i = island.groups[g].first_row + r;
      const Row& row = island.problem->rows[island.rows[i]];
      const bool is_free = group.law == Law::kBilateral, is_bounded = group.law == Law::kBounded;
      double lower = is_free ? -kInfinity : 0, upper = kInfinity;
      if (is_bounded) {
        lower = row.lower / unit;
        upper = row.upper / unit;
      }
      // What no impulse moves has none.
      if (island.A(i, i) == 0) lower = upper = 0;
      AddColumn(i, unit, lower, upper);
    }
  }
}

void ContactAsLcp::ListContact(const ImpulseIsland& island, int g, int directions, double angle,
                               double unit) {
  const RowGroup& group = island.group(g);
  const int first = island.groups[g].first_row, normal = static_cast<int>(columns_.size());
  const bool moves = island.A(first, first) > 0;
  AddColumn(first, unit, 0, moves ? kInfinity : 0);
  for (const Disc& disc : group.discs()) {
    if (disc.mu == 0 || !moves) continue;
    Polygon polygon;
    polygon.first = static_cast<int>(columns_.size());
    polygon.count = disc.count == 1 ? 2 : directions;
    polygon.normal = normal;
    polygon.mu = disc.mu;
    polygon.row = first + disc.first;
    polygon.row_count = disc.count;
    for (int k = 0; k < polygon.count; ++k) {
      const double a = angle + 2 * std::numbers::pi * k / polygon.count;
      const double x = disc.count == 1 ? 1 - 2 * k : std::cos(a);
      const double y = disc.count == 1 ? 0 : std::sin(a);
      AddColumn(polygon.row, unit * x, 0, kInfinity);
      columns_.back().count = disc.count;
      columns_.back().entry[1] = unit * y;
    }
    polygon.sigma = static_cast<int>(columns_.size());
    AddColumn(-1, 0, 0, kInfinity);
    polygons_.push_back(polygon);
  }
}

// N = Xᵀ A X of the impulses' columns, bordered by the rows and columns of the slips.
void ContactAsLcp::FillMatrix(const ImpulseIsland& island) {
  const int n = static_cast<int>(columns_.size()), rows = island.row_count();
  N_.Resize(n, n);
  column_.Resize(rows);
  for (KeptVector* v : {&q_, &lower_, &upper_}) v->Resize(n);
  auto N = N_.get();
  auto q = q_.get(), A_column = column_.get();
  N.setZero();
  q.setZero();
  const auto multiply = [&](const Column& column, const auto& values) {
    double sum = column.entry[0] * values[column.row];
    if (column.count == 2) sum += column.entry[1] * values[column.row + 1];
    return sum;
  };
  for (int j = 0; j < n; ++j) {
    lower_.get()[j] = lower_list_[j];
    upper_.get()[j] = upper_list_[j];
    const Column& column = columns_[j];
    if (column.row < 0) continue;
    A_column = column.entry[0] * island.A.col(column.row);
    if (column.count == 2) A_column += column.entry[1] * island.A.col(column.row + 1);
    for (int i = 0; i <= j; ++i) {
      if (columns_[i].row < 0) continue;
      N(i, j) = N(j, i) = multiply(columns_[i], A_column);
    }
    q[j] = multiply(column, island.q);
  }
  for (const Polygon& polygon : polygons_) {
    for (int k = polygon.first; k < polygon.first + polygon.count; ++k) {
      N(k, polygon.sigma) = 1;
      N(polygon.sigma, k) = -1;
    }
    N(polygon.sigma, polygon.normal) = polygon.mu;
  }
}

void ContactAsLcp::SetGuess(const ImpulseIsland& island, const VecX& gamma, Eigen::Ref<VecX> z) {
  z.setZero();
  set_.assign(columns_.size(), 0);
  u_.Resize(island.row_count());
  u_.get() = island.q;
  u_.get().noalias() += island.A * gamma;
  for (int j = 0; j < size(); ++j) {
    const Column& column = columns_[j];
    if (column.row < 0) continue;
    const double value = gamma[column.row] / column.entry[0];
    z[j] = value;
    if (value > lower_.get()[j]) set_[j] |= kAboveLower;
    if (value >= upper_.get()[j]) set_[j] |= kAtUpper;
  }
  for (const Polygon& polygon : polygons_) GuessPolygon(polygon, gamma, z);
}

void ContactAsLcp::GuessPolygon(const Polygon& polygon, const VecX& gamma, Eigen::Ref<VecX> z) {
  const auto u = u_.get();
  const bool is_plane = polygon.row_count == 2;
  const double x = gamma[polygon.row], y = is_plane ? gamma[polygon.row + 1] : 0;
  const double slip_x = u[polygon.row], slip_y = is_plane ? u[polygon.row + 1] : 0;
  z.segment(polygon.first, polygon.count).setZero();
  std::fill_n(set_.begin() + polygon.first, polygon.count + 1, 0);
  double sigma = 0;
  int against = 0, placed = -1;
  for (int k = 0; k < polygon.count; ++k) {
    const int next = polygon.first + (k + 1) % polygon.count;
    const Column &a = columns_[polygon.first + k], &b = columns_[next];
    const double speed = -(a.entry[0] * slip_x + a.entry[1] * slip_y);
    if (speed > sigma) {
      sigma = speed;
      against = k;
    }
    if (placed >= 0) continue;
    // The impulse lies between two corners, or along one of two.
    double along_a = x / a.entry[0], along_b = 0;
    if (is_plane) {
      const double det = a.entry[0] * b.entry[1] - a.entry[1] * b.entry[0];
      along_a = (x * b.entry[1] - y * b.entry[0]) / det;
      along_b = (y * a.entry[0] - x * a.entry[1]) / det;
    }
    if (along_a < 0 || along_b < 0) continue;
    placed = k;
    z[polygon.first + k] = along_a;
    if (along_b > 0) z[next] = along_b;
  }
  z[polygon.sigma] = sigma;

  // Which of them are basic. What slides, or is open, has its slip and the corner against it, even
  // where the impulse there is zero; what sticks has the corners about its impulse.
  const double limit = polygon.mu * z[polygon.normal];
  const bool slides = z.segment(polygon.first, polygon.count).sum() >= (1 - kAtEdge) * limit;
  if (slides) {
    set_[polygon.sigma] = kAboveLower;
    set_[polygon.first + against] = kAboveLower;
  } else {
    const int first = std::max(placed, 0);
    set_[polygon.first + first] = kAboveLower;
    if (is_plane) set_[polygon.first + (first + 1) % polygon.count] = kAboveLower;
  }
}

// What rounding leaves outside of a cone goes back to it.
void ContactAsLcp::PutIntoCones(Eigen::Ref<VecX> z) const {
  for (const Polygon& polygon : polygons_) {
    auto beta = z.segment(polygon.first, polygon.count);
    beta = beta.cwiseMax(0);
    const double limit = polygon.mu * z[polygon.normal], sum = beta.sum();
    if (sum > limit) beta *= limit / sum;
  }
}

void ContactAsLcp::GetImpulses(Eigen::Ref<VecX> z, VecX* gamma) const {
  z = z.cwiseMax(lower_.get()).cwiseMin(upper_.get());
  PutIntoCones(z);
  gamma->setZero();
  for (size_t j = 0; j < columns_.size(); ++j) {
    const Column& column = columns_[j];
    if (column.row < 0) continue;
    for (int r = 0; r < column.count; ++r) (*gamma)[column.row + r] += column.entry[r] * z[j];
  }
}

}  // namespace voigt
