// A cube on an elastic foundation [Drumwright 2019, §5.5] beside the same springs integrated
// explicitly and beside their equilibrium. The errors to expect of the implicit law were computed
// independently.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

constexpr double kMass = 8, kInertia = 8.0 / 6, kGravity = 9.8;

struct Case {
  int per_side;
  double E, load;  // Pa, N

  int count() const { return per_side * per_side; }
  double K() const { return E / count(); }
  Vec3 Element(int i) const {
    return {(i % per_side + 0.5) / per_side - 0.5, (i / per_side + 0.5) / per_side - 0.5, -0.5};
  }
};

// x, y, z and the quaternion.
using PoseVector = Eigen::Matrix<double, 7, 1>;

// The springs' own motion: z, quaternion, vertical velocity, angular velocity in the world. The
// inertia is the same about all axes, so it stays out of the way.
class Springs {
 public:
  using State = std::array<double, 9>;

  explicit Springs(const Case& c) : case_(c) {
    for (int i = 0; i < c.count(); ++i) elements_.push_back(c.Element(i));
  }

  void operator()(const State& x, State& dx, double t) const {
    const Vec4 quaternion(x[1], x[2], x[3], x[4]);
    const Mat3 R = QuaternionToMatrix(quaternion.normalized());
    const Vec3 omega(x[6], x[7], x[8]);
    const Vec3 r_load = R * (0.5 * Vec3(std::cos(10 * t), std::sin(10 * t), 1));
    double force = -case_.load;
    Vec2 torque = -case_.load * Vec2(r_load[1], -r_load[0]);
    for (const Vec3& element : elements_) {
      const Vec3 r = R * element;
      const double phi = x[0] + r[2];
      if (phi > 0) continue;
      const double phi_dot = x[5] + omega[0] * r[1] - omega[1] * r[0];
      const double lambda = std::max(0.0, -case_.K() * phi - phi_dot);  // B = 1
      force += lambda;
      torque += lambda * Vec2(r[1], -r[0]);
    }
    // 2 dq/dt = (0, ω) q.
    const Vec3 e = quaternion.tail<3>();
    const Vec3 de = 0.5 * (quaternion[0] * omega + omega.cross(e));
    dx = {x[5],
          -0.5 * omega.dot(e),
          de[0],
          de[1],
          de[2],
          force / kMass - kGravity,
          torque[0] / kInertia,
          torque[1] / kInertia,
          0};
  }

 private:
  Case case_;
  std::vector<Vec3> elements_;
};

// By an explicit method of order 8 whose steps find the moments at which elements lift off.
PoseVector IntegrateSprings(const Case& c) {
  namespace odeint = boost::numeric::odeint;
  Springs::State x = {0.5, 1, 0, 0, 0, 0, 0, 0, 0};
  const Springs springs(c);
  odeint::integrate_adaptive(
      odeint::make_controlled<odeint::runge_kutta_fehlberg78<Springs::State>>(1e-12, 1e-12),
      std::cref(springs), x, 0.0, 1.0, 1e-5);
  PoseVector out;
  out << 0, 0, x[0], Vec4(x[1], x[2], x[3], x[4]).normalized();
  return out;
}

// Where the springs carry weight and load at time t without motion, for tilts so small that they
// are linear: Newton's method for height and tilt about x and y.
PoseVector FindEquilibrium(const Case& c, double t) {
  const Vec3 load(c.load, c.load * 0.5 * std::sin(10 * t), -c.load * 0.5 * std::cos(10 * t));
  const Vec3 demand = load + Vec3(kMass * kGravity, 0, 0);
  Vec3 x(-demand[0] / c.E, 0, 0);  // −depth, angles
  for (int iteration = 0; iteration < 50; ++iteration) {
    Vec3 residual = -demand;
    Mat3 slope = Mat3::Zero();
    for (int i = 0; i < c.count(); ++i) {
      const Vec3 p = c.Element(i), g(1, p[1], -p[0]);
      const double phi = g.dot(x);
      if (phi > 0) continue;
      residual -= c.K() * phi * g;
      slope += c.K() * g * g.transpose();
    }
    x += slope.ldlt().solve(residual);
  }
  PoseVector out;
  out << 0, 0, 0.5 + x[0], 1, 0.5 * x[1], 0.5 * x[2], 0;
  return out;
}

std::vector<Override> Overrides(const Case& c) {
  return {{"parameters.n", std::to_string(c.per_side)},
          {"parameters.E", std::to_string(c.E)},
          {"parameters.load", std::to_string(c.load)}};
}

PoseVector RunScene(const Case& c, double h) {
  const Scene scene = testing::LoadNamedScene("foundation", Overrides(c));
  Simulator simulator = testing::MakeSimulator(scene);
  const long steps = std::lround(1 / h);
  for (long i = 0; i < steps; ++i) simulator.Step(h);
  EXPECT_EQ(simulator.status(), StepStatus::kOk);
  EXPECT_EQ(simulator.solver().not_solved, 0);
  return simulator.state().q;
}

