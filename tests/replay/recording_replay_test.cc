#include "voigt/replay/recording_replay.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/scenes.h"
#include "voigt/io/recording_writer.h"
#include "voigt/replay/replay_recorder.h"

namespace voigt {
namespace {

// A recorded run gives the frames that the run itself gives.
TEST(RecordingReplay, ShowsWhatTheRunShowed) {
  const Scene scene = testing::LoadNamedScene(
      "box_stack",
      {Override::Parse("simulation.until=0.1"), Override::Parse("simulation.record_interval=0")});
  const std::string path = ::testing::TempDir() + "/recording_replay.h5";
  Simulator simulator = testing::MakeSimulator(scene);
  ReplayRecorder live(simulator.model(), 0);
  RunSummary summary;
  {
    RecordingSource source;
    source.scene = scene.file;
    RecordingWriter writer(path, source, &simulator);
    live.Offer(&simulator);
    summary = voigt::Run(&simulator, nullptr, [&](double) {
      live.Offer(&simulator);
      writer.Offer(&simulator);
    });
    writer.Finish(&simulator);
  }
  const Recording recording(path);
  const ReplayFrames frames = ReadReplayFrames(recording, simulator.model(), 0);
  const ReplayFrames& expected = live.frames();
  ASSERT_EQ(frames.t, expected.t);
  EXPECT_EQ(frames.poses, expected.poses);
  EXPECT_EQ(frames.contact_start, expected.contact_start);
  ASSERT_EQ(frames.contacts.size(), expected.contacts.size());
  for (size_t c = 0; c < frames.contacts.size(); ++c) {
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(frames.contacts[c].force[i], expected.contacts[c].force[i]);
    EXPECT_EQ(frames.contacts[c].state, expected.contacts[c].state);
  }
  const RunSummary read = SummarizeRecording(recording);
  EXPECT_EQ(read.steps, summary.steps);
  EXPECT_EQ(read.end.Total(), summary.end.Total());
  EXPECT_EQ(read.solver.newton_iterations, summary.solver.newton_iterations);
  EXPECT_EQ(read.audit.worst.law, summary.audit.worst.law);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace voigt
