#include "voigt/constraints/row_writer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "voigt/base/check.h"

namespace voigt {

namespace {

// The path of degrees of freedom from the world to a body.
struct DofPath {
  const int* dofs = nullptr;
  int size = 0;
};

DofPath PathTo(const Tree& tree, int body) {
  const int last = tree.last_dof[body];
  if (last < 0) return {};
  return {tree.pattern.path(last), tree.pattern.depth(last) + 1};
}

int CommonSize(const Tree& tree, int body_A, int body_B) {
  const int last_A = tree.last_dof[body_A], last_B = tree.last_dof[body_B];
  return last_A < 0 || last_B < 0 ? 0 : tree.pattern.CommonPathLength(last_A, last_B);
}

}  // namespace

void AppendColumns(const Tree& tree, int body_A, int body_B, std::vector<int>* cols) {
  // Both paths without their common start. Subtrees are contiguous: beyond the common part, one
  // path comes before the other.
  const int common = CommonSize(tree, body_A, body_B);
  const auto append = [&](int body) {
    const DofPath path = PathTo(tree, body);
    if (path.size > common) cols->insert(cols->end(), path.dofs + common, path.dofs + path.size);
  };
  const bool A_first = tree.last_dof[body_A] < tree.last_dof[body_B];
  append(A_first ? body_A : body_B);
  append(A_first ? body_B : body_A);
}

RowGroup& RowWriter::Begin(Law law) {
  RowGroup& group = problem_.groups.emplace_back();
  group.law = law;
  group.first_row = problem_.row_count();
  group.first_col = static_cast<int>(problem_.cols.size());
  group.first_entry = static_cast<int>(problem_.G.size());
  group.constraint = constraint_;
  group.id = (static_cast<std::uint64_t>(constraint_ + 1) << 32) | group_in_constraint_++;
  return group;
}

RowGroup& RowWriter::BeginOnBodies(Law law, int body_A, int body_B) {
  RowGroup& group = Begin(law);
  const Tree& tree = model_.tree();
  AppendColumns(tree, body_A, body_B, &problem_.cols);
  group.col_count = static_cast<int>(problem_.cols.size()) - group.first_col;
  VOIGT_DCHECK(std::is_sorted(problem_.cols.begin() + group.first_col, problem_.cols.end()));

  // Which columns move B, and which A.
  const int columns_of_B = PathTo(tree, body_B).size - CommonSize(tree, body_A, body_B);
  const bool A_first = tree.last_dof[body_A] < tree.last_dof[body_B];
  first_of_B_ = A_first ? group.col_count - columns_of_B : 0;
  end_of_B_ = first_of_B_ + columns_of_B;
  CacheColumns(group);
  return group;
}

RowGroup& RowWriter::BeginOnRates(Law law, std::span<const int> dofs) {
  VOIGT_DCHECK(std::is_sorted(dofs.begin(), dofs.end()));
  RowGroup& group = Begin(law);
  problem_.cols.insert(problem_.cols.end(), dofs.begin(), dofs.end());
  group.col_count = static_cast<int>(dofs.size());
  return group;
}

Row* RowWriter::AddRow(double phi) {
  ++problem_.groups.back().row_count;
  Row& row = problem_.rows.emplace_back();
  row.phi = phi;
  return &row;
}

// Columns of a link, one after another.
void RowWriter::CacheColumns(const RowGroup& group) {
  const Tree& tree = model_.tree();
  const int cached = std::min(group.col_count, kCachedColumns);
  link_count_ = 0;
  for (int c = 0; c < cached; ++c) {
    const int dof = problem_.cols[group.first_col + c], body = tree.dof_body[dof];
    if (link_count_ == 0 || links_[link_count_ - 1].body != body) links_[link_count_++] = {body, c};
    const Vec6& S = kin_.S[dof];
    const double sign = SignOf(c);
    for (int i = 0; i < 6; ++i) S_[i][c] = sign * S[i];
    turn_[c] = S.head<3>().lpNorm<1>();
    shift_[c] = S.tail<3>().lpNorm<1>();
  }
  links_[link_count_] = {-1, cached};
}

// What is zero but for rounding becomes zero. Loops in a plane have rows that nothing moves; as
// long as the plane is that of two axes, their entries vanish, but in any other they are rounding
// errors, and a rigid row of them would ask for velocities without bound to close a gap of 1e-17 m.
constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();

inline RowWriter::Wrench::Wrench(const Vec3& point, const Vec3& torque_, const Vec3& force_)
    : p(point),
      torque(torque_),
      force(force_),
      p_size(p.lpNorm<1>()),
      torque_size(torque.lpNorm<1>()),
      force_size(force.lpNorm<1>()) {}

// Carried to the origin of a link. Positions are known to the rounding of their distance from the
// world's origin.
inline RowWriter::WrenchAtLink RowWriter::Wrench::At(const Vec3& origin) const {
  const Vec3 torque_at_link = torque + (p - origin).cross(force);
  return {{torque_at_link[0], torque_at_link[1], torque_at_link[2], force[0], force[1], force[2]},
          kRounding * (torque_size + force_size * (p_size + origin.lpNorm<1>())),
          kRounding * force_size};
}

double RowWriter::CalcEntry(const Wrench& wrench, int dof) const {
  const WrenchAtLink at = wrench.At(kin_.X_WL[model_.tree().dof_body[dof]].p);
  const Vec6& S = kin_.S[dof];
  double rate = 0;
  for (int i = 0; i < 6; ++i) rate += S[i] * at.F[i];
  const double noise =
      S.head<3>().lpNorm<1>() * at.torque_noise + S.tail<3>().lpNorm<1>() * at.force_noise;
  return std::abs(rate) > noise ? rate : 0.0;
}

// The same for cached columns first … first + count − 1, which belong to one link.
template <int fixed>
void RowWriter::CalcEntries(const WrenchAtLink& at, int first, int count_, double* G) const {
  const int count = fixed > 0 ? fixed : count_;
  double rate[fixed > 0 ? fixed : kCachedColumns];
  for (int c = 0; c < count; ++c) rate[c] = S_[0][first + c] * at.F[0];
  for (int i = 1; i < 6; ++i) {
    for (int c = 0; c < count; ++c) rate[c] += S_[i][first + c] * at.F[i];
  }
  for (int c = 0; c < count; ++c) {
    const double noise = turn_[first + c] * at.torque_noise + shift_[first + c] * at.force_noise;
    G[first + c] = std::abs(rate[c]) > noise ? rate[c] : 0.0;
  }
}

Row* RowWriter::AddWrench(double phi, const Vec3& p, const Vec3& torque, const Vec3& force) {
  const RowGroup& group = problem_.groups.back();
  const size_t start = problem_.G.size();
  problem_.G.resize(start + group.col_count);
  double* const G = problem_.G.data() + start;
  const Wrench wrench(p, torque, force);
  for (int link = 0; link < link_count_; ++link) {
    const WrenchAtLink at = wrench.At(kin_.X_WL[links_[link].body].p);
    const int first = links_[link].first, count = links_[link + 1].first - first;
    count == 6 ? CalcEntries<6>(at, first, 6, G) : CalcEntries<0>(at, first, count, G);
  }
  for (int c = kCachedColumns; c < group.col_count; ++c) {
    G[c] = SignOf(c) * CalcEntry(wrench, problem_.cols[group.first_col + c]);
  }
  return AddRow(phi);
}

Row* RowWriter::AddRates(double phi, std::span<const double> coefficients) {
  VOIGT_DCHECK(static_cast<int>(coefficients.size()) == problem_.groups.back().col_count);
  problem_.G.insert(problem_.G.end(), coefficients.begin(), coefficients.end());
  return AddRow(phi);
}

Row* RowWriter::AddZeroRow(double phi) {
  problem_.G.resize(problem_.G.size() + problem_.groups.back().col_count, 0.0);
  return AddRow(phi);
}

void RowWriter::AddRateToRow(int dof, double coefficient) {
  const RowGroup& group = problem_.groups.back();
  const auto cols = problem_.cols_of(group);
  const auto col = std::lower_bound(cols.begin(), cols.end(), dof);
  VOIGT_DCHECK(col != cols.end() && *col == dof);
  problem_.G[problem_.G.size() - group.col_count + (col - cols.begin())] += coefficient;
}

void RowWriter::AddWrenchToRow(int body_A, int body_B, const Vec3& p, const Vec3& torque,
                               const Vec3& force) {
  const Tree& tree = model_.tree();
  const int common = CommonSize(tree, body_A, body_B);
  const Wrench wrench(p, torque, force);
  const auto add = [&](int body, double sign) {
    const DofPath path = PathTo(tree, body);
    for (int i = common; i < path.size; ++i) {
      AddRateToRow(path.dofs[i], sign * CalcEntry(wrench, path.dofs[i]));
    }
  };
  add(body_B, 1);
  add(body_A, -1);
}

double RowWriter::CalcRate(const VecX& v) const {
  const RowGroup& group = problem_.groups.back();
  const auto cols = problem_.cols_of(group);
  const double* const entries = problem_.G.data() + problem_.G.size() - group.col_count;
  double rate = 0;
  for (int k = 0; k < group.col_count; ++k) rate += entries[k] * v[cols[k]];
  return rate;
}

}  // namespace voigt
