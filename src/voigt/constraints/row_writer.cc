#include "voigt/constraints/row_writer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "voigt/base/check.h"
#include "voigt/math/number_pair.h"

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
  Flush();
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
  body_A_ = body_A;
  body_B_ = body_B;
  const Tree& tree = model_.tree();
  AppendColumns(tree, body_A, body_B, &problem_.cols);
  group.col_count = static_cast<int>(problem_.cols.size()) - group.first_col;
  VOIGT_DCHECK(std::is_sorted(problem_.cols.begin() + group.first_col, problem_.cols.end()));

  // Which columns move B, and which A.
  const int columns_of_B = PathTo(tree, body_B).size - CommonSize(tree, body_A, body_B);
  const bool A_first = tree.last_dof[body_A] < tree.last_dof[body_B];
  first_of_B_ = A_first ? group.col_count - columns_of_B : 0;
  end_of_B_ = first_of_B_ + columns_of_B;
  return group;
}

RowGroup& RowWriter::BeginOnRates(Law law, std::span<const int> dofs) {
  VOIGT_DCHECK(std::is_sorted(dofs.begin(), dofs.end()));
  RowGroup& group = Begin(law);
  problem_.cols.insert(problem_.cols.end(), dofs.begin(), dofs.end());
  group.col_count = static_cast<int>(dofs.size());
  return group;
}

// What is zero but for rounding becomes zero. Loops in a plane have rows that nothing moves; as
// long as the plane is that of two axes, their entries vanish, but in any other they are rounding
// errors, and a rigid row of them would ask for velocities without bound to close a gap of 1e-17 m.
constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();

namespace {

// Numbers of several rows side by side, which the compiler keeps in registers.
using TwoLanes = NumberPair;
using FourLanes = double __attribute__((vector_size(32)));

template <typename Lanes>
Lanes Load(const double* from) {
  Lanes out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

// What is larger than the noise, and zero for the rest. Pairs are what compilers compare at once.
TwoLanes DropNoise(TwoLanes rate, TwoLanes noise) {
  return (rate > noise) | (-rate > noise) ? rate : TwoLanes{};
}
FourLanes DropNoise(FourLanes rate, FourLanes noise) {
  const TwoLanes low = DropNoise(__builtin_shufflevector(rate, rate, 0, 1),
                                 __builtin_shufflevector(noise, noise, 0, 1));
  const TwoLanes high = DropNoise(__builtin_shufflevector(rate, rate, 2, 3),
                                  __builtin_shufflevector(noise, noise, 2, 3));
  return __builtin_shufflevector(low, high, 0, 1, 2, 3);
}

// |x|, as that of a pair.
using voigt::Size;
FourLanes Size(FourLanes x) {
  using Bits = std::int64_t __attribute__((vector_size(32)));
  return reinterpret_cast<FourLanes>(reinterpret_cast<Bits>(x) & INT64_MAX);
}

// Wrenches carried to the origin of a link: torque and force, and what of either is rounding.
// Positions are known to the rounding of their distance from the world's origin.
template <typename Lanes>
struct WrenchesAtLink {
  Lanes F[6];
  Lanes torque_noise, force_noise;

  template <typename Wrenches>
  WrenchesAtLink(const Wrenches& at, const Vec3& origin, double sign) {
    Lanes p[3], f[3], p_size{}, force_size{}, torque_size{};
    for (int i = 0; i < 3; ++i) {
      const Lanes p_W = Load<Lanes>(at.p[i]);
      p[i] = p_W - origin[i];
      f[i] = Load<Lanes>(at.force[i]);
      F[i] = Load<Lanes>(at.torque[i]);
      p_size += Size(p_W);
      force_size += Size(f[i]);
      torque_size += Size(F[i]);
    }
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      F[i] = sign * (F[i] + (p[j] * f[k] - p[k] * f[j]));
      F[3 + i] = sign * f[i];
    }
    torque_noise = kRounding * (torque_size + force_size * (p_size + origin.lpNorm<1>()));
    force_noise = kRounding * force_size;
  }

  // The rates of the wrenches' own motions for a motion S of the link.
  Lanes CalcRates(const Vec6& S) const {
    Lanes rate = S[0] * F[0];
    for (int i = 1; i < 6; ++i) rate += S[i] * F[i];
    const double turn = S.head<3>().lpNorm<1>(), shift = S.tail<3>().lpNorm<1>();
    return DropNoise(rate, turn * torque_noise + shift * force_noise);
  }
  // The same for a unit vector about which the link turns, or along which it moves. The sizes of
  // its parts add up to √3 at most.
  Lanes CalcTurningRates(const Vec3& axis) const {
    const Lanes rate = axis[0] * F[0] + axis[1] * F[1] + axis[2] * F[2];
    return DropNoise(rate, kLongest * torque_noise);
  }
  Lanes CalcMovingRates(const Vec3& axis) const {
    const Lanes rate = axis[0] * F[3] + axis[1] * F[4] + axis[2] * F[5];
    return DropNoise(rate, kLongest * force_noise);
  }
  static constexpr double kLongest = 1.7320508075688772;
};

}  // namespace

