#include "apps/voigt/run_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "voigt/constraints/degrees_of_freedom.h"

namespace voigt {
namespace {

std::string InDigits(double value, const char* unit = "") {
  return std::isfinite(value) ? fmt::format("{:.6g}{}", value, unit) : "–";
}

ReplayTable MakeRunTable(const Scene& scene, const RunSummary& summary) {
  ReplayTable out{"Run", {}};
  const auto add = [&](const char* label, std::string value, bool is_bad = false) {
    out.rows.push_back({label, std::move(value), is_bad});
  };
  add("scene", scene.file);
  add("bodies", fmt::format("{}", scene.model.nb() - 1));
  add("degrees of freedom", fmt::format("{}", CountDegreesOfFreedom(scene.model, scene.initial.q)));
  add("mass", InDigits(scene.model.TotalMass(), " kg"));
  add("simulated", InDigits(summary.simulated_time, " s"));
  add("steps", fmt::format("{}", summary.steps));
  add("wall time", fmt::format("{:.3g} s", summary.wall_time));
  const double factor = summary.RealTimeFactor();  // unknown before the first step
  add("real-time factor", std::isfinite(factor) ? fmt::format("{:.3g}", factor) : "–");
  add("status", Explain(summary.status, summary.trouble), summary.status != StepStatus::kOk);
  return out;
}

ReplayTable MakeSettingsTable(const Scene& scene) {
  const SimulationSettings& settings = scene.settings;
  const FormulationSettings& formulation = settings.formulation;
  const bool is_compliant = formulation.kind == FormulationKind::kCompliant;
  const Vec3& g = scene.model.gravity();
  ReplayTable out{"Settings", {}};
  const auto add = [&](const char* label, std::string value) {
    out.rows.push_back({label, std::move(value)});
  };
  add("integrator", std::string(ToString(settings.integrator)));
  add("step", InDigits(settings.step, " s"));
  add("until", InDigits(settings.until, " s"));
  add("formulation", std::string(ToString(formulation.kind)));
  if (is_compliant) add("friction", std::string(ToString(formulation.compliant.friction)));
  add("tolerance", InDigits(formulation.tolerance()));
  add("audit", settings.audit == AuditKind::kAnew ? "every step, worked out anew"
               : settings.has_audit()             ? "every step"
                                                  : "off");
  add("gravity", fmt::format("{:.6g}, {:.6g}, {:.6g} m/s²", g[0], g[1], g[2]));
  return out;
}

ReplayTable MakeSolverTable(const RunSummary& summary) {
  const SolverTotals& solver = summary.solver;
  const double steps = std::max(1.0, static_cast<double>(summary.steps));
  ReplayTable out{
      "Solver",
      {{"most rows", fmt::format("{}", solver.most_rows)},
       {"iterations per step", fmt::format("{:.2f}", solver.newton_iterations / steps)},
       {"factorizations per step", fmt::format("{:.2f}", solver.factorizations / steps)},
       {"hardest attempt", std::string(ToString(solver.hardest()))},
       {"steps not solved", fmt::format("{}", solver.not_solved), solver.not_solved > 0},
       {"worst residual", fmt::format("{:.1e}", solver.worst_residual)}}};
  if (solver.inflated > 0) {
    out.rows.push_back(
        {"normal forces beyond their law", fmt::format("{}", solver.inflated), true});
  }
  return out;
}

ReplayTable MakeAuditTable(const AuditTotals& audit) {
  ReplayTable out{"Audit: worst of all steps (may be)", {}};
  for (const AuditItem& item : ListItems(audit.worst, audit.tolerance)) {
    out.rows.push_back({std::string(item.name),
                        fmt::format("{:.2e} ({:.0e})", item.value, item.tolerance),
                        !item.passes()});
  }
  out.rows.push_back({"penetration", InDigits(std::max(0.0, audit.worst.penetration), " m")});
  out.rows.push_back({"rigid joints open", InDigits(audit.worst.violation, " m")});
  return out;
}

ReplayTable MakeEnergyTable(const RunSummary& summary) {
  const auto change = [](double start, double end) { return InDigits(end - start, " J"); };
  return {"Energy: change over the run",
          {{"kinetic", change(summary.start.kinetic, summary.end.kinetic)},
           {"gravity", change(summary.start.gravity, summary.end.gravity)},
           {"springs", change(summary.start.Springs(), summary.end.Springs())},
           {"work of loads, dampers and drives", InDigits(summary.work, " J")},
           {"work of constraints and contacts", InDigits(summary.constraint_work, " J")},
           {"drift of the integrator", InDigits(summary.Drift(), " J")}}};
}

}  // namespace

std::vector<ReplayTable> MakeRunTables(const Scene& scene, const RunSummary& summary) {
  std::vector<ReplayTable> tables = {MakeRunTable(scene, summary), MakeSettingsTable(scene),
                                     MakeEnergyTable(summary)};
  if (summary.solver.most_rows > 0) tables.push_back(MakeSolverTable(summary));
  if (summary.audit.steps > 0) tables.push_back(MakeAuditTable(summary.audit));
  return tables;
}

}  // namespace voigt