// Errors of the pose after one second at h = 0.01 and 0.001, to a fifth of what is expected.
void ExpectErrors(const Case& c, const PoseVector& reference, double coarse, double fine) {
  const double error_coarse = (RunScene(c, 0.01) - reference).norm();
  const double error_fine = (RunScene(c, 0.001) - reference).norm();
  EXPECT_LT(error_coarse, 1.2 * coarse);
  EXPECT_GT(error_coarse, coarse / 1.2);
  EXPECT_LT(error_fine, 1.2 * fine);
  EXPECT_GT(error_fine, fine / 1.2);
}

TEST(Foundation, ErrsAsTheImplicitLawDoes) {
  const Case light{10, 1e7, 5}, heavy{10, 1e7, 50};
  ExpectErrors(light, IntegrateSprings(light), 1.38e-7, 5.2e-8);
  ExpectErrors(heavy, IntegrateSprings(heavy), 1.53e-6, 2.2e-7);
}

TEST(LongFoundation, ErrsAsTheImplicitLawDoesWithManyElements) {
  const Case light{30, 1e7, 5}, heavy{30, 1e7, 50};
  ExpectErrors(light, IntegrateSprings(light), 1.50e-7, 1.5e-8);
  ExpectErrors(heavy, IntegrateSprings(heavy), 1.56e-6, 1.5e-7);
}

// Vibrations of 1e5 rad/s, which no explicit method would finish, have died away after a second
// with 900 dampers; the load runs slowly beside them.
TEST(Foundation, ErrsAsTheImplicitLawDoesWhenStiff) {
  const Case light{30, 1e11, 5}, heavy{30, 1e11, 50};
  ExpectErrors(light, FindEquilibrium(light, 1), 1.50e-11, 1.5e-12);
  ExpectErrors(heavy, FindEquilibrium(heavy, 1), 1.56e-10, 1.6e-11);
}

// The two references agree where both hold: inertia (10 rad/s beside 1e3) is all that differs.
TEST(Foundation, ReferencesAgreeWhereTheLoadRunsSlowly) {
  const Case c{30, 1e7, 5};
  const PoseVector rest = FindEquilibrium(c, 1), moving = IntegrateSprings(c);
  EXPECT_LT((rest - moving).norm(), 1e-2 * (moving - RunScene(c, 0.01)).norm() + 1e-9);
}

// A load that stands still at (0.3, 0.4) of the top.
Simulator RestUnderStandingLoad(const Case& c) {
  std::vector<Override> overrides = Overrides(c);
  overrides.push_back({"loads.load_o.force", "[0, 0, 0.4 * load]"});
  overrides.push_back({"loads.load_x.force", "[0, 0, -0.6 * load]"});
  overrides.push_back({"loads.load_y.force", "[0, 0, -0.8 * load]"});
  Simulator simulator = testing::MakeSimulator(testing::LoadNamedScene("foundation", overrides));
  for (int i = 0; i < 300; ++i) simulator.Step();
  EXPECT_LT(simulator.state().v.norm(), 1e-12);
  return simulator;
}

// Forces of the elements, in the order of Case::Element.
VecX ReadForces(const Simulator& simulator) {
  return simulator.solution().gamma / simulator.problem().h;
}

TEST(Foundation, PressureCarriesWeightLoadAndMoments) {
  for (double load : {5.0, 50.0}) {
    const Case c{10, 1e7, load};
    const Simulator simulator = RestUnderStandingLoad(c);
    const VelocityProblem& problem = simulator.problem();
    ASSERT_EQ(problem.row_count(), c.count());
    // Rows know their lever arms: rates are the velocity of the cube, then its turning. The cube
    // leans by some 1e-5 rad, so moments are those of the upright one to as much.
    VecX wrench = VecX::Zero(problem.nv());
    problem.AddTransposed(ReadForces(simulator), &wrench);
    const double total = kMass * kGravity + load;
    EXPECT_NEAR(wrench[2], total, 1e-10 * total);
    EXPECT_NEAR(wrench[3], 0.4 * load, 1e-4 * load);
    EXPECT_NEAR(wrench[4], -0.3 * load, 1e-4 * load);
    EXPECT_NEAR(wrench[5], 0, 1e-4 * load);
    EXPECT_GE(ReadForces(simulator).minCoeff(), 0);
  }
}

// λᵢ = K d + K θ × rᵢ: as long as nothing lifts off, the beam formula N/n + M x/Σx².
TEST(Foundation, PressureIsLinearWhileNothingLiftsOff) {
  const Case c{10, 1e7, 5};
  const VecX lambda = ReadForces(RestUnderStandingLoad(c));
  ASSERT_EQ(lambda.size(), c.count());
  const double sum_xx = c.count() / 12.0 * (1 - 1.0 / c.count());
  VecX expected(c.count());
  for (int i = 0; i < c.count(); ++i) {
    const Vec3 r = c.Element(i);
    expected[i] =
        (kMass * kGravity + c.load) / c.count() + c.load * (0.3 * r[0] + 0.4 * r[1]) / sum_xx;
  }
  EXPECT_LT((lambda - expected).cwiseAbs().maxCoeff(), 1e-4 * expected.maxCoeff());
}

}  // namespace
}  // namespace voigt
