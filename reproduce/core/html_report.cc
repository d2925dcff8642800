#include "reproduce/core/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reproduce/core/html_style.h"
#include "reproduce/core/papers.h"
#include "reproduce/core/text_report.h"
#include "voigt/io/json_text.h"
#include "voigt/plot/markup_text.h"
#include "voigt/replay/replay_page.h"

namespace voigt::reproduce {
namespace {

// The first word of a verdict is its class.
std::string Badge(Verdict verdict) {
  const std::string text(ToString(verdict));
  return fmt::format("<span class=\"badge {}\">{}</span>", text.substr(0, text.find(' ')), text);
}

std::string ClaimCell(const std::optional<Claim>& claim) {
  if (!claim) return "<td class=\"soft\">–</td>";
  return fmt::format("<td class=\"number\">{}<small>{}</small></td>",
                     EscapeMarkup(claim->ToString()), EscapeMarkup(claim->from));
}

std::string FindingRow(const Finding& finding) {
  const Quantity& quantity = finding.quantity;
  std::string out = fmt::format("<tr><td>{}", EscapeMarkup(quantity.label));
  if (!quantity.unit.empty())
    out += fmt::format(" <span class=\"soft\">{}</span>", EscapeMarkup(quantity.unit));
  out += "</td>" + ClaimCell(quantity.paper);
  out += fmt::format("<td class=\"number\"><b>{}</b></td>",
                     finding.ours ? NumberText(*finding.ours) : "–");
  out += ClaimCell(quantity.reference);
  out += fmt::format("<td>{}</td></tr>\n", Badge(finding.verdict));
  if (!finding.why.empty() && finding.verdict != Verdict::kSkipped) {
    out +=
        fmt::format("<tr><td colspan=\"5\" class=\"why{}\">{}</td></tr>\n",
                    finding.verdict == Verdict::kNoMatch ? " bad" : "", EscapeMarkup(finding.why));
  }
  return out;
}

std::string FindingTable(const std::vector<Finding>& findings) {
  if (findings.empty()) return "";
  std::string out =
      "<div class=\"scroll\"><table><tr><th "
      "class=\"wide\">quantity</th><th>paper</th><th>voigt</th>"
      "<th>reference</th><th>verdict</th></tr>\n";
  for (const Finding& finding : findings) out += FindingRow(finding);
  return out + "</table></div>\n";
}

// A number of a section, so that scripts of runs have names of their own.
std::string ReplayButtons(const Outcome& outcome, int number) {
  std::string out;
  for (size_t i = 0; i < outcome.replays.size(); ++i) {
    out += fmt::format(
        "<button data-run=\"run-{0}-{1}\">▶ {2}</button>\n"
        "<script id=\"run-{0}-{1}\" type=\"application/json\">{3}</script>\n",
        number, i, EscapeMarkup(outcome.replays[i].caption), JsonQuote(outcome.replays[i].run));
  }
  return out;
}

std::string Section(const Outcome& outcome, int number) {
  const ExperimentData& data = outcome.data;
  std::string out = fmt::format(
      "<section id=\"{0}\"><header><h3>{1}: {2}</h3>{3}<span class=\"name\">voigt reproduce "
      "{0} · {4:.2f} s</span></header>\n<p>{5}</p>\n",
      EscapeMarkup(data.name), EscapeMarkup(data.place), EscapeMarkup(data.title),
      Badge(outcome.verdict), outcome.wall_time, EscapeMarkup(data.set_up));
  if (!data.missing.empty())
    out += fmt::format("<p class=\"why\">{}</p>\n", EscapeMarkup(data.missing));
  if (outcome.verdict == Verdict::kNotRun) {
    out += "<p class=\"why\">The run was interrupted before this came to an end.</p>\n";
  } else if (!outcome.error.empty()) {
    out += fmt::format("<p class=\"bad\">Broke off: {}</p>\n", EscapeMarkup(outcome.error));
  }
  out += FindingTable(outcome.findings);
  if (!data.remark.empty()) out += fmt::format("<p>{}</p>\n", EscapeMarkup(data.remark));
  if (!outcome.charts.empty()) out += ChartsToSvg("", outcome.charts);
  return out + ReplayButtons(outcome, number) + "</section>\n";
}

std::string Totals(const std::vector<Outcome>& outcomes) {
  std::string out = "<div class=\"totals\">\n";
  for (Verdict verdict :
       {Verdict::kReproduced, Verdict::kBeyondPaper, Verdict::kPaperNotReached,
        Verdict::kNotAvailable, Verdict::kSkipped, Verdict::kNotRun, Verdict::kNoMatch}) {
    const auto count = std::count_if(outcomes.begin(), outcomes.end(), [&](const Outcome& outcome) {
      return outcome.verdict == verdict;
    });
    if (count == 0 && verdict != Verdict::kNoMatch) continue;
    out += fmt::format("<div><b>{}</b>{}</div>\n", count, Badge(verdict));
  }
  return out + "</div>\n";
}

std::string Index(const std::vector<Outcome>& outcomes) {
  std::string out = "<ul class=\"index\">\n";
  for (const Outcome& outcome : outcomes) {
    out += fmt::format("<li><a href=\"#{0}\">{0}</a><span>{1}</span>{2}</li>\n",
                       EscapeMarkup(outcome.data.name), EscapeMarkup(outcome.data.title),
                       Badge(outcome.verdict));
  }
  return out + "</ul>\n";
}

std::string Viewer(const std::vector<Outcome>& outcomes) {
  const bool is_needed = std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& outcome) {
    return !outcome.replays.empty();
  });
  if (!is_needed) return "";
  return fmt::format(
      "<script id=\"place\" type=\"application/json\">{}</script>\n"
      "<script id=\"viewer\" type=\"application/json\">{}</script>\n<script>{}</script>\n",
      JsonQuote(kPlaceOfRun), JsonQuote(ReplayTemplate()), kReportScript);
}

