#include "apps/voigt/summary_parts.h"

#include <fmt/format.h>

#include "apps/voigt/scene_notices.h"
#include "voigt/sim/friction_element.h"

namespace voigt {

namespace {

// Where most of it came from, and when.
std::string ExplainUnexplained(const Model& model, const EnergyBalance& balance) {
  std::string out =
      fmt::format("{:.3g} J came from nowhere, where {:.3g} J are in play: ", balance.unexplained(),
                  balance.scale);
  if (balance.integrator_gain > balance.beyond_laws.sum) {
    return out + fmt::format(
                     "steps of this length make {:.3g} J of inertia, gravity and joints that "
                     "open, most of it about t = {:.9g} s; a shorter step helps",
                     balance.integrator_gain, balance.t_integrator_gain);
  }
  const std::string what = FrictionNames(model).Describe(model, balance.beyond_laws.id);
  return out + fmt::format(
                   "impulses that do not meet their law, most of it, {:.3g} J, at t = {:.9g} "
                   "s by {}",
                   balance.beyond_laws.largest, balance.beyond_laws.t,
                   what.empty() ? "several rows together" : what);
}

}  // namespace

std::vector<std::string> CollectNotices(const Scene& scene, const RunSummary& summary) {
  std::vector<std::string> notices = ListSceneNotices(scene);
  const bool by_events = scene.settings.integrator == Integrator::kEventDriven;
  if (const std::string notes = SummarizeNotes(scene); !notes.empty()) notices.push_back(notes);
  if (summary.solver.unsettled_loads > 0) {
    notices.push_back(
        fmt::format("loads that friction of joints comes from did not settle in {} of {} steps, "
                    "where constraints were solved with those of the last pass",
                    summary.solver.unsettled_loads, summary.steps));
  }
  if (const long count = summary.solver.not_solved - summary.solver.unsettled_loads; count > 0) {
    notices.push_back(
        fmt::format("constraints were not solved to their tolerance in {} of {} {}; the worst "
                    "residual is {:.1e} of the velocities there",
                    count, by_events ? summary.events.impacts : summary.steps,
                    by_events ? "impacts" : "steps", summary.solver.worst_residual));
  }
  if (!summary.balance.IsExplained(scene.settings.max_unexplained)) {
    notices.push_back(ExplainUnexplained(scene.model, summary.balance));
  }
  if (summary.solver.shortened > 0) {
    notices.push_back(fmt::format(
        "{} of {} steps were too long for what moves, and were taken in parts where that "
        "helped: a shorter step is what the scene needs",
        summary.solver.shortened, summary.steps));
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
