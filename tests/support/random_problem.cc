#include "tests/support/random_problem.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "tests/support/random_model.h"

namespace voigt::testing {
namespace {

constexpr double kRecoverySpeed = 1e6;  // never a limit here

int Index(Random* random, int count) { return static_cast<int>((*random)() % count); }
bool Chance(Random* random, double chance) { return Uniform(random, 0, 1) < chance; }

template <class T>
T Choose(Random* random, std::initializer_list<T> list) {
  return *(list.begin() + Index(random, static_cast<int>(list.size())));
}

class Maker {
 public:
  Maker(int seed, const RandomProblemOptions& options) : options_(options), random_(seed) {
    for (int i = 0; i < 8; ++i) random_();
    problem_.h = std::pow(10, Uniform(&random_, -4, -1));
  }

  RandomProblem Make() {
    const bool tree =
        options_.allow_trees && !options_.only_contacts_between_bodies && Chance(&random_, 0.5);
    tree ? MakeTree() : MakeBodies();
    const int nv = out_.owned.pattern.size();
    feasible_.resize(nv);
    problem_.v_star.resize(nv);
    out_.v0.resize(nv);
    for (double& value : feasible_) value = Uniform(&random_, -1, 1);
    for (double& value : problem_.v_star) value = Uniform(&random_, -1, 1);
    for (int k = 0; k < nv; ++k) {
      out_.v0[k] = problem_.v_star[k] + 10 * problem_.h * Uniform(&random_, -1, 1);
    }

    const int contacts = 1 + Index(&random_, options_.max_contacts);
    for (int i = 0; i < contacts; ++i) AddContact();
    const int others = options_.only_contacts_between_bodies ? 0 : options_.max_others + 1;
    for (int i = others > 0 ? Index(&random_, others) : 0; i > 0; --i) AddOther();
    out_.owned.problem = problem_;
    out_.owned.Attach();
    return std::move(out_);
  }

 private:
  void MakeBodies() {
    const int count =
        options_.only_contacts_between_bodies ? 2 + Index(&random_, 2) : 1 + Index(&random_, 3);
    std::vector<int> parent;
    for (int b = 0; b < count; ++b) {
      for (int k = 0; k < 6; ++k) parent.push_back(k == 0 ? -1 : 6 * b + k - 1);
    }
    out_.owned.pattern = TreePattern(parent);
    out_.owned.M.setZero(out_.owned.pattern.nonzeros());
    for (int b = 0; b < count; ++b) {
      const double mass = std::pow(10, Uniform(&random_, -1, 1));
      const Mat3 R = RandomRotation(&random_);
      const Vec3 moments =
          Vec3{Uniform(&random_, 0.5, 1), Uniform(&random_, 0.5, 1), Uniform(&random_, 0.3, 0.5)} *
          (0.1 * mass);
      const Mat3 inertia = R * moments.asDiagonal() * R.transpose();
      for (int k = 0; k < 6; ++k) {
        for (int i = 0; i <= k; ++i) {
          out_.owned.M[out_.owned.pattern.row_start(6 * b + k) + i] =
              k < 3 ? inertia(k, i) : (k == i ? mass : 0);
        }
      }
      out_.centres.push_back(RandomVector(&random_));
    }
  }

  // Σ xxᵀ over vectors x that live on paths: positive definite with the pattern of the forest.
  void MakeTree() {
    const int nv = 2 + Index(&random_, 18);
    std::vector<int> parent;
    for (int k = 0; k < nv; ++k) {
      int up = k - 1;
      while (up >= 0 && Chance(&random_, 0.3)) up = parent[up];
      parent.push_back(up);
    }
    TreePattern& pattern = out_.owned.pattern;
    pattern = TreePattern(parent);
    out_.owned.M.setZero(pattern.nonzeros());
    for (int k = 0; k < nv; ++k) {
      for (int repeat = 0; repeat < 3; ++repeat) {
        const VecX x = VecX::NullaryExpr(nv, [&] { return Uniform(&random_, -1, 1); });
        for (int d = 0; d <= pattern.depth(k); ++d) {
          for (int e = 0; e <= d; ++e) {
            const int i = pattern.path(k)[d];
            out_.owned.M[pattern.row_start(i) + e] += x[i] * x[pattern.path(k)[e]];
          }
        }
      }
      out_.owned.M[pattern.row_start(k) + pattern.depth(k)] += 0.2;
    }
  }

