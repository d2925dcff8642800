#include "apps/voigt/summary_parts.h"

#include <fmt/format.h>

#include "apps/voigt/scene_notices.h"

namespace voigt {

std::vector<std::string> CollectNotices(const Scene& scene, const RunSummary& summary) {
  std::vector<std::string> notices = ListSceneNotices(scene);
  const bool by_events = scene.settings.integrator == Integrator::kEventDriven;
  if (const std::string notes = SummarizeNotes(scene); !notes.empty()) notices.push_back(notes);
  const FormulationSettings& formulation = scene.settings.formulation;
  const double tolerance = formulation.kind == FormulationKind::kCompliant
                               ? formulation.compliant.tolerance
                               : formulation.impulse_space.tolerance;
  if (summary.solver.not_solved > 0 && !by_events && !summary.guides.empty() &&
      summary.solver.worst_residual <= tolerance) {
    notices.push_back(
        fmt::format("loads that friction of joints comes from did not settle in {} of {} steps, "
                    "where constraints were solved with those of the last pass",
                    summary.solver.not_solved, summary.steps));
  } else if (summary.solver.not_solved > 0) {
    notices.push_back(
        fmt::format("constraints were not solved to their tolerance in {} of {} {}; the worst "
                    "residual is {:.1e} of the velocities there",
                    summary.solver.not_solved, by_events ? summary.events.impacts : summary.steps,
                    by_events ? "impacts" : "steps", summary.solver.worst_residual));
  }
  if (summary.solver.redundant > 0) {
    notices.push_back(fmt::format(
        "rigid constraints repeat each other and were met in the least-squares sense in {} of {} "
        "steps; the worst residual is {:.1e} of the velocities there",
        summary.solver.redundant, summary.steps, summary.solver.worst_residual));
  }
  if (summary.cones.not_pointed > 0) {
    notices.push_back(fmt::format(
        "the friction cone was not pointed in {} of {} steps, first at t = {:.9g} s: contacts jam, "
        "and their impulses have no bound",
        summary.cones.not_pointed, summary.steps, summary.cones.first));
  }
  if (summary.cones.uncertain > 0) {
    notices.push_back(fmt::format("whether friction cones are pointed is not certain in {} steps",
                                  summary.cones.uncertain));
  }
  if (summary.inexact_contacts > 0) {
    notices.push_back(
        fmt::format("the gaps of {} contacts, over all steps, are certain to half of their digits "
                    "only",
                    summary.inexact_contacts));
  }
  if (summary.events.limited > 0) {
    notices.push_back(
        fmt::format("restitution was cut in {} impacts, where all of it would have added energy",
                    summary.events.limited));
  }
  if (summary.events.without_joint_friction > 0) {
    notices.push_back(fmt::format(
        "friction of joints was left out of {} impacts, for which no impulses within it were found",
        summary.events.without_joint_friction));
  }
  if (summary.spin_failures > 0) {
    notices.push_back(
        fmt::format("gyroscopic torque was left out {} times: the spin is too fast for the step",
                    summary.spin_failures));
  }
  return notices;
}

int CountJoints(const Model& model) {
  return model.nb() - 1 + static_cast<int>(model.loops().size());
}

}  // namespace voigt
