#include "reproduce/core/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "voigt/io/json_text.h"

namespace voigt::reproduce {
namespace {

std::string WithUnit(const Quantity& quantity) {
  return quantity.unit.empty() ? quantity.label
                               : fmt::format("{} [{}]", quantity.label, quantity.unit);
}

// Of UTF-8, without the bytes that go on with a letter.
size_t CountLetters(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string ClaimText(const std::optional<Claim>& claim) { return claim ? claim->ToString() : "-"; }

void WriteClaim(const std::optional<Claim>& claim, JsonWriter* out) {
  if (claim && claim->value) {
    out->Number(*claim->value);
  } else if (claim) {
    out->Text(claim->ToString());
  } else {
    out->Number(kNaN);  // null
  }
}

// One member per quantity.
template <typename Write>
void WriteMembers(const Outcome& outcome, std::string_view key, JsonWriter* out, Write write) {
  out->Key(key).Begin('{');
  for (const Finding& finding : outcome.findings) {
    out->Key(finding.quantity.name);
    write(finding);
  }
  out->End();
}

void WriteFinding(const Finding& finding, JsonWriter* out) {
  const Quantity& quantity = finding.quantity;
  out->Begin('{').Key("name").Text(quantity.name).Key("label").Text(quantity.label);
  out->Key("unit").Text(quantity.unit).Key("paper");
  WriteClaim(quantity.paper, out);
  out->Key("ours").Number(finding.ours.value_or(kNaN)).Key("reference");
  WriteClaim(quantity.reference, out);
  out->Key("paper_from").Text(quantity.paper ? quantity.paper->from : "");
  out->Key("reference_from").Text(quantity.reference ? quantity.reference->from : "");
  out->Key("verdict").Text(ToString(finding.verdict)).Key("why").Text(finding.why).End();
}

void WriteOutcome(const Outcome& outcome, JsonWriter* out) {
  const ExperimentData& data = outcome.data;
  out->Begin('{').Key("name").Text(data.name).Key("source").Text(data.paper);
  out->Key("place").Text(data.place).Key("title").Text(data.title);
  WriteMembers(outcome, "paper", out,
               [&](const Finding& finding) { WriteClaim(finding.quantity.paper, out); });
  WriteMembers(outcome, "ours", out,
               [&](const Finding& finding) { out->Number(finding.ours.value_or(kNaN)); });
  WriteMembers(outcome, "reference", out,
               [&](const Finding& finding) { WriteClaim(finding.quantity.reference, out); });
  out->Key("verdict").Text(ToString(outcome.verdict));
  out->Key("why").Text(outcome.error.empty() ? data.missing : outcome.error);
  out->Key("wall_time").Number(outcome.wall_time).Key("quantities").Begin('[');
  for (const Finding& finding : outcome.findings) WriteFinding(finding, out);
  out->End().End();
}

}  // namespace

std::string NumberText(double value) { return fmt::format("{:.10g}", value); }

std::string MakeText(const Outcome& outcome) {
  const ExperimentData& data = outcome.data;
  std::string out = fmt::format("{}  {}, {}: {}  ({:.2f} s)\n", data.name, data.paper, data.place,
                                data.title, outcome.wall_time);
  if (!data.missing.empty()) {
    out += fmt::format("  {}: {}\n", ToString(outcome.verdict), data.missing);
  }
  if (outcome.verdict == Verdict::kNotRun) {
    return out + fmt::format("  {}: {}\n", ToString(outcome.verdict), outcome.error);
  }
  if (!outcome.error.empty()) out += fmt::format("  broke off: {}\n", outcome.error);
  std::vector<std::array<std::string, 5>> lines = {
      {"quantity", "paper", "ours", "reference", "verdict"}};
  for (const Finding& finding : outcome.findings) {
    lines.push_back({WithUnit(finding.quantity), ClaimText(finding.quantity.paper),
                     finding.ours ? NumberText(*finding.ours) : "-",
                     ClaimText(finding.quantity.reference),
                     std::string(ToString(finding.verdict))});
  }
  std::array<size_t, 4> widths = {};
  for (const auto& line : lines) {
    for (size_t k = 0; k < 4; ++k) widths[k] = std::max(widths[k], CountLetters(line[k]));
  }
  for (size_t i = 0; i < lines.size() && lines.size() > 1; ++i) {
    out +=
        fmt::format("  {:<{}}  {:<{}}  {:<{}}  {:<{}}  {}\n", lines[i][0], widths[0], lines[i][1],
                    widths[1], lines[i][2], widths[2], lines[i][3], widths[3], lines[i][4]);
    if (i == 0 || outcome.findings[i - 1].verdict != Verdict::kNoMatch) continue;
    out += fmt::format("    ! {}\n", outcome.findings[i - 1].why);
  }
  return out;
}

std::string MakeTotals(const std::vector<Outcome>& outcomes) {
  std::string out = fmt::format("{} tables and figures:", outcomes.size());
  const char* separator = " ";
  for (Verdict verdict :
       {Verdict::kReproduced, Verdict::kPaperNotReached, Verdict::kBeyondPaper, Verdict::kSkipped,
        Verdict::kNotRun, Verdict::kNotAvailable, Verdict::kNoMatch}) {
    const auto count = std::count_if(outcomes.begin(), outcomes.end(), [&](const Outcome& outcome) {
      return outcome.verdict == verdict;
    });
    if (count == 0 && verdict != Verdict::kNoMatch) continue;
    out += fmt::format("{}{} {}", separator, count, ToString(verdict));
    separator = ", ";
  }
  return out + "\n";
}

std::string MakeJson(const std::vector<Outcome>& outcomes) {
  JsonWriter out;
  out.Begin('[');
  for (const Outcome& outcome : outcomes) WriteOutcome(outcome, &out);
  out.End();
  return out.text() + "\n";
}

}  // namespace voigt::reproduce