  RowGroup& Begin(Law law) {
    RowGroup group;
    group.law = law;
    group.first_row = problem_.row_count();
    group.first_col = static_cast<int>(problem_.cols.size());
    group.first_entry = static_cast<int>(problem_.G.size());
    group.id = problem_.groups.size();
    problem_.groups.push_back(group);
    return problem_.groups.back();
  }

  // Rows along the columns of D at a point of two bodies or, in a tree, along random directions of
  // the paths to one or two nodes.
  void AddRows(int count) {
    RowGroup& group = problem_.groups.back();
    group.row_count = count;
    if (out_.centres.empty()) {
      AddColumnsOfTree();
      group.col_count = static_cast<int>(problem_.cols.size()) - group.first_col;
      for (int i = 0; i < count * group.col_count; ++i) {
        problem_.G.push_back(Uniform(&random_, -1, 1));
      }
    } else {
      AddRowsOnBodies(count);
    }
    problem_.rows.resize(problem_.rows.size() + count);
  }

  void AddColumnsOfTree() {
    const TreePattern& pattern = out_.owned.pattern;
    std::vector<int> cols;
    for (int end = 1 + Index(&random_, 2); end > 0; --end) {
      for (int k = Index(&random_, pattern.size()); k >= 0; k = pattern.parent(k)) {
        cols.push_back(k);
      }
    }
    std::sort(cols.begin(), cols.end());
    cols.erase(std::unique(cols.begin(), cols.end()), cols.end());
    problem_.cols.insert(problem_.cols.end(), cols.begin(), cols.end());
  }

  void AddRowsOnBodies(int count) {
    RowGroup& group = problem_.groups.back();
    const int bodies = static_cast<int>(out_.centres.size());
    const int B = Index(&random_, bodies);
    int A = Index(&random_, bodies + 1) - 1;  // −1: the world
    if (A == B) A = -1;
    if (options_.only_contacts_between_bodies && A < 0) A = (B + 1) % bodies;
    const Mat3 D = RandomRotation(&random_);
    const Vec3 p = out_.centres[B] + 0.5 * RandomVector(&random_);
    std::vector<std::pair<int, double>> sides = {{B, 1.0}};
    if (A >= 0) sides.push_back({A, -1.0});
    std::sort(sides.begin(), sides.end());
    for (const auto& [body, sign] : sides) {
      for (int k = 0; k < 6; ++k) problem_.cols.push_back(6 * body + k);
    }
    group.col_count = 6 * static_cast<int>(sides.size());
    for (int r = 0; r < count; ++r) {
      for (const auto& [body, sign] : sides) {
        // Behind the three directions the axes of the same: of all, or of the last.
        const int axis = r < 3 ? r : count == 4 ? 0 : r - count + 3;
        const Vec3 along = sign * D.col(axis), force = r < 3 ? along : Vec3::Zero();
        const Vec3 torque = r < 3 ? (p - out_.centres[body]).cross(force) : along;
        problem_.G.insert(problem_.G.end(), {torque.x(), torque.y(), torque.z()});
        problem_.G.insert(problem_.G.end(), {force.x(), force.y(), force.z()});
      }
    }
  }

  double FeasibleRate(const RowGroup& group, int r) const {
    double sum = 0;
    for (int k = 0; k < group.col_count; ++k) {
      sum += problem_.entries(group, r)[k] * feasible_[problem_.cols_of(group)[k]];
    }
    return sum;
  }

  Compliance RandomCompliance() {
    Compliance out;
    if (options_.allow_rigid && Chance(&random_, 0.25)) return out;
    out.stiffness = std::fmin(options_.max_stiffness, std::pow(10, Index(&random_, 16)));
    out.damping = Choose<double>(&random_, {0, 1, 1e6, 1e12});
    return out;
  }

  // A spring whose row is met by a rate of `rate`, less some slack; soft ones may ask for any
  // other.
  void SetRow(const Compliance& compliance, bool unilateral, double rate, double slack, Row* row) {
    row->phi = -problem_.h * (rate - slack);
    if (!compliance.is_rigid() && Chance(&random_, 0.5)) row->phi = Uniform(&random_, -1e-2, 1e-2);
    if (unilateral) {
      SetUnilateralSpring(compliance, problem_.h, kRecoverySpeed, row);
    } else {
      SetSpring(compliance, problem_.h, row);
    }
    const bool nearly_rigid = !compliance.is_rigid() && row->R < 1e-4;
    if (nearly_rigid && !options_.allow_contradictions) row->phi_t = row->v_hat - rate + slack;
  }

