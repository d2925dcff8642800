#include "apps/voigt/live/live_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "apps/voigt/run_tables.h"
#include "voigt/base/errors.h"
#include "voigt/base/stopwatch.h"
#include "voigt/io/formulation_keys.h"
#include "voigt/model/model_builder.h"
#include "voigt/replay/replay_page.h"
#include "voigt/replay/replay_recorder.h"

namespace voigt {
namespace {

constexpr auto kFrameTime = std::chrono::milliseconds(33);
// Commands that nobody could have clicked so fast are not kept.
constexpr size_t kMostCommands = 1000;

// The scene with a hand that can pull at bodies.
Model AddHand(const Model& model, const Grip* grip) {
  ModelSpec spec = model.spec();
  spec.user_constraints.push_back(std::make_shared<DragSpring>(grip));
  return ModelBuilder(std::move(spec)).Build();
}

bool SameSizes(const Model& model, const State& state) {
  return model.nq() == state.q.size() && model.nv() == state.v.size();
}

// A key of the scene, or something inside of it.
bool IsWithin(const std::string& path, const std::string& key) {
  return path == key || path.starts_with(key + ".");
}

// What was set for the old formulation and means nothing to the new one is taken back: otherwise
// nobody could choose another one after a change of, say, the friction mode.
void DropKeysOfOthers(const std::string& formulation, std::vector<Override>* overrides) {
  const auto kind = FormulationKindFromString(formulation);
  if (!kind) return;  // reading the scene will tell
  for (std::string_view key : ListFormulationKeys()) {
    if (FindOtherOwner(key, *kind).empty()) continue;
    const std::string path = fmt::format("simulation.{}", key);
    std::erase_if(*overrides, [&](const Override& old) { return IsWithin(old.path, path); });
  }
}

// How the last step was solved, and how the next could be.
void WriteSolver(const Simulator& simulator, JsonWriter* out) {
  const FormulationSettings& formulation = simulator.settings().formulation;
  const Solution& solution = simulator.solution();
  const bool has_rows = solution.gamma.size() > 0;
  out->Key("formulation").Text(ToString(formulation.kind));
  out->Key("friction").Text(ToString(formulation.compliant.friction));
  out->Key("step").Number(simulator.settings().step);
  out->Key("rows").Integer(solution.gamma.size());
  out->Key("residual").Number(has_rows ? solution.residual : kNaN);
  out->Key("status").Text(has_rows ? ToString(solution.status) : "");
  out->Key("formulations").Begin('[');
  for (FormulationKind kind : ListFormulationKinds()) out->Text(ToString(kind));
  out->End();
}

}  // namespace

LiveSession::LiveSession(std::string file, std::vector<Override> overrides)
    : file_(std::move(file)) {
  Load(overrides, nullptr);
  overrides_ = std::move(overrides);
  Publish();
  thread_ = std::thread([this] { RunUntilStopped(); });
}

LiveSession::~LiveSession() {
  {
    std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  orders_.notify_all();
  news_.notify_all();
  thread_.join();
}

void LiveSession::Post(LiveCommand command) {
  {
    std::lock_guard lock(mutex_);
    if (commands_.size() < kMostCommands) commands_.push_back(std::move(command));
  }
  orders_.notify_all();
}

std::shared_ptr<const LiveFrame> LiveSession::WaitForFrame(long seen,
                                                           std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  const auto is_new = [&] { return is_stopped_ || (frame_ && frame_->number > seen); };
  if (!news_.wait_for(lock, patience, is_new) || is_stopped_) return nullptr;
  return frame_;
}

std::string LiveSession::Describe() {
  std::lock_guard lock(mutex_);
  return description_;
}

// Everything that may throw comes before the first change: a scene that does not load leaves the
// present one as it is.
void LiveSession::Load(const std::vector<Override>& overrides, const State* keep) {
  Scene scene = LoadScene(file_, overrides);
  const Model model = AddHand(scene.model, &grip_);
  const bool goes_on = keep && SameSizes(model, *keep);
  State start = scene.initial;
  if (goes_on) {
    start.t = keep->t;
    start.q = keep->q;
    start.v = keep->v;
  }
  Simulator simulator(model, scene.settings, start);
  grip_ = {};
  scene_.emplace(std::move(scene));
  simulator_.emplace(std::move(simulator));
  body_count_ = model.nb() - 1;
  first_time_ = time_start_ = start.t;
  first_energy_ = simulator_->CalcEnergy();
  stepping_time_ = 0;
  wall_start_ = Clock::now();
  std::string description =
      DescribeRun(simulator_->model(), {scene_->model.name(), scene_->description, {}});
  std::lock_guard lock(mutex_);
  ++version_;
  description_ = std::move(description);
}

void LiveSession::RunUntilStopped() {
  while (TakeCommands()) {
    const auto deadline = Clock::now() + kFrameTime;
    if (is_playing_) Advance(deadline);
    Publish();
    std::unique_lock lock(mutex_);
    const auto is_wanted = [this] { return is_stopped_ || !commands_.empty(); };
    if (is_playing_) {
      orders_.wait_until(lock, deadline, is_wanted);
    } else {
      orders_.wait(lock, is_wanted);
    }
  }
}

// False when the session ends.
bool LiveSession::TakeCommands() {
  std::vector<LiveCommand> commands;
  {
    std::lock_guard lock(mutex_);
    if (is_stopped_) return false;
    commands.swap(commands_);
  }
  for (const LiveCommand& command : commands) Obey(command);
  return true;
}

void LiveSession::Obey(const LiveCommand& command) {
  const auto restart_clock = [this] {
    time_start_ = simulator_->state().t;
    wall_start_ = Clock::now();
  };
  std::visit(
      [&](const auto& order) {
        using Order = std::decay_t<decltype(order)>;
        if constexpr (std::is_same_v<Order, LivePlay>) {
          is_playing_ = true;
          restart_clock();
        } else if constexpr (std::is_same_v<Order, LivePause>) {
          is_playing_ = false;
        } else if constexpr (std::is_same_v<Order, LiveStep>) {
          is_playing_ = false;
          StepOnce();
        } else if constexpr (std::is_same_v<Order, LiveReset>) {
          Load(overrides_, nullptr);
          trouble_.clear();
        } else if constexpr (std::is_same_v<Order, LiveSpeed>) {
          speed_ = order.factor;
          restart_clock();
        } else if constexpr (std::is_same_v<Order, LiveDrag>) {
          // Bodies may have changed since the browser saw them.
          if (order.body < 1 || order.body > body_count_) return;
          grip_ = {order.body, order.point, order.target};
          ChooseSpring(simulator_->model(), &grip_);
        } else if constexpr (std::is_same_v<Order, LiveRelease>) {
          grip_ = {};
        } else {
          Change(order);
        }
      },
      command);
}

// A change that leaves the coordinates what they are takes effect in the midst of the motion.
void LiveSession::Change(const LiveSet& change) {
  std::vector<Override> overrides = overrides_;
  std::erase_if(overrides, [&](const Override& old) { return old.path == change.path; });
  if (change.path == "simulation.formulation") DropKeysOfOthers(change.value, &overrides);
  overrides.push_back({change.path, change.value});
  const State state = simulator_->state();
  try {
    Load(overrides, &state);
    overrides_ = std::move(overrides);
    trouble_.clear();
  } catch (const InputError& error) {
    trouble_ = error.what();
  }
}

// Steps until the clock is caught up with, or the time of a frame is over.
void LiveSession::Advance(Clock::time_point deadline) {
  while (is_playing_ && Clock::now() < deadline) {
    const double passed = std::chrono::duration<double>(Clock::now() - wall_start_).count();
    if (simulator_->state().t >= time_start_ + speed_ * passed) return;
    StepOnce();
  }
  // What could not be caught up with is let go: the simulation is slower than the clock.
  const double passed = std::chrono::duration<double>(Clock::now() - wall_start_).count();
  if (simulator_->state().t < time_start_ + speed_ * (passed - 0.2)) {
    time_start_ = simulator_->state().t;
    wall_start_ = Clock::now();
  }
}

void LiveSession::StepOnce() {
  const Stopwatch watch;
  const StepStatus status = simulator_->Step();
  stepping_time_ += watch.Seconds();
  if (status == StepStatus::kOk) return;
  is_playing_ = false;
  trouble_ = fmt::format("stopped at t = {:.9g} s: {}", simulator_->state().t,
                         Explain(status, simulator_->trouble()));
}

// Of what has been since the scene was loaded, reset or changed.
RunSummary LiveSession::Summarize() {
  RunSummary summary;
  summary.status = simulator_->status();
  summary.steps = simulator_->steps();
  summary.simulated_time = simulator_->state().t - first_time_;
  summary.wall_time = stepping_time_;
  summary.start = first_energy_;
  summary.end = simulator_->CalcEnergy();
  summary.work = simulator_->work();
  summary.constraint_work = simulator_->constraint_work();
  summary.solver = simulator_->solver();
  summary.audit = simulator_->audit();
  summary.moments = simulator_->moments();
  summary.contacts = simulator_->contacts();
  return summary;
}

void LiveSession::Publish() {
  ReplayRecorder recorder(simulator_->model(), 0);
  recorder.Keep(&*simulator_);
  const double passed = std::chrono::duration<double>(Clock::now() - wall_start_).count();
  const double rate =
      is_playing_ && passed > 0.1 ? (simulator_->state().t - time_start_) / passed : kNaN;
  JsonWriter out;
  ReplayBlocks blocks;
  AddFrameBlocks(recorder.frames(), &blocks);
  out.Begin('{').Key("playing").Flag(is_playing_).Key("speed").Number(speed_);
  out.Key("rate").Number(rate).Key("trouble").Text(trouble_);
  WriteSolver(*simulator_, &out);
  WriteReplayTables(MakeRunTables(*scene_, Summarize()), &out);
  out.Key("held").Integer(grip_.body);
  std::lock_guard lock(mutex_);
  auto frame = std::make_shared<LiveFrame>();
  frame->number = frame_ ? frame_->number + 1 : 1;
  out.Key("version").Integer(version_).Key("number").Integer(frame->number).Key("blocks");
  blocks.WriteTable(&out);
  out.Key("data").Text(blocks.EncodePlain()).End();
  frame->text = out.text();
  frame_ = std::move(frame);
  news_.notify_all();
}

}  // namespace voigt
