// Scenes with pieces missing, moved and changed: a scene, or reasons.

#include <gtest/gtest.h>

#include <random>

#include "tests/support/samples.h"
#include "tests/support/scene_check.h"
#include "voigt/io/yaml_value.h"

namespace voigt {
namespace {

const char* const kScenePieces[] = {"[",
                                    "]",
                                    "{",
                                    "}",
                                    ":",
                                    "- ",
                                    "\n",
                                    "  ",
                                    "-1",
                                    "nan",
                                    ".inf",
                                    "1e308",
                                    "0",
                                    "${n}",
                                    "*x",
                                    "&x ",
                                    "repeat: {i: 3}",
                                    "name: a",
                                    "world",
                                    "\"",
                                    "#"};

std::string ChangeScene(std::string text, std::mt19937_64* random) {
  const auto below = [&](size_t limit) { return static_cast<size_t>((*random)() % limit); };
  for (size_t times = 1 + below(4); times > 0; --times) {
    const size_t at = below(text.size()), from = below(text.size()), length = below(30);
    switch (below(4)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, kScenePieces[below(std::size(kScenePieces))]);
        break;
      case 2:
        text.insert(at, text.substr(from, length));
        break;
      default:
        text[at] = "0123456789.-: [{,abt"[below(20)];
    }
    if (text.empty()) text = " ";
  }
  return text;
}

TEST(SceneFuzz, ChangedTextIsASceneOrRefusedWithReasons) {
  const std::string seed =
      ReadTextFile(VOIGT_SOURCE_DIR "/tests/fuzz/scene_corpus/everything.yaml");
  ASSERT_NO_THROW(ParseScene(seed, "everything.yaml"));
  std::mt19937_64 random(1);
  for (int i = 0; i < testing::SampleCount(1000); ++i) {
    const std::string text = ChangeScene(seed, &random);
    ASSERT_EQ(testing::DescribeSceneReadingDefect(text), "") << text;
  }
}

}  // namespace
}  // namespace voigt
