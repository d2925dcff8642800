// Runs that go on where a recording ends, and recordings whose program was killed.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <stdexcept>

#include "tests/io/recording_support.h"
#include "tests/support/samples.h"

namespace voigt {
namespace {

using testing::ExpectSameTables;
using testing::RecordedRun;
using testing::RecordingFolder;

// Impacts, friction with tangential springs, a loop, joint friction, a load.
constexpr char kMixture[] = R"(name: Mixture
materials:
  default: {friction: 0.4, stiffness: 1e5, damping: 50, tangential_stiffness: 1e4}
world: {geometry: [{name: ground, shape: half-space}]}
bodies:
  - {repeat: {i: 3}, name: "ball${i}", geometry: [{shape: sphere, radius: 0.1, density: 1000}]}
  - {name: crank, mass: 1, com: [0.05, 0, 0], inertia: [1e-3, 1e-3, 1e-3]}
  - {name: rod, mass: 2, com: [0.15, 0, 0], inertia: [1e-2, 1e-2, 1e-2]}
  - {name: slider, mass: 3, inertia: [0.01, 0.01, 0.01]}
joints:
  - {repeat: {i: 3}, name: "free${i}", type: free, child: "ball${i}"}
  - {name: main, type: revolute, child: crank, axis: [0, -1, 0], friction: {dry: 0.01}}
  - {name: big, type: revolute, parent: crank, child: rod, frame: {position: [0.1, 0, 0]}, axis: [0, -1, 0]}
  - {name: rail, type: prismatic, child: slider, axis: [1, 0, 0], damping: 0.1}
  - {name: small, type: revolute, parent: rod, child: slider, frame: {position: [0.3, 0, 0]}, axis: [0, -1, 0], tree: loop}
loads: [{joint: main, force: sin(3 * t)}]
initial:
  free0: {position: [0, 1, 0.2], velocity: [1, 0, 0]}
  free1: {position: [0.05, 1, 0.45]}
  free2: {position: [0.1, 1, 0.75]}
  main: {q: 90 deg, v: 20}
  big: -(90 deg) - asin(1 / 3)
  rail: sqrt(0.08)
simulation: {step: 0.002, until: 1, record_interval: 0.006}
)";

class RecordingResume : public RecordingFolder {
 protected:
  // So many steps from the start, recorded at this path.
  static State RunFromStart(const std::string& path, int steps) {
    RecordedRun run(path, kMixture);
    for (int i = 0; i < steps; ++i) run.Step();
    run.writer.Finish(&run.simulator);
    return run.simulator.state();
  }

  // So many steps more, with nothing but the recording to go by.
  static State GoOn(const std::string& path, int steps) {
    RecordingSource source;
    RecordingEnd end;
    {
      const Recording recording(path);
      source = recording.source();
      end = recording.FindEnd();
    }
    const Scene scene = LoadRecordedScene(source);
    Simulator simulator(scene.model, scene.settings, end.state);
    RecordingWriter writer(path, end, &simulator);
    for (int i = 0; i < steps; ++i) {
      EXPECT_EQ(simulator.Step(), StepStatus::kOk);
      writer.Offer(&simulator);
    }
    writer.Finish(&simulator);
    return simulator.state();
  }
};

TEST_F(RecordingResume, GoesOnBitForBit) {
  const State whole = RunFromStart(Path("whole.h5"), 300);
  EXPECT_GT(whole.contacts.size(), 0u) << "something to remember";
  EXPECT_GT(whole.warm_start.size(), 0);
  // Pieces that end on recorded moments and between them, and one of no step at all.
  RunFromStart(Path("pieces.h5"), 99);
  GoOn(Path("pieces.h5"), 1);
  GoOn(Path("pieces.h5"), 0);
  GoOn(Path("pieces.h5"), 10);
  const State end = GoOn(Path("pieces.h5"), 190);
  EXPECT_EQ(end.Serialize(), whole.Serialize());
  ExpectSameTables(Path("pieces.h5"), Path("whole.h5"));
  EXPECT_EQ(ListFiles(), (std::vector<std::string>{"pieces.h5", "whole.h5"}));
}

TEST_F(RecordingResume, WithoutAStepNothingChanges) {
  for (const char* name : {"run.h5", "same.h5"}) RunFromStart(Path(name), 100);
  GoOn(Path("run.h5"), 0);
  ExpectSameTables(Path("run.h5"), Path("same.h5"));
}

TEST_F(RecordingResume, StopsOnlyWhereTheWholeRunDoes) {
  // A row that was recorded because the run stopped is there for those who look, and gives way to
  // the rows that the whole run has.
  RunFromStart(Path("run.h5"), 100);
  EXPECT_EQ(Recording(Path("run.h5")).size(), 35);
  EXPECT_EQ(Recording(Path("run.h5")).Integers(RecordingTable::kOnTime).back(), 0);
  GoOn(Path("run.h5"), 2);
  EXPECT_EQ(Recording(Path("run.h5")).size(), 35);
  EXPECT_EQ(Recording(Path("run.h5")).Integers(RecordingTable::kOnTime).back(), 1);
}

TEST_F(RecordingResume, RefusesWhatIsNoRecording) {
  const auto explain = [&](const std::string& name) {
    try {
      Recording(Path(name)).FindEnd();
    } catch (const InputError& error) {
      return error.problems()[0].message;
    }
    return std::string("fine");
  };
  EXPECT_EQ(explain("none.h5"), "cannot be read: does the file exist?");
  EXPECT_EQ(explain("."), "is not a file, expected a recording");
  FILE* text = fopen(Path("text.h5").c_str(), "w");
  fputs("not HDF5", text);
  fclose(text);
  EXPECT_EQ(explain("text.h5").substr(0, 37), "is not a recording of voigt (HDF5): /");
  Hdf5File::Create(Path("other.h5")).Close();
  EXPECT_EQ(explain("other.h5"), "is HDF5, but not a recording of voigt");
  {
    Hdf5File file = Hdf5File::Create(Path("future.h5"));
    file.SetText("/", "format", kRecordingFormat);
    file.SetInteger("/", "version", 99);
    file.Close();
  }
  EXPECT_EQ(explain("future.h5"), "is a recording of version 99, expected 7");
  {
    Hdf5File file = Hdf5File::Create(Path("hollow.h5"));
    file.SetText("/", "format", kRecordingFormat);
    file.SetInteger("/", "version", kRecordingVersion);
    file.Close();
  }
  EXPECT_EQ(explain("hollow.h5").substr(0, 12), "is damaged: ");
}

class KilledRecording : public RecordingResume {
 protected:
  // A process that writes to disk after every step, so that most kills fall into the writing.
  static pid_t StartWriting(const std::string& path) {
    const pid_t pid = fork();
    // A signal to process -1 would go to all there are.
    if (pid < 0) throw std::runtime_error("no new process");
    if (pid > 0) return pid;
    double now = 0;
    RecordedRun run(path, kMixture, {}, [&] { return now += 1; });
    while (run.simulator.Step() == StepStatus::kOk) run.writer.Offer(&run.simulator);
    _exit(1);
  }

