#include "apps/voigt/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "apps/voigt/summary_parts.h"
#include "voigt/constraints/degrees_of_freedom.h"
#include "voigt/sim/friction_element.h"

namespace voigt {
namespace {

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

// The first of them: when, and what slid.
void PrintLocks(const Model& model, const RunSummary& summary) {
  constexpr size_t kShown = 5;
  const FrictionNames names(model);
  for (size_t k = 0; k < std::min(kShown, summary.locks.size()); ++k) {
    const std::string element = names.Describe(model, summary.locks[k].id);
    fmt::print("            at t = {:.9g} s{}{}\n", summary.locks[k].t, element.empty() ? "" : ": ",
               element);
  }
}

void PrintEvents(const Model& model, const RunSummary& summary) {
  const EventTotals& events = summary.events;
  fmt::print("events      {}: {} impacts, of up to {} contacts at once; {} ends of bouncing\n",
             events.events(), events.impacts, events.most_simultaneous, events.rests);
  fmt::print("            {} releases, {} stops of sliding, {} begins of it, {} turns\n",
             events.releases, events.sticks, events.slips, events.turns);
  if (events.locks > 0) {
    fmt::print("            {} impulses that stop sliding where friction leaves no accelerations\n",
               events.locks);
    PrintLocks(model, summary);
  }
  if (events.touches + events.breakaways + events.slowdowns > 0) {
    fmt::print("            of soft contacts {} touches, {} breakaways, {} slowdowns to creep\n",
               events.touches, events.breakaways, events.slowdowns);
  }
  if (events.sweep_starts > 0) {
    fmt::print("            {} searches for what sticks from sweeps, {} problems shared unevenly\n",
               events.sweep_starts, events.shared);
  }
  fmt::print("            {} steps of the integrator, {} accelerations\n", events.pieces,
             events.evaluations);
  if (events.newton_iterations > 0) {
    fmt::print("            {} iterations for normal forces, {} factorizations\n",
               events.newton_iterations, events.factorizations);
  }
  if (events.fixed_point_iterations > 0) {
    fmt::print("            {} repetitions for normal forces, {} times Newton's method took over\n",
               events.fixed_point_iterations, events.takeovers);
  }
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

// Friction from reactions, where the run ended: as many as fit a page.
void PrintGuides(const Model& model, const RunSummary& summary) {
  constexpr size_t kMost = 8;
  if (summary.guides.empty()) return;
  const FrictionNames names(model);
  const size_t count = std::min(summary.guides.size(), kMost);
  for (size_t k = 0; k < count; ++k) {
    const GuideReport& guide = summary.guides[k];
    fmt::print(
        "rubbing     {}: {} at the end, normal force {:.9g} N, friction {:.9g} "
        "(N; about an axis N m)\n",
        names.guides()[guide.guide], ToString(guide.state), guide.normal_force,
        guide.friction.norm());
  }
  if (count < summary.guides.size()) {
    fmt::print("            and {} more, listed with --json\n", summary.guides.size() - count);
  }
}

void PrintPrescribed(const Model& model, const RunSummary& summary) {
  ForEachPrescribed(model, summary.prescribed_force, [](const PrescribedRate& rate, double force) {
    const std::string which =
        rate.count > 1 ? fmt::format(", rate {} of {},", rate.index + 1, rate.count) : "";
    fmt::print("prescribed  joint '{}'{} takes {:.9g} {} at the end\n", rate.joint, which, force,
               rate.is_angle ? "N m" : "N");
  });
}

// How many problems each attempt solved, those that solved most first.
std::string ListAttempts(const SolverTotals& solver) {
  std::vector<Attempt> attempts;
  for (int i = 0; i < kAttemptCount; ++i) {
    if (solver.solved_by[i].count > 0) attempts.push_back(static_cast<Attempt>(i));
  }
  std::ranges::stable_sort(
      attempts, [&](Attempt a, Attempt b) { return solver.by(a).count > solver.by(b).count; });
  std::string out;
  for (Attempt attempt : attempts) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", ToString(attempt),
                       solver.by(attempt).count);
  }
  return out;
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
  if (solver.sweeps > 0) {
    fmt::print("            {:.1f} sweeps over packed beds\n", solver.sweeps / steps);
  }
  fmt::print("            worst residual {:.1e}; solved by {}\n", solver.worst_residual,
             ListAttempts(solver));
  if (solver.inflated > 0) {
    fmt::print("            {} times a normal force was larger than its law\n", solver.inflated);
  }
  if (summary.contacts.most > 0) {
    fmt::print("contacts    {:.1f} in the mean, {} at most carry force\n",
               summary.contacts.sum / static_cast<double>(summary.steps), summary.contacts.most);
  }
}

// Numbers of an audit beside what they may be.
void PrintItems(const char* title, std::span<const AuditItem> items) {
  fmt::print("\n{:<22}{:>16}{:>16}\n", title, "worst", "may be");
  for (const AuditItem& item : items) {
    fmt::print("  {:<20}{:>16.2e}{:>16.2e}{}\n", item.name, item.value, item.tolerance,
               item.passes() ? "" : "  !");
  }
}

void PrintAudit(const AuditTotals& audit) {
  if (audit.steps == 0) return;
  PrintItems(audit.is_anew ? "audit, anew" : "audit", ListItems(audit.worst, audit.tolerance));
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

// The same of event-driven motion, where steps end.
void PrintMoments(const AuditTotals& audit) {
  if (audit.steps == 0) return;
  PrintItems("audit of moments", ListMomentItems(audit.worst));
  fmt::print("  {:<20}{:>16.2e} m or rad\n", "penetration", std::max(0.0, audit.worst.penetration));
  fmt::print("  {:<20}{:>16.2e} m or rad\n", "rigid joints open", audit.worst.violation);
  if (audit.failed > 0) {
    fmt::print("  {} of {} moments had a number beyond its tolerance\n", audit.failed, audit.steps);
  }
}

std::string Count(int number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

// Line by line; only those where anything happened. By other integrators all forces are one line,
// and so are all constraints.
void PrintBooks(const RunSummary& summary, const SimulationSettings& settings) {
  const auto line = [](std::string_view name, double energy) {
    fmt::print("  {:<36}{:>16.9g}\n", name, energy);
  };
  if (settings.integrator == Integrator::kSemiImplicitEuler) {
    for (int i = 0; i < kEnergyLineCount; ++i) {
      const double energy = summary.balance.lines[i];
      if (energy != 0) line(ToString(static_cast<EnergyLine>(i)), energy);
    }
  } else {
    line("loads, dampers and drives", summary.work);
    if (summary.constraint_work != 0) line("constraints and contacts", summary.constraint_work);
  }
  fmt::print("  {:<36}{:>16.3g}", "integrator", summary.Drift());
  // At rest there is nothing to compare it with.
  const double largest = std::max(std::abs(summary.start.Total()), std::abs(summary.end.Total()));
  if (summary.peak_kinetic > 1e-9 * largest) {
    fmt::print("  ({:.2g} % of the largest kinetic energy)",
               100 * summary.Drift() / summary.peak_kinetic);
  }
  const EnergyBalance& balance = summary.balance;
  fmt::print("\n  {:<36}{:>16.3g}  (of {:.3g} J in play){}\n", "unexplained", balance.unexplained(),
             balance.scale, balance.IsExplained(settings.max_unexplained) ? "" : "  !");
}

}  // namespace

void PrintSummary(const Scene& scene, const RunSummary& summary) {
  const Model& model = scene.model;
  fmt::print("scene       {} ({})\n", model.name(), scene.file);
  fmt::print("model       {}, {}, {}, {:.6g} kg\n", Count(model.nb() - 1, "body", "bodies"),
             Count(CountJoints(model), "joint", "joints"),
             Count(CountDegreesOfFreedom(model, scene.initial.q), "degree of freedom",
                   "degrees of freedom"),
             model.TotalMass());
  fmt::print("integrator  {}, step {:g} s\n", ToString(scene.settings.integrator),
             scene.settings.step);
  fmt::print("simulated   {:.6g} s in {} steps\n", summary.simulated_time, summary.steps);
  fmt::print("wall time   {:.3g} s, {:.3g} x real time\n", summary.wall_time,
             summary.RealTimeFactor());
  if (scene.settings.integrator == Integrator::kEventDriven) PrintEvents(model, summary);
  PrintTransitions(summary);
  PrintSolver(summary, scene.settings);
  PrintGuides(model, summary);
  PrintPrescribed(model, summary);
  fmt::print("\n{:<22}{:>16}{:>16}\n", "energy [J]", "start", "end");
  const auto row = [](const char* name, double start, double end) {
    fmt::print("  {:<20}{:>16.9g}{:>16.9g}\n", name, start, end);
  };
  row("kinetic", summary.start.kinetic, summary.end.kinetic);
  row("gravity", summary.start.gravity, summary.end.gravity);
  row("springs", summary.start.spring, summary.end.spring);
  if (summary.start.contacts != 0 || summary.end.contacts != 0) {
    row("springs of contacts", summary.start.contacts, summary.end.contacts);
  }
  if (summary.start.constraints != 0 || summary.end.constraints != 0) {
    row("soft constraints", summary.start.constraints, summary.end.constraints);
  }
  if (summary.start.rotors != 0 || summary.end.rotors != 0) {
    row("rotors of loop joints", summary.start.rotors, summary.end.rotors);
  }
  row("total", summary.start.Total(), summary.end.Total());
  fmt::print("\n{:<22}\n", "brought in by [J]");
  PrintBooks(summary, scene.settings);
  if (summary.impacts.steps > 0) {
    fmt::print("  {:<36}{:>16.9g}  ({} of {} steps with impacts, {})\n", "gained by impacts",
               summary.impacts.gained, summary.impacts.gains, summary.impacts.steps,
               ToString(scene.settings.restitution));
  }
  PrintAudit(summary.audit);
  PrintMoments(summary.moments);
  fmt::print("\n");
  for (const std::string& notice : CollectNotices(scene, summary))
    fmt::print("notice      {}\n", notice);
}

}  // namespace voigt
