// Bennett's linkage: four bars in space, four pins, and three rows more than it has freedom to
// lose. No symmetry helps: off by δ, the last row is off by as much, and near the folded position
// by far more.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "tests/support/energy_between_steps.h"
#include "voigt/constraints/assembly.h"
#include "voigt/model/maximal.h"
#include "voigt/model/model_builder.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

constexpr double kPi = 3.14159265358979323846;
// Lengths and twists of the bars in turn; a / sin α = b / sin β lets it move [Bennett 1903].
constexpr double kAlpha = kPi / 6, kBeta = 7 * kPi / 18, kLengthA = 1;
const double kLengthB = kLengthA * std::sin(kBeta) / std::sin(kAlpha);

Pose Bar(double length, double twist) {
  return {Eigen::AngleAxisd(twist, Vec3::UnitX()).toRotationMatrix(), Vec3(length, 0, 0)};
}

// tan(θ₁/2) tan(θ₂/2) of neighbouring pins, all along.
double Product() { return std::sin((kAlpha + kBeta) / 2) / std::sin((kBeta - kAlpha) / 2); }

Model MakeBennett(double stiffness) {
  ModelSpec spec;
  spec.gravity = Vec3(0.3, -9, -4);
  const double lengths[] = {kLengthA, kLengthB, kLengthA};
  for (int i = 0; i < 3; ++i) {
    BodySpec body;
    body.name = "bar" + std::to_string(i);
    body.mass_source = MassSource::kExplicit;
    const double J = lengths[i] * lengths[i] / 12;
    body.mass = {1, Vec3(lengths[i] / 2, 0.1 * i, 0.05), Vec3(0.01, J, J).asDiagonal()};
    spec.bodies.push_back(body);
  }
  const auto add_pin = [&](const char* name, const char* parent, const char* child, const Pose& X) {
    JointSpec joint;
    joint.name = name;
    joint.type = JointType::kRevolute;
    joint.parent = parent;
    joint.child = child;
    joint.X_PF = X;
    joint.loop_stiffness = stiffness;
    spec.joints.push_back(joint);
  };
  add_pin("pin0", "world", "bar0", {});
  add_pin("pin1", "bar0", "bar1", Bar(kLengthA, kAlpha));
  add_pin("pin2", "bar1", "bar2", Bar(kLengthB, kBeta));
  add_pin("pin3", "bar2", "world", Bar(kLengthA, kAlpha));
  spec.joints.back().X_CM = Bar(kLengthB, kBeta).Inverse();
  spec.joints.back().tree = TreeChoice::kLoop;
  return ModelBuilder(spec).Build();
}

State MakeStart(const Model& model) {
  State state;
  const double angle = kPi / 3;
  state.q = Vec3(angle, 2 * std::atan(Product() / std::tan(angle / 2)), -angle);
  state.v = VecX::Zero(3);
  EXPECT_TRUE(Assemble(model, {}, &state).ok());
  EXPECT_NEAR(state.q[0], angle, 1e-9);
  return state;
}

struct BennettRun {
  double energy = 0, kinetic = 0;  // gained; largest
  double violation = 0;
  double closure = 0;  // largest error of the relation between θ₁ and θ₂
  SolverTotals solver;
  long audits_failed = 0;
};

BennettRun SwingLinkage(double h, double stiffness, bool maximal) {
  Model model = MakeBennett(stiffness);
  State start = MakeStart(model);
  if (maximal) {
    Model free = ToMaximal(model);
    start = ToMaximalState(model, start, free);
    model = std::move(free);
  }
  SimulationSettings settings;
  settings.step = h;
  Simulator simulator(model, settings, start);
  testing::EnergyBetweenSteps energy(&simulator);
  BennettRun out;
  for (long i = 0; i < std::lround(2 / h); ++i) {
    EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    energy.Note(&simulator);
    for (const Row& row : simulator.problem().rows) {
      out.violation = std::max(out.violation, std::abs(row.phi));
    }
    out.kinetic = std::max(out.kinetic, simulator.CalcEnergy().kinetic);
    if (maximal) continue;
    const double s = std::sin(simulator.state().q[0] / 2) * std::sin(simulator.state().q[1] / 2);
    const double c = std::cos(simulator.state().q[0] / 2) * std::cos(simulator.state().q[1] / 2);
    out.closure = std::max(out.closure, std::abs(s - Product() * c));
  }
  out.energy = energy.gain();
  out.solver = simulator.solver();
  out.audits_failed = simulator.audit().failed;
  return out;
}

TEST(Bennett, RigidLinkageMovesThroughItsFoldedPosition) {
  for (bool maximal : {false, true}) {
    const BennettRun coarse = SwingLinkage(1e-3, kInfinity, maximal),
                     fine = SwingLinkage(5e-4, kInfinity, maximal);
    for (const BennettRun& run : {coarse, fine}) {
      EXPECT_EQ(run.solver.not_solved, 0) << maximal;
      EXPECT_LE(run.solver.hardest(), Attempt::kConvexProgram) << maximal;
      EXPECT_GT(run.solver.redundant, 0) << maximal;
      EXPECT_LT(run.solver.worst_residual, 1e-5) << maximal;
      EXPECT_EQ(run.audits_failed, 0) << maximal;
      EXPECT_GT(run.kinetic, 10) << maximal;
      EXPECT_LT(std::abs(run.energy), 1e-4 * run.kinetic) << maximal;
      EXPECT_LT(run.violation, 1e-4) << maximal;
    }
    EXPECT_LT(std::abs(fine.energy), 0.35 * std::abs(coarse.energy)) << maximal;
    EXPECT_NEAR(coarse.violation / fine.violation, 4, 0.5) << maximal;
    if (maximal) continue;
    EXPECT_NEAR(coarse.closure / fine.closure, 4, 0.5);
  }
}

TEST(Bennett, RigidLinkageIsTheLimitOfAStiffOne) {
  const BennettRun rigid = SwingLinkage(5e-4, kInfinity, true),
                   stiff = SwingLinkage(5e-4, 1e10, true);
  EXPECT_NEAR(rigid.energy, stiff.energy, 1e-4 * stiff.kinetic);
  EXPECT_NEAR(rigid.kinetic, stiff.kinetic, 1e-3 * stiff.kinetic);
  EXPECT_NEAR(rigid.violation, stiff.violation, 1e-2 * stiff.violation);
}

}  // namespace
}  // namespace voigt
