// The two representations of [Drumwright & Shell 2010, §2.2] on mechanisms: A and b⁻ read off the
// velocities that test impulses make, through the articulated bodies and without any Jacobian,
// beside the matrices M, N, S, T, J; and maximum dissipation in both.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "tests/support/dense_problem.h"
#include "tests/support/random_model.h"
#include "tests/support/samples.h"
#include "tests/support/solve_with.h"
#include "voigt/constraints/row_writer.h"
#include "voigt/dynamics/articulated_body.h"
#include "voigt/dynamics/configuration.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

constexpr int kTouches = 3;

// Force at p on body B along an axis, and its opposite on A: what a row stands for.
struct TestImpulse {
  int A = 0, B = 0;
  Vec3 p, axis;
};

Model MakeTreeOfSeveralBodies(testing::Random* random) {
  while (true) {
    Model model = testing::MakeRandomTree(random, {.max_dofs = 30, .floating_base = true});
    if (model.nb() > 3) return model;
  }
}

// A tree of random joints whose bodies touch at some points, and two of which are pinned together.
struct TouchedMechanism {
  Model model;
  VecX v;
  Configuration at;
  std::vector<TestImpulse> rows;  // of three contacts, n, s, t each; then of the pin
  OwnedProblem owned;

  explicit TouchedMechanism(testing::Random* random)
      : model(MakeTreeOfSeveralBodies(random)), at(model) {
    const State state = testing::MakeRandomState(model, random);
    v = state.v;
    EXPECT_TRUE(at.Update(model, state.q));
    at.SetRates(model, v);
    const auto body = [&] { return 1 + static_cast<int>((*random)() % (model.nb() - 1)); };
    for (int k = 0; k <= kTouches; ++k) {
      const int A = k < kTouches ? 0 : body();
      int B = body();
      while (B == A) B = body();
      const Vec3 p = at.kin().X_WL[B].p + testing::RandomVector(random, 0.3);
      const Mat3 frame = RotationWithZ(testing::RandomVector(random).normalized());
      for (int axis : {2, 0, 1}) rows.push_back({A, B, p, frame.col(axis)});
    }
    WriteProblem();
  }

  void WriteProblem() {
    owned.pattern = model.tree().pattern;
    owned.M = at.M();
    owned.problem.h = 0.01;
    owned.problem.v_star = v;
    owned.Attach();
    RowWriter writer(model, at.kin(), &owned.problem);
    for (int first = 0; first < static_cast<int>(rows.size()); first += 3) {
      const bool is_pin = first == 3 * kTouches;
      writer.BeginOnBodies(is_pin ? Law::kBilateral : Law::kContact, rows[first].A, rows[first].B)
          .mu = is_pin ? 0 : 0.4;
      for (int r = 0; r < 3; ++r) {
        writer.AddWrench(0, rows[first].p, Vec3::Zero(), rows[first + r].axis);
      }
    }
  }

  // The rate along a row for given rates of the joints, from the velocities of its two bodies.
  VecX Measure(const VecX& rates) {
    at.SetRates(model, rates);
    VecX out(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const TestImpulse& row = rows[i];
      const Vec6 V =
          CalcPointVelocity(at.kin(), row.B, row.p) - CalcPointVelocity(at.kin(), row.A, row.p);
      out[i] = row.axis.dot(V.tail<3>());
    }
    at.SetRates(model, v);
    return out;
  }

  // The change of rates by a unit impulse of row i, by forward dynamics with and without it.
  VecX Strike(int i, ArticulatedBody* articulated) {
    const TestImpulse& row = rows[i];
    std::vector<Vec6> F(model.nb(), Vec6::Zero());
    const auto push = [&](int body, const Vec3& force) {
      if (body == 0) return;
      F[body].head<3>() += (row.p - at.kin().X_WL[body].p).cross(force);
      F[body].tail<3>() += force;
    };
    push(row.B, row.axis);
    push(row.A, -row.axis);
    const VecX tau = VecX::Zero(model.nv());
    VecX with = tau, without = tau;
    CalcForwardDynamics(model, at.kin(), tau, &F, articulated, &with);
    CalcForwardDynamics(model, at.kin(), tau, nullptr, articulated, &without);
    return with - without;
  }
};

