// Recordings with damaged bytes and with wrong contents: every reader of them ends, with what is
// there or with reasons. The reading is done by processes of its own, so that a crash fails the
// test and says where.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/io/recording_support.h"
#include "tests/support/recording_check.h"
#include "tests/support/samples.h"

namespace voigt {
namespace {

using testing::RawTable;

class DamagedRecording : public testing::RecordingFolder {
 protected:
  DamagedRecording() {
    testing::RecordSmallRun(Path("sound.h5"));
    sound_ = testing::ReadBytesOf(Path("sound.h5"));
    const void* memory =
        mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    report_ = static_cast<Report*>(const_cast<void*>(memory));
  }
  ~DamagedRecording() override { munmap(report_, sizeof(Report)); }

  // Makes damaged files, one after the other, and reads them. True if no reader minds any.
  void ReadEach(int count, const std::function<void(int, const std::string&)>& damage) {
    *report_ = {};
    const pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) ReadInChild(count, damage);
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    ASSERT_FALSE(WIFSIGNALED(status))
        << "signal " << WTERMSIG(status) << " at damage " << report_->at;
    ASSERT_EQ(WEXITSTATUS(status), 0) << report_->defect << " at damage " << report_->at;
    ASSERT_EQ(report_->at, count);
  }

  const std::string& sound() const { return sound_; }
  int readers() const { return report_->readers; }  // that read a file to its end

 private:
  struct Report {
    int at = 0, readers = 0;
    char defect[200] = {};
  };

  [[noreturn]] void ReadInChild(int count,
                                const std::function<void(int, const std::string&)>& damage) {
#ifndef __SANITIZE_ADDRESS__
    const rlimit memory{rlim_t{2} << 30, rlim_t{2} << 30};
    setrlimit(RLIMIT_AS, &memory);
#endif
    const std::string path = Path("damaged.h5");
    for (; report_->at < count; ++report_->at) {
      alarm(60);  // readers end
      std::string defect;
      try {
        damage(report_->at, path);
        defect = testing::DescribeRecordingDefect(path, &report_->readers);
      } catch (const std::exception& error) {
        defect = error.what();
      }
      if (defect.empty()) continue;
      defect.copy(report_->defect, sizeof report_->defect - 1);
      _exit(1);
    }
    _exit(0);
  }

