// The algorithms for trees against one another, against dense algebra and against finite
// differences, on 240 random trees of all joint types with up to 60 degrees of freedom.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/support/random_model.h"
#include "voigt/dynamics/articulated_body.h"
#include "voigt/dynamics/inverse_dynamics.h"
#include "voigt/dynamics/jacobian.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/dynamics/momentum_energy.h"
#include "voigt/dynamics/operational_space.h"
#include "voigt/math/rotation.h"
#include "voigt/math/tree_factor.h"
#include "voigt/steppers/integrate.h"

namespace voigt {
namespace {

using testing::MakeRandomState;
using testing::MakeRandomTree;
using testing::Random;
using testing::RandomRates;
using testing::RandomVector;
using testing::Uniform;

constexpr int kTrees = 240;

// One random tree in a random state, with everything computed.
struct Case {
  explicit Case(int seed, bool floating_base = false)
      : random(seed), model(MakeRandomTree(&random, Options(seed, floating_base))) {
    state = MakeRandomState(model, &random);
    kin = Kinematics(model);
    UpdatePositions(model, state.q, &kin);
    UpdateVelocities(model, state.v, &kin);
  }

  static testing::RandomTreeOptions Options(int seed, bool floating_base) {
    testing::RandomTreeOptions options;
    options.branching = seed % 3 == 0 ? 0.0 : 0.4;
    options.with_springs = seed % 2 == 0 && !floating_base;  // armature belongs to no body
    options.floating_base = floating_base;
    return options;
  }

  VecX MassMatrix() {
    VecX M(model.tree().pattern.nonzeros());
    CompositeInertia composite(model);
    CalcMassMatrix(model, kin, &composite, &M);
    return M;
  }

  VecX InverseDynamics(const VecX& v_dot) {
    VecX tau(model.nv());
    NewtonEulerScratch scratch(model);
    CalcInverseDynamics(model, kin, &v_dot, nullptr, &scratch, &tau);
    return tau;
  }

  // Kinematics a little further along the rates w.
  Kinematics Moved(const VecX& w, double s) const {
    VecX q = state.q;
    IntegratePositions(model, w, s, &q);
    Kinematics moved(model);
    UpdatePositions(model, q, &moved);
    UpdateVelocities(model, state.v, &moved);
    return moved;
  }

