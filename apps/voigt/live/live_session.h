#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "apps/voigt/live/drag_spring.h"
#include "voigt/io/scene.h"
#include "voigt/replay/replay_frames.h"
#include "voigt/sim/run.h"

namespace voigt {

// What a person at a browser may ask for.
struct LivePlay {};
struct LivePause {};
struct LiveStep {};   // one step, then pause
struct LiveReset {};  // back to the start
struct LiveSpeed {
  double factor = 1;  // simulated seconds per second
};
struct LiveDrag {
  int body = 0;
  Vec3 point = Vec3::Zero(), target = Vec3::Zero();  // in the body's frame, in the world
};
struct LiveRelease {};
struct LiveSet {
  std::string path, value;  // as --set
};
using LiveCommand = std::variant<LivePlay, LivePause, LiveStep, LiveReset, LiveSpeed, LiveDrag,
                                 LiveRelease, LiveSet>;

// A moment of the simulation as the page reads it.
struct LiveFrame {
  long number = 0;
  std::string text;  // JSON
};

// A scene that runs in a thread of its own at the speed of the clock, or as fast as it can, and
// does what it is told between steps. Those who watch take the newest frame when they are ready for
// it: nobody slows the simulation down.
class LiveSession {
 public:
  // Throws InputError if the scene cannot be read or simulated.
  LiveSession(std::string file, std::vector<Override> overrides);
  ~LiveSession();

  void Post(LiveCommand command);

  // The newest frame with a number above `seen`; nothing if none comes in time.
  std::shared_ptr<const LiveFrame> WaitForFrame(long seen, std::chrono::milliseconds patience);

  // What the page has to know before frames make sense: JSON; changes with the scene's version,
  // which every frame names.
  std::string Describe();

  // Bodies without the world, of the present version: what a drag may name.
  int body_count() const { return body_count_; }

 private:
  using Clock = std::chrono::steady_clock;

  void Load(const std::vector<Override>& overrides, const State* keep);
  void RunUntilStopped();
  bool TakeCommands();
  void Obey(const LiveCommand& command);
  void Change(const LiveSet& change);
  void Advance(Clock::time_point deadline);
  void StepOnce();
  void Publish();
  RunSummary Summarize();

  const std::string file_;

  // Of the simulation's thread alone.
  std::vector<Override> overrides_;
  std::optional<Scene> scene_;
  std::optional<Simulator> simulator_;
  Grip grip_;
  bool is_playing_ = false;
  double speed_ = 1;
  Clock::time_point wall_start_;
  double time_start_ = 0;
  std::string trouble_;
  // Since the scene was loaded, reset or changed.
  Energy first_energy_;
  double first_time_ = 0;     // s
  double stepping_time_ = 0;  // s of the clock

  // Shared.
  std::mutex mutex_;
  std::condition_variable news_, orders_;
  std::vector<LiveCommand> commands_;
  std::shared_ptr<const LiveFrame> frame_;
  std::string description_;
  long version_ = 0;
  bool is_stopped_ = false;
  std::atomic<int> body_count_ = 0;

  std::thread thread_;  // last: everything else exists before it starts
};

}  // namespace voigt
