// Closed loops: mechanisms whose motion is known, in joint coordinates with loop joints and with
// all bodies free. The loops open by the square of the step, and so do motion and energy go off
// (where springs are, by its first power); rows that are redundant in space do no harm.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/all_digits.h"
#include "tests/support/energy_between_steps.h"
#include "tests/support/loop_mechanisms.h"
#include "tests/support/scenes.h"
#include "voigt/model/maximal.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

using testing::LoopMechanism;

struct LoopRun {
  double q = 0, v = 0;   // of the joint that tells the motion, at the end
  double violation = 0;  // largest one of a loop joint, m or rad
  double energy = 0;     // gained, J, at rates half a step later
  double kinetic = 0;    // largest one, J
  double force = 0;      // largest one of a row, N or N m
  SolverTotals solver;
  long steps = 0;
};

int CoordinateOf(const Model& model, const LoopMechanism& mechanism) {
  return model.tree().q_start[*model.FindJoint(mechanism.joint)];
}

// Of joints, rigid or nearly so; other rows are springs of the scene.
double LargestViolation(const VelocityProblem& problem) {
  double largest = 0;
  for (const Row& row : problem.rows) {
    if (row.c < 1e-7) largest = std::max(largest, std::abs(row.phi));
  }
  return largest;
}

LoopRun Run(Simulator* simulator, const LoopMechanism& mechanism, double h) {
  LoopRun out;
  testing::EnergyBetweenSteps energy(simulator);
  for (out.steps = 0; out.steps < std::lround(mechanism.until / h); ++out.steps) {
    if (simulator->Step(h) != StepStatus::kOk) {
      ADD_FAILURE() << mechanism.scene << ": " << Explain(simulator->status());
      return out;
    }
    energy.Note(simulator);
    out.violation = std::max(out.violation, LargestViolation(simulator->problem()));
    out.kinetic = std::max(out.kinetic, simulator->CalcEnergy().kinetic);
    out.force = std::max(out.force, simulator->solution().gamma.cwiseAbs().maxCoeff() / h);
  }
  out.energy = energy.gain();
  out.solver = simulator->solver();
  return out;
}

LoopRun RunWithLoops(const LoopMechanism& mechanism, double h) {
  const Scene scene = testing::LoadNamedScene(mechanism.scene);
  Simulator simulator = testing::MakeSimulator(scene);
  LoopRun out = Run(&simulator, mechanism, h);
  const int at = CoordinateOf(scene.model, mechanism);
  out.q = simulator.state().q[at];
  out.v = simulator.state().v[scene.model.tree().v_start[*scene.model.FindJoint(mechanism.joint)]];
  return out;
}

// Every body free, every joint made of rows, rigid or very stiff. In space they are redundant, and
// rigid ones contradict each other as soon as they are off by the square of the step.
LoopRun RunWithFreeBodies(const LoopMechanism& mechanism, double h, double stiffness = kInfinity) {
  const Scene scene = testing::LoadNamedScene(mechanism.scene);
  ModelSpec spec = scene.model.spec();
  for (JointSpec& joint : spec.joints) joint.loop_stiffness = stiffness;
  const Model maximal = ToMaximal(ModelBuilder(spec).Build());
  Simulator simulator(maximal, scene.settings, ToMaximalState(scene.model, scene.initial, maximal));
  LoopRun out = Run(&simulator, mechanism, h);
  State hint = scene.initial;
  hint.q[CoordinateOf(scene.model, mechanism)] = RunWithLoops(mechanism, h).q;
  const MinimalState minimal = ToMinimalState(maximal, simulator.state(), scene.model, hint);
  out.q = minimal.state.q[CoordinateOf(scene.model, mechanism)];
  return out;
}

class Loops : public ::testing::TestWithParam<LoopMechanism> {};