constexpr std::string_view kLead =
    "Every table and figure with content, computed anew and compared with what the paper prints "
    "and "
    "with an independent reference: a closed solution, or another program written for the purpose. "
    "Curves were printed as pictures only; of those, what text and captions state in words or "
    "digits "
    "is compared.";
constexpr std::string_view kLegend =
    "<b>reproduced</b>: the paper’s value is ours, within the digits printed. <b>beyond the "
    "paper</b>: it prints no value, and ours is the reference’s. <b>paper not reproducible</b>: "
    "ours is "
    "the reference’s and the paper’s is another; the reason stands below it. <b>does not "
    "match</b>: "
    "something is wrong here.";

}  // namespace

std::string MakeHtml(const std::vector<Outcome>& outcomes) {
  double wall_time = 0;
  for (const Outcome& outcome : outcomes) wall_time += outcome.wall_time;
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>voigt: five papers reproduced</title>\n<style>{}</style>\n</head>\n<body><main>\n"
      "<h1>Five papers on constraints, contact and friction, reproduced</h1>\n"
      "<p class=\"lead\">{}</p>\n<p class=\"soft\">{}</p>\n",
      kReportStyle, kLead, kLegend);
  out += Totals(outcomes) + Index(outcomes);
  std::string last;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].data.paper != last) {
      last = outcomes[i].data.paper;
      out += fmt::format("<h2>{}</h2>\n<p class=\"soft\">{}</p>\n", EscapeMarkup(last),
                         EscapeMarkup(CiteInFull(last)));
    }
    out += Section(outcomes[i], static_cast<int>(i));
  }
  out += fmt::format(
      "<p class=\"soft\">voigt {}, {:.0f} s of computing. Made by <code>voigt "
      "reproduce</code>.</p>\n"
      "</main>\n{}</body>\n</html>\n",
      VOIGT_VERSION, wall_time, Viewer(outcomes));
  return out;
}

}  // namespace voigt::reproduce
