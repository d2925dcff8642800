// Andrews' squeezing mechanism against its published solution: angles at t = 0.03 s, accelerations
// and constraint forces at the start, as the standard test sets for differential-algebraic
// equations print them [Hairer & Wanner 1996, §VII.7; Mazzia & Magherini 2008].

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

#include "tests/support/scenes.h"
#include "voigt/constraints/constraint_set.h"

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

TEST(Andrews, TendsToThePublishedAnglesAtFirstOrder) { ExpectFirstOrder(2e-6, 0.1, 0.25); }

TEST(LongAndrews, TendsToThePublishedAnglesAtFirstOrder) { ExpectFirstOrder(2e-7, 0.01, 0.05); }

}  // namespace
}  // namespace voigt
