#include "reproduce/hand_run.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "voigt/constraints/contact_rows.h"
#include "voigt/model/maximal.h"

namespace voigt::reproduce {
namespace {

// I(q) of joints and of contacts at the start of a step.
Vec2 CalcInfeasibilities(const VelocityProblem& problem) {
  double joints = 0, contacts = 0;
  for (const RowGroup& group : problem.groups) {
    if (group.constraint == kContactGroup) {
      contacts = std::max(contacts, -problem.rows[group.first_row].phi);
    } else if (group.law == Law::kBilateral) {
      for (int r = 0; r < group.row_count; ++r) {
        joints = std::max(joints, std::abs(problem.rows[group.first_row + r].phi));
      }
    }
  }
  return {joints, contacts};
}

}  // namespace

HandRun RunHand(const Trial& trial, double stabilization) {
  Scene scene = trial.LoadScene("hand_and_glass");
  scene.settings.stabilization.joints = scene.settings.stabilization.contacts = stabilization;
  const Model maximal = ToMaximal(scene.model);
  const State start = ToMaximalState(scene.model, scene.initial, maximal);
  Simulator simulator(maximal, scene.settings, start);
  const int glass = *simulator.model().FindBody("glass");
  const auto place = [&] {
    return CalcBodyPose(simulator.model(), simulator.CalcKinematics(), glass).p;
  };
  const Vec3 origin = place();
  HandRun out;
  while (simulator.state().t < scene.settings.until - 1e-9) {
    trial.Tick();
    const double t = simulator.state().t;
    if (simulator.Step() != StepStatus::kOk) break;
    const Vec2 infeasibility = CalcInfeasibilities(simulator.problem());
    out.joints.emplace_back(t, infeasibility[0]);
    out.contacts.emplace_back(t, infeasibility[1]);
    out.total.emplace_back(t, infeasibility.maxCoeff());
    out.glass.emplace_back(simulator.state().t, (place() - origin).norm());
  }
  out.used_up = simulator.status() == StepStatus::kTooInfeasible;
  if (simulator.status() != StepStatus::kOk && !out.used_up) {
    throw std::runtime_error(Explain(simulator.status()));
  }
  out.end = simulator.state().t;
  out.not_solved = simulator.solver().not_solved;
  return out;
}

double LargestOf(const std::vector<Vec2>& curve) {
  double out = 0;
  for (const Vec2& point : curve) out = std::max(out, point[1]);
  return out;
}

}  // namespace voigt::reproduce