TEST_P(Loops, StartWhereTheReferenceDoes) {
  const LoopMechanism& mechanism = GetParam();
  const Scene scene = testing::LoadNamedScene(mechanism.scene);
  Simulator simulator = testing::MakeSimulator(scene);
  EXPECT_FALSE(scene.moved_start);
  EXPECT_NEAR(scene.initial.q[CoordinateOf(scene.model, mechanism)], mechanism.start.q, 1e-12);
  const testing::OneDof& reference = mechanism.reference;
  // The governor's shaft turns beside: its energy is in the potential.
  const double energy =
      0.5 * reference.inertia(mechanism.start.q) * mechanism.start.v * mechanism.start.v +
      reference.potential(mechanism.start.q);
  const double shaft = mechanism.scene == "flyball_governor" ? 9.81 * 5 * 0.5 : 0;
  EXPECT_NEAR(simulator.CalcEnergy().Total(), energy - shaft, 1e-5 * (1 + std::abs(energy)));
}

// The reference begins in the middle of the step that comes before the first.
double CalcError(const LoopMechanism& mechanism, double h) {
  constexpr double d = 1e-5;
  const testing::OneDof& reference = mechanism.reference;
  testing::OneDofMotion start = mechanism.start;
  const double slope =
      (reference.potential(start.q + d) - reference.potential(start.q - d)) / (2 * d);
  if (mechanism.order == 2) start.v -= 0.5 * h * slope / reference.inertia(start.q);
  return RunWithLoops(mechanism, h).q - Advance(reference, start, mechanism.until).q;
}

TEST_P(Loops, FollowTheirReferenceAtTheirOrder) {
  const LoopMechanism& mechanism = GetParam();
  const double coarse = CalcError(mechanism, mechanism.h);
  const double fine = CalcError(mechanism, mechanism.h / 2);
  EXPECT_LT(std::abs(coarse), mechanism.order == 2 ? 5e-4 : 0.02);
  EXPECT_NEAR(coarse / fine, std::pow(2, mechanism.order), 0.1 * std::pow(2, mechanism.order))
      << coarse << " " << fine;
}

TEST_P(Loops, OpenByTheSquareOfTheStepAndKeepEnergyToTheirOrder) {
  const LoopMechanism& mechanism = GetParam();
  const LoopRun coarse = RunWithLoops(mechanism, mechanism.h);
  const LoopRun fine = RunWithLoops(mechanism, mechanism.h / 2);
  EXPECT_LT(coarse.violation, 1e-3);
  EXPECT_NEAR(coarse.violation / fine.violation, 4, 0.4)
      << coarse.violation << " " << fine.violation;
  EXPECT_LT(std::abs(coarse.energy), (mechanism.order == 2 ? 5e-4 : 0.05) * coarse.kinetic);
  // Of second order there is little, and what is of third shows.
  EXPECT_GT(coarse.energy / fine.energy, std::pow(2, mechanism.order) - 0.4)
      << coarse.energy << " " << fine.energy;
  EXPECT_LT(coarse.energy / fine.energy, std::pow(2, mechanism.order + 1) + 0.4)
      << coarse.energy << " " << fine.energy;
}

TEST_P(Loops, AreSolvedInEveryStepWithOneFactorization) {
  const LoopMechanism& mechanism = GetParam();
  const LoopRun run = RunWithLoops(mechanism, mechanism.h);
  EXPECT_EQ(run.solver.not_solved, 0);
  EXPECT_LE(run.solver.hardest(), Attempt::kConvexProgram);
  EXPECT_LT(run.solver.factorizations, 1.05 * run.steps);
  EXPECT_LT(run.force, 1e5);
}

// But for what free bodies lose of their energy at joints, and trees do not: a slider-crank lags by
// 4e-4 rad so, and by 2e-4 with a tree.
TEST_P(Loops, MoveTheSameWithAllBodiesFree) {
  const LoopMechanism& mechanism = GetParam();
  for (double stiffness : {kInfinity, 1e10}) {
    const double stretch = 3e5 / stiffness;  // of springs under these loads, rad
    const auto difference = [&](double h) {
      const LoopRun free = RunWithFreeBodies(mechanism, h, stiffness);
      EXPECT_EQ(free.solver.not_solved, 0) << h;
      EXPECT_LE(free.solver.hardest(), Attempt::kConvexProgram) << h;
      EXPECT_LT(free.violation, 1e-2) << h;
      return std::abs(free.q - RunWithLoops(mechanism, h).q);
    };
    const double coarse = difference(mechanism.h), fine = difference(mechanism.h / 4);
    EXPECT_LT(coarse, mechanism.order == 2 ? 2.5e-4 : 0.05) << stiffness;
    EXPECT_LT(fine, 2.1 * std::pow(0.25, mechanism.order) * coarse + stretch) << stiffness;
  }
}

