// Forces and accelerations as users read them, against Newton's second law.

#include "voigt/sim/force_report.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

// A mass on a rail upright: its weight, a servo or a motor, dry friction, and stops.
std::string MakeLift(const std::string& drive, const std::string& integrator,
                     const char* dry = "0.5") {
  return R"(
bodies: [{name: load, mass: 2, inertia: [1, 1, 1]}]
joints:
  - {name: lift, type: prismatic, child: load, axis: [0, 0, 1], limits: [-0.1, 1],
     friction: {dry: )" +
         std::string(dry) + R"(}}
drives: [)" +
         drive + R"(]
initial: {lift: 0.05}
simulation: {step: 2e-3, until: 0.3, integrator: )" +
         integrator + "}\n";
}

constexpr char kServo[] = "{type: servo, joint: lift, stiffness: 300, damping: 9, target: 0.2}";
constexpr char kMotor[] = "{type: motor, joint: lift, rate: 0.4, force_limit: 25}";
constexpr char kSlackServo[] = "{type: servo, joint: lift, stiffness: 1, damping: 0, target: 0}";

class Forces : public ::testing::TestWithParam<FormulationKind> {};

// m a = drive − m g + limits and friction, in every step.
TEST_P(Forces, AddUpToMassTimesAcceleration) {
  for (const char* drive : {kServo, kMotor, kSlackServo}) {
    Scene scene = ParseScene(MakeLift(drive, "semi-implicit-euler"), "lift");
    scene.settings.formulation.kind = GetParam();
    Simulator simulator = testing::MakeSimulator(scene);
    const auto rows = ListConstraintRows(scene.model, ConstraintSet(scene.model));
    ForceReport report;
    std::vector<double> forces;
    for (int i = 0; i < 150; ++i) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      simulator.CalcForces(&report);
      ReadForces(rows, report.constraints, &forces);
      // Lower stop, upper stop (which pushes down), friction, and a motor's own row.
      double sum = report.drive_force[0] + forces[0] - forces[1] + forces[2];
      sum -= 2 * 9.81;
      EXPECT_NEAR(2 * report.acceleration[0], sum, 1e-7) << drive << " " << i;
      EXPECT_GE(forces[0], 0);
      EXPECT_GE(forces[1], 0);
      EXPECT_LE(std::abs(forces[2]), 0.5 + 1e-9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formulations, Forces,
                         ::testing::Values(FormulationKind::kCompliant,
                                           FormulationKind::kStabilizedLcp,
                                           FormulationKind::kMlcpLemke,
                                           FormulationKind::kMaxDissipation),
                         [](const auto& entry) { return std::to_string(entry.index); });

TEST(ForceReportTest, HasTheForceOfAMotorAndOfAStop) {
  Simulator simulator =
      testing::MakeSimulator(ParseScene(MakeLift(kMotor, "semi-implicit-euler"), "lift"));
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  // At constant speed it lifts the weight against friction.
  EXPECT_NEAR(summary.forces.drive_force[0], 2 * 9.81 + 0.5, 1e-9);
  EXPECT_NEAR(summary.forces.acceleration[0], 0, 1e-9);

  Simulator fallen =
      testing::MakeSimulator(ParseScene(MakeLift(kSlackServo, "semi-implicit-euler"), "lift"));
  const RunSummary rest = voigt::Run(&fallen, nullptr);
  ASSERT_EQ(rest.forces.constraints.size(), 3u);
  EXPECT_NEAR(rest.forces.drive_force[0], 0.1, 1e-9);
  EXPECT_NEAR(rest.forces.constraints[0].force + rest.forces.constraints[2].force, 2 * 9.81 - 0.1,
              1e-9);
}

TEST(ForceReportTest, IsOfTheMomentByEvents) {
  Simulator simulator =
      testing::MakeSimulator(ParseScene(MakeLift(kServo, "event-driven", "0"), "lift"));
  ForceReport report;
  for (int i = 0; i < 30; ++i) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    simulator.CalcForces(&report);
    const double q = simulator.state().q[0], v = simulator.state().v[0];
    EXPECT_NEAR(report.drive_force[0], 300 * (0.2 - q) - 9 * v, 1e-9);
    EXPECT_NEAR(2 * report.acceleration[0], report.drive_force[0] - 2 * 9.81, 1e-8);
  }
}

TEST(ForceReportTest, HasAccelerationsOfRungeKutta) {
  const Scene scene = ParseScene(R"(
bodies: [{name: bob, mass: 3, com: [0, 0, -0.7], inertia: [0.2, 0.2, 0.2]}]
joints: [{name: pin, type: revolute, child: bob, axis: [0, 1, 0]}]
initial: {pin: 0.6}
simulation: {step: 1e-2, until: 1, integrator: rk4}
)",
                                 "pendulum");
  Simulator simulator = testing::MakeSimulator(scene);
  ForceReport report;
  simulator.CalcForces(&report);
  const double inertia = 0.2 + 3 * 0.7 * 0.7;
  EXPECT_NEAR(report.acceleration[0], -3 * 9.81 * 0.7 * std::sin(0.6) / inertia, 1e-12);
  EXPECT_EQ(report.drive_force[0], 0);
}

// What is free has the accelerations of the moment, whatever the step was: g sin θ/l of a pendulum.
TEST(ForceReportTest, HasAccelerationsOfTheMomentWhereNothingHolds) {
  const Scene scene = ParseScene(R"(
bodies: [{name: bob, mass: 3, com: [0, 0, -0.7], inertia: [0.2, 0.2, 0.2]}]
joints: [{name: pin, type: revolute, child: bob, axis: [0, 1, 0]}]
initial: {pin: 2}
simulation: {step: 0.2}
)",
                                 "pendulum");
  Simulator simulator = testing::MakeSimulator(scene);
  ForceReport report;
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    simulator.CalcForces(&report);
    const double angle = simulator.state().q[0];
    EXPECT_NEAR(report.acceleration[0], -3 * 9.81 * 0.7 * std::sin(angle) / (0.2 + 3 * 0.49),
                1e-12);
  }
  EXPECT_GT(simulator.solver().shortened, 0);
}

