#include "apps/voigt/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "apps/voigt/scene_notices.h"
#include "voigt/io/json_text.h"
#include "voigt/sim/friction_element.h"

namespace voigt {
namespace {

// What the scene asks for and this version does not do, and what went less than well.
std::vector<std::string> CollectNotices(const Scene& scene, const RunSummary& summary) {
  std::vector<std::string> notices = ListSceneNotices(scene);
  const bool by_events = scene.settings.integrator == Integrator::kEventDriven;
  if (const std::string notes = SummarizeNotes(scene); !notes.empty()) notices.push_back(notes);
  if (summary.solver.not_solved > 0) {
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

std::string JsonEnergy(const Energy& energy) {
  return fmt::format(R"({{"kinetic": {}, "gravity": {}, "spring": {}, "total": {}}})",
                     JsonNumber(energy.kinetic), JsonNumber(energy.gravity),
                     JsonNumber(energy.spring), JsonNumber(energy.Total()));
}

const char* StatusName(StepStatus status) {
  switch (status) {
    case StepStatus::kOk:
      return "ok";
    case StepStatus::kSingularMassMatrix:
      return "singular mass matrix";
    case StepStatus::kNotFinite:
      return "not finite";
    case StepStatus::kToleranceNotReached:
      return "tolerance not reached";
    case StepStatus::kConstraintsFailed:
      return "constraints failed";
    case StepStatus::kTooInfeasible:
      return "too infeasible";
    case StepStatus::kEventsWithoutEnd:
      return "events without end";
    case StepStatus::kStopped:
      return "stopped";
    case StepStatus::kContradiction:
      return "constraints contradict each other";
    case StepStatus::kFrictionLocks:
      return "friction locks";
  }
  return "";
}

// What a formulation does again and again.
const char* NameIterations(FormulationKind kind) {
  switch (kind) {
    case FormulationKind::kCompliant:
      return "Newton iterations";
    case FormulationKind::kStabilizedLcp:
    case FormulationKind::kMlcpLemke:
      return "pivots";
    case FormulationKind::kMaxDissipation:
    case FormulationKind::kWorking:  // its impacts
      return "pivots and Newton steps";
    case FormulationKind::kCompliantQcqp:
      return "steps of the cone program";
    case FormulationKind::kMlcpFbRlm:
    case FormulationKind::kMlcpFbPlm:
    case FormulationKind::kMncpRlm:
    case FormulationKind::kMncpPlm:
      break;
  }
  return "Levenberg–Marquardt steps";
}

void PrintEvents(const EventTotals& events) {
  fmt::print("events      {}: {} impacts, of up to {} contacts at once; {} ends of bouncing\n",
             events.events(), events.impacts, events.most_simultaneous, events.rests);
  fmt::print("            {} releases, {} stops of sliding, {} begins of it, {} turns\n",
             events.releases, events.sticks, events.slips, events.turns);
  if (events.locks > 0) {
    fmt::print("            {} impulses that stop sliding where friction leaves no accelerations\n",
               events.locks);
  }
  if (events.touches + events.breakaways + events.slowdowns > 0) {
    fmt::print("            of soft contacts {} touches, {} breakaways, {} slowdowns to creep\n",
               events.touches, events.breakaways, events.slowdowns);
  }
  if (events.sweep_starts > 0) {
    fmt::print("            {} searches for what sticks from sweeps, {} of them shared unevenly\n",
               events.sweep_starts, events.shared);
  }
  fmt::print("            {} steps of the integrator, {} accelerations\n", events.pieces,
             events.evaluations);
}

std::string JsonEvents(const EventTotals& events) {
  return fmt::format(
      R"({{"impacts": {}, "rests": {}, "releases": {}, "sticks": {}, "slips": {}, "turns": {}, "locks": {}, "touches": {}, "breakaways": {}, "slowdowns": {}, "most_simultaneous": {}, "limited": {}, "without_joint_friction": {}, "sweep_starts": {}, "shared": {}, "pieces": {}, "evaluations": {}}})",
      events.impacts, events.rests, events.releases, events.sticks, events.slips, events.turns,
      events.locks, events.touches, events.breakaways, events.slowdowns, events.most_simultaneous,
      events.limited, events.without_joint_friction, events.sweep_starts, events.shared,
      events.pieces, events.evaluations);
}

// How often friction went from one state to another, in the order of first times.
void PrintTransitions(const RunSummary& summary) {
  std::vector<std::pair<std::string, long>> counts;
  for (const Transition& change : summary.transitions) {
    const std::string kind = fmt::format("{} to {}", ToString(change.from), ToString(change.to));
    auto at = std::find_if(counts.begin(), counts.end(),
                           [&](const auto& entry) { return entry.first == kind; });
    if (at == counts.end()) at = counts.insert(at, {kind, 0});
    ++at->second;
  }
  if (counts.empty()) return;
  std::string text;
  for (const auto& [kind, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  }
  const auto shown = static_cast<long>(summary.transitions.size());
  fmt::print("friction    {} changes of state{}: {}\n", summary.transition_count,
             shown < summary.transition_count ? fmt::format(", of the first {}", shown) : "", text);
}

std::string JsonTransitions(const Model& model, const RunSummary& summary) {
  const FrictionNames names(model);
  std::string list;
  for (const Transition& change : summary.transitions) {
    list += fmt::format(R"({}{{"t": {}, "element": {}, "id": "{}", "from": "{}", "to": "{}"}})",
                        list.empty() ? "" : ", ", JsonNumber(change.t),
                        JsonQuote(names.Find(model, change.id).text), change.id,
                        ToString(change.from), ToString(change.to));
  }
  return fmt::format(R"({{"count": {}, "list": [{}]}})", summary.transition_count, list);
}

// Of joints of the tree whose motion is prescribed: visit(joint, force, is_angle).
template <typename Visit>
void ForEachPrescribed(const Model& model, const VecX& force, Visit visit) {
  for (const PrescribedJoint& motion : model.spec().prescribed_joints) {
    const auto body = model.FindJoint(motion.joint);
    if (!body || force.size() == 0) continue;
    const int first = model.tree().v_start[*body];
    for (int k = 0; k < model.tree().dof_count[*body]; ++k) {
      visit(motion.joint, force[first + k], IsAngularDof(model.joint(*body).type, k));
    }
  }
}

void PrintPrescribed(const Model& model, const RunSummary& summary) {
  ForEachPrescribed(model, summary.prescribed_force,
                    [](const std::string& joint, double force, bool is_angle) {
                      fmt::print("prescribed  joint '{}' takes {:.9g} {} at the end\n", joint,
                                 force, is_angle ? "N m" : "N");
                    });
}

std::string JsonPrescribed(const Model& model, const RunSummary& summary) {
  std::string out;
  ForEachPrescribed(
      model, summary.prescribed_force, [&](const std::string& joint, double force, bool) {
        out += fmt::format(R"({}{{"joint": {}, "force": {}}})", out.empty() ? "" : ", ",
                           JsonQuote(joint), JsonNumber(force));
      });
  return fmt::format("[{}]", out);
}

void PrintSolver(const RunSummary& summary, const SimulationSettings& settings) {
  const SolverTotals& solver = summary.solver;
  if (solver.most_rows == 0 || summary.steps == 0) return;
  const FormulationSettings& formulation = settings.formulation;
  const bool by_events = settings.integrator == Integrator::kEventDriven;
  const double steps = static_cast<double>(by_events ? summary.events.impacts : summary.steps);
  fmt::print("formulation {}", ToString(formulation.kind));
  if (formulation.kind == FormulationKind::kCompliant) {
    fmt::print(", friction {}", ToString(formulation.compliant.friction));
  }
  fmt::print("\nconstraints up to {} rows; per {} {:.2f} {}, {:.2f} factorizations\n",
             solver.most_rows, by_events ? "impact" : "step", solver.newton_iterations / steps,
             NameIterations(formulation.kind), solver.factorizations / steps);
  if (solver.linear_iterations > 0) {
    fmt::print("            {:.1f} iterations of conjugate gradients per step\n",
               solver.linear_iterations / steps);
  }
  fmt::print("            worst residual {:.1e}, {} fallbacks\n", solver.worst_residual,
             solver.fallbacks);
  if (solver.inflated > 0) {
    fmt::print("            {} times a normal force was larger than its law\n", solver.inflated);
  }
  if (summary.contacts.most > 0) {
    fmt::print("contacts    {:.1f} in the mean, {} at most carry force\n",
               summary.contacts.sum / static_cast<double>(summary.steps), summary.contacts.most);
  }
}

// The audit's worst numbers beside what they may be.
void PrintAudit(const AuditTotals& audit) {
  if (audit.steps == 0) return;
  fmt::print("\n{:<22}{:>16}{:>16}\n", "audit", "worst", "may be");
  for (const AuditItem& item : ListItems(audit.worst)) {
    fmt::print("  {:<20}{:>16.2e}{:>16.2e}{}\n", item.name, item.value, item.tolerance,
               item.passes() ? "" : "  !");
  }
  fmt::print("  {:<20}{:>16.2e} m or rad\n", "penetration", std::max(0.0, audit.worst.penetration));
  fmt::print("  {:<20}{:>16.2e} m or rad\n", "infeasibility", audit.worst.infeasibility);
  fmt::print("  {:<20}{:>16.2e} m or rad\n", "rigid joints open", audit.worst.violation);
  fmt::print("  {:<20}{:>16.2e} m or rad\n", "soft ones yield", audit.worst.deflection);
  if (audit.worst.coulomb != audit.worst.law) {
    fmt::print("  {:<20}{:>16.2e} of velocities\n", "exact Coulomb law", audit.worst.coulomb);
  }
  if (audit.worst.contradiction > 0) {
    fmt::print("  {:<20}{:>16.2e} of velocities\n", "rigid ones disagree",
               audit.worst.contradiction);
  }
  if (audit.failed > 0) {
    fmt::print("  {} of {} steps had a number beyond its tolerance\n", audit.failed, audit.steps);
  }
}

std::string JsonAudit(const AuditTotals& audit) {
  std::string items;
  for (const AuditItem& item : ListItems(audit.worst)) {
    items += fmt::format("{}: {}, ", JsonQuote(std::string(item.name)), JsonNumber(item.value));
  }
  return fmt::format(
      R"({{{}"penetration": {}, "violation": {}, "deflection": {}, "infeasibility": {}, "coulomb": {}, "contradiction": {}, "steps": {}, "steps_failed": {}}})",
      items, JsonNumber(audit.worst.penetration), JsonNumber(audit.worst.violation),
      JsonNumber(audit.worst.deflection), JsonNumber(audit.worst.infeasibility),
      JsonNumber(audit.worst.coulomb), JsonNumber(audit.worst.contradiction), audit.steps,
      audit.failed);
}

std::string JsonContacts(const RunSummary& summary) {
  const double mean =
      summary.steps == 0 ? 0 : summary.contacts.sum / static_cast<double>(summary.steps);
  return fmt::format(R"({{"mean": {}, "most": {}}})", JsonNumber(mean), summary.contacts.most);
}

std::string JsonCones(const ConeTotals& cones) {
  return fmt::format(
      R"({{"steps_not_pointed": {}, "first": {}, "least_margin": {}, "uncertain": {}}})",
      cones.not_pointed, JsonNumber(cones.first), JsonNumber(cones.least_margin), cones.uncertain);
}

std::string JsonImpacts(const ImpactTotals& impacts, RestitutionLaw law) {
  return fmt::format(
      R"({{"restitution": {}, "steps": {}, "steps_gaining": {}, "gained": {}, "largest_gain": {}}})",
      JsonQuote(std::string(ToString(law))), impacts.steps, impacts.gains,
      JsonNumber(impacts.gained), JsonNumber(impacts.largest));
}

std::string JsonSolver(const SolverTotals& solver) {
  return fmt::format(
      R"({{"most_rows": {}, "newton_iterations": {}, "factorizations": {}, "linear_iterations": {}, )"
      R"("friction_passes": {}, "fallbacks": {}, "inflated": {}, "steps_not_solved": {}, "steps_redundant": {}, "worst_residual": {}}})",
      solver.most_rows, solver.newton_iterations, solver.factorizations, solver.linear_iterations,
      solver.friction_passes, solver.fallbacks, solver.inflated, solver.not_solved,
      solver.redundant, JsonNumber(solver.worst_residual));
}

}  // namespace

void PrintSummary(const Scene& scene, const RunSummary& summary) {
  const Model& model = scene.model;
  fmt::print("scene       {} ({})\n", model.name(), scene.file);
  fmt::print("model       {} bodies, {} joints, {} degrees of freedom, {:.6g} kg\n", model.nb() - 1,
             CountJoints(model), model.nv(), model.TotalMass());
  fmt::print("integrator  {}, step {:g} s\n", ToString(scene.settings.integrator),
             scene.settings.step);
  fmt::print("simulated   {:.6g} s in {} steps\n", summary.simulated_time, summary.steps);
  fmt::print("wall time   {:.3g} s, {:.3g} x real time\n", summary.wall_time,
             summary.RealTimeFactor());
  if (scene.settings.integrator == Integrator::kEventDriven) PrintEvents(summary.events);
  PrintTransitions(summary);
  PrintSolver(summary, scene.settings);
  PrintPrescribed(model, summary);
  fmt::print("\n{:<22}{:>16}{:>16}\n", "energy [J]", "start", "end");
  const auto row = [](const char* name, double start, double end) {
    fmt::print("  {:<20}{:>16.9g}{:>16.9g}\n", name, start, end);
  };
  row("kinetic", summary.start.kinetic, summary.end.kinetic);
  row("gravity", summary.start.gravity, summary.end.gravity);
  row("springs", summary.start.spring, summary.end.spring);
  row("total", summary.start.Total(), summary.end.Total());
  fmt::print("  {:<36}{:>16.9g}\n", "work of loads, dampers and drives", summary.work);
  if (summary.solver.most_rows > 0 || summary.constraint_work != 0) {
    fmt::print("  {:<36}{:>16.9g}\n", "work of constraints and contacts", summary.constraint_work);
  }
  if (summary.impacts.steps > 0) {
    fmt::print("  {:<36}{:>16.9g}  ({} of {} steps with impacts, {})\n", "gained by impacts",
               summary.impacts.gained, summary.impacts.gains, summary.impacts.steps,
               ToString(scene.settings.restitution));
  }
  fmt::print("  {:<36}{:>16.3g}", "drift of the integrator", summary.Drift());
  // At rest there is nothing to compare it with.
  const double largest = std::max(std::abs(summary.start.Total()), std::abs(summary.end.Total()));
  if (summary.peak_kinetic > 1e-9 * largest) {
    fmt::print("  ({:.2g} % of the largest kinetic energy)",
               100 * summary.Drift() / summary.peak_kinetic);
  }
  fmt::print("\n");
  PrintAudit(summary.audit);
  fmt::print("\n");
  for (const std::string& notice : CollectNotices(scene, summary))
    fmt::print("notice      {}\n", notice);
}

void PrintSummaryAsJson(const Scene& scene, const State& final_state, const RunSummary& summary) {
  const Model& model = scene.model;
  std::string notices;
  for (const std::string& notice : CollectNotices(scene, summary)) {
    notices += (notices.empty() ? "" : ", ") + JsonQuote(notice);
  }
  const std::vector<std::pair<std::string, std::string>> members = {
      {"scene", JsonQuote(scene.file)},
      {"name", JsonQuote(model.name())},
      {"status", JsonQuote(StatusName(summary.status))},
      {"trouble", JsonQuote(summary.trouble)},
      {"interrupted", summary.stopped ? "true" : "false"},
      {"bodies", std::to_string(model.nb() - 1)},
      {"joints", std::to_string(CountJoints(model))},
      {"dofs", std::to_string(model.nv())},
      {"mass", JsonNumber(model.TotalMass())},
      {"integrator", JsonQuote(std::string(ToString(scene.settings.integrator)))},
      {"formulation", JsonQuote(std::string(ToString(scene.settings.formulation.kind)))},
      {"step", JsonNumber(scene.settings.step)},
      {"steps", std::to_string(summary.steps)},
      {"simulated_time", JsonNumber(summary.simulated_time)},
      {"wall_time", JsonNumber(summary.wall_time)},
      {"real_time_factor", JsonNumber(summary.RealTimeFactor())},
      {"energy_start", JsonEnergy(summary.start)},
      {"energy_end", JsonEnergy(summary.end)},
      {"peak_kinetic_energy", JsonNumber(summary.peak_kinetic)},
      {"work", JsonNumber(summary.work)},
      {"constraint_work", JsonNumber(summary.constraint_work)},
      {"drift", JsonNumber(summary.Drift())},
      {"constraints", JsonSolver(summary.solver)},
      {"contacts", JsonContacts(summary)},
      {"impacts", JsonImpacts(summary.impacts, scene.settings.restitution)},
      {"friction_cones", JsonCones(summary.cones)},
      {"events", JsonEvents(summary.events)},
      {"transitions", JsonTransitions(model, summary)},
      {"prescribed", JsonPrescribed(model, summary)},
      {"audit", JsonAudit(summary.audit)},
      {"notices", "[" + notices + "]"},
      {"t", JsonNumber(final_state.t)},
      {"q", JsonArray(final_state.q)},
      {"v", JsonArray(final_state.v)},
  };
  fmt::print("{{\n");
  for (size_t i = 0; i < members.size(); ++i) {
    fmt::print("  {}: {}{}\n", JsonQuote(members[i].first), members[i].second,
               i + 1 < members.size() ? "," : "");
  }
  fmt::print("}}\n");
}

}  // namespace voigt
