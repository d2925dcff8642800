// Damages a small recording as libFuzzer says, its bytes or what its tables hold; stops at the
// first that is neither read to its end nor refused with reasons.

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "tests/support/recording_check.h"

namespace {

using namespace voigt::testing;

// Where the sound recording and the damaged one are.
struct Files {
  Files() {
    const std::string folder = std::filesystem::temp_directory_path() / "voigt_recording_fuzz_";
    sound = folder + std::to_string(getpid()) + "_sound.h5";
    damaged = folder + std::to_string(getpid()) + "_damaged.h5";
    RecordSmallRun(sound);
    bytes = ReadBytesOf(sound);
  }
  ~Files() {
    std::error_code ignored;
    std::filesystem::remove(sound, ignored);
    std::filesystem::remove(damaged, ignored);
  }
  std::string sound, damaged, bytes;
};

// Takes numbers from what libFuzzer made; zeros where that is at its end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool empty() const { return size_ == 0; }
  template <typename Number>
  Number Take() {
    Number out = {};
    const std::size_t count = std::min(size_, sizeof out);
    std::memcpy(&out, data_, count);
    data_ += count;
    size_ -= count;
    return out;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

void DamageBytes(Input input, const Files& files) {
  std::string bytes = files.bytes;
  while (!input.empty()) {
    const auto at = input.Take<std::uint32_t>();
    const auto value = input.Take<char>();
    bytes[at % bytes.size()] = value;
    if (at >> 31 != 0) bytes.resize(at % bytes.size() + 1);
  }
  WriteBytesTo(files.damaged, bytes);
}

void DamageContents(Input input, const Files& files) {
  RewriteRecording(files.sound, files.damaged, [&](std::vector<RawTable>* tables) {
    while (!input.empty()) {
      RawTable& table = (*tables)[input.Take<std::uint8_t>() % tables->size()];
      const auto what = input.Take<std::uint8_t>();
      const auto where = input.Take<std::uint16_t>();
      ChangeTable(what, where, input.Take<double>(), &table);
    }
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Files files;
  if (size == 0) return 0;
  const Input input(data + 1, size - 1);
  if (data[0] % 2 == 0) {
    DamageBytes(input, files);
  } else {
    DamageContents(input, files);
  }
  const std::string defect = DescribeRecordingDefect(files.damaged);
  if (defect.empty()) return 0;
  std::fprintf(stderr, "%s\n", defect.c_str());
  std::abort();
}