  void KillAndLook(int kills) {
    std::mt19937 random(7);
    std::uniform_int_distribution<int> microseconds(0, 200'000);
    const std::string path = Path("run.h5");
    for (int i = 0; i < kills; ++i) {
      for (const std::string& name : ListFiles()) std::filesystem::remove(Path(name));
      const pid_t pid = StartWriting(path);
      // Before there is a file, there is nothing to look at.
      for (int waits = 0; !std::filesystem::exists(path); ++waits) {
        ASSERT_LT(waits, 600'000);
        usleep(100);
      }
      usleep(microseconds(random));
      kill(pid, SIGKILL);
      int status = 0;
      ASSERT_EQ(waitpid(pid, &status, 0), pid);
      ASSERT_TRUE(WIFSIGNALED(status)) << "ended before it was killed";
      ASSERT_EQ(std::system(("h5dump '" + path + "' >'" + Path("dump") + "'").c_str()), 0) << i;
      CheckRows(path);
    }
    // And the last one goes on.
    const auto steps = static_cast<int>(Recording(path).FindEnd().steps);
    GoOn(path, 30);
    RunFromStart(Path("whole.h5"), steps + 30);
    ExpectSameTables(path, Path("whole.h5"));
  }

  // All rows are there, and hold what they should.
  static void CheckRows(const std::string& path) {
    const Recording recording(path);
    ASSERT_GT(recording.size(), 0);
    const auto t = recording.Numbers(RecordingTable::kTime);
    for (int i = 0; i < static_cast<int>(recording.size()); ++i) {
      ASSERT_EQ(recording.ReadState(i).t, t[i]);
      ASSERT_NEAR(t[i], 0.006 * i, 1e-9);
    }
    const RecordingEnd end = recording.FindEnd();
    const Hdf5File file = Hdf5File::OpenToRead(path);
    for (int table = 0; table < kRecordingTableCount; ++table) {
      ASSERT_EQ(file.ReadShape(TablePath(static_cast<RecordingTable>(table)))[0],
                end.row_counts[table]);
    }
  }
};

TEST_F(KilledRecording, IsWholeWheneverItsProgramDies) { KillAndLook(testing::SampleCount(20)); }

TEST_F(RecordingResume, AFullDiskLeavesWhatWasThere) {
  // A process that may not write files beyond a size, which is met in the middle of the run.
  const pid_t pid = fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{600'000, 600'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    double now = 0;
    RecordedRun run(Path("run.h5"), kMixture, {}, [&] { return now += 1; });
    try {
      for (int i = 0; i < 20'000 && run.simulator.Step() == StepStatus::kOk; ++i) {
        run.writer.Offer(&run.simulator);
      }
    } catch (const std::runtime_error&) {
      _exit(0);
    }
    _exit(1);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "it says that it cannot write";
  EXPECT_GT(Recording(Path("run.h5")).size(), 10);
  GoOn(Path("run.h5"), 10);
}

TEST_F(RecordingResume, GoesOnOnceADiskHasRoomAgain) {
  const pid_t pid = fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit{600'000, 60'000'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    double now = 0;
    int failures = 0;
    RecordedRun run(Path("run.h5"), kMixture, {}, [&] { return now += 1; });
    for (int i = 0; i < 20'000 && failures < 20; ++i) {
      run.simulator.Step();
      try {
        run.writer.Offer(&run.simulator);
      } catch (const std::runtime_error&) {
        ++failures;
      }
    }
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
    run.writer.Finish(&run.simulator);
    const bool is_all_there = Recording(Path("run.h5")).size() == run.writer.rows();
    exit(failures == 20 && is_all_there ? 0 : 1);  // not _exit: what ends the library runs, too
  }
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(std::system(("h5dump '" + Path("run.h5") + "' >'" + Path("dump") + "'").c_str()), 0);
}

using LongKilledRecording = KilledRecording;
TEST_F(LongKilledRecording, IsWholeWheneverItsProgramDies) { KillAndLook(1000); }

}  // namespace
}  // namespace voigt
