#include "apps/voigt/list_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "apps/voigt/vocabulary.h"
#include "voigt/base/errors.h"
#include "voigt/constraints/degrees_of_freedom.h"
#include "voigt/io/json_text.h"
#include "voigt/io/scene.h"

namespace voigt {
namespace {

constexpr char kUsualFolder[] = "scenes";

// A file of the folder; the numbers of one that cannot be read are missing.
struct SceneEntry {
  std::string file, name, description;
  int bodies = 0, dofs = 0;
  int problems = 0;
};

// Descriptions may be long, and lines of YAML break where they like. Citations in brackets hold
// points that end no sentence.
std::string TakeFirstSentence(const std::string& text) {
  std::string line;
  int depth = 0;
  for (char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    const bool is_space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_space) {
      line += c;
      continue;
    }
    const bool ends = !line.empty() && (line.back() == '.' || line.back() == '!');
    if (ends && depth <= 0) break;
    if (!line.empty() && line.back() != ' ') line += ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

SceneEntry DescribeScene(const std::string& file) {
  SceneEntry entry;
  entry.file = file;
  try {
    const Scene scene = LoadScene(file);
    // A scene without a name has that of its file.
    if (scene.model.name() != file) entry.name = scene.model.name();
    entry.description = TakeFirstSentence(scene.description);
    entry.bodies = scene.model.nb() - 1;
    entry.dofs = CountDegreesOfFreedom(scene.model, scene.initial.q);
  } catch (const InputError& error) {
    entry.problems = static_cast<int>(error.problems().size());
  }
  return entry;
}

// Sorted by name: folders are read in any order.
std::vector<std::string> FindScenes(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const std::filesystem::path ending = at->path().extension();
    const bool is_scene = ending == ".yaml" || ending == ".xml" || ending == ".urdf";
    if (is_scene && at->is_regular_file()) {
      files.push_back(at->path().string());
    }
  }
  if (error) throw InputError({folder, 0, 0}, "", "cannot be read: is it a folder?");
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<SceneEntry> ListScenes(const ListOptions& options) {
  std::vector<SceneEntry> scenes;
  std::error_code ignored;
  const bool is_given = !options.folder.empty();
  // Whoever names no folder need not have one.
  if (!is_given && !std::filesystem::is_directory(kUsualFolder, ignored)) return scenes;
  for (const std::string& file : FindScenes(is_given ? options.folder : kUsualFolder)) {
    scenes.push_back(DescribeScene(file));
  }
  return scenes;
}

// Columns are counted in characters, not in bytes.
std::string PadText(const std::string& text, size_t width) {
  const auto is_start = [](unsigned char c) { return (c & 0xc0) != 0x80; };
  const size_t count = std::count_if(text.begin(), text.end(), is_start);
  return text + std::string(width > count ? width - count : 0, ' ');
}

void PrintWords(const std::vector<WordGroup>& groups) {
  size_t width = 0;
  for (const WordGroup& group : groups) {
    for (const Word& word : group.words) width = std::max(width, word.name.size());
  }
  for (const WordGroup& group : groups) {
    fmt::print("{}\n", group.title);
    for (const Word& word : group.words) {
      fmt::print("  {}  {}\n", PadText(word.name, width), word.meaning);
    }
    fmt::print("\n");
  }
}

void PrintScenes(const std::vector<SceneEntry>& scenes) {
  if (scenes.empty()) {
    fmt::print("no scenes here: voigt list FOLDER looks elsewhere\n");
    return;
  }
  size_t width = 0;
  for (const SceneEntry& scene : scenes) width = std::max(width, scene.file.size());
  fmt::print("{}  {:>6}  {:>6}\n", PadText("scenes", width + 2), "bodies", "dof");
  for (const SceneEntry& scene : scenes) {
    if (scene.problems > 0) {
      fmt::print("  {}  cannot be used: {} problem{}; voigt check shows them\n",
                 PadText(scene.file, width), scene.problems, scene.problems > 1 ? "s" : "");
      continue;
    }
    const bool has_both = !scene.name.empty() && !scene.description.empty();
    fmt::print("  {}  {:>6}  {:>6}  {}{}{}\n", PadText(scene.file, width), scene.bodies, scene.dofs,
               scene.name, has_both ? ": " : "", scene.description);
  }
}

std::string JsonWords(const WordGroup& group) {
  std::string out;
  for (const Word& word : group.words) {
    out += fmt::format("{}\n    {{\"name\": {}, \"meaning\": {}}}", out.empty() ? "" : ",",
                       JsonQuote(word.name), JsonQuote(word.meaning));
  }
  return out;
}

std::string JsonScenes(const std::vector<SceneEntry>& scenes) {
  std::string out;
  for (const SceneEntry& scene : scenes) {
    out += fmt::format("{}\n    {{\"file\": {}, ", out.empty() ? "" : ",", JsonQuote(scene.file));
    if (scene.problems > 0) {
      out += fmt::format("\"problems\": {}}}", scene.problems);
      continue;
    }
    out +=
        fmt::format("\"name\": {}, \"description\": {}, \"bodies\": {}, \"dofs\": {}}}",
                    JsonQuote(scene.name), JsonQuote(scene.description), scene.bodies, scene.dofs);
  }
  return out;
}

}  // namespace

void AddListCommand(CLI::App* app, ListOptions* options) {
  CLI::App* list = app->add_subcommand("list", "List what a scene can name, and scenes");
  list->add_option("folder", options->folder, "Folder of scenes; scenes/ if it is not given");
  list->add_flag("--json", options->json, "Print JSON");
}

int RunListCommand(const ListOptions& options) {
  const std::vector<WordGroup> groups = ListVocabulary();
  const std::vector<SceneEntry> scenes = ListScenes(options);
  if (!options.json) {
    PrintWords(groups);
    PrintScenes(scenes);
    return 0;
  }
  fmt::print("{{\n");
  for (const WordGroup& group : groups) {
    fmt::print("  {}: [{}],\n", JsonQuote(group.key), JsonWords(group));
  }
  fmt::print("  \"scenes\": [{}]\n}}\n", JsonScenes(scenes));
  return 0;
}

}  // namespace voigt
