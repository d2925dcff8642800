// Contact by maximum dissipation on random problems: both representations of the paper, and its
// five properties.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>
#include <vector>

#include "tests/formulations/dissipate.h"
#include "tests/support/dense_problem.h"
#include "tests/support/random_problem.h"
#include "tests/support/samples.h"
#include "voigt/audit/audit.h"
#include "voigt/kernels/boxed_pivoting.h"
#include "voigt/kernels/cone_qp.h"

namespace voigt {
namespace {

using testing::AddGroup;
using testing::AuditOf;
using testing::Dissipate;
using testing::MakeProblem;
using testing::MakeRandomProblem;
using testing::RandomMatrix;
using testing::RandomProblem;
using testing::RandomProblemOptions;

// A mechanism of two joint rows and three contacts, as the matrices of the paper.
struct PaperMatrices {
  MatX M, G, J;  // G: rows n, s, t of every contact
  VecX v_star;
  double mu = 0.5;

  static constexpr int kContacts = 3;
  int nv() const { return static_cast<int>(v_star.size()); }

  // Some velocity leaves the joints closed and parts all contacts, so that problems have solutions.
  explicit PaperMatrices(std::mt19937* random) {
    const int size = 9;
    M = testing::RandomDenseMass(size, random);
    G = RandomMatrix(3 * kContacts, size, random);
    J = RandomMatrix(2, size, random);
    v_star = RandomMatrix(size, 1, random);
  }

  OwnedProblem MakeOwned() const {
    OwnedProblem out = MakeProblem(M, v_star, 0.01);
    AddGroup(Law::kBilateral, J, &out);
    for (int c = 0; c < kContacts; ++c) {
      AddGroup(Law::kContact, G.middleRows(3 * c, 3), &out).mu = mu;
    }
    return out;
  }

  // C of eq. 5, which projects onto motions that the joints allow.
  MatX CalcC() const {
    const MatX M_inverse = M.inverse();
    return M_inverse -
           M_inverse * J.transpose() * (J * M_inverse * J.transpose()).inverse() * J * M_inverse;
  }
};

// QP 3, and its sum.
double CalcKappa(const MatX& A, const VecX& b) {
  const int count = static_cast<int>(b.size()) / 3;
  const auto normals = Eigen::seqN(0, count, 3);
  const MatX A_n = A(normals, normals);
  const VecX b_n = b(normals), lower = VecX::Zero(count), upper = VecX::Constant(count, kInfinity);
  VecX x = VecX::Zero(count);
  BoxedPivotingStats stats;
  EXPECT_EQ(BoxedPivoting().Solve({A_n, b_n, lower, upper}, {}, x, &stats).status,
            ComplementarityStatus::kSolved);
  return x.sum();
}

// The rows of C and d: N v ≥ 0 for v = V x + w, Σ x_n ≤ κ and the cones, of impulses that begin at
// variable `first`.
struct ConeRows {
  MatX C;
  VecX d;
  std::vector<int> cones;

