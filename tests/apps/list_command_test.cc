// voigt list, run as a user runs it.

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/apps/json.h"
#include "tests/apps/program.h"
#include "voigt/voigt.h"

namespace voigt {
namespace {

using testing::Json;
using testing::ParseJson;
using testing::ProgramResult;

class ListCommand : public testing::ProgramTest {
 protected:
  Json List(const std::string& arguments = "") const {
    const ProgramResult result = Run("list --json " + arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return ParseJson(result.out);
  }

  static std::set<std::string> NamesIn(const Json& group) {
    std::set<std::string> names;
    for (const Json& word : group.items) {
      EXPECT_FALSE(word["meaning"].text.empty()) << word["name"].text;
      names.insert(word["name"].text);
    }
    return names;
  }
};

// "a, b or c" at the end of the complaint about the word x.
std::set<std::string> WordsThatReadersTake(const std::string& scene) {
  std::string text;
  try {
    ParseScene(scene, "s");
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) {
      const size_t at = problem.message.find("'x', expected ");
      if (at != std::string::npos) text = problem.message.substr(at + 14);
    }
  }
  for (size_t at; (at = text.find(" or ")) != std::string::npos;) text.replace(at, 4, ", ");
  std::set<std::string> words;
  std::istringstream in(text);
  for (std::string word; std::getline(in >> std::ws, word, ',');) words.insert(word);
  return words;
}

TEST_F(ListCommand, NamesEveryWordThatScenesTakeAndNoOther) {
  const Json json = List();
  const std::string body = "bodies: [{name: b, massless: true}]\n";
  const std::vector<std::pair<std::string, std::string>> groups = {
      {"formulations", "simulation: {formulation: x}"},
      {"friction_modes", "simulation: {friction: x}"},
      {"integrators", "simulation: {integrator: x}"},
      {"joints", body + "joints: [{name: j, type: x, child: b}]"},
      {"shapes", "world: {geometry: [{shape: x}]}"},
      {"material_laws", "materials: {m: {law: x}}"},
      {"constraints", "constraints: [{type: x}]"},
      {"drives", "drives: [{type: x}]"},
      {"actuators", "actuators: [{name: a, type: x}]"}};
  for (const auto& [group, scene] : groups) {
    const std::set<std::string> words = WordsThatReadersTake(scene);
    EXPECT_GE(words.size(), 3u) << group;
    EXPECT_EQ(NamesIn(json[group]), words) << group;
  }
  EXPECT_EQ(NamesIn(json["loads"]), (std::set<std::string>{"body", "joint"}));
}

TEST_F(ListCommand, DescribesTheScenesOfAFolder) {
  std::filesystem::create_directories(folder() / "mine");
  Write("mine/b.yaml",
        "name: Two balls\n"
        "description: >\n"
        "  Two balls\n"
        "  that fly [Smith et al. 1990]. They never land.\n"
        "bodies: [{repeat: {i: 2}, name: \"b${i}\", mass: 1, inertia: [1, 1, 1]}]\n"
        "joints: [{repeat: {i: 2}, name: \"j${i}\", type: free, child: \"b${i}\"}]\n");
  Write("mine/a.yaml", "bodies: 3\ngrvity: 1\n");
  Write("mine/notes.txt", "no scene\n");
  const Json scenes = List("mine")["scenes"];
  ASSERT_EQ(scenes.items.size(), 2u);
  EXPECT_EQ(scenes.items[0]["file"].text, "mine/a.yaml");
  EXPECT_EQ(scenes.items[0]["problems"].number, 2);
  EXPECT_EQ(scenes.items[1]["file"].text, "mine/b.yaml");
  EXPECT_EQ(scenes.items[1]["name"].text, "Two balls");
  EXPECT_EQ(scenes.items[1]["description"].text, "Two balls that fly [Smith et al. 1990].");
  EXPECT_EQ(scenes.items[1]["bodies"].number, 2);
  EXPECT_EQ(scenes.items[1]["dofs"].number, 12);

  const std::string text = Run("list mine").out;
  EXPECT_NE(
      text.find(
          "  mine/b.yaml       2      12  Two balls: Two balls that fly [Smith et al. 1990].\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("  mine/a.yaml  cannot be used: 2 problems; "), std::string::npos) << text;
}

TEST_F(ListCommand, LooksIntoTheFolderOfScenesBesideIt) {
  EXPECT_TRUE(List()["scenes"].items.empty());
  EXPECT_NE(Run("list").out.find("no scenes here"), std::string::npos);
  std::filesystem::create_directories(folder() / "scenes");
  Write("scenes/s.yaml", "name: Nothing\n");
  EXPECT_EQ(List()["scenes"].items.at(0)["name"].text, "Nothing");
}

TEST_F(ListCommand, AFolderThatIsNoneIsBadInput) {
  const ProgramResult result = Run("list no/such/folder");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "no/such/folder: cannot be read: is it a folder?\n");
}

TEST_F(ListCommand, ColumnsStandUnderEachOther) {
  std::istringstream lines(Run("list").out);
  size_t column = 0;
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ")) continue;
    const size_t gap = line.find("  ", 2);
    const size_t meaning = line.find_first_not_of(' ', gap);
    if (column == 0) column = meaning;
    EXPECT_EQ(meaning, column) << line;
    ++count;
  }
  EXPECT_GE(count, 40);
}

}  // namespace
}  // namespace voigt