// Where loops hold, a step that is taken in parts has the mean of all of it.
TEST(ForceReportTest, HasAccelerationsOfWholeStepsWhereSomethingHolds) {
  Simulator simulator =
      testing::MakeSimulator(testing::LoadNamedScene("n_four_bar", {{"simulation.step", "0.1"}}));
  ForceReport report;
  for (int i = 0; i < 20; ++i) {
    const VecX before = simulator.state().v;
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    simulator.CalcForces(&report);
    const VecX change = simulator.state().v - before;
    EXPECT_LE((0.1 * report.acceleration - change).norm(), 1e-12 * (1 + change.norm()));
  }
  EXPECT_GT(simulator.solver().shortened, 0);
}

TEST(ForceReportTest, IsUnknownBeforeTheFirstStep) {
  Simulator simulator =
      testing::MakeSimulator(ParseScene(MakeLift(kServo, "semi-implicit-euler"), "lift"));
  ForceReport report;
  simulator.CalcForces(&report);
  EXPECT_TRUE(std::isnan(report.acceleration[0]));
  EXPECT_TRUE(std::isnan(report.drive_force[0]));
  EXPECT_TRUE(report.constraints.empty());
  EXPECT_FALSE(report.is_known);
}

// Every joint that a drive acts on, whether by a row or as a spring.
TEST(ForceReportTest, KnowsWhatIsDriven) {
  for (const char* drive : {kServo, kMotor}) {
    const Scene scene = ParseScene(MakeLift(drive, "semi-implicit-euler"), "lift");
    EXPECT_EQ(FindDrivenRates(scene.model, ConstraintSet(scene.model)), std::vector<char>{1});
  }
  const Scene scene = testing::LoadNamedScene("double_pendulum");
  EXPECT_EQ(FindDrivenRates(scene.model, ConstraintSet(scene.model)), (std::vector<char>{0, 0}));
}

// A stack: the floor bears all of it, each box what stands on it.
TEST(ContactSumsTest, AreWeights) {
  const Scene scene = testing::LoadNamedScene("box_stack");
  Simulator simulator = testing::MakeSimulator(scene);
  const RunSummary summary = voigt::Run(&simulator, nullptr);
  const Model& model = scene.model;
  const ContactSums& sums = summary.contact_sums;
  const double weight = 9.81 * model.TotalMass();
  EXPECT_NEAR(sums.bodies[0].force_W.z(), -weight, 1e-6 * weight);
  for (int b = 1; b < model.nb(); ++b) {
    const double own = 9.81 * model.body(b).mass.mass;
    EXPECT_NEAR(sums.bodies[b].force_W.z(), own, 1e-6 * weight) << b;
    EXPECT_LE(sums.bodies[b].force_W.head<2>().norm(), 1e-6 * weight) << b;
    EXPECT_GT(sums.bodies[b].contacts, 0);
  }
  Vec3 shapes = Vec3::Zero();
  for (const ContactSum& shape : sums.shapes) shapes += shape.force_W;
  EXPECT_LE(shapes.norm(), 1e-9 * weight);
}

// An impulse below the last bit of the velocities is no contact.
TEST(PressingContactsTest, AreMoreThanRounding) {
  VelocityProblem problem;
  problem.v_star = VecX::Constant(1, -0.01);
  problem.w = {0.5};
  const PressingContacts pressing(problem);
  EXPECT_TRUE(pressing.Has(0, 1e-12));
  EXPECT_FALSE(pressing.Has(0, 1e-27));
  EXPECT_FALSE(pressing.Has(0, 0));
}

}  // namespace
}  // namespace voigt