// Rigid rows that repeat each other are the limit of stiff ones: the same motion, and forces that
// are as small.
TEST_P(Loops, RigidFreeBodiesAreTheLimitOfStiffOnes) {
  const LoopMechanism& mechanism = GetParam();
  const LoopRun rigid = RunWithFreeBodies(mechanism, mechanism.h);
  // R = 1/(h²K) = 1e-4 kg⁻¹, whatever the step.
  const LoopRun stiff = RunWithFreeBodies(mechanism, mechanism.h, 1e4 / std::pow(mechanism.h, 2));
  EXPECT_NEAR(rigid.q, stiff.q, 5e-5);
  EXPECT_NEAR(rigid.energy, stiff.energy, 1e-4 * rigid.kinetic);
  EXPECT_NEAR(rigid.violation, stiff.violation, 1e-2 * stiff.violation);
  EXPECT_NEAR(rigid.force, stiff.force, 0.2 * stiff.force);
}

// Counting rows, nothing moves. Off by the square of the step the last row would hold what the
// others let through; it is dependent up to what the gaps explain, and let go.
TEST(RedundantLoops, RigidBricardMovesForLongAndKeepsItsEnergy) {
  Scene scene = testing::LoadNamedScene("bricard");
  testing::AskForAllDigits(&scene.settings.formulation);
  for (double h : {1e-2, 1e-3, 1e-4}) {
    Simulator simulator = testing::MakeSimulator(scene);
    testing::EnergyBetweenSteps energy(&simulator);
    double violation = 0, force = 0;
    const long steps = std::lround(2 / h);
    for (long i = 0; i < steps; ++i) {
      ASSERT_EQ(simulator.Step(h), StepStatus::kOk);
      ASSERT_LE(simulator.solution().stats.dependent_directions, 1);
      energy.Note(&simulator);
      violation = std::max(violation, LargestViolation(simulator.problem()));
      force = std::max(force, simulator.solution().gamma.cwiseAbs().maxCoeff() / h);
    }
    const SolverTotals solver = simulator.solver();
    EXPECT_EQ(solver.not_solved, 0) << h;
    EXPECT_LE(solver.hardest(), Attempt::kConvexProgram) << h;
    EXPECT_GT(solver.redundant, 0) << h;
    EXPECT_LT(solver.worst_residual, std::max(1e-2 * h * h, 1e-9)) << h;
    EXPECT_EQ(simulator.audit().failed, 0) << h;
    EXPECT_LT(violation, 3 * h * h) << h;
    EXPECT_LT(force, 30) << h;
    EXPECT_LT(std::abs(energy.gain()), 30 * h * h) << h;
  }
}

// Where all rods lie in one line, each could go its own way; their inertia takes them on together.
TEST(LongLoops, FortyFourBarsPassTheirSingularPositionsTogether) {
  const Scene scene = testing::LoadNamedScene("n_four_bar", {{"parameters.n", "40"}});
  Simulator simulator = testing::MakeSimulator(scene);
  double apart = 0, lowest = 0;
  while (simulator.state().t < 10 && simulator.Step() == StepStatus::kOk) {
    const VecX& q = simulator.state().q;
    for (int i = 1; i <= 40; ++i) {
      const int joint = *scene.model.FindJoint("foot" + std::to_string(i));
      apart = std::max(apart, std::abs(q[scene.model.tree().q_start[joint]] - q[0]));
    }
    lowest = std::min(lowest, q[0]);
  }
  EXPECT_EQ(simulator.status(), StepStatus::kOk);
  EXPECT_LT(lowest, -3.2);  // beyond hanging: through one such position, on its way to the other
  EXPECT_LT(apart, 0.05);
  EXPECT_EQ(simulator.solver().not_solved, 0);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, Loops,
                         ::testing::Values(testing::FourBars(), testing::SliderCrank(),
                                           testing::Bricard(), testing::FlyballGovernor()),
                         [](const auto& entry) { return entry.param.scene; });

}  // namespace
}  // namespace voigt
