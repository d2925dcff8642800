#include "voigt/io/file_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/scenes.h"
#include "tests/support/test_folder.h"
#include "voigt/base/errors.h"
#include "voigt/io/scene.h"

namespace voigt {
namespace {

TEST(ReadFile, ReturnsEveryByte) {
  const std::string path = ::testing::TempDir() + "voigt_read_text_file.bin";
  const std::string bytes("a\r\n\0b\xff", 6);
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(ReadFile(path), bytes);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << "";
  EXPECT_EQ(ReadFile(path), "");
  std::filesystem::remove(path);
}

TEST(ReadFile, NamesTheFileThatCannotBeRead) {
  for (const std::string& path :
       {::testing::TempDir() + "voigt/no/such/file.yaml", std::string()}) {
    try {
      ReadFile(path);
      FAIL() << path;
    } catch (const InputError& error) {
      EXPECT_EQ(error.problems()[0].where.file, path);
      EXPECT_EQ(error.problems()[0].message, "cannot be read: does the file exist?");
    }
  }
}

std::string BowlScene() { return std::string(VOIGT_SOURCE_DIR) + "/scenes/ball_in_bowl.yaml"; }

TEST(FileRecord, RemembersTheSceneAndItsMeshes) {
  const FileRecord record;
  LoadScene(BowlScene());
  ASSERT_EQ(record.files().size(), 2u);
  EXPECT_EQ(record.files()[0].path, BowlScene());
  EXPECT_NE(record.files()[0].bytes.find("shape: mesh"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(record.files()[1].path));
}

TEST(FileRecord, KeepsEachFileOnce) {
  const FileRecord outer;
  {
    const FileRecord inner;
    ReadFile(BowlScene());
    ReadFile(BowlScene());
    EXPECT_EQ(inner.files().size(), 1u);
  }
  EXPECT_EQ(outer.files().size(), 1u);
}

TEST(FileReplay, GivesTheSameSceneWithoutTheFiles) {
  std::vector<SourceFile> files;
  std::vector<std::uint8_t> expected;
  {
    const FileRecord record;
    expected =
        testing::RunToEnd(LoadScene(BowlScene(), {{"simulation.until", "0.05"}})).Serialize();
    files = record.files();
  }
  // Elsewhere, where there are no such files.
  const std::string here = BowlScene().substr(0, BowlScene().rfind('/'));
  for (SourceFile& file : files) file.path.replace(0, here.size(), "/no/such/folder");
  const FileReplay replay(files);
  const Scene scene = LoadScene(files[0].path, {{"simulation.until", "0.05"}});
  EXPECT_EQ(testing::RunToEnd(scene).Serialize(), expected);
}

TEST(FileReplay, HasItsFilesAndNoOthers) {
  const FileReplay replay(std::vector<SourceFile>{{"a", "bytes"}});
  EXPECT_EQ(ReadFile("a"), "bytes");
  EXPECT_EQ(FindPathKind("a"), PathKind::kFile);
  EXPECT_EQ(FindPathKind(BowlScene()), PathKind::kMissing);
  EXPECT_THROW(ReadFile(BowlScene()), InputError);
  {
    const FileReplay inner(std::vector<SourceFile>{{"b", "others"}});
    EXPECT_THROW(ReadFile("a"), InputError);
  }
  EXPECT_EQ(ReadFile("a"), "bytes");
}

std::string ExplainReading(const std::string& path) {
  try {
    ReadFile(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "fine";
}

TEST(ReadFile, ReadsRegularFilesOnly) {
  // Each of these would be read without end, or waited for.
  EXPECT_EQ(ExplainReading("/dev/zero"), "/dev/zero: is a device, pipe or socket, expected a file");
  const auto pipe = testing::NameTestFolder();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(ExplainReading(pipe.string()),
            pipe.string() + ": is a device, pipe or socket, expected a file");
  std::filesystem::remove(pipe);
  EXPECT_EQ(ExplainReading("/tmp"), "/tmp: is a folder, expected a file");
  EXPECT_EQ(ExplainReading("/no/such/file"), "/no/such/file: cannot be read: does the file exist?");
}

TEST(ReadFile, RefusesMoreThanAGigabyte) {
  const auto path = testing::NameTestFolder();
  std::ofstream(path) << "name: big\n";
  std::filesystem::resize_file(path, (std::uintmax_t{1} << 30) + 1);  // a hole
  EXPECT_EQ(ExplainReading(path.string()),
            path.string() + ": is larger than 1 GiB: no such file is read");
  std::filesystem::remove(path);
}

TEST(ReadFile, IncludedDevicesAreRefused) {
  try {
    ParseScene("include: [{file: /dev/zero}]\n", "scene.yaml");
    FAIL() << "was read";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'/dev/zero' is a device"), std::string::npos)
        << error.what();
  }
}

TEST(FindPathKind, TellsFilesFromFolders) {
  EXPECT_EQ(FindPathKind(BowlScene()), PathKind::kFile);
  EXPECT_EQ(FindPathKind(VOIGT_SOURCE_DIR), PathKind::kOther);
  EXPECT_EQ(FindPathKind("/no/such/folder"), PathKind::kMissing);
}

}  // namespace
}  // namespace voigt
