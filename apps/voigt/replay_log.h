#pragma once

#include <fstream>
#include <optional>
#include <string>

#include "voigt/io/scene.h"
#include "voigt/replay/replay_recorder.h"
#include "voigt/sim/run.h"

namespace voigt {

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
