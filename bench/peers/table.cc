#include "bench/peers/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/side_by_side.h"

namespace voigt::peers {
namespace {

// Errors that differ by less than a twentieth, or than the trial's tolerance, are alike.
bool IsBetter(const Result& result, const Row& a, const Row& b) {
  if (!a.counts() || std::isnan(a.first.error)) return false;
  if (!b.first.ok()) return true;
  if (!b.first.finished() || std::isnan(b.first.error)) return false;  // nobody knows
  return a.Median() < b.Median() &&
         std::max(1.05 * a.first.error, a.first.error + result.trial.tolerance) < b.first.error;
}

}  // namespace

double Row::Median() const { return seconds.empty() ? NAN : bench::Median(seconds); }

const Row* Result::Find(const std::string& engine) const {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.engine == engine; });
  return found == rows.end() ? nullptr : &*found;
}

std::string DescribeDifference(const Scene& scene, const Measurement& m) {
  if (!m.ran() || m.mass == 0) return "";
  double mass = 0, inertia = 0, reach = 1;
  for (const Body& body : scene.bodies) {
    mass += body.mass;
    inertia += body.inertia.sum();
    reach = std::max(reach, body.start.p.norm());
  }
  // Some engines keep rotations as quaternions or angles: a few digits are lost.
  if (std::abs(m.mass - mass) > 1e-9 * mass) return fmt::format("mass {} kg", m.mass);
  if (std::abs(m.inertia - inertia) > 1e-8 * inertia) return "inertia";
  if (m.misplaced > 1e-9 * reach) return fmt::format("placed {:.1e} m off", m.misplaced);
  if (m.misturned > 1e-9) return fmt::format("turned {:.1e} rad off", m.misturned);
  if (m.misrated > 1e-8) return fmt::format("velocities {:.1e} off", m.misrated);
  return "";
}

bool Result::IsOnFront(const Row& row) const {
  return row.counts() && !std::isnan(row.first.error) && ListBetter(row).empty();
}

std::vector<std::string> Result::ListBetter(const Row& row) const {
  std::vector<std::string> out;
  for (const Row& other : rows) {
    if (&other != &row && IsBetter(*this, other, row)) out.push_back(other.engine);
  }
  return out;
}

std::string NumberText(double value) {
  if (std::isnan(value)) return "–";
  return value == 0 ? "0" : fmt::format("{:.1e}", value);
}

std::string TimeText(double value) {
  return std::isnan(value) ? "–" : fmt::format("{:.3g}", value);
}

std::string DescribeStatus(const Row& row) {
  const Measurement& m = row.first;
  if (!m.ran()) return std::string("not expressible: ") + m.absent;
  if (m.failure[0] != 0) return std::string("FAILED: ") + m.failure;
  std::string out =
      m.finished() ? "" : fmt::format("stopped after {} of {} steps", m.steps, m.wanted);
  if (m.complaint[0] != 0) out += (out.empty() ? "" : "; ") + std::string(m.complaint);
  return out.empty() ? "ok" : out;
}

std::string FormatResult(const Result& result) {
  const Trial& trial = result.trial;
  std::string out = fmt::format("\n== {} ({})\n{}\nError: {} [{}].\n", trial.title,
                                trial.scene.name, trial.what, trial.reference, trial.unit);
  double mass = 0;
  for (const Body& body : trial.scene.bodies) mass += body.mass;
  out +=
      fmt::format("The same scene? Described: {:.6f} kg in {} bodies, {} joints, g h² = {:.6e} m\n",
                  mass, trial.scene.bodies.size(), trial.scene.joints.size(),
                  trial.scene.gravity.norm() * trial.scene.h * trial.scene.h);
  out += fmt::format("  {:<18}{:>13}{:>13}{:>15}{:>7}{:>15}{:>10}  {}\n", "engine", "mass [kg]",
                     "placed [m]", "least gap [m]", "near", "first fall [m]", "contacts", "same?");
  for (const Row& row : result.rows) {
    const Measurement& m = row.first;
    if (!m.ran() || m.mass == 0) continue;
    out += fmt::format("  {:<18}{:>13.6f}{:>13.1e}{:>15.9f}{:>7}{:>15.6e}{:>10}  {}\n", row.engine,
                       m.mass, m.misplaced, m.least_gap, m.near, m.first_fall, m.contacts,
                       row.difference.empty() ? "yes" : "NO: " + row.difference);
  }
  out += fmt::format("  {:<18}{:>11}{:>13}{:>10}{:>10}{:>10}{:>10}{:>10}{:>6}  {}\n", "engine",
                     "time [s/s]", "voigt/engine", "error", "overlap", "violation", "energy+",
                     "creep", "front", "status");
  const double ours = result.rows.empty() ? NAN : result.rows[0].Median();
  for (const Row& row : result.rows) {
    const Measurement& m = row.first;
    if (!m.ran()) {
      out += fmt::format("  {:<18}{}\n", row.engine, DescribeStatus(row));
      continue;
    }
    out +=
        fmt::format("  {:<18}{:>11}{:>13}{:>10}{:>10}{:>10}{:>10}{:>10}{:>6}  {}\n", row.engine,
                    TimeText(row.Median()), TimeText(ours / row.Median()), NumberText(m.error),
                    NumberText(m.penetration), NumberText(m.violation), NumberText(m.energy_gain),
                    NumberText(m.creep), result.IsOnFront(row) ? "*" : "", DescribeStatus(row));
  }
  for (const Row& row : result.rows) {
    if (row.engine != "voigt") continue;
    for (const std::string& better : result.ListBetter(row)) {
      out += fmt::format("  {} wins here: faster and more accurate than voigt.\n", better);
    }
  }
  return out;
}

std::vector<std::string> ListEngineNames(const std::vector<Result>& results) {
  std::vector<std::string> out;
  for (const Result& result : results) {
    for (const Row& row : result.rows) {
      if (std::find(out.begin(), out.end(), row.engine) == out.end()) out.push_back(row.engine);
    }
  }
  return out;
}

std::vector<std::string> OverviewCells(const Result& result,
                                       const std::vector<std::string>& engines) {
  const std::vector<std::string> better = result.ListBetter(result.rows[0]);
  std::vector<std::string> out;
  for (const std::string& engine : engines) {
    const Row* const row = result.Find(engine);
    const bool wins = std::find(better.begin(), better.end(), engine) != better.end();
    if (row == nullptr || !row->first.ran()) {
      out.emplace_back("–");
    } else if (!row->first.ok()) {
      out.emplace_back("failed");
    } else {
      const std::string ratio = TimeText(result.rows[0].Median() / row->Median());
      out.push_back(ratio + (wins ? " wins" : row->first.finished() ? "" : " s"));
    }
  }
  return out;
}

std::string FormatOverview(const std::vector<Result>& results) {
  if (results.empty()) return "";
  std::string out =
      "\n== Overview: time of voigt over that of each engine\n(wins: faster and more accurate than "
      "voigt; s: stopped early; –: cannot have the scene, or is left out)\n";
  const std::vector<std::string> engines = ListEngineNames(results);
  out += fmt::format("  {:<22}", "");
  for (const std::string& engine : engines) out += fmt::format("{:>18}", engine);
  out += "\n";
  for (const Result& result : results) {
    out += fmt::format("  {:<22}", result.trial.scene.name);
    for (const std::string& cell : OverviewCells(result, engines)) {
      out += fmt::format("{:>18}", cell);
    }
    out += "\n";
  }
  return out;
}

}  // namespace voigt::peers
