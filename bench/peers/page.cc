#include "bench/peers/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/peers/goals.h"
#include "bench/peers/scatter.h"
#include "voigt/plot/chart.h"
#include "voigt/plot/markup_text.h"

namespace voigt::peers {
namespace {

constexpr std::string_view kPageStyle = R"css(
:root { --ink: #1c2024; --soft: #60686f; --line: #dfe3e6; --back: #f5f6f7; --accent: #0b5cad; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 16px/1.55 "Helvetica Neue", Arial, "Liberation Sans", sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 48px 24px 96px; }
h1 { font-size: 34px; line-height: 1.15; margin: 0 0 8px; }
h2 { font-size: 23px; margin: 48px 0 8px; }
section { background: #fff; border: 1px solid var(--line); border-radius: 12px; padding: 20px 28px;
  margin: 20px 0; }
a { color: var(--accent); text-decoration: none; }
.soft { color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; margin: 12px 0; }
th { text-align: left; color: var(--soft); border-bottom: 2px solid var(--line); padding: 5px 12px 5px 0; }
td { border-bottom: 1px solid var(--line); padding: 5px 12px 5px 0; font-variant-numeric: tabular-nums;
  vertical-align: top; white-space: nowrap; }
td.words { white-space: normal; min-width: 14em; }
tr.front td:first-child::after { content: " ★"; color: #b57500; }
tr.ours td { background: #eef5fc; }
.bad { color: #9a1712; } .good { color: #14632e; }
svg { max-width: 100%; height: auto; display: block; }
)css";

std::string ColorOf(const std::vector<Engine>& engines, const std::string& name) {
  const auto found = std::find_if(engines.begin(), engines.end(),
                                  [&](const Engine& engine) { return engine.name == name; });
  return ChartColor(static_cast<int>(found - engines.begin()) % 8);
}

std::string Cells(std::initializer_list<std::string> texts) {
  std::string out;
  for (const std::string& text : texts) out += "<td>" + EscapeMarkup(text) + "</td>";
  return out;
}

std::string MeasurementTable(const Result& result) {
  std::string out =
      "<div class=\"scroll\"><table><tr><th>engine</th><th>time [s/s]</th><th>voigt/engine</th>"
      "<th>error</th><th>overlap [m]</th><th>violation</th><th>energy gained [J]</th>"
      "<th>creep [m/s]</th><th>status</th></tr>\n";
  const double ours = result.rows[0].Median();
  for (const Row& row : result.rows) {
    const Measurement& m = row.first;
    const std::string kind =
        std::string(row.engine == "voigt" ? "ours " : "") + (result.IsOnFront(row) ? "front" : "");
    out += fmt::format("<tr class=\"{}\">", kind);
    const std::string status = EscapeMarkup(DescribeStatus(row));
    if (!m.ran()) {
      out += Cells({row.engine}) +
             fmt::format("<td colspan=\"8\" class=\"words soft\">{}</td></tr>\n", status);
      continue;
    }
    out += Cells({row.engine, TimeText(row.Median()), TimeText(ours / row.Median()),
                  NumberText(m.error), NumberText(m.penetration), NumberText(m.violation),
                  NumberText(m.energy_gain), NumberText(m.creep)});
    out += fmt::format("<td class=\"words {}\">{}</td></tr>\n", m.ok() ? "" : "bad", status);
  }
  return out + "</table></div>\n";
}

std::string SameSceneTable(const Result& result) {
  std::string out =
      "<details><summary class=\"soft\">The same scene in all engines?</summary><div "
      "class=\"scroll\"><table><tr><th>engine</th><th>mass [kg]</th><th>placed off by [m]</th>"
      "<th>least gap [m]</th><th>pairs closer than 0.1 mm</th><th>first fall [m]</th>"
      "<th>contacts at the end</th><th>same?</th></tr>\n";
  for (const Row& row : result.rows) {
    const Measurement& m = row.first;
    if (!m.ran() || m.mass == 0) continue;
    out += "<tr>" +
           Cells({row.engine, fmt::format("{:.6f}", m.mass), NumberText(m.misplaced),
                  fmt::format("{:.9f}", m.least_gap), fmt::format("{}", m.near),
                  fmt::format("{:.6e}", m.first_fall), fmt::format("{}", m.contacts),
                  row.difference.empty() ? "yes" : "NO: " + row.difference}) +
           "</tr>\n";
  }
  return out + "</table></div></details>\n";
}

std::string FrontChart(const Result& result, const std::vector<Engine>& engines) {
  Scatter scatter;
  scatter.x_label = "processor time per simulated second [s]";
  scatter.y_label = "error [" + result.trial.unit + "]";
  for (const Row& row : result.rows) {
    if (!row.counts() || std::isnan(row.first.error)) continue;
    scatter.points.push_back({row.engine, row.Median(), row.first.error,
                              ColorOf(engines, row.engine), result.IsOnFront(row)});
  }
  return ScatterToSvg(scatter);
}

std::string Section(const Result& result, const std::vector<Engine>& engines) {
  const Trial& trial = result.trial;
  std::string out = fmt::format(
      "<section id=\"{0}\"><h2 style=\"margin-top:0\">{1}</h2>\n<p>{2}</p>\n<p "
      "class=\"soft\">Error: "
      "{3} [{4}]. ★: on the front, no other engine is both faster and more accurate.</p>\n",
      EscapeMarkup(trial.scene.name), EscapeMarkup(trial.title), EscapeMarkup(trial.what),
      EscapeMarkup(trial.reference), EscapeMarkup(trial.unit));
  for (const std::string& better : result.ListBetter(result.rows[0])) {
    out += fmt::format("<p class=\"bad\">{} wins here: faster and more accurate than voigt.</p>\n",
                       EscapeMarkup(better));
  }
  return out + FrontChart(result, engines) + MeasurementTable(result) + SameSceneTable(result) +
         "</section>\n";
}

std::string GoalList(const std::vector<Result>& results) {
  std::string out = "<h2>Goals</h2>\n<ul>\n";
  for (const Goal& goal : JudgeGoals(results)) {
    const bool is_open = goal.checked == 0;
    out += fmt::format("<li><b class=\"{}\">{}</b> {} ({} of {})",
                       is_open    ? "soft"
                       : goal.met ? "good"
                                  : "bad",
                       is_open    ? "not checked:"
                       : goal.met ? "met:"
                                  : "not met:",
                       EscapeMarkup(goal.text), goal.checked - static_cast<int>(goal.misses.size()),
                       goal.checked);
    if (!goal.misses.empty()) out += "<ul class=\"soft\">";
    for (const std::string& miss : goal.misses) out += "<li>" + EscapeMarkup(miss) + "</li>";
    out += goal.misses.empty() ? "</li>\n" : "</ul></li>\n";
  }
  return out + "</ul>\n";
}

std::string OverviewTable(const std::vector<Result>& results) {
  if (results.empty()) return "";
  std::string out =
      "<h2>Overview</h2>\n<p class=\"soft\">Time of voigt over that of each engine. Wins: faster "
      "and "
      "more accurate than voigt; s: stopped early; –: cannot have the scene, or is left "
      "out.</p>\n<div "
      "class=\"scroll\"><table><tr><th></th>";
  const std::vector<std::string> engines = ListEngineNames(results);
  for (const std::string& engine : engines) out += "<th>" + EscapeMarkup(engine) + "</th>";
  out += "</tr>\n";
  for (const Result& result : results) {
    const std::string name = EscapeMarkup(result.trial.scene.name);
    out += fmt::format("<tr><td><a href=\"#{0}\">{0}</a></td>", name);
    for (const std::string& cell : OverviewCells(result, engines)) {
      const bool is_bad = cell.find("wins") != std::string::npos;
      out += fmt::format("<td class=\"{}\">{}</td>", is_bad ? "bad" : "", EscapeMarkup(cell));
    }
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

std::string SettingsList(const std::vector<Engine>& engines) {
  std::string out = "<h2>Settings</h2>\n<table>\n";
  for (const Engine& engine : engines) {
    out += fmt::format("<tr><td><b>{}</b></td><td class=\"words\">{}</td></tr>\n",
                       EscapeMarkup(engine.name), EscapeMarkup(engine.settings));
  }
  for (const std::string& package : ListMissingEngines()) {
    out += fmt::format("<tr><td>{}</td><td class=\"words bad\">not installed</td></tr>\n",
                       EscapeMarkup(package));
  }
  return out + "</table>\n";
}

}  // namespace

std::string MakePage(const std::vector<Result>& results, const std::vector<Engine>& engines) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>voigt beside other engines</title>\n<style>{}</style>\n</head>\n<body><main>\n"
      "<h1>The same scenes in voigt and in other engines</h1>\n<p class=\"soft\">{}. All run in "
      "turn, "
      "each run in a process of its own; times are medians. Overlaps, violations, energies and "
      "errors "
      "are computed by the same code from the poses and velocities of each engine.</p>\n",
      kPageStyle, EscapeMarkup(DescribeMachine()));
  out += OverviewTable(results) + GoalList(results) + SettingsList(engines);
  out += "<h2>Scenes</h2>\n";
  for (const Result& result : results) out += Section(result, engines);
  return out + "</main></body>\n</html>\n";
}

}  // namespace voigt::peers
