#pragma once

#include <gtest/gtest.h>
#include <stdio.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/test_folder.h"
#include "voigt/base/errors.h"
#include "voigt/io/recording_writer.h"
#include "voigt/io/scene.h"

namespace voigt::testing {

// A folder of the test's own, removed at its end.
class RecordingFolder : public ::testing::Test {
 protected:
  RecordingFolder() {
    folder_ = NameTestFolder();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~RecordingFolder() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  std::vector<std::string> ListFiles() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      out.push_back(entry.path().filename().string());
    }
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  std::filesystem::path folder_;
};

// A scene that is being recorded.
struct RecordedRun {
  RecordedRun(const std::string& path, const std::string& text,
              const std::vector<Override>& overrides = {}, RecordingWriter::Clock clock = nullptr)
      : scene(ParseScene(text, "s.yaml", overrides)),
        simulator(scene.model, scene.settings, scene.initial),
        writer(path, {"s.yaml", {{"s.yaml", text}}, overrides, "test"}, &simulator, clock) {}

  void Step() {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    writer.Offer(&simulator);
  }

  Scene scene;
  Simulator simulator;
  RecordingWriter writer;
};

// Every table of two recordings but the time that they took.
inline void ExpectSameTables(const std::string& a, const std::string& b) {
  const Hdf5File first = Hdf5File::OpenToRead(a), second = Hdf5File::OpenToRead(b);
  for (int i = 0; i < kRecordingTableCount; ++i) {
    const auto table = static_cast<RecordingTable>(i);
    if (table == RecordingTable::kWallTime) continue;
    const std::string& object = TablePath(table);
    ASSERT_EQ(first.ReadShape(object), second.ReadShape(object)) << object;
    // As bits: NaN is equal to itself.
    const auto x = first.ReadDoubles(object), y = second.ReadDoubles(object);
    if (x.empty()) continue;
    EXPECT_EQ(std::memcmp(x.data(), y.data(), x.size() * sizeof(double)), 0) << object;
  }
}

// How many rows a dataset has for h5dump; -1 if that fails.
inline std::int64_t CountH5dumpRows(const std::string& path, const std::string& object) {
  const std::string command = "h5dump -H -d '" + object + "' '" + path + "' 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  if (pclose(pipe) != 0) return -1;
  const std::string mark = "SIMPLE { ( ";
  const size_t at = text.find(mark);
  return at == std::string::npos ? -1 : std::stoll(text.substr(at + mark.size()));
}

}  // namespace voigt::testing
