#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/support/mesh_check.h"
#include "tests/support/mesh_contact_check.h"
#include "tests/support/mesh_writers.h"
#include "tests/support/meshes.h"
#include "voigt/io/mesh_file.h"

namespace voigt {
namespace {

// What matters to the readers, put where it does not belong.
const char* const kPieces[] = {"solid",
                               "facet normal",
                               "outer loop",
                               "vertex",
                               "endloop",
                               "\n",
                               "endfacet",
                               "endsolid",
                               "v 0 0 0\n",
                               "f 1 2 3\n",
                               "f 1 -1",
                               " ",
                               "\\\n",
                               "#",
                               "//",
                               "nan",
                               "-inf",
                               "1e308",
                               "1e-320",
                               "-0",
                               "\r",
                               "0.5",
                               "1",
                               "3",
                               "f 1 2 3 4 5\n"};

// Changes a file a little, in ways that depend on the seed only.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  size_t Below(size_t limit) { return limit == 0 ? 0 : static_cast<size_t>(random_() % limit); }

  std::string Change(std::string data, const std::string& other) {
    for (size_t times = 1 + Below(6); times > 0; --times) ChangeOnce(other, &data);
    return data;
  }

 private:
  void ChangeOnce(const std::string& other, std::string* data) {
    const size_t at = Below(data->size() + 1), length = Below(60);
    const bool is_inside = at < data->size();
    switch (Below(8)) {
      case 0:
        if (is_inside) (*data)[at] = static_cast<char>((*data)[at] ^ (1 << Below(8)));
        break;
      case 1:
        if (is_inside) (*data)[at] = static_cast<char>(Below(256));
        break;
      case 2:
        data->erase(at, length);
        break;
      case 3:
        data->insert(at, data->substr(Below(data->size()), length));
        break;
      case 4:
        data->insert(at, kPieces[Below(std::size(kPieces))]);
        break;
      case 5:
        if (Below(8) == 0) data->resize(at);
        break;
      case 6:
        data->replace(at, length, other, Below(other.size()), length);
        break;
      default:  // a digit: the form stays, the value moves
        for (size_t i = at; i < data->size(); ++i) {
          if ((*data)[i] < '0' || (*data)[i] > '9') continue;
          (*data)[i] = static_cast<char>('0' + Below(10));
          break;
        }
    }
  }

  std::mt19937_64 random_;
};

std::vector<std::string> MakeSeeds() {
  const TriangleMesh box = testing::MakeBoxMesh({0, 0, 0}, {1, 2, 3});
  std::vector<std::string> seeds = {testing::WriteStlBinary(box), testing::WriteStlText(box),
                                    testing::WriteObj(box)};
  for (const auto& entry :
       std::filesystem::directory_iterator(VOIGT_SOURCE_DIR "/tests/fuzz/mesh_corpus")) {
    std::ifstream stream(entry.path(), std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

void RunMutations(std::uint64_t seed, int count) {
  const std::vector<std::string> seeds = MakeSeeds();
  Mutator mutator(seed);
  int read = 0;
  for (int i = 0; i < count; ++i) {
    const std::string& other = seeds[mutator.Below(seeds.size())];
    const std::string data = mutator.Change(seeds[mutator.Below(seeds.size())], other);
    for (MeshFormat format : {MeshFormat::kStl, MeshFormat::kObj}) {
      ASSERT_EQ(testing::DescribeReadingDefect(data, format), "") << "mutation " << i;
      try {
        const MeshFile file = ParseMesh(data, format, "fuzz");
        ++read;
        ASSERT_EQ(testing::DescribeContactDefect(file.mesh), "") << "mutation " << i;
      } catch (const InputError&) {
      }
    }
  }
  // Mutations that all break the file would reach little.
  EXPECT_GT(read, count / 20);
  EXPECT_LT(read, count);
}

TEST(MeshFuzz, TheCorpusIsReadOrRefused) {
  const std::vector<std::string> seeds = MakeSeeds();
  ASSERT_GT(seeds.size(), 3u);
  for (const std::string& data : seeds) {
    for (MeshFormat format : {MeshFormat::kStl, MeshFormat::kObj}) {
      EXPECT_EQ(testing::DescribeReadingDefect(data, format), "") << data;
    }
  }
}

// Those that are read have contacts with every kind of shape, or none, but never nonsense.
TEST(MeshFuzz, ChangedFilesAreReadOrRefused) { RunMutations(1, 2'000); }

TEST(LongMeshFuzz, ChangedFilesAreReadOrRefused) { RunMutations(2, 200'000); }

}  // namespace
}  // namespace voigt
