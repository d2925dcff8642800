// Andrews' squeezing mechanism against its published solution: angles at t = 0.03 s, accelerations
// and constraint forces at the start, as the standard test sets for differential-algebraic
// equations print them [Hairer & Wanner 1996, §VII.7; Mazzia & Magherini 2008].

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

#include "tests/support/scenes.h"
#include "voigt/constraints/constraint_set.h"
#include "voigt/model/maximal.h"

namespace voigt {
namespace {

using Angles = std::array<std::pair<const char*, double>, 7>;

constexpr Angles kAnglesAtEnd = {{{"beta", 15.81077119629904},
                                  {"Theta", -15.75637105984298},
                                  {"gamma", 0.04082224013073101},
                                  {"Phi", -0.5347301163226948},
                                  {"delta", 0.5244099658805304},
                                  {"Omega", 0.5347301163226948},
                                  {"epsilon", 1.048080741042263}}};

double AngleOf(const Model& model, const VecX& q, const char* joint) {
  return q[model.tree().q_start[*model.FindJoint(joint)]];
}

// Differences from the published angles after a run with steps of h.
std::array<double, 7> Errors(double h) {
  const Scene scene = testing::LoadNamedScene("andrews");
  Simulator simulator = testing::MakeSimulator(scene);
  const long steps = std::lround(0.03 / h);
  for (long i = 0; i < steps; ++i) {
    if (simulator.Step(h) != StepStatus::kOk) {
      ADD_FAILURE() << Explain(simulator.status());
      break;
    }
  }
  EXPECT_EQ(simulator.solver().not_solved, 0);
  EXPECT_LT(simulator.solver().factorizations, 1.05 * static_cast<double>(steps));
  std::array<double, 7> errors;
  for (int i = 0; i < 7; ++i) {
    const auto [joint, angle] = kAnglesAtEnd[i];
    errors[i] = AngleOf(scene.model, simulator.state().q, joint) - angle;
  }
  return errors;
}

void ExpectFirstOrder(double h, double tolerance, double ratio_tolerance) {
  const std::array<double, 7> coarse = Errors(h), fine = Errors(h / 2);
  for (int i = 0; i < 7; ++i) {
    EXPECT_LT(std::abs(fine[i]), tolerance) << kAnglesAtEnd[i].first;
    EXPECT_NEAR(coarse[i] / fine[i], 2, ratio_tolerance)
        << kAnglesAtEnd[i].first << " " << coarse[i] << " " << fine[i];
  }
}

// The force of a pin that closes a loop, without its direction.
double ForceOf(const Simulator& simulator, const std::string& joint, double h) {
  const ConstraintSet constraints(simulator.model());
  const VelocityProblem& problem = simulator.problem();
  double sum = 0;
  for (const RowGroup& group : problem.groups) {
    if (constraints.list()[group.constraint]->name() != "joint '" + joint + "'") continue;
    for (int r = group.first_row; r < group.first_row + group.row_count; ++r) {
      if (problem.rows[r].angular) continue;
      sum += std::pow(simulator.solution().gamma[r] / h, 2);
    }
  }
  return std::sqrt(sum);
}

TEST(Andrews, StartsWithThePublishedAccelerationsAndForces) {
  // Loops of 0.07 m close to 1e-17 m; with h and levers of 7 mm that makes 1e-17/(h² 0.007) rad/s².
  const double h = 1e-6, tolerance = 0.1;
  const Scene scene = testing::LoadNamedScene("andrews");
  Simulator simulator = testing::MakeSimulator(scene);
  ASSERT_EQ(simulator.Step(h), StepStatus::kOk);
  const auto acceleration = [&](const char* joint) {
    const int at = scene.model.tree().v_start[*scene.model.FindJoint(joint)];
    return simulator.state().v[at] / h;
  };
  EXPECT_NEAR(acceleration("beta"), 14222.4439199541, tolerance);
  EXPECT_NEAR(acceleration("Theta"), -10666.8329399656, tolerance);
  for (const char* joint : {"gamma", "Phi", "delta", "Omega", "epsilon"}) {
    EXPECT_NEAR(acceleration(joint), 0, tolerance) << joint;
  }
  const double force = std::hypot(98.5668703962411, 6.12268834425566);
  EXPECT_NEAR(ForceOf(simulator, "loop3", h), force, 1e-4 * force);
  EXPECT_NEAR(ForceOf(simulator, "loop4", h), 0, 1e-4 * force);
  EXPECT_NEAR(ForceOf(simulator, "loop6", h), 0, 1e-4 * force);
}

// T + ½ c (l − l₀)² − torque · β of a state in minimal coordinates, J: constant in exact motion.
double CalcBalance(const Scene& scene, const State& state) {
  const Model& model = scene.model;
  Kinematics kin(model);
  const double kinetic = CalcEnergy(model, state, &kin).kinetic;
  const Pose X_W3 = CalcBodyPose(model, kin, *model.FindBody("K3"));
  const double stretch = (X_W3 * Vec3(0.02, -0.018, 0) - Vec3(0.014, 0.072, 0)).norm() - 0.07785;
  return kinetic + 0.5 * 4530 * stretch * stretch - 0.033 * AngleOf(model, state.q, "beta");
}

struct AndrewsRun {
  State end;             // in minimal coordinates
  double violation = 0;  // largest over the run, m
  double drift = 0;      // of the balance of energy, over the work of the motor
};

AndrewsRun RunAndrews(double h, bool by_maximal, const State* hint = nullptr) {
  const Scene scene = testing::LoadNamedScene("andrews");
  const Model model = by_maximal ? ToMaximal(scene.model) : scene.model;
  const State start =
      by_maximal ? ToMaximalState(scene.model, scene.initial, model) : scene.initial;
  Simulator simulator(model, scene.settings, start);
  const long steps = std::lround(0.03 / h);
  for (long i = 0; i < steps && simulator.Step(h) == StepStatus::kOk; ++i) continue;
  EXPECT_EQ(simulator.status(), StepStatus::kOk);
  EXPECT_EQ(simulator.solver().not_solved, 0);
  EXPECT_EQ(simulator.audit().failed, 0);
  AndrewsRun out;
  out.violation = simulator.audit().worst.violation;
  out.end = by_maximal ? ToMinimalState(model, simulator.state(), scene.model, *hint).state
                       : simulator.state();
  const double work = 0.033 * (AngleOf(scene.model, out.end.q, "beta") -
                               AngleOf(scene.model, scene.initial.q, "beta"));
  out.drift = (CalcBalance(scene, out.end) - CalcBalance(scene, scene.initial)) / work;
  return out;
}

// Loops are off by the square of the step, and energy by the step, in both kinds of coordinates;
// the two differ by the square of the step, too: what is of first order is the forces', which they
// share.
TEST(Andrews, LoopsAndEnergyStayAndBothCoordinatesAgree) {
  const double h = 4e-6;
  AndrewsRun minimal[2], maximal[2];
  double apart[2];
  for (int k = 0; k < 2; ++k) {
    const double step = h / std::exp2(k);
    minimal[k] = RunAndrews(step, false);
    maximal[k] = RunAndrews(step, true, &minimal[k].end);
    apart[k] = (minimal[k].end.q - maximal[k].end.q).cwiseAbs().maxCoeff();
    printf("h = %.0e: violation %.2e and %.2e m, drift %.2e and %.2e of the work, apart %.2e rad\n",
           step, minimal[k].violation, maximal[k].violation, minimal[k].drift, maximal[k].drift,
           apart[k]);
  }
  for (const AndrewsRun* run : {minimal, maximal}) {
    EXPECT_NEAR(run[0].violation / run[1].violation, 4, 0.1);
    EXPECT_LT(run[0].violation, 1e-7);
    EXPECT_NEAR(run[0].drift / run[1].drift, 2, 0.05);
    EXPECT_LT(std::abs(run[0].drift), 6e-3);
  }
  EXPECT_NEAR(apart[0] / apart[1], 4, 0.1);
  EXPECT_LT(apart[0], 2e-5);
}

TEST(Andrews, TendsToThePublishedAnglesAtFirstOrder) { ExpectFirstOrder(2e-6, 0.1, 0.25); }

TEST(LongAndrews, TendsToThePublishedAnglesAtFirstOrder) { ExpectFirstOrder(2e-7, 0.01, 0.05); }

}  // namespace
}  // namespace voigt