// A and b of contacts with the pin held: Schur's complement is the projection C of the paper, in b⁻
// too. False if the tree holds some direction of the pin, or of the contacts, by itself.
bool HoldPin(const MatX& W, const VecX& rates, MatX* A, VecX* b) {
  constexpr double kFree = 1e-8;
  const int count = 3 * kTouches, rest = static_cast<int>(rates.size()) - count;
  const MatX pin = W.bottomRightCorner(rest, rest);
  const Eigen::SelfAdjointEigenSolver<MatX> pin_values(pin);
  if (pin_values.eigenvalues().minCoeff() < kFree * W.cwiseAbs().maxCoeff()) return false;
  const MatX gain = pin.llt().solve(W.bottomLeftCorner(rest, count)).transpose();
  *A = W.topLeftCorner(count, count) - gain * W.bottomLeftCorner(rest, count);
  *A = 0.5 * (*A + A->transpose()).eval();
  *b = rates.head(count) - gain * rates.tail(rest);
  const Eigen::SelfAdjointEigenSolver<MatX> values(*A);
  return values.eigenvalues().minCoeff() > kFree * values.eigenvalues().maxCoeff();
}

// A problem that is (A, b) alone: M = 1, G = L with A = L Lᵀ.
OwnedProblem MakeFromMatrices(const MatX& A, const VecX& b) {
  const MatX L = A.llt().matrixL();
  const int size = static_cast<int>(b.size());
  OwnedProblem out = testing::MakeProblem(MatX::Identity(size, size),
                                          L.triangularView<Eigen::Lower>().solve(b), 0.01);
  for (int c = 0; c < kTouches; ++c) {
    testing::AddGroup(Law::kContact, L.middleRows(3 * c, 3), &out).mu = 0.4;
  }
  return out;
}

TEST(TestImpulses, GiveTheMatricesOfGeneralisedCoordinatesAndTheSameImpacts) {
  testing::Random random(5);
  int pressed = 0;
  const int trials = testing::SampleCount(60);
  for (int trial = 0; trial < trials; ++trial) {
    TouchedMechanism mechanism(&random);
    ArticulatedBody articulated(mechanism.model);
    UpdateArticulatedInertia(mechanism.model, mechanism.at.kin(), nullptr, &articulated);
    const int count = static_cast<int>(mechanism.rows.size());
    MatX W(count, count);
    for (int j = 0; j < count; ++j) {
      W.col(j) = mechanism.Measure(mechanism.Strike(j, &articulated));
    }
    const VelocityProblem& problem = mechanism.owned.problem;
    const MatX G = problem.ToDenseG(), W_general = problem.ToDenseW();
    const double scale = W_general.cwiseAbs().maxCoeff();
    EXPECT_NEAR((W - W_general).cwiseAbs().maxCoeff() / scale, 0, 1e-10) << trial;
    const VecX rates = mechanism.Measure(mechanism.v);
    EXPECT_NEAR((rates - G * mechanism.v).norm(), 0, 1e-10) << trial;

    MatX A;
    VecX b;
    if (!HoldPin(W, rates, &A, &b)) continue;
    const OwnedProblem matrices = MakeFromMatrices(A, b);
    const Solution general = testing::SolveWith(FormulationKind::kMaxDissipation, problem);
    if (general.stats.islands > 1) continue;  // sums of normal impulses are those of islands
    const Solution own = testing::SolveWith(FormulationKind::kMaxDissipation, matrices.problem);
    EXPECT_EQ(general.status, SolveStatus::kSolved) << trial;
    EXPECT_EQ(own.status, SolveStatus::kSolved) << trial;
    const VecX u_general = (G * general.v1).head(3 * kTouches);
    const VecX u_own = matrices.problem.ToDenseG() * own.v1;
    EXPECT_NEAR((u_general - u_own).norm() / (1 + rates.norm()), 0, 1e-10) << trial;
    EXPECT_NEAR((G * general.v1).tail(3).norm(), 0, 1e-9) << trial;
    pressed += own.gamma.norm() > 1e-6;
  }
  EXPECT_GT(pressed, trials / 4);
}

}  // namespace
}  // namespace voigt