  void AddContact() {
    RowGroup& group = Begin(Law::kContact);
    int count = Chance(&random_, 0.8) ? 3 : 2;
    if (options_.turning_friction && count == 3) count += 1 + Index(&random_, 3);
    AddRows(count);
    if (group.has_torsion()) group.torsion = Choose(&random_, {0.0, 0.01, 0.1, 0.3});
    if (group.has_rolling()) group.rolling = Choose(&random_, {0.0, 0.01, 0.1, 0.3});
    const double mu = Choose(&random_, {0.0, 0.1, 0.5, 1.0});
    group.mu = std::fmin(mu, options_.max_mu);
    group.lagged_impulse = Uniform(&random_, 0, 1);
    Row* const rows = problem_.rows.data() + group.first_row;
    const double damping = Chance(&random_, 0.7) ? kInfinity : std::pow(10, Index(&random_, 7));
    double slack = 0;
    for (const Disc& disc : group.discs()) {
      double slip = 0;
      for (int r = disc.first; r < disc.first + disc.count; ++r) {
        const double target = Chance(&random_, 0.2) ? Uniform(&random_, -1, 1) : 0;
        SetVelocityRow(target, damping, problem_.h, &rows[r]);
        rows[r].angular = r >= 3;
        slip = std::hypot(slip, FeasibleRate(group, r) - target);
      }
      slack += disc.mu * slip;
    }
    const Compliance compliance = RandomCompliance();
    SetRow(compliance, true, FeasibleRate(group, 0), slack + Uniform(&random_, 0, 1), rows);
    if (options_.force_laws && Chance(&random_, 0.5)) {
      group.force_law.kind =
          Choose(&random_, {ForceLaw::Kind::kHertz, ForceLaw::Kind::kHuntCrossley});
      group.force_law.stiffness = std::pow(10, 3 + Index(&random_, 9));
      group.force_law.dissipation = Uniform(&random_, 0, 1);
      rows->phi = Uniform(&random_, -1e-2, 1e-2);
      rows->phi_t = 0;
      SetUnilateralSpring({}, problem_.h, kRecoverySpeed, rows);
    }
    if (options_.allow_redundant && Chance(&random_, 0.1)) Repeat();
  }

  void AddOther() {
    const Law law = Choose(&random_, {Law::kBilateral, Law::kUnilateral, Law::kBounded});
    RowGroup& group = Begin(law);
    AddRows(1 + Index(&random_, 3));
    for (int r = 0; r < group.row_count; ++r) {
      Row& row = problem_.rows[group.first_row + r];
      if (law == Law::kBounded) {
        const double target = Uniform(&random_, -1, 1);
        const double damping = Chance(&random_, 0.5) ? kInfinity : std::pow(10, Index(&random_, 7));
        SetVelocityRow(target, damping, problem_.h, &row);
        row.upper = Choose(&random_, {0.0, 0.1, 10.0, kInfinity});
        row.lower = Chance(&random_, 0.7) ? -row.upper : 0;
        // Without an end, the row is as rigid as a joint.
        if (row.upper == kInfinity) row.v_hat = FeasibleRate(group, r);
        continue;
      }
      const Compliance compliance = RandomCompliance();
      const double slack = law == Law::kUnilateral ? Uniform(&random_, 0, 1) : 0;
      SetRow(compliance, law == Law::kUnilateral, FeasibleRate(group, r), slack, &row);
    }
    if (options_.allow_redundant && Chance(&random_, 0.3)) Repeat();
  }

  // The last group once more.
  void Repeat() {
    RowGroup group = problem_.groups.back();
    const int first = group.first_row;
    group.first_row = problem_.row_count();
    group.id = problem_.groups.size();
    for (int r = 0; r < group.row_count; ++r) {
      problem_.rows.push_back(Row(problem_.rows[first + r]));
    }
    problem_.groups.push_back(group);
  }

  const RandomProblemOptions options_;
  Random random_;
  RandomProblem out_;
  VelocityProblem problem_;
  VecX feasible_;
};

}  // namespace

RandomProblem MakeRandomProblem(int seed, const RandomProblemOptions& options) {
  return Maker(seed, options).Make();
}

}  // namespace voigt::testing
