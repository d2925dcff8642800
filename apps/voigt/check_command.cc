#include "apps/voigt/check_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "apps/voigt/model_report.h"
#include "voigt/io/json_text.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

using NoteKind = ImportNote::Kind;

// The gravest first.
constexpr NoteKind kNoteKinds[] = {NoteKind::kUnsupported, NoteKind::kApproximated,
                                   NoteKind::kIgnored};

const char* ExplainNotes(NoteKind kind) {
  switch (kind) {
    case NoteKind::kUnsupported:
      return "affects the motion and is left out";
    case NoteKind::kApproximated:
      return "taken over with a difference";
    case NoteKind::kIgnored:
      break;
  }
  return "no effect on the motion";
}

std::vector<const ImportNote*> SelectNotes(const Scene& scene, NoteKind kind) {
  std::vector<const ImportNote*> notes;
  for (const ImportNote& note : scene.notes) {
    if (note.kind == kind) notes.push_back(&note);
  }
  return notes;
}

// "2 fixed, 3 revolute".
std::string JoinCounts(const KindCounts& counts) {
  std::string text;
  for (const auto& [name, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  }
  return text.empty() ? "none" : text;
}

std::string DescribeStart(const ModelReport& report) {
  const std::string place = report.placed_joints == 0
                                ? "all joints at zero"
                                : fmt::format("{} joint{} not at zero", report.placed_joints,
                                              report.placed_joints == 1 ? "" : "s");
  return report.moving_joints == 0 ? place + ", at rest"
                                   : fmt::format("{}, {} moving", place, report.moving_joints);
}

void PrintReport(const Scene& scene, const ModelReport& report) {
  const auto row = [](const char* label, const std::string& text) {
    fmt::print("{:<12}{}\n", label, text);
  };
  row("scene", fmt::format("{} ({})", scene.model.name(), scene.file));
  row("bodies", std::to_string(report.bodies));
  row("joints", JoinCounts(report.joints));
  if (report.loop_joints > 0) row("", fmt::format("{} of them close loops", report.loop_joints));
  row("dof", std::to_string(report.dofs));
  row("mass", fmt::format("{:.6g} kg", report.mass));
  row("shapes", JoinCounts(report.shapes));
  const char* label = "materials";
  for (const std::string& material : report.materials) {
    row(label, material);
    label = "";
  }
  row("constraints", JoinCounts(report.constraints));
  row("drives", JoinCounts(report.drives));
  if (report.tendons > 0) row("tendons", std::to_string(report.tendons));
  if (report.actuators > 0) row("actuators", std::to_string(report.actuators));
  row("loads", JoinCounts(report.loads));
  row("start", DescribeStart(report));
  row("simulation",
      fmt::format("{}, step {:g} s, until {:g} s", ToString(scene.settings.integrator),
                  scene.settings.step, scene.settings.until));
  for (const std::string& notice : report.notices) row("notice", notice);
  for (NoteKind kind : kNoteKinds) {
    const std::vector<const ImportNote*> notes = SelectNotes(scene, kind);
    if (notes.empty()) continue;
    fmt::print("\n{} ({}): {}\n", ToString(kind), notes.size(), ExplainNotes(kind));
    for (const ImportNote* note : notes) {
      const std::string where = note->where.ToString();
      fmt::print("  {}{}{}: {}\n", where, where.empty() ? "" : ": ", note->element,
                 note->consequence);
    }
  }
}

std::string JsonCounts(const KindCounts& counts) {
  std::string text;
  for (const auto& [name, count] : counts) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", JsonQuote(name), count);
  }
  return "{" + text + "}";
}

std::string JsonTexts(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + JsonQuote(text);
  return "[" + out + "]";
}

std::string JsonNotes(const std::vector<ImportNote>& notes) {
  std::string out;
  for (const ImportNote& note : notes) {
    out += fmt::format(
        "{}\n    {{\"kind\": {}, \"file\": {}, \"line\": {}, \"column\": {}, \"element\": {}, "
        "\"consequence\": {}}}",
        out.empty() ? "" : ",", JsonQuote(std::string(ToString(note.kind))),
        JsonQuote(note.where.file), note.where.line, note.where.column, JsonQuote(note.element),
        JsonQuote(note.consequence));
  }
  return "[" + out + "]";
}

void PrintReportAsJson(const Scene& scene, const ModelReport& report, bool ok) {
  fmt::print("{{\n  \"file\": {},\n  \"name\": {},\n  \"ok\": {},\n", JsonQuote(scene.file),
             JsonQuote(scene.model.name()), ok);
  fmt::print("  \"bodies\": {},\n  \"dofs\": {},\n  \"mass\": {},\n  \"loop_joints\": {},\n",
             report.bodies, report.dofs, JsonNumber(report.mass), report.loop_joints);
  fmt::print("  \"joints\": {},\n  \"shapes\": {},\n  \"materials\": {},\n",
             JsonCounts(report.joints), JsonCounts(report.shapes), JsonTexts(report.materials));
  fmt::print("  \"constraints\": {},\n  \"drives\": {},\n  \"loads\": {},\n",
             JsonCounts(report.constraints), JsonCounts(report.drives), JsonCounts(report.loads));
  fmt::print("  \"tendons\": {},\n  \"actuators\": {},\n", report.tendons, report.actuators);
  fmt::print("  \"placed_joints\": {},\n  \"moving_joints\": {},\n", report.placed_joints,
             report.moving_joints);
  fmt::print("  \"notices\": {},\n  \"notes\": {}\n}}\n", JsonTexts(report.notices),
             JsonNotes(scene.notes));
}

}  // namespace

void AddCheckCommand(CLI::App* app, CheckOptions* options) {
  CLI::App* check = app->add_subcommand(
      "check", "Tell what was understood of a scene or robot, and what was not");
  check->add_option("file", options->file, "Scene (YAML) or robot (MJCF, URDF)")->required();
  check->add_option("--set", options->overrides, "Change any value of the scene: path=value")
      ->allow_extra_args(false);
  check->add_flag("--strict", options->strict,
                  "Elements that affect the motion and are left out are errors");
  check->add_flag("--json", options->json, "Print JSON");
}

int RunCheckCommand(const CheckOptions& options) {
  constexpr int kNotSupported = 2;
  std::vector<Override> overrides;
  for (const std::string& text : options.overrides) overrides.push_back(Override::Parse(text));
  Scene scene = LoadScene(options.file, overrides);
  // What a model cannot do is found when it is about to move.
  const Simulator simulator(scene.model, scene.settings, scene.initial);
  const size_t missing = SelectNotes(scene, NoteKind::kUnsupported).size();
  const bool ok = !options.strict || missing == 0;
  const ModelReport report = MakeModelReport(scene);
  if (options.json) {
    PrintReportAsJson(scene, report, ok);
  } else {
    PrintReport(scene, report);
  }
  if (ok) return 0;
  fmt::print(stderr, "{}: {} element{} that affect{} the motion {} left out\n", options.file,
             missing, missing == 1 ? "" : "s", missing == 1 ? "s" : "",
             missing == 1 ? "is" : "are");
  return kNotSupported;
}

}  // namespace voigt
