#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/support/samples.h"
#include "tests/support/urdf_check.h"
#include "voigt/io/yaml_value.h"

namespace voigt {
namespace {

// What matters to the reader, put where it does not belong.
const char* const kUrdfPieces[] = {"<link name='a'/>",
                                   "<origin xyz='1 2 3'/>",
                                   "<mimic joint='pin'/>",
                                   "world",
                                   "name",
                                   "fixed",
                                   "planar",
                                   "floating",
                                   "-",
                                   "1e308",
                                   "nan",
                                   "inf",
                                   "0 0 0",
                                   "'",
                                   "\"",
                                   "<",
                                   "/>",
                                   "<!--",
                                   "&lt;",
                                   "&#0;",
                                   "package://a/b.stl",
                                   "base",
                                   "rod",
                                   "\n",
                                   "\xff"};

std::vector<std::string> LoadUrdfSeeds() {
  std::vector<std::string> seeds;
  for (const auto& entry :
       std::filesystem::directory_iterator(VOIGT_SOURCE_DIR "/tests/fuzz/urdf_corpus")) {
    seeds.push_back(ReadTextFile(entry.path().string()));
  }
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

// Changes a text a little, in ways that depend on the generator only.
void ChangeUrdf(const std::string& other, std::mt19937_64* random, std::string* text) {
  const auto below = [&](size_t limit) {
    return limit == 0 ? 0 : static_cast<size_t>((*random)() % limit);
  };
  const size_t at = below(text->size() + 1), length = below(40);
  switch (below(5)) {
    case 0:
      text->erase(at, length);
      break;
    case 1:
      text->insert(at, text->substr(below(text->size()), length));
      break;
    case 2:
      text->insert(at, kUrdfPieces[below(std::size(kUrdfPieces))]);
      break;
    case 3:
      text->replace(at, length, other, below(other.size()), length);
      break;
    default:  // a digit: the form stays, the value moves
      for (size_t i = at; i < text->size(); ++i) {
        if ((*text)[i] < '0' || (*text)[i] > '9') continue;
        (*text)[i] = static_cast<char>('0' + below(10));
        break;
      }
  }
}

void RunUrdfMutations(std::uint64_t seed, int count) {
  const std::vector<std::string> seeds = LoadUrdfSeeds();
  ASSERT_GE(seeds.size(), 2u);
  std::mt19937_64 random(seed);
  int read = 0;
  for (int i = 0; i < count; ++i) {
    std::string text = seeds[random() % seeds.size()];
    for (auto times = 1 + random() % 4; times > 0; --times) {
      ChangeUrdf(seeds[random() % seeds.size()], &random, &text);
    }
    ASSERT_EQ(testing::DescribeUrdfDefect(text), "") << "mutation " << i << "\n" << text;
    try {
      ParseUrdf(text, "fuzz.urdf");
      ++read;
    } catch (const InputError&) {
    }
  }
  // Mutations that all break the file would reach little.
  EXPECT_GT(read, count / 20);
  EXPECT_LT(read, count);
}

TEST(UrdfFuzz, TheCorpusIsRead) {
  for (const std::string& text : LoadUrdfSeeds()) {
    EXPECT_EQ(testing::DescribeUrdfDefect(text), "");
    EXPECT_NO_THROW(ParseUrdf(text, "seed.urdf"));
  }
}

TEST(UrdfFuzz, ChangedFilesAreReadOrRefused) { RunUrdfMutations(1, testing::SampleCount(3'000)); }

TEST(LongUrdfFuzz, ChangedFilesAreReadOrRefused) { RunUrdfMutations(2, 200'000); }

}  // namespace
}  // namespace voigt
