#include <fmt/format.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "apps/voigt/summary.h"
#include "apps/voigt/summary_parts.h"
#include "voigt/constraints/degrees_of_freedom.h"
#include "voigt/io/json_text.h"
#include "voigt/io/recording_model.h"
#include "voigt/sim/friction_element.h"

namespace voigt {
namespace {

std::string JsonEnergy(const Energy& energy) {
  return fmt::format(
      R"({{"kinetic": {}, "gravity": {}, "spring": {}, "contacts": {}, "constraints": {}, "rotors": {}, "total": {}}})",
      JsonNumber(energy.kinetic), JsonNumber(energy.gravity), JsonNumber(energy.spring),
      JsonNumber(energy.contacts), JsonNumber(energy.constraints), JsonNumber(energy.rotors),
      JsonNumber(energy.Total()));
}

const char* StatusName(StepStatus status, bool is_accurate) {
  switch (status) {
    case StepStatus::kOk:
      return is_accurate ? "ok" : "inaccurate";
    case StepStatus::kSingularMassMatrix:
      return "singular mass matrix";
    case StepStatus::kNotFinite:
      return "not finite";
    case StepStatus::kToleranceNotReached:
      return "tolerance not reached";
    case StepStatus::kConstraintsFailed:
      return "constraints failed";
    case StepStatus::kFarFromLaws:
      return "far from laws";
    case StepStatus::kTooLong:
      return "step too long";
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

std::string JsonEvents(const EventTotals& events) {
  return fmt::format(
      R"({{"impacts": {}, "rests": {}, "releases": {}, "sticks": {}, "slips": {}, "turns": {}, "locks": {}, "touches": {}, "breakaways": {}, "slowdowns": {}, "most_simultaneous": {}, "limited": {}, "without_joint_friction": {}, "sweep_starts": {}, "shared": {}, "newton_iterations": {}, "factorizations": {}, "fixed_point_iterations": {}, "takeovers": {}, "pieces": {}, "evaluations": {}}})",
      events.impacts, events.rests, events.releases, events.sticks, events.slips, events.turns,
      events.locks, events.touches, events.breakaways, events.slowdowns, events.most_simultaneous,
      events.limited, events.without_joint_friction, events.sweep_starts, events.shared,
      events.newton_iterations, events.factorizations, events.fixed_point_iterations,
      events.takeovers, events.pieces, events.evaluations);
}

std::string JsonLocks(const Model& model, const RunSummary& summary) {
  const FrictionNames names(model);
  std::string list;
  for (const Event& lock : summary.locks) {
    list += fmt::format(R"({}{{"t": {}, "element": {}, "id": "{}"}})", list.empty() ? "" : ", ",
                        JsonNumber(lock.t), JsonQuote(names.Describe(model, lock.id)), lock.id);
  }
  return fmt::format(R"({{"count": {}, "list": [{}]}})", summary.events.locks, list);
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

// Friction from reactions, where the run ended.
std::string JsonGuides(const Model& model, const RunSummary& summary) {
  if (summary.guides.empty()) return "[]";
  const FrictionNames names(model);
  std::string list;
  for (const GuideReport& guide : summary.guides) {
    list += fmt::format(
        R"({}{{"element": {}, "id": "{}", "state": "{}", "normal_force": {}, "friction": {}, "rate": {}}})",
        list.empty() ? "" : ", ", JsonQuote(names.guides()[guide.guide]), guide.id,
        ToString(guide.state), JsonNumber(guide.normal_force),
        JsonArray(guide.friction.head(guide.row_count)),
        JsonArray(guide.rate.head(guide.row_count)));
  }
  return fmt::format("[{}]", list);
}

std::string JsonNames(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + JsonQuote(name);
  return fmt::format("[{}]", out);
}

// On every row of every constraint, where the run ended.
std::string JsonConstraintForces(const Model& model, const RunSummary& summary) {
  const NumberNames names = ListConstraintForces(model);
  std::vector<double> forces;
  ReadForces(ListConstraintRows(model, ConstraintSet(model)), summary.forces.constraints, &forces);
  std::string out;
  for (size_t i = 0; i < forces.size(); ++i) {
    out += fmt::format(R"({}{{"row": {}, "unit": "{}", "force": {}}})", out.empty() ? "" : ", ",
                       JsonQuote(names.names[i]), names.units[i], JsonNumber(forces[i]));
  }
  return fmt::format("[{}]", out);
}

// Of bodies and shapes that something touches, where the run ended.
std::string JsonContactForces(const Model& model, const ContactSums& sums) {
  const auto list = [](const std::vector<ContactSum>& all, auto name) {
    std::string out;
    for (int i = 0; i < static_cast<int>(all.size()); ++i) {
      if (all[i].contacts == 0) continue;
      out +=
          fmt::format(R"({}{{"name": {}, "contacts": {}, "force": {}}})", out.empty() ? "" : ", ",
                      JsonQuote(name(i)), all[i].contacts, JsonArray(all[i].force_W));
    }
    return out;
  };
  return fmt::format(
      R"({{"bodies": [{}], "shapes": [{}]}})",
      list(sums.bodies, [&](int b) { return b == 0 ? "world" : model.body(b).name; }),
      list(sums.shapes, [&](int g) { return NameShape(model, g); }));
}

std::string JsonPrescribed(const Model& model, const RunSummary& summary) {
  std::string out;
  ForEachPrescribed(model, summary.prescribed_force, [&](const PrescribedRate& rate, double force) {
    out += fmt::format(R"({}{{"joint": {}, "rate": {}, "force": {}}})", out.empty() ? "" : ", ",
                       JsonQuote(rate.joint), rate.index, JsonNumber(force));
  });
  return fmt::format("[{}]", out);
}

// Judged numbers, each with a comma behind it.
std::string JsonItems(std::span<const AuditItem> items) {
  std::string out;
  for (const AuditItem& item : items) {
    out += fmt::format("{}: {}, ", JsonQuote(std::string(item.name)), JsonNumber(item.value));
  }
  return out;
}

std::string JsonBooks(const Model& model, const EnergyBalance& balance) {
  std::string lines;
  for (int i = 0; i < kEnergyLineCount; ++i) {
    lines += fmt::format("{}: {}, ", JsonQuote(std::string(ToString(static_cast<EnergyLine>(i)))),
                         JsonNumber(balance.lines[i]));
  }
  const UnexplainedEnergy& beyond = balance.beyond_laws;
  return fmt::format(
      R"({{{}"integrator": {}, "unexplained": {}, "in_play": {}, "integrator_gain": {}, "beyond_laws": {}, "largest": {}, "largest_by": {}, "largest_at": {}}})",
      lines, JsonNumber(balance.integrator), JsonNumber(balance.unexplained()),
      JsonNumber(balance.scale), JsonNumber(balance.integrator_gain), JsonNumber(beyond.sum),
      JsonNumber(beyond.largest),
      JsonQuote(beyond.sum > 0 ? FrictionNames(model).Describe(model, beyond.id) : ""),
      JsonNumber(beyond.t));
}

std::string JsonAudit(const AuditTotals& audit) {
  return fmt::format(
      R"({{{}"penetration": {}, "violation": {}, "deflection": {}, "infeasibility": {}, "coulomb": {}, "contradiction": {}, "anew": {}, "steps": {}, "steps_failed": {}}})",
      JsonItems(ListItems(audit.worst, audit.tolerance)), JsonNumber(audit.worst.penetration),
      JsonNumber(audit.worst.violation), JsonNumber(audit.worst.deflection),
      JsonNumber(audit.worst.infeasibility), JsonNumber(audit.worst.coulomb),
      JsonNumber(audit.worst.contradiction), audit.is_anew, audit.steps, audit.failed);
}

std::string JsonMoments(const AuditTotals& audit) {
  return fmt::format(
      R"({{{}"penetration": {}, "violation": {}, "moments": {}, "moments_failed": {}}})",
      JsonItems(ListMomentItems(audit.worst)), JsonNumber(audit.worst.penetration),
      JsonNumber(audit.worst.violation), audit.steps, audit.failed);
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

// Of each attempt that solved something, by its name.
template <typename Write>
std::string JsonAttempts(const SolverTotals& solver, Write write) {
  std::string out;
  for (int i = 0; i < kAttemptCount; ++i) {
    const SolverTotals::Solved& solved = solver.solved_by[i];
    if (solved.count == 0) continue;
    out += fmt::format(R"({}"{}": {})", out.empty() ? "" : ", ", ToString(static_cast<Attempt>(i)),
                       write(solved));
  }
  return "{" + out + "}";
}

std::string JsonSolveTime(const SolverTotals& solver) {
  return JsonAttempts(solver, [](const auto& solved) { return JsonNumber(solved.seconds); });
}

std::string JsonSolver(const SolverTotals& solver) {
  const std::string solved_by =
      JsonAttempts(solver, [](const auto& solved) { return std::to_string(solved.count); });
  return fmt::format(
      R"({{"most_rows": {}, "newton_iterations": {}, "factorizations": {}, "sweeps": {}, )"
      R"("friction_passes": {}, "solved_by": {}, "inflated": {}, "steps_not_solved": {}, "steps_with_unsettled_loads": {}, "steps_shortened": {}, "steps_redundant": {}, "worst_residual": {}}})",
      solver.most_rows, solver.newton_iterations, solver.factorizations, solver.sweeps,
      solver.friction_passes, solved_by, solver.inflated, solver.not_solved, solver.unsettled_loads,
      solver.shortened, solver.redundant, JsonNumber(solver.worst_residual));
}

}  // namespace

void PrintSummaryAsJson(const Scene& scene, const State& final_state, const RunSummary& summary) {
  const Model& model = scene.model;
  std::string notices;
  for (const std::string& notice : CollectNotices(scene, summary)) {
    notices += (notices.empty() ? "" : ", ") + JsonQuote(notice);
  }
  const std::vector<std::pair<std::string, std::string>> members = {
      {"scene", JsonQuote(scene.file)},
      {"name", JsonQuote(model.name())},
      {"status", JsonQuote(StatusName(summary.status, summary.IsAccurate(scene.settings)))},
      {"trouble", JsonQuote(summary.trouble)},
      {"interrupted", summary.stopped ? "true" : "false"},
      {"bodies", std::to_string(model.nb() - 1)},
      {"joints", std::to_string(CountJoints(model))},
      {"dofs", std::to_string(CountDegreesOfFreedom(model, scene.initial.q))},
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
      {"books", JsonBooks(model, summary.balance)},
      {"constraints", JsonSolver(summary.solver)},
      {"solve_time", JsonSolveTime(summary.solver)},
      {"contacts", JsonContacts(summary)},
      {"impacts", JsonImpacts(summary.impacts, scene.settings.restitution)},
      {"friction_cones", JsonCones(summary.cones)},
      {"events", JsonEvents(summary.events)},
      {"locks", JsonLocks(model, summary)},
      {"transitions", JsonTransitions(model, summary)},
      {"guides", JsonGuides(model, summary)},
      {"prescribed", JsonPrescribed(model, summary)},
      {"audit", JsonAudit(summary.audit)},
      {"audit_of_moments", JsonMoments(summary.moments)},
      {"notices", "[" + notices + "]"},
      {"constraint_forces", JsonConstraintForces(model, summary)},
      {"contact_forces",
       summary.forces.is_known ? JsonContactForces(model, summary.contact_sums) : "null"},
      {"t", JsonNumber(final_state.t)},
      {"coordinates", JsonNames(ListCoordinates(model).names)},
      {"q", JsonArray(final_state.q)},
      {"rates", JsonNames(ListRates(model).names)},
      {"v", JsonArray(final_state.v)},
      {"accelerations", JsonArray(summary.forces.acceleration)},
      {"drive_forces", JsonArray(summary.forces.drive_force)},
  };
  fmt::print("{{\n");
  for (size_t i = 0; i < members.size(); ++i) {
    fmt::print("  {}: {}{}\n", JsonQuote(members[i].first), members[i].second,
               i + 1 < members.size() ? "," : "");
  }
  fmt::print("}}\n");
}

}  // namespace voigt
