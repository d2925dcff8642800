// docs/scenes.md against the code: its scenes run, its error message is what the program says, and
// it names every key and every choice that the readers know, in the right section.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "tests/io/scene_problems.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

using testing::FindProblems;

const std::string& Page() {
  static const std::string page = ReadTextFile(std::string(VOIGT_SOURCE_DIR) + "/docs/scenes.md");
  return page;
}

// Fenced blocks of one language, without the fences, with their place in the page.
struct Block {
  std::string text;
  size_t end = 0;
};

std::vector<Block> FindBlocks(const std::string& language, size_t from = 0) {
  std::vector<Block> blocks;
  const std::string fence = fmt::format("\n```{}\n", language);
  for (size_t at = Page().find(fence, from); at != std::string::npos; at = Page().find(fence, at)) {
    at += fence.size();
    const size_t end = Page().find("```", at);
    blocks.push_back({Page().substr(at, end - at), end});
  }
  return blocks;
}

// The text under "## heading".
std::string Section(const std::string& heading) {
  const std::string title = fmt::format("\n## {}\n", heading);
  const size_t start = Page().find(title);
  if (start == std::string::npos) {
    ADD_FAILURE() << "no section " << heading;
    return "";
  }
  return Page().substr(start, Page().find("\n## ", start + title.size()) - start);
}

bool Mentions(const std::string& text, const std::string& word) {
  return text.find(fmt::format("`{}`", word)) != std::string::npos;
}

// "a, b or c" as words.
std::set<std::string> SplitList(std::string text) {
  for (size_t at; (at = text.find(" or ")) != std::string::npos;) text.replace(at, 4, ", ");
  std::set<std::string> words;
  std::istringstream in(text);
  for (std::string word; std::getline(in >> std::ws, word, ',');) words.insert(word);
  return words;
}

// What follows "expected one of " (or another phrase) in the one problem of a scene that has it.
std::set<std::string> ExpectedWords(const std::string& scene, const std::string& phrase) {
  for (const std::string& line : FindProblems(scene)) {
    const size_t at = line.find(phrase);
    if (at != std::string::npos) return SplitList(line.substr(at + phrase.size()));
  }
  ADD_FAILURE() << "no problem says \"" << phrase << "\" in\n" << scene;
  return {};
}

// A map of a scene with an unknown key in it, marked @, and the section that describes it.
struct KindOfMap {
  std::string section, scene;
};