  ConeRows(const MatX& N_of_x, const VecX& N_of_zero, double kappa, double mu, int first) {
    const int count = static_cast<int>(N_of_zero.size()), rows = 4 * count + 1;
    C.setZero(rows, N_of_x.cols());
    d.setZero(rows);
    C.topRows(count) = N_of_x;
    d.head(count) = N_of_zero;
    d[count] = kappa;
    cones.assign(count + 1, 1);
    for (int c = 0; c < count; ++c) {
      const int row = count + 1 + 3 * c, x = first + 3 * c;
      C(count, x) = -1;
      C(row, x) = mu;
      C(row + 1, x + 1) = C(row + 2, x + 2) = 1;
      cones.push_back(3);
    }
  }
};

TEST(MaxDissipation, IsTheSameInBothRepresentationsOfThePaper) {
  std::mt19937 random(11);
  const auto normals = Eigen::seqN(0, PaperMatrices::kContacts, 3);
  int sliding = 0, compared = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const PaperMatrices paper(&random);
    const int nv = paper.nv(), nc = 3 * PaperMatrices::kContacts;
    const OwnedProblem owned = paper.MakeOwned();
    const Solution ours = Dissipate(owned.problem);
    EXPECT_EQ(ours.status, SolveStatus::kSolved) << trial;

    // A, b⁻ of eqs. 4 and 5, with the projection that eq. 4 lacks.
    const MatX C = paper.CalcC(), A = paper.G * C * paper.G.transpose();
    const VecX b = paper.G * C * paper.M * paper.v_star;
    const double kappa = CalcKappa(A, b);
    if (kappa == 0) continue;  // no impulse: the cones would have no inside
    ++compared;
    const ConeRows impulse_rows(A(normals, Eigen::all), b(normals), kappa, paper.mu, 0);
    const MatX no_rows(0, nc);
    const VecX nothing(0);
    ConeQpPoint x;
    ConeQpStats stats;
    EXPECT_LE(
        ConeQp()
            .Solve({A, b, impulse_rows.C, impulse_rows.d, impulse_rows.cones, no_rows, nothing}, {},
                   &x, &stats)
            .residual,
        1e-12);
    const VecX v_impulse = C * (paper.M * paper.v_star + paper.G.transpose() * x.x);

    // QP 2: v and impulses as variables, with the equations of motion and of joints.
    const int size = nv + nc + 2;
    MatX H = MatX::Zero(size, size), E = MatX::Zero(nv + 2, size), N = MatX::Zero(3, size);
    H.topLeftCorner(nv, nv) = paper.M;
    E.topRows(nv) << paper.M, -paper.G.transpose(), -paper.J.transpose();
    E.bottomLeftCorner(2, nv) = paper.J;
    VecX e = VecX::Zero(nv + 2), g = VecX::Zero(size);
    e.head(nv) = -paper.M * paper.v_star;
    N.leftCols(nv) = paper.G(normals, Eigen::all);
    const ConeRows general_rows(N, VecX::Zero(3), kappa, paper.mu, nv);
    ConeQpPoint y;
    EXPECT_LE(
        ConeQp()
            .Solve({H, g, general_rows.C, general_rows.d, general_rows.cones, E, e}, {}, &y, &stats)
            .residual,
        1e-12);
    EXPECT_NEAR((y.x.head(nv) - v_impulse).norm(), 0, 1e-10) << trial;
    EXPECT_NEAR((ours.v1 - v_impulse).norm(), 0, 1e-10) << trial;
    sliding += ours.dissipation.price[0] > 1e-6;
  }
  EXPECT_GT(compared, 40);
  EXPECT_GT(sliding, 10);  // the sum is felt in some of them
}

// No energy, no penetration, no pull, no larger cone, and no impulses that dissipate more: the
// audit judges all of them, and the first four once more here.
void ExpectFiveProperties(const VelocityProblem& problem, const Solution& solution, int seed) {
  const Audit audit = AuditOf(problem, solution);
  for (const AuditItem& item : ListItems(audit)) {
    if (item.name == "law" || item.name == "max_dissipation") continue;
    EXPECT_TRUE(item.passes()) << seed << ' ' << item.name << ' ' << item.value;
  }
  EXPECT_LE(audit.law, 1e-10) << seed;
  EXPECT_LE(audit.max_dissipation, 1e-8) << seed;
  LawResidual law;
  law.Calc(problem, solution.gamma, RuleOf(solution));
  double sum = 0, sum_without = 0;
  for (const RowGroup& group : problem.groups) {
    if (group.law != Law::kContact) continue;
    const auto gamma = solution.gamma.segment(group.first_row, group.row_count);
    EXPECT_GE(gamma[0], 0);
    EXPECT_GE(law.u()[group.first_row], -1e-9 * law.scale()) << seed;
    for (const Disc& disc : group.discs()) {
      EXPECT_LE(gamma.segment(disc.first, disc.count).norm(), disc.mu * gamma[0] * (1 + 1e-12));
    }
    sum += gamma[0];
    sum_without += solution.dissipation.frictionless[group.first_row];
  }
  EXPECT_LE(sum, sum_without * (1 + 1e-9) + 1e-12) << seed;
}

TEST(MaxDissipation, KeepsItsFivePromises) {
  RandomProblemOptions options;
  int unsolved = 0, felt = 0;
  const int count = testing::SampleCount(300);
  for (int seed = 0; seed < count; ++seed) {
    // Only contacts, all rigid: what the paper has.
    options.max_others = 0;
    options.turning_friction = seed % 2 == 0;
    RandomProblem random = MakeRandomProblem(seed, options);
    for (Row& row : random.owned.problem.rows) row.R = row.c = row.v_hat = row.phi = 0;
    const Solution solution = Dissipate(random.problem());
    if (solution.status != SolveStatus::kSolved) {
      ++unsolved;
      continue;
    }
    ExpectFiveProperties(random.problem(), solution, seed);
    for (double price : solution.dissipation.price) felt += price > 1e-9;
  }
  EXPECT_EQ(unsolved, 0);
  EXPECT_GT(felt, count / 20);
}

TEST(MaxDissipation, SolvesRandomProblemsOfAllRows) {
  RandomProblemOptions options;
  options.max_stiffness = 1e9;
  int unsolved = 0, failed = 0;
  const int count = testing::SampleCount(300);
  for (int seed = 0; seed < count; ++seed) {
    const RandomProblem random = MakeRandomProblem(seed, options);
    const Solution solution = Dissipate(random.problem());
    EXPECT_TRUE(solution.v1.allFinite()) << seed;
    if (solution.status != SolveStatus::kSolved) {
      ++unsolved;
      continue;
    }
    const Audit audit = AuditOf(random.problem(), solution);
    failed += !(audit.energy <= 1e-12 && audit.normal <= 0 && audit.cone <= 1e-12);
  }
  EXPECT_LE(unsolved, count / 50);
  EXPECT_EQ(failed, 0);
}

}  // namespace
}  // namespace voigt