// All columns of a link follow one another. `count` rows are written, of as many lanes or more.
template <typename Lanes, int count>
void RowWriter::WriteEntries(const RowGroup& group, double* G) {
  const int* const body_of = model_.tree().dof_body.data();
  const int nc = group.col_count;
  const int* const cols = problem_.cols.data() + group.first_col;
  for (int c = 0; c < nc;) {
    const int body = body_of[cols[c]];
    const WrenchesAtLink<Lanes> at(waiting_, kin_.X_WL[body].p, SignOf(c));
    const auto write = [&](int column, Lanes rates) {
#pragma GCC unroll 4
      for (int l = 0; l < count; ++l) G[l * nc + column] = rates[l];
    };
    if (model_.tree().is_free_body[body]) {
      for (int k = 0; k < 3; ++k, ++c) write(c, at.CalcMovingRates(kin_.S[cols[c]].tail<3>()));
      for (int k = 0; k < 3; ++k, ++c) write(c, at.CalcTurningRates(kin_.S[cols[c]].head<3>()));
      continue;
    }
    for (; c < nc && body_of[cols[c]] == body; ++c) write(c, at.CalcRates(kin_.S[cols[c]]));
  }
}

// A force f moves along axis a by a · f, and turns about it by a · (p × f) = p · (f × a).
RowWriter::ForceOnFreeBody::ForceOnFreeBody(const Kinematics& kin, int body, const int* cols,
                                            const Vec3& force, double sign)
    : origin_(kin.X_WL[body].p), origin_size_(origin_.lpNorm<1>()) {
  const double size = force.lpNorm<1>();
  noise_ = WrenchesAtLink<TwoLanes>::kLongest * kRounding * size;
  for (int k = 0; k < 3; ++k) {
    const double rate = sign * kin.S[cols[k]].tail<3>().dot(force);
    moving_[k] = std::fabs(rate) > noise_ ? rate : 0;
    turning_[k] = sign * force.cross(kin.S[cols[3 + k]].head<3>());
  }
}

int RowWriter::ListForces(const Vec3& force, std::optional<ForceOnFreeBody> out[2]) const {
  const RowGroup& group = problem_.groups.back();
  if (group.col_count != 6 && group.col_count != 12) return 0;
  const int* const cols = problem_.cols.data() + group.first_col;
  const int bodies = group.col_count / 6;
  for (int b = 0; b < bodies; ++b) {
    const int body = model_.tree().dof_body[cols[6 * b]];
    if (!model_.tree().is_free_body[body]) return 0;
    out[b].emplace(kin_, body, cols + 6 * b, force, SignOf(6 * b));
  }
  return bodies;
}

void RowWriter::Flush() {
  if (waiting_count_ == 0) return;
  const RowGroup& group = problem_.groups.back();
  const size_t start = problem_.G.size();
  problem_.G.resize(start + waiting_count_ * group.col_count);
  double* const G = problem_.G.data() + start;
  switch (waiting_count_) {
    case 1:
      WriteEntries<TwoLanes, 1>(group, G);
      break;
    case 2:
      WriteEntries<TwoLanes, 2>(group, G);
      break;
    case 3:
      WriteEntries<FourLanes, 3>(group, G);
      break;
    default:
      WriteEntries<FourLanes, kLanes>(group, G);
  }
  waiting_count_ = 0;
}

Row* RowWriter::AddRates(double phi, std::span<const double> coefficients) {
  VOIGT_DCHECK(static_cast<int>(coefficients.size()) == problem_.groups.back().col_count);
  Flush();
  problem_.G.insert(problem_.G.end(), coefficients.begin(), coefficients.end());
  return AddRow(phi);
}

Row* RowWriter::AddZeroRow(double phi) {
  Flush();
  problem_.G.resize(problem_.G.size() + problem_.groups.back().col_count, 0.0);
  return AddRow(phi);
}

void RowWriter::AddRateToRow(int dof, double coefficient) {
  Flush();
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
  Wrenches wrench;
  wrench.Set(0, p, torque, force);
  const auto add = [&](int body, double sign) {
    const DofPath path = PathTo(tree, body);
    for (int i = common; i < path.size; ++i) {
      const int dof = path.dofs[i];
      const WrenchesAtLink<TwoLanes> at(wrench, kin_.X_WL[tree.dof_body[dof]].p, sign);
      AddRateToRow(dof, at.CalcRates(kin_.S[dof])[0]);
    }
  };
  add(body_B, 1);
  add(body_A, -1);
  if (wrenches_ != nullptr) {
    wrenches_->push_back({constraint_, problem_.row_count() - 1, body_A, body_B, p, torque, force});
  }
}

double RowWriter::CalcRate(const VecX& v) {
  Flush();
  const RowGroup& group = problem_.groups.back();
  const auto cols = problem_.cols_of(group);
  const double* const entries = problem_.G.data() + problem_.G.size() - group.col_count;
  double rate = 0;
  for (int k = 0; k < group.col_count; ++k) rate += entries[k] * v[cols[k]];
  return rate;
}

}  // namespace voigt