std::vector<KindOfMap> AllKindsOfMaps() {
  const auto shape = [](const std::string& keys) {
    return KindOfMap{"Shapes", "world: {geometry: [{shape: " + keys + ", @}]}"};
  };
  const auto joint = [](const std::string& keys) { return "joints: [{name: j, " + keys + "}]\n"; };
  return {
      {"Top level", "@"},
      {"Include", "include: [{@}]"},
      {"Shapes", "world: {@}"},
      shape("sphere"),
      shape("box"),
      shape("capsule"),
      shape("cylinder"),
      shape("ellipsoid"),
      shape("half-space"),
      shape("hull"),
      shape("mesh"),
      shape("points"),
      shape("mesh, file: a.stl"),
      shape("foundation"),
      shape("height-field"),
      {"Shapes", "world: {geometry: [{shape: sphere, radius: 1, foundation: {@}}]}"},
      {"Materials", "materials: [{@}]"},
      {"Materials", "materials: {m: {@}}"},
      {"Contact", "contact: {@}"},
      {"Contact", "contact: {pairs: [{@}]}"},
      {"Poses", joint("frame: {@}")},
      {"Poses", joint("frame: {axis_angle: {@}}")},
      {"Poses", "bodies: [{mass: 1, inertia: [1, 1, 1], inertia_axes: {@}}]"},
      {"Poses", joint("type: ball, spring: {rest: {@}}")},
      {"Bodies", "bodies: [{@}]"},
      {"Bodies", "bodies: [{massless: true, @}]"},
      {"Bodies", "bodies: [{mass: 1, @}]"},
      {"Bodies", "bodies: [{mass: 1, inertia: point, @}]"},
      {"Bodies", "bodies: [{mass: 1, inertia: [1, 1, 1], @}]"},
      {"Joints", joint("@")},
      {"Joints", joint("spring: {@}")},
      {"Joints", joint("friction: {@}")},
      {"Loads", "loads: [{@}]"},
      {"Loads", "loads: [{body: b, @}]"},
      {"Loads", "loads: [{joint: j, @}]"},
      {"Drives", "drives: [{@}]"},
      {"Drives", "drives: [{type: servo, @}]"},
      {"Drives", "drives: [{type: motor, @}]"},
      {"Drives", "drives: [{type: prescribed, @}]"},
      {"Tendons", "tendons: [{@}]"},
      {"Tendons", "tendons: [{terms: [{@}]}]"},
      {"Tendons", "tendons: [{spring: {@}}]"},
      {"Actuators", "actuators: [{@}]"},
      {"Actuators", "actuators: [{type: position, @}]"},
      {"Actuators", "actuators: [{type: velocity, @}]"},
      {"Actuators", "actuators: [{type: general, @}]"},
      {"Actuators", "actuators: [{type: general, gain: {@}}]"},
      {"Actuators", "actuators: [{type: general, bias: {@}}]"},
      {"Actuators", "actuators: [{activation: {@}}]"},
      {"Constraints", "constraints: [{@}]"},
      {"Constraints", "constraints: [{type: distance, @}]"},
      {"Constraints", "constraints: [{type: point-on-line, @}]"},
      {"Constraints", "constraints: [{type: point-on-line, friction: {@}}]"},
      {"Constraints", "constraints: [{type: point-on-circle, @}]"},
      {"Constraints", "constraints: [{type: point-in-plane, @}]"},
      {"Constraints", "constraints: [{type: rolling, @}]"},
      {"Constraints", "constraints: [{type: knife-edge, @}]"},
      {"Constraints", "constraints: [{type: prescribed-point, @}]"},
      {"Constraints", "constraints: [{type: coupler, @}]"},
      {"Constraints", "constraints: [{type: coupler, terms: [{@}]}]"},
      {"Constraints", "constraints: [{type: constant-speed, @}]"},
      {"Constraints", joint("type: ball") + "constraints: [{type: lock, joint: j, @}]"},
      {"Initial state", joint("type: revolute") + "initial: {j: {@}}"},
      {"Initial state", joint("type: ball") + "initial: {j: {@}}"},
      {"Initial state", joint("type: free") + "initial: {j: {@}}"},
      {"Initial state", joint("type: revolute") + "initial: [{joint: j, @}]"},
      {"Simulation", "simulation: {@}"},
      {"Simulation", "simulation: {formulation: mlcp-lemke, cone: {@}}"},
      {"Simulation", "simulation: {formulation: compliant-qcqp, qcqp: {@}}"},
      {"Simulation", "simulation: {stabilization: {@}}"},
  };
}

// The keys that the readers know, by section.
std::map<std::string, std::set<std::string>> KnownKeys() {
  std::map<std::string, std::set<std::string>> known;
  for (const KindOfMap& kind : AllKindsOfMaps()) {
    std::string scene = kind.scene;
    scene.replace(scene.find('@'), 1, "a_key_that_nothing_resembles: 1");
    known[kind.section].merge(
        ExpectedWords(scene, "'a_key_that_nothing_resembles', expected one of "));
  }
  return known;
}

