#include "apps/voigt/replay_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "apps/voigt/replay_log.h"
#include "voigt/replay/recording_replay.h"

namespace voigt {

void AddReplayCommand(CLI::App* app, ReplayOptions* options) {
  CLI::App* replay =
      app->add_subcommand("replay", "Write a page that replays a recorded run in a browser");
  replay->add_option("recording", options->recording, "Recording (HDF5) of voigt sim --record")
      ->required();
  replay->add_option("--out", options->out, "The page; without it RECORDING.html");
}

int RunReplayCommand(const ReplayOptions& options) {
  const std::string path =
      options.out.empty()
          ? std::filesystem::path(options.recording).replace_extension(".html").string()
          : options.out;
  const Recording recording(options.recording);
  const Scene scene = LoadRecordedScene(recording.source());
  recording.CheckFits(scene.model);
  std::ofstream out = OpenReplayPage(path, "--out");
  const RunSummary summary = SummarizeRecording(recording);
  const double interval = ChooseReplayInterval(summary.simulated_time);
  WriteReplayPage(scene, summary, ReadReplayFrames(recording, scene.model, interval), path, &out);
  fmt::print("replay      {}\n", path);
  return 0;
}

}  // namespace voigt
