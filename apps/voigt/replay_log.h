#pragma once

#include <fstream>
#include <optional>
#include <string>

#include "voigt/io/scene.h"
#include "voigt/replay/replay_recorder.h"
#include "voigt/sim/run.h"

namespace voigt {

// How far apart the frames of a page are, s: 1/60, or less where a run is short.
double ChooseReplayInterval(double duration);

// Opened before the run: nobody wants to wait for one whose page cannot be written. Throws
// InputError, which names the option.
std::ofstream OpenReplayPage(const std::string& path, const char* option);

// Throws InputError if it cannot be written.
void WriteReplayPage(const Scene& scene, const RunSummary& summary, const ReplayFrames& frames,
                     const std::string& path, std::ofstream* out);

// Collects a run for a page that replays it, and writes the page at the end.
class ReplayLog {
 public:
  // Throws InputError if the file cannot be written. No path, no page.
  ReplayLog(const std::string& path, const Scene& scene);

  void Offer(Simulator* simulator);
  void Write(const Scene& scene, Simulator* simulator, const RunSummary& summary);

  bool is_open() const { return recorder_.has_value(); }

 private:
  std::string path_;
  std::ofstream out_;
  std::optional<ReplayRecorder> recorder_;
};

}  // namespace voigt
