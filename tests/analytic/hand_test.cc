// A hand with three fingers that closes on a glass, after the robot grasp of [Anitescu, Miller &
// Hart 2003, §4]: how far joints and contacts are off with and without stabilisation, in maximal
// coordinates as there, where joints are rows, and in minimal ones; and that both kinds of
// coordinates, under several formulations, let the glass go the same way.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/scenes.h"
#include "voigt/base/stopwatch.h"
#include "voigt/constraints/contact_rows.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/model/maximal.h"

namespace voigt {
namespace {

enum class HandCoordinates { kMinimal, kMaximal };

// I(q) of joints and of contacts at the start of each step.
struct HandRun {
  StepStatus status = StepStatus::kOk;
  double t = 0;
  std::vector<double> joints, contacts;
  long audits_failed = 0;
  SolverTotals solver;
  Pose X_WG;  // the glass, in the end
  double seconds = 0;

  double LargestOfJoints() const { return *std::max_element(joints.begin(), joints.end()); }
  // While the fingers push the glass, before it swings back and lands: how deep it then comes in
  // one step depends on when.
  double LargestOfContacts() const {
    const size_t count = std::min<size_t>(contacts.size(), 170);
    return *std::max_element(contacts.begin(), contacts.begin() + count);
  }
};

void NoteInfeasibility(const VelocityProblem& problem, HandRun* out) {
  double joints = 0, contacts = 0;
  for (const RowGroup& group : problem.groups) {
    if (group.constraint == kContactGroup) {
      contacts = std::max(contacts, -problem.rows[group.first_row].phi);
    } else if (group.law == Law::kBilateral) {
      for (int r = 0; r < group.row_count; ++r) {
        joints = std::max(joints, std::fabs(problem.rows[group.first_row + r].phi));
      }
    }
  }
  out->joints.push_back(joints);
  out->contacts.push_back(contacts);
}

HandRun RunHand(const Scene& scene, HandCoordinates coordinates) {
  Model model = scene.model;
  State start = scene.initial;
  if (coordinates == HandCoordinates::kMaximal) {
    Model maximal = ToMaximal(model);
    start = ToMaximalState(model, start, maximal);
    model = std::move(maximal);
  }
  Simulator simulator(std::move(model), scene.settings, start);
  HandRun out;
  const Stopwatch stopwatch;
  const long steps = std::lround(scene.settings.until / scene.settings.step);
  for (long k = 0; k < steps && simulator.Step() == StepStatus::kOk; ++k) {
    NoteInfeasibility(simulator.problem(), &out);
    EXPECT_DOUBLE_EQ(simulator.step_audit()->infeasibility,
                     std::max(out.joints.back(), out.contacts.back()));
  }
  out.seconds = stopwatch.Seconds();
  out.status = simulator.status();
  out.t = simulator.state().t;
  out.audits_failed = simulator.audit().failed;
  out.solver = simulator.solver();
  const int glass = *simulator.model().FindBody("glass");
  out.X_WG = CalcBodyPose(simulator.model(), simulator.CalcKinematics(), glass);
  return out;
}

HandRun RunHandStabilised(double stabilization, HandCoordinates coordinates) {
  Scene scene = testing::LoadNamedScene("hand_and_glass");
  scene.settings.stabilization.joints = scene.settings.stabilization.contacts = stabilization;
  const HandRun run = RunHand(scene, coordinates);
  // Fingers that press against each other through the glass leave Lemke's pivots a few 1e-12 of
  // rounding, where 1e-12 is asked for.
  EXPECT_LE(run.solver.not_solved, 2);
  EXPECT_LE(run.audits_failed, run.solver.not_solved);
  EXPECT_LT(run.solver.worst_residual, 5e-12);
  return run;
}

// The paper's figures: without stabilisation infeasibility grows until the protective layer is used
// up and the run has to end; with it, it is arrested.
TEST(HandAndGlass, StabilisationArrestsInfeasibilityOfJoints) {
  const HandRun none = RunHandStabilised(0, HandCoordinates::kMaximal);
  const HandRun some = RunHandStabilised(0.2, HandCoordinates::kMaximal);
  const HandRun full = RunHandStabilised(1, HandCoordinates::kMaximal);
  EXPECT_EQ(none.status, StepStatus::kTooInfeasible);
  EXPECT_GT(none.t, 0.2);
  EXPECT_LT(none.t, 0.3);
  EXPECT_GT(none.joints.back(), 0.0049);
  EXPECT_EQ(some.status, StepStatus::kOk);
  EXPECT_EQ(full.status, StepStatus::kOk);
  EXPECT_LT(some.LargestOfJoints(), 5e-4);
  EXPECT_LT(full.LargestOfJoints(), 0.3 * some.LargestOfJoints());

  // While knuckles turn evenly, every step adds the same d: I_l = (1 − s) I_{l−1} + d, which grows
  // without end for s = 0 and tends to d/s for others.
  const double d = full.joints[40];
  EXPECT_NEAR(none.joints[40], 40 * d, 0.05 * 40 * d);
  EXPECT_NEAR(some.joints[40], d / 0.2, 0.05 * d / 0.2);

  // When they stand, it falls to less than a tenth.
  EXPECT_LT(some.joints.back(), 0.1 * some.LargestOfJoints());
  EXPECT_LT(full.joints.back(), 0.1 * full.LargestOfJoints());
}

// In minimal coordinates joints cannot come apart, and what is left are the contacts.
TEST(HandAndGlass, StabilisationArrestsDepthOfContacts) {
  const HandRun none = RunHandStabilised(0, HandCoordinates::kMinimal);
  const HandRun some = RunHandStabilised(0.2, HandCoordinates::kMinimal);
  const HandRun full = RunHandStabilised(1, HandCoordinates::kMinimal);
  for (const HandRun* run : {&none, &some, &full}) {
    EXPECT_EQ(run->status, StepStatus::kOk);
    EXPECT_LT(run->LargestOfJoints(), 1e-9);  // couplers are linear in the coordinates
  }
  EXPECT_LT(some.LargestOfContacts(), 0.5 * none.LargestOfContacts());
  EXPECT_LT(full.LargestOfContacts(), 0.5 * some.LargestOfContacts());
  EXPECT_LT(full.LargestOfContacts(), 5e-5);
}

// Joints as rows or as coordinates: the glass goes the same way but for what a step is off.
void CompareHandCoordinates(FormulationKind kind, double h) {
  Scene scene = testing::LoadNamedScene("hand_and_glass");
  scene.settings.formulation.kind = kind;
  scene.settings.formulation.impulse_space.tolerance = 1e-10;
  scene.settings.step = h;
  scene.settings.until = 0.3;
  const HandRun minimal = RunHand(scene, HandCoordinates::kMinimal);
  const HandRun maximal = RunHand(scene, HandCoordinates::kMaximal);
  const double distance = (minimal.X_WG.p - maximal.X_WG.p).norm();
  const double angle = Eigen::AngleAxisd(minimal.X_WG.R.transpose() * maximal.X_WG.R).angle();
  std::printf("%-15s h %.5f  rows %d and %d  ms/step %.3f and %.3f  apart %.1e m, %.1e rad\n",
              std::string(ToString(kind)).c_str(), h, minimal.solver.most_rows,
              maximal.solver.most_rows, 1e3 * minimal.seconds / minimal.joints.size(),
              1e3 * maximal.seconds / maximal.joints.size(), distance, angle);
  for (const HandRun* run : {&minimal, &maximal}) {
    EXPECT_EQ(run->status, StepStatus::kOk);
    EXPECT_EQ(run->solver.not_solved, 0);
    EXPECT_EQ(run->audits_failed, 0);
    EXPECT_LT(run->X_WG.p.x(), -0.01);  // the fingers have pushed it
  }
  EXPECT_GT(maximal.solver.most_rows, minimal.solver.most_rows + 30);
  EXPECT_LT(distance, 0.2 * h);
  EXPECT_LT(angle, 4 * h);  // about the glass's axis, where polygons drift
}

TEST(HandAndGlass, MinimalAndMaximalCoordinatesAgree) {
  for (FormulationKind kind : {FormulationKind::kMlcpLemke, FormulationKind::kMncpPlm}) {
    CompareHandCoordinates(kind, 0.0025);
  }
}

}  // namespace
}  // namespace voigt
