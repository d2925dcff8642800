// voigt sim --record and --resume, and voigt plot, run as a user runs them.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <random>

#include "tests/apps/json.h"
#include "tests/apps/program.h"
#include "tests/io/recording_support.h"
#include "tests/plot/svg.h"
#include "tests/support/samples.h"

namespace voigt {
namespace {

using testing::ExpectSameTables;
using testing::Json;
using testing::ParseJson;
using testing::ProgramResult;
using Table = RecordingTable;

class RecordCommand : public testing::ProgramTest {
 protected:
  RecordCommand() {
    Write("balls.yaml", kBalls);
    Write("ground.txt", "0 0 0\n0 0 0.1\n0 0.1 0\n");
  }

  // A run that ends well.
  ProgramResult RunWell(const std::string& arguments) const {
    ProgramResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return result;
  }

  // Waits until the recording has some rows, so that there is something to interrupt.
  void WaitForRows(const std::string& name, std::int64_t rows) const {
    for (int i = 0; i < 2000; ++i) {
      if (Exists(name) && Recording(Path(name)).size() >= rows) return;
      usleep(10'000);
    }
    FAIL() << "no rows within 20 s";
  }

  static constexpr char kBalls[] = R"(name: Balls
world:
  geometry:
    - {name: ground, shape: height-field, spacing: 2, file: ground.txt}
bodies:
  - {repeat: {i: 4}, name: "ball${i}", geometry: [{shape: sphere, radius: 0.1, density: 1000}]}
joints:
  - {repeat: {i: 4}, name: "free${i}", type: free, child: "ball${i}"}
initial:
  - {repeat: {i: 4}, joint: "free${i}", position: ["0.02 * ${i}", 0.3, "0.3 + 0.25 * ${i}"], velocity: [0.1, 0, 0]}
simulation: {step: 0.005, until: 1, record_interval: 0.02}
)";
};

TEST_F(RecordCommand, RecordsWhatTheSceneAsksFor) {
  const ProgramResult result = RunWell("sim balls.yaml --record run.h5");
  EXPECT_NE(result.out.find("recording   run.h5 (51 moments)\n"), std::string::npos) << result.out;
  const Recording recording(Path("run.h5"));
  EXPECT_EQ(recording.size(), 51);
  EXPECT_EQ(recording.source().files.size(), 2u) << "the scene and its heights";
  EXPECT_EQ(testing::CountH5dumpRows(Path("run.h5"), "/steps/q"), 51);
  RunWell("sim balls.yaml --record run.h5 --record-interval 0.1 --until 0.5");
  EXPECT_EQ(Recording(Path("run.h5")).size(), 6) << "in place of the other";
  const Json json = ParseJson(RunWell("sim balls.yaml --record run.h5 --json").out);
  const State end = Recording(Path("run.h5")).ReadState(50);
  for (int i = 0; i < end.q.size(); ++i) EXPECT_EQ(json["q"].items[i].number, end.q[i]);
}

TEST_F(RecordCommand, ResumeContinuesBitForBitWithoutTheScene) {
  const Json whole = ParseJson(RunWell("sim balls.yaml --record whole.h5 --until 2 --json").out);
  RunWell("sim balls.yaml --record pieces.h5 --set world.geometry.ground.spacing=2");
  Write("balls.yaml", "gone");
  Write("ground.txt", "gone");
  const Json end = ParseJson(RunWell("sim --resume pieces.h5 --until 2 --threads 2 --json").out);
  EXPECT_EQ(end["t"].number, whole["t"].number);
  EXPECT_EQ(end["steps"].number, 200);
  for (size_t i = 0; i < 28; ++i) {
    EXPECT_EQ(end["q"].items[i].number, whole["q"].items[i].number);
  }
  ExpectSameTables(Path("pieces.h5"), Path("whole.h5"));
  // At its end there is nothing more to do.
  const Json more = ParseJson(RunWell("sim --resume whole.h5 --until 2 --json").out);
  EXPECT_EQ(more["steps"].number, 0);
  ASSERT_EQ(more["notices"].items.size(), 1u);
  EXPECT_EQ(more["notices"].items[0].text,
            "the recording reaches its end, t = 2 s: --until sets a later one");
}

TEST_F(RecordCommand, RobotsAndTheirMeshesAreInTheRecording) {
  const std::string scene = std::string(VOIGT_SOURCE_DIR) + "/scenes/pickers.yaml";
  RunWell("sim '" + scene + "' --until 0.1 --record whole.h5");
  RunWell("sim '" + scene + "' --until 0.05 --record pieces.h5");
  EXPECT_GE(Recording(Path("pieces.h5")).source().files.size(), 3u) << "scene, robot, mesh";
  RunWell("sim --resume pieces.h5 --until 0.1");
  ExpectSameTables(Path("pieces.h5"), Path("whole.h5"));
}

TEST_F(RecordCommand, ResumeRefusesChanges) {
  RunWell("sim balls.yaml --record run.h5 --until 0.1");
  for (const char* option : {"balls.yaml", "--step 0.1", "--integrator rk4",
                             "--set gravity=[0,0,0]", "--record other.h5", "--record-interval 1"}) {
    const ProgramResult result = Run(std::string("sim --resume run.h5 ") + option);
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_NE(result.err.find("run.h5: --resume: goes on with the recorded run"), std::string::npos)
        << result.err;
  }
  EXPECT_EQ(Run("sim --resume none.h5").err, "none.h5: cannot be read: does the file exist?\n");
  EXPECT_EQ(Run("sim --resume balls.yaml").exit_code, 2);
}

TEST_F(RecordCommand, RecordingsDoNotReplaceTheScene) {
  EXPECT_EQ(Run("sim balls.yaml --record ./ground.txt").exit_code, 2);
  EXPECT_EQ(Run("sim balls.yaml --record no/such/run.h5").exit_code, 2);
  EXPECT_EQ(Read("balls.yaml"), kBalls);
  EXPECT_EQ(Read("ground.txt").size(), 22u);
}

TEST_F(RecordCommand, AFullDiskEndsWithAnExitCodeAndNoSignal) {
  // No file may be longer than so many blocks, of 512 or 1024 bytes each.
  const auto record = [&](int blocks) {
    const std::string command = "cd '" + folder().string() + "' && (trap '' XFSZ; ulimit -f " +
                                std::to_string(blocks) + "; exec '" + VOIGT_PROGRAM +
                                "' sim balls.yaml --until 1e4 --record-interval 0 --record run.h5)"
                                " >stdout.txt 2>stderr.txt </dev/null";
    const int status = std::system(command.c_str());
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_NE(Read("stderr.txt").find("run.h5"), std::string::npos) << Read("stderr.txt");
    EXPECT_FALSE(Exists("run.h5.spare"));
    return WEXITSTATUS(status);
  };
  EXPECT_EQ(record(100), 2) << "no room for the beginning";
  EXPECT_FALSE(Exists("run.h5"));
  EXPECT_EQ(record(4000), 1) << "no room to go on";
  EXPECT_GE(Recording(Path("run.h5")).size(), 1) << "what was written before is there";
}

TEST_F(RecordCommand, DamagedRecordingsAreBadInputOfEveryCommand) {
  RunWell("sim balls.yaml --record run.h5 --until 0.2");
  const std::string sound = Read("run.h5");
  const auto expect_refused = [&](const char* what) {
    for (const char* command : {"replay", "plot", "sim --resume"}) {
      const ProgramResult result = Run(std::string(command) + " run.h5");
      EXPECT_EQ(result.exit_code, 2) << what << ": " << command;
      EXPECT_EQ(result.err.substr(0, 8), "run.h5: ") << result.err;
      EXPECT_LT(result.err.size(), 500u) << result.err;
    }
  };
  Write("run.h5", sound.substr(0, sound.size() / 2));
  expect_refused("truncated");
  for (size_t start : {size_t{0}, size_t{20}, size_t{48}, size_t{200}}) {
    std::string bytes = sound;
    for (size_t i = start; i < start + 16; ++i) bytes[i] = static_cast<char>(~bytes[i]);
    Write("run.h5", bytes);
    expect_refused("changed");
  }
}

TEST_F(RecordCommand, InterruptsEndAfterTheStepWithEverythingRecorded) {
  for (int number : {SIGINT, SIGTERM}) {
    const pid_t pid = Start({"sim", "balls.yaml", "--until", "1e6", "--record", "run.h5"});
    WaitForRows("run.h5", 10);
    kill(pid, number);
    int status = 0;
    waitpid(pid, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 128 + number);
    EXPECT_EQ(Read("stderr.txt").substr(0, 19), "interrupted at t = ");
    const std::string out = Read("stdout.txt");
    for (const char* text : {"simulated   ", "wall time   ", "audit", "recording   run.h5 ("}) {
      EXPECT_NE(out.find(text), std::string::npos) << text;
    }
    // The last state is that of the summary, wherever the last regular row was.
    const auto t = Recording(Path("run.h5")).Numbers(Table::kTime);
    EXPECT_NE(out.find(fmt::format("simulated   {:.6g} s", t.back())), std::string::npos) << out;
    std::filesystem::remove(Path("run.h5"));
  }
}

TEST_F(RecordCommand, FailedRunsKeepTheirLastGoodState) {
  Write("burst.yaml",
        "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n"
        "joints: [{name: j, type: prismatic, child: b}]\n"
        "loads: [{joint: j, force: 1/(t - 0.5)}]\n"
        "simulation: {step: 0.125, until: 2, record_interval: 0.25}\n");
  const ProgramResult result = Run("sim burst.yaml --record run.h5");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("run.h5 has the last good state\n"), std::string::npos) << result.err;
  EXPECT_EQ(Recording(Path("run.h5")).FindEnd().state.t, 0.375);
  EXPECT_NE(Run("sim burst.yaml").err.find("--record run.h5 keeps"), std::string::npos);
  EXPECT_EQ(Run("sim --resume run.h5").exit_code, 1) << "it fails again";
}

class KilledProgram : public RecordCommand {
 protected:
  // Kills the program at random moments. Each time its file opens, and a run that goes on from it
  // is the whole run. `longest_loss` in s of wall time.
  void KillAndLook(int kills, double longest_loss) {
    using Clock = std::chrono::system_clock;
    std::mt19937 random(11);
    std::uniform_int_distribution<int> microseconds(0, 1'400'000);
    for (int i = 0; i < kills; ++i) {
      std::filesystem::remove(Path("run.h5"));
      const pid_t pid = Start({"sim", "balls.yaml", "--until", "1e6", "--record", "run.h5",
                               "--record-interval", "0.5"});
      // Before there is a file, there is nothing to look at.
      for (int waits = 0; !Exists("run.h5"); ++waits) {
        ASSERT_LT(waits, 60'000);
        usleep(1000);
      }
      usleep(microseconds(random));
      const Clock::time_point killed = Clock::now();
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
      ASSERT_EQ(std::system(("h5dump '" + Path("run.h5") + "' >'" + Path("dump") + "'").c_str()),
                0);
      const Hdf5File file = Hdf5File::OpenToRead(Path("run.h5"));
      const double started = file.GetNumber("/steps/wall_time", "started");
      const double lived =
          std::chrono::duration<double>(killed.time_since_epoch()).count() - started;
      EXPECT_LT(lived - file.ReadDoubles("/steps/wall_time").back(), longest_loss) << i;
    }
    const auto end = Recording(Path("run.h5")).FindEnd();
    const std::string until = fmt::format("--until {}", end.state.t + 0.5);
    RunWell("sim --resume run.h5 " + until);
    RunWell("sim balls.yaml --record whole.h5 --record-interval 0.5 " + until);
    ExpectSameTables(Path("run.h5"), Path("whole.h5"));
  }
};

// How long a step takes on a busy machine is not tested here, but below.
TEST_F(KilledProgram, LeavesAWholeRecording) { KillAndLook(testing::SampleCount(6), kInfinity); }

using LongKilledProgram = KilledProgram;
TEST_F(LongKilledProgram, LosesAtMostASecond) { KillAndLook(200, 1); }

class PlotCommand : public RecordCommand {
 protected:
  PlotCommand() { RunWell("sim balls.yaml --record run.h5"); }
};

TEST_F(PlotCommand, DrawsEveryChartIntoOnePicture) {
  EXPECT_EQ(RunWell("plot run.h5").out, "plot        run.svg\n");
  const std::string svg = Read("run.svg");
  EXPECT_GT(testing::ParseSvg(svg).size(), 100u);
  for (const char* text :
       {">Balls<", ">Energy<", "Displacements of joints", "Contact: sum", "Audit:", "time [s]",
        "energy [J]", "force [N]", ">ball3<", ">free0.x<"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
}

TEST_F(PlotCommand, DrawsWhatIsNamed) {
  RunWell("plot run.h5 --out a.svg --coordinates free1,free2.z --contacts ball1");
  const std::string svg = Read("a.svg");
  for (const char* text : {">free1.x<", ">free1.qz<", ">free2.z<", ">ball1<"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
  for (const char* text : {">free2.x<", ">free0.x<", ">ball0<"}) {
    EXPECT_EQ(svg.find(text), std::string::npos) << text;
  }
  const ProgramResult bad = Run("plot run.h5 --coordinates elbow");
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_EQ(bad.err.find("run.h5: --coordinates: no 'elbow', expected free0.qw, "), 0u) << bad.err;
  EXPECT_EQ(Run("plot run.h5 --contacts floor").err,
            "run.h5: --contacts: no 'floor', expected ball0, ball1, ball2, ball3, world\n");
}

TEST_F(PlotCommand, FillsAFolder) {
  RunWell("plot run.h5 --out pictures");
  for (const char* name : {"energy", "displacements", "contacts", "gaps", "audit"}) {
    EXPECT_NO_THROW(testing::ParseSvg(Read(std::string("pictures/") + name + ".svg"))) << name;
  }
}

TEST_F(PlotCommand, DrawsPngWhereItCan) {
  const ProgramResult result = Run("plot run.h5 --out a.png");
  if (result.exit_code == 2) {
    EXPECT_NE(result.err.find("built without librsvg"), std::string::npos) << result.err;
    GTEST_SKIP() << "built without librsvg";
  }
  EXPECT_EQ(Read("a.png").substr(1, 3), "PNG");
  EXPECT_GT(Read("a.png").size(), 50'000u);
}

TEST_F(PlotCommand, RefusesWhatItCannotReadOrWrite) {
  EXPECT_EQ(Run("plot none.h5").err, "none.h5: cannot be read: does the file exist?\n");
  EXPECT_EQ(Run("plot balls.yaml").exit_code, 2);
  EXPECT_EQ(Run("plot run.h5 --out no/such/a.svg").err,
            "no/such/a.svg: --out: cannot be written: does the folder exist?\n");
}

}  // namespace
}  // namespace voigt