  Random random;
  Model model;
  State state;
  Kinematics kin;
};

double RelativeError(const VecX& a, const VecX& b) {
  return (a - b).norm() / std::max(1e-300, b.norm());
}

TEST(RandomTrees, CoverAllJointTypesInBothDirections) {
  int seen[kJointTypeCount][2] = {};
  int largest = 0;
  for (int seed = 0; seed < kTrees; ++seed) {
    const Case c(seed);
    largest = std::max(largest, c.model.nv());
    for (int b = 1; b < c.model.nb(); ++b) {
      ++seen[static_cast<int>(c.model.tree().type[b])]
            [static_cast<int>(c.model.tree().reversed[b])];
    }
  }
  for (const auto& [forward, backward] : seen) {
    EXPECT_GT(forward, 20);
    EXPECT_GT(backward, 20);
  }
  EXPECT_GT(largest, 55);
}

TEST(RandomTrees, ForwardDynamicsInvertsInverseDynamics) {
  for (int seed = 0; seed < kTrees; ++seed) {
    Case c(seed);
    const VecX v_dot = RandomRates(c.model, &c.random);
    const VecX tau = c.InverseDynamics(v_dot);
    ArticulatedBody articulated(c.model);
    UpdateArticulatedInertia(c.model, c.kin, nullptr, &articulated);
    VecX out(c.model.nv());
    CalcForwardDynamics(c.model, c.kin, tau, nullptr, &articulated, &out);
    EXPECT_LT(RelativeError(out, v_dot), 1e-10) << "seed " << seed;
    EXPECT_LT(RelativeError(c.InverseDynamics(out), tau), 1e-10) << "seed " << seed;
  }
}

TEST(RandomTrees, MassMatrixHasInverseDynamicsAsColumns) {
  for (int seed = 0; seed < kTrees; ++seed) {
    Case c(seed);
    const MatX M = c.model.tree().pattern.ToDense(c.MassMatrix());
    const VecX bias = c.InverseDynamics(VecX::Zero(c.model.nv()));
    MatX columns(c.model.nv(), c.model.nv());
    for (int k = 0; k < c.model.nv(); ++k) {
      columns.col(k) = c.InverseDynamics(VecX::Unit(c.model.nv(), k)) - bias;
    }
    EXPECT_LT((columns - M).norm(), 1e-12 * (M.norm() + bias.norm())) << "seed " << seed;
  }
}

TEST(RandomTrees, TreeFactorSolvesLikeDenseCholesky) {
  for (int seed = 0; seed < kTrees; ++seed) {
    Case c(seed);
    const TreePattern& pattern = c.model.tree().pattern;
    const VecX packed = c.MassMatrix();
    const MatX M = pattern.ToDense(packed);
    TreeFactor factor(pattern);
    ASSERT_EQ(factor.Factor(pattern, packed), -1);
    const VecX b = RandomRates(c.model, &c.random);
    VecX x = b;
    factor.Solve(pattern, x);
    EXPECT_LT((M * x - b).norm(), 1e-13 * (M.norm() * x.norm() + b.norm())) << "seed " << seed;
    EXPECT_LT(RelativeError(x, M.llt().solve(b)), 1e-10) << "seed " << seed;
  }
}

TEST(RandomTrees, JacobiansMatchFiniteDifferences) {
  for (int seed = 0; seed < kTrees; ++seed) {
    Case c(seed);
    const int body = 1 + static_cast<int>(c.random() % (c.model.nb() - 1));
    const Vec3 point = RandomVector(&c.random);
    const Pose X = c.kin.X_WL[body];
    Mat6X J(6, c.model.nv());
    CalcPointJacobian(c.model, c.kin, body, X * point, J);

    const double s = 1e-5;
    for (int k = 0; k < c.model.nv(); ++k) {
      const Pose plus = c.Moved(VecX::Unit(c.model.nv(), k), s).X_WL[body];
      const Pose minus = c.Moved(VecX::Unit(c.model.nv(), k), -s).X_WL[body];
      Vec6 difference;
      difference << QuaternionLog(MatrixToQuaternion(plus.R * minus.R.transpose())) / (2 * s),
          (plus * point - minus * point) / (2 * s);
      EXPECT_LT((difference - J.col(k)).norm(), 1e-8 * (1 + J.col(k).norm())) << "seed " << seed;
    }
    Mat6X J_body(6, c.model.nv());
    CalcBodyJacobian(c.model, c.kin, body, J_body);
    const Pose X_WB = CalcBodyPose(c.model, c.kin, body);
    CalcPointJacobian(c.model, c.kin, body, X_WB.p, J);
    EXPECT_EQ(J_body, J);
    CalcPointJacobian(c.model, c.kin, body, X * point, J);

    // Velocities are the Jacobian times the rates.
    const Vec6 V = CalcPointVelocity(c.kin, body, X * point);
    EXPECT_LT((V - J * c.state.v).norm(), 1e-13 * (1 + V.norm() + J.norm() * c.state.v.norm()));
  }
}

TEST(RandomTrees, JacobianRatesMatchFiniteDifferences) {
  for (int seed = 0; seed < kTrees; ++seed) {
    Case c(seed);
    std::vector<Vec6> A(c.model.nb());
    CalcAccelerations(c.model, c.kin, nullptr, &A);
    const int a = static_cast<int>(c.random() % c.model.nb());
    const int b = 1 + static_cast<int>(c.random() % (c.model.nb() - 1));
    const Vec3 point_a = RandomVector(&c.random), point_b = RandomVector(&c.random);
    const auto relative_velocity = [&](const Kinematics& kin) {
      Mat6X J(6, c.model.nv());
      CalcRelativeJacobian(c.model, kin, a, kin.X_WL[a] * point_a, b, kin.X_WL[b] * point_b, J);
      return Vec6(J * c.state.v);
    };
    const double s = 1e-5;
    const Vec6 difference =
        (relative_velocity(c.Moved(c.state.v, s)) - relative_velocity(c.Moved(c.state.v, -s))) /
        (2 * s);
    const Vec6 rate =
        CalcRelativeJacobianRate(c.kin, A, a, c.kin.X_WL[a] * point_a, b, c.kin.X_WL[b] * point_b);
    const double scale =
        1 + A[a].norm() + A[b].norm() + c.kin.V[a].squaredNorm() + c.kin.V[b].squaredNorm();
    EXPECT_LT((difference - rate).norm(), 1e-7 * scale) << "seed " << seed;

    // One body alone: a point of it, and its own origin.
    const auto velocities = [&](const Kinematics& kin) {
      Mat6X J(6, c.model.nv());
      Eigen::Matrix<double, 12, 1> out;
      CalcPointJacobian(c.model, kin, b, kin.X_WL[b] * point_b, J);
      out.head<6>() = J * c.state.v;
      CalcBodyJacobian(c.model, kin, b, J);
      out.tail<6>() = J * c.state.v;
      return out;
    };
    Eigen::Matrix<double, 12, 1> rates;
    rates << CalcPointJacobianRate(c.kin, A, b, c.kin.X_WL[b] * point_b),
        CalcBodyJacobianRate(c.model, c.kin, A, b);
    const Eigen::Matrix<double, 12, 1> differences =
        (velocities(c.Moved(c.state.v, s)) - velocities(c.Moved(c.state.v, -s))) / (2 * s);
    EXPECT_LT((differences - rates).norm(), 1e-7 * scale) << "seed " << seed;
  }
}

// d'Alembert: τ·w = Σ (d/dt momentum − weight) · virtual motion, the derivatives by differences
// along a path with the given rates and accelerations. Uses positions and Jacobians alone.
TEST(RandomTrees, InverseDynamicsObeysVirtualPower) {
  for (int seed = 0; seed < kTrees; ++seed) {
    Case c(seed);
    const VecX v_dot = RandomRates(c.model, &c.random);
    const double s = 1e-4;
    const auto momenta = [&](double at) {
      // q along v at + ½ v̇ at², v along v + v̇ at.
      VecX q = c.state.q;
      IntegratePositions(c.model, c.state.v + 0.5 * at * v_dot, at, &q);
      Kinematics kin(c.model);
      UpdatePositions(c.model, q, &kin);
      UpdateVelocities(c.model, c.state.v + at * v_dot, &kin);
      std::vector<Vec6> out(c.model.nb(), Vec6::Zero());
      for (int b = 1; b < c.model.nb(); ++b) {
        const Vec3 com = kin.X_WL[b].p + kin.I[b].h / kin.I[b].mass;
        const Vec6 V = CalcPointVelocity(kin, b, com);
        out[b] << kin.I[b].CentralMatrix() * V.head<3>(), kin.I[b].mass * V.tail<3>();
      }
      return out;
    };
    const auto plus = momenta(s), minus = momenta(-s);
    VecX tau = VecX::Zero(c.model.nv());
    for (int b = 1; b < c.model.nb(); ++b) {
      Vec6 F = (plus[b] - minus[b]) / (2 * s);
      F.tail<3>() -= c.kin.I[b].mass * c.model.gravity();
      const Vec3 com = c.kin.X_WL[b].p + c.kin.I[b].h / c.kin.I[b].mass;
      AddJacobianTransposed(c.model, c.kin, b, com, F, &tau);
    }
    tau.array() += c.model.tree().armature.array() * v_dot.array();
    const VecX expected = c.InverseDynamics(v_dot);
    EXPECT_LT(RelativeError(tau, expected), 1e-6) << "seed " << seed;
  }
}

TEST(RandomTrees, ExternalForcesActThroughTheirJacobian) {
  for (int seed = 0; seed < kTrees; ++seed) {
    Case c(seed);
    std::vector<Vec6> F_ext(c.model.nb(), Vec6::Zero());
    VecX Jt_F = VecX::Zero(c.model.nv());
    for (int b = 1; b < c.model.nb(); ++b) {
      F_ext[b] << RandomVector(&c.random), RandomVector(&c.random);
      AddJacobianTransposed(c.model, c.kin, b, c.kin.X_WL[b].p, F_ext[b], &Jt_F);
    }
    const VecX v_dot = RandomRates(c.model, &c.random);
    NewtonEulerScratch scratch(c.model);
    VecX tau(c.model.nv());
    CalcInverseDynamics(c.model, c.kin, &v_dot, &F_ext, &scratch, &tau);
    const VecX plain = c.InverseDynamics(v_dot);
    EXPECT_LT((plain - tau - Jt_F).norm(), 1e-12 * (plain.norm() + Jt_F.norm()));

    ArticulatedBody articulated(c.model);
    UpdateArticulatedInertia(c.model, c.kin, nullptr, &articulated);
    VecX out(c.model.nv());
    CalcForwardDynamics(c.model, c.kin, tau, &F_ext, &articulated, &out);
    EXPECT_LT(RelativeError(out, v_dot), 1e-10) << "seed " << seed;
  }
}

TEST(RandomTrees, HybridDynamicsAgreesWithForwardAndInverse) {
  for (int seed = 0; seed < kTrees; ++seed) {
    Case c(seed);
    const int nv = c.model.nv();
    const VecX v_dot = RandomRates(c.model, &c.random);
    const VecX tau = c.InverseDynamics(v_dot);
    // A third of the rates prescribed; what is not given starts as NaN.
    std::vector<char> prescribed(nv);
    VecX tau_out = tau, v_dot_out = v_dot;
    for (int k = 0; k < nv; ++k) {
      prescribed[k] = Uniform(&c.random, 0, 1) < 0.33;
      (prescribed[k] ? tau_out : v_dot_out)[k] = kNaN;
    }
    ArticulatedBody articulated(c.model);
    UpdateArticulatedInertia(c.model, c.kin, &prescribed, &articulated);
    CalcHybridDynamics(c.model, c.kin, prescribed, nullptr, &articulated, &tau_out, &v_dot_out);
    EXPECT_LT(RelativeError(v_dot_out, v_dot), 1e-10) << "seed " << seed;
    EXPECT_LT(RelativeError(tau_out, tau), 1e-10) << "seed " << seed;
  }
}

TEST(RandomTrees, OperationalSpaceInertiaAgreesThreeWays) {
  for (int seed = 0; seed < kTrees; ++seed) {
    Case c(seed);
    const int nv = c.model.nv();
    std::vector<Node> nodes;
    const int count = 1 + static_cast<int>(c.random() % 8);
    for (int i = 0; i < count; ++i) {
      // The world is a legal, immovable node.
      const int body = static_cast<int>(c.random() % c.model.nb());
      nodes.push_back({body, c.kin.X_WL[body].p + RandomVector(&c.random)});
    }
    const TreePattern& pattern = c.model.tree().pattern;
    const VecX packed = c.MassMatrix();
    TreeFactor factor(pattern);
    ASSERT_EQ(factor.Factor(pattern, packed), -1);
    MatX J(6 * count, nv);
    for (int i = 0; i < count; ++i) {
      Mat6X J_i(6, nv);
      CalcPointJacobian(c.model, c.kin, nodes[i].body, nodes[i].p_W, J_i);
      J.middleRows(6 * i, 6) = J_i;
    }
    const MatX dense = J * pattern.ToDense(packed).llt().solve(J.transpose());

    MatX by_factor(6 * count, 6 * count), by_recursion(6 * count, 6 * count);
    OperationalSpaceByFactor().Calc(c.model, c.kin, factor, nodes, by_factor);
    ArticulatedBody articulated(c.model);
    UpdateArticulatedInertia(c.model, c.kin, nullptr, &articulated);
    OperationalSpaceByRecursion().Calc(c.model, c.kin, articulated, nodes, by_recursion);
    const double scale = std::max(1e-300, dense.norm());
    EXPECT_LT((by_factor - dense).norm(), 1e-10 * scale) << "seed " << seed;
    EXPECT_LT((by_recursion - by_factor).norm(), 1e-10 * scale) << "seed " << seed;
  }
}

TEST(RandomTrees, KineticEnergyIsTheMassMatrixForm) {
  for (int seed = 0; seed < kTrees; ++seed) {
    Case c(seed);
    const MatX M = c.model.tree().pattern.ToDense(c.MassMatrix());
    const double expected = 0.5 * c.state.v.dot(M * c.state.v);
    EXPECT_NEAR(CalcKineticEnergy(c.model, c.kin, c.state.v), expected, 1e-12 * expected);
  }
}

TEST(RandomTrees, GravityEnergyHasTheBiasAtRestAsGradient) {
  for (int seed = 0; seed < kTrees; ++seed) {
    Case c(seed);
    UpdateVelocities(c.model, VecX::Zero(c.model.nv()), &c.kin);
    const VecX gradient = c.InverseDynamics(VecX::Zero(c.model.nv()));
    const double s = 1e-5;
    for (int k = 0; k < c.model.nv(); ++k) {
      const VecX unit = VecX::Unit(c.model.nv(), k);
      const double difference = (CalcGravityEnergy(c.model, c.Moved(unit, s)) -
                                 CalcGravityEnergy(c.model, c.Moved(unit, -s))) /
                                (2 * s);
      EXPECT_NEAR(difference, gradient[k], 1e-8 * (1 + gradient.norm())) << "seed " << seed;
    }
  }
}

TEST(RandomTrees, FloatingTreesChangeMomentumByTheirWeightAlone) {
  for (int seed = 0; seed < 60; ++seed) {
    Case c(seed, /*floating_base=*/true);
    // No joint forces: d/dt [L; p] about a fixed point = moment and force of the weight.
    ArticulatedBody articulated(c.model);
    UpdateArticulatedInertia(c.model, c.kin, nullptr, &articulated);
    VecX v_dot(c.model.nv());
    CalcForwardDynamics(c.model, c.kin, VecX::Zero(c.model.nv()), nullptr, &articulated, &v_dot);

    std::vector<Vec6> A(c.model.nb());
    CalcAccelerations(c.model, c.kin, &v_dot, &A);
    Vec6 rate = Vec6::Zero();
    double scale = 1;
    for (int b = 1; b < c.model.nb(); ++b) {
      const Vec6 F = c.kin.I[b] * A[b] + CrossForce(c.kin.V[b], c.kin.I[b] * c.kin.V[b]);
      rate += ShiftForce(F, c.kin.X_WL[b].p);
      scale += F.norm() * (1 + c.kin.X_WL[b].p.norm());
    }
    const Vec3 weight = c.model.TotalMass() * c.model.gravity();
    Vec6 expected;
    expected << CalcCenterOfMass(c.model, c.kin).cross(weight), weight;
    EXPECT_LT((rate - expected).norm(), 1e-11 * scale) << "seed " << seed;
  }
}

}  // namespace
}  // namespace voigt