  std::string sound_;
  Report* report_ = nullptr;
};

TEST_F(DamagedRecording, SoundOnesAreReadByAll) {
  ReadEach(1, [&](int, const std::string& path) { testing::WriteBytesTo(path, sound()); });
  EXPECT_EQ(readers(), 4);
  ReadEach(1, [&](int, const std::string& path) {
    testing::RewriteRecording(Path("sound.h5"), path, [](std::vector<RawTable>*) {});
  });
  EXPECT_EQ(readers(), 4);
  const Recording recording(Path("sound.h5"));
  EXPECT_GT(recording.Integers(RecordingTable::kContactBody).size(), 0u) << "there is something";
  EXPECT_GT(recording.ReadTransitions().size(), 0u);
  EXPECT_GT(recording.Integers(RecordingTable::kGuideState).size(), 0u);
}

TEST_F(DamagedRecording, ChangedBytesAreRefusedOrHarmless) {
  std::mt19937_64 random(1);
  ReadEach(testing::SampleCount(400), [&](int i, const std::string& path) {
    std::string bytes = sound();
    const auto below = [&](size_t limit) { return static_cast<size_t>(random() % limit); };
    const size_t at = below(i % 3 == 0 ? 4096 : bytes.size());
    const size_t length = i % 5 == 0 ? 1 + below(100) : 1;
    for (size_t k = at; k < std::min(at + length, bytes.size()); ++k) {
      const char values[] = {0, 1, static_cast<char>(0xff), static_cast<char>(random()),
                             static_cast<char>(bytes[k] ^ (1 << below(8)))};
      bytes[k] = values[i % 5];
    }
    testing::WriteBytesTo(path, bytes);
  });
}

TEST_F(DamagedRecording, TruncatedFilesAreRefused) {
  const int count = testing::SampleCount(60);
  ReadEach(count, [&](int i, const std::string& path) {
    testing::WriteBytesTo(path, sound().substr(0, sound().size() * i / count));
  });
  EXPECT_EQ(readers(), 0);
}

TEST_F(DamagedRecording, WrongContentsAreRefusedOrHarmless) {
  std::mt19937_64 random(1);
  const double numbers[] = {0,   1,    -1,   2,     3,      7,        255, 256,
                            1e6, 1e15, 1e18, 1e300, -1e300, INFINITY, NAN, 1e-300};
  ReadEach(testing::SampleCount(250), [&](int, const std::string& path) {
    testing::RewriteRecording(Path("sound.h5"), path, [&](std::vector<RawTable>* tables) {
      for (auto times = 1 + random() % 2; times > 0; --times) {
        testing::ChangeTable(static_cast<std::uint32_t>(random()),
                             static_cast<std::uint32_t>(random()), numbers[random() % 16],
                             &(*tables)[random() % tables->size()]);
      }
    });
  });
}

// Every byte of a file, with two values each.
using LongDamagedRecording = DamagedRecording;
TEST_F(LongDamagedRecording, EveryChangedByteIsRefusedOrHarmless) {
  ReadEach(2 * static_cast<int>(sound().size()), [&](int i, const std::string& path) {
    std::string bytes = sound();
    bytes[i / 2] = i % 2 == 0 ? static_cast<char>(~bytes[i / 2]) : '\1';
    testing::WriteBytesTo(path, bytes);
  });
}

// Contacts take more memory than a word each: room for all of them is asked for only if their bytes
// are there.
TEST(SavedState, CountsThatItsBytesCannotHoldAreRefusedAtOnce) {
  State state;
  constexpr std::uint64_t kId = 0x1122334455667788;
  state.contacts.resize(1);
  state.contacts[0].id = kId;
  state.warm_start = VecX::Zero(1000);
  std::vector<std::uint8_t> bytes = state.Serialize();
  const auto* const id = reinterpret_cast<const std::uint8_t*>(&kId);
  const auto contact = std::search(bytes.begin(), bytes.end(), id, id + 8);
  ASSERT_NE(contact, bytes.end());
  *(contact - 7) = 1;  // of the count before it: 257 contacts
  try {
    State::Restore(bytes);
    FAIL() << "was restored";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("has a bad size"), std::string::npos) << error.what();
  }
}

TEST_F(DamagedRecording, MessagesNameTheFileAndTheTable) {
  const auto explain = [&](const std::string& object, std::uint32_t what, double number) {
    const std::string path = Path("wrong.h5");
    testing::RewriteRecording(Path("sound.h5"), path, [&](std::vector<RawTable>* tables) {
      for (RawTable& table : *tables) {
        if (table.object == object) testing::ChangeTable(what, 3, number, &table);
      }
    });
    try {
      const Recording recording(path);
      recording.Integers(RecordingTable::kContactBody);
      recording.FindEnd();
    } catch (const InputError& error) {
      std::string text = error.what();
      EXPECT_EQ(text.substr(0, path.size() + 2), path + ": ");
      return text.substr(path.size() + 2);
    }
    return std::string("fine");
  };
  EXPECT_EQ(explain("/steps/q", 1, 0),
            "is damaged: /steps/q has 22 × 8 numbers, expected 21 × 8 as the model and the other "
            "tables");
  EXPECT_EQ(explain("/steps/q", 5, 0), "is damaged: /steps/q has numbers of another type");
  EXPECT_EQ(explain("/steps/contact_count", 0, 1e6).substr(0, 44),
            "is damaged: /steps/contact_count holds 10000");
  EXPECT_EQ(explain("/contacts/body", 0, 77),
            "is damaged: /contacts/body holds 77 at number 3, expected 0 to 2");
  EXPECT_EQ(explain("/states/bytes", 6, 0),
            "saved state: has no mark: these bytes are not a voigt state");
}

}  // namespace
}  // namespace voigt
