#include "apps/voigt/replay_log.h"

#include <algorithm>

#include "apps/voigt/run_tables.h"
#include "voigt/base/errors.h"
#include "voigt/replay/replay_page.h"

namespace voigt {
double ChooseReplayInterval(double duration) {
  constexpr double kUsual = 1.0 / 60;  // s
  constexpr int kFrames = 600;         // of a short run
  return duration > 0 ? std::min(kUsual, duration / kFrames) : kUsual;
}

std::ofstream OpenReplayPage(const std::string& path, const char* option) {
  if (ReplayTemplate().empty()) {
    throw InputError({path, 0, 0}, option,
                     "this program was built without pages for the browser: install npm, then "
                     "configure and build again");
  }
  std::ofstream out(path, std::ios::binary);
  if (!out) throw InputError({path, 0, 0}, option, "cannot be written: does the folder exist?");
  return out;
}

void WriteReplayPage(const Scene& scene, const RunSummary& summary, const ReplayFrames& frames,
                     const std::string& path, std::ofstream* out) {
  const ReplayText text{scene.model.name(), scene.description, MakeRunTables(scene, summary)};
  *out << MakeReplayPage(scene.model, text, frames);
  out->close();
  if (!*out) throw InputError({path, 0, 0}, "replay", "cannot be written: is the disk full?");
}

ReplayLog::ReplayLog(const std::string& path, const Scene& scene) : path_(path) {
  if (path.empty()) return;
  out_ = OpenReplayPage(path, "--replay");
  const double duration = scene.settings.until - scene.initial.t;
  recorder_.emplace(scene.model,
                    std::max(scene.settings.record_interval, ChooseReplayInterval(duration)));
}

void ReplayLog::Offer(Simulator* simulator) {
  if (recorder_) recorder_->Offer(simulator);
}

void ReplayLog::Write(const Scene& scene, Simulator* simulator, const RunSummary& summary) {
  if (!recorder_) return;
  recorder_->Keep(simulator);
  WriteReplayPage(scene, summary, recorder_->frames(), path_, &out_);
}

}  // namespace voigt