TEST(SceneDocs, CompleteScenesLoadAndRun) {
  int count = 0;
  for (const Block& block : FindBlocks("yaml")) {
    if (!block.text.starts_with("# complete scene\n")) continue;
    ++count;
    SCOPED_TRACE(block.text);
    ASSERT_EQ(FindProblems(block.text), testing::Lines{});
    const Scene scene = ParseScene(block.text, "docs/scenes.md");
    EXPECT_GT(scene.model.nv(), 0);
    Simulator simulator(scene.model, scene.settings, scene.initial);
    for (int i = 0; i < 5; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  }
  EXPECT_GE(count, 7);
}

TEST(SceneDocs, FragmentsUseKnownKeys) {
  // Fragments are not scenes, but every key in them is a key of some map.
  std::set<std::string> known = {"n", "length", "tilt"};  // parameters of one fragment
  for (const auto& [section, keys] : KnownKeys()) known.insert(keys.begin(), keys.end());
  const auto check = [&](const auto& self, const YamlValue& value) -> void {
    for (const YamlValue& item : value.items) self(self, item);
    for (const YamlEntry& entry : value.entries) {
      EXPECT_TRUE(known.contains(entry.key)) << entry.key;
      self(self, entry.value);
    }
  };
  int count = 0;
  for (const Block& block : FindBlocks("yaml")) {
    if (block.text.starts_with("# ")) continue;
    ++count;
    SCOPED_TRACE(block.text);
    ProblemList problems;
    check(check, ParseYaml(block.text, "fragment", &problems));
    EXPECT_TRUE(problems.empty());
  }
  EXPECT_GE(count, 4);
}

TEST(SceneDocs, ErrorsAreWhatTheProgramSays) {
  for (const Block& block : FindBlocks("yaml")) {
    if (!block.text.starts_with("# bad scene\n")) continue;
    try {
      ParseScene(block.text, "pendulum.yaml");
      FAIL() << "the bad scene is fine";
    } catch (const InputError& error) {
      EXPECT_EQ(FindBlocks("text", block.end).at(0).text,
                fmt::format("{}\n{} problems\n", error.what(), error.problems().size()));
    }
    return;
  }
  FAIL() << "no bad scene in the page";
}

TEST(SceneDocs, NameEveryKeyInItsSection) {
  for (const auto& [section, keys] : KnownKeys()) {
    const std::string text = Section(section);
    EXPECT_FALSE(keys.empty());
    for (const std::string& key : keys) {
      EXPECT_TRUE(Mentions(text, key)) << "key `" << key << "` is missing in section " << section;
    }
  }
  // Not read by an ObjectReader.
  EXPECT_NE(Section("Repetition").find("`repeat"), std::string::npos);
}

TEST(SceneDocs, ListNoKeyThatTheCodeDoesNotKnow) {
  const auto known = KnownKeys();
  for (const auto& [section, keys] : known) {
    std::istringstream lines(Section(section));
    bool keys_ahead = false;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("|")) keys_ahead = false;
      if (line.starts_with("| key |")) keys_ahead = true;
      if (!keys_ahead || !line.starts_with("| `")) continue;
      // The first column may name several keys.
      const std::string column = line.substr(0, line.find(" |", 2));
      for (size_t at = column.find('`'); at != std::string::npos; at = column.find('`', at + 1)) {
        const size_t end = column.find('`', at + 1);
        const std::string key = column.substr(at + 1, end - at - 1);
        EXPECT_TRUE(keys.contains(key)) << "`" << key << "` in section " << section;
        at = end;
      }
    }
  }
}

TEST(SceneDocs, NameEveryChoice) {
  const std::string joint = "bodies: [{name: b, massless: true}]\njoints: [{name: j, child: b, ";
  const std::vector<std::tuple<std::string, std::string, size_t>> choices = {
      {"Include", "include: [{file: x, base: x}]", 2},
      {"Shapes", "world: {geometry: [{shape: x}]}", 11},
      {"Materials", "materials: {m: {law: x}}", 4},
      {"Joints", joint + "type: x}]", kJointTypeCount},
      {"Joints", joint + "type: ball, tree: x}]", 3},
      {"Loads", "loads: [{body: b, force: [1, 2, 3], frame: x}]", 2},
      {"Drives", "drives: [{type: x, joint: j}]", 3},
      {"Actuators", "actuators: [{name: a, type: x}]", 4},
      {"Actuators", "actuators: [{name: a, type: motor, activation: {type: x}}]", 2},
      {"Constraints", "constraints: [{type: x, body: b}]", 10},
      {"Constraints", "constraints: [{type: distance, body: b, length: 1, side: x}]", 3},
      {"Simulation", "simulation: {integrator: x}", 4},
      {"Simulation", "simulation: {curvature: x}", 3},
  };
  for (const auto& [section, scene, count] : choices) {
    const std::set<std::string> words = ExpectedWords(scene, ": 'x', expected ");
    EXPECT_EQ(words.size(), count) << scene;
    for (const std::string& word : words) {
      EXPECT_TRUE(Mentions(Section(section), word)) << word << " in section " << section;
    }
  }
}

TEST(SceneDocs, NameTheFunctionsOfExpressions) {
  // The words of the row that lists functions, each called with one or two arguments.
  const std::string text = Section("Numbers and texts");
  const size_t start = text.find("| functions |");
  ASSERT_NE(start, std::string::npos);
  const std::string row = text.substr(start, text.find('\n', start) - start);
  int count = 0;
  for (size_t at = row.find('`'); at != std::string::npos;) {
    const size_t end = row.find('`', at + 1);
    const std::string name = row.substr(at + 1, end - at - 1);
    ++count;
    const std::string arguments = name == "atan2" ? "(0.5, 1)" : name == "acosh" ? "(2)" : "(0.5)";
    EXPECT_EQ(FindProblems("gravity: ['" + name + arguments + "', 0, 0]"), testing::Lines{});
    at = row.find('`', end + 1);
  }
  EXPECT_GE(count, 25);
}

}  // namespace
}  // namespace voigt
