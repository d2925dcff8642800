#include "bench/peers/measure.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <type_traits>

#include "bench/peers/overlap.h"

namespace voigt::peers {
namespace {

static_assert(std::is_trivially_copyable_v<Measurement>);

template <size_t size>
void SetText(char (&to)[size], const std::string& text) {
  std::snprintf(to, size, "%s", text.c_str());
}

// Of all threads: what an engine spends elsewhere counts, what other programs take does not.
double ProcessSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Everything is computed from poses and velocities, alike for all engines.
class Watch {
 public:
  Watch(const Trial& trial, World* world)
      : trial_(trial), scene_(trial.scene), world_(world), apart_(scene_) {}

  void Look() {
    poses_.resize(scene_.bodies.size());
    for (size_t b = 0; b < poses_.size(); ++b) poses_[b] = world_->BodyPose(static_cast<int>(b));
  }
  const std::vector<Pose>& poses() const { return poses_; }
  bool IsFinite() const {
    return std::all_of(poses_.begin(), poses_.end(),
                       [](const Pose& pose) { return pose.p.allFinite() && pose.R.allFinite(); });
  }

  // Is it the same scene?
  void Compare(Measurement* out) const {
    for (size_t i = 0; i < poses_.size(); ++i) {
      const int b = static_cast<int>(i);
      const Body& body = scene_.bodies[i];
      out->mass += world_->Mass(b);
      out->inertia += world_->InertiaTrace(b);
      const auto raise = [](double* to, double value) { *to = std::max(*to, value); };
      raise(&out->misplaced, (poses_[i].p - body.start.p).norm());
      raise(&out->misturned, (poses_[i].R - body.start.R).norm());
      raise(&out->misrated, (world_->Velocity(b) - body.velocity).norm());
      raise(&out->misrated, (world_->Spin(b) - body.spin).norm());
    }
    const Overlaps found = FindOverlaps(scene_, apart_, poses_);
    out->least_gap = found.least_gap;
    out->near = found.near;
  }

  double CalcEnergy() const {
    double out = 0;
    for (size_t i = 0; i < poses_.size(); ++i) {
      const int b = static_cast<int>(i);
      const Body& body = scene_.bodies[i];
      const Vec3 w = poses_[i].R.transpose() * world_->Spin(b);
      out += 0.5 * body.mass * world_->Velocity(b).squaredNorm() +
             0.5 * w.dot(body.inertia.cwiseProduct(w)) -
             body.mass * scene_.gravity.dot(poses_[i].p);
    }
    return out;
  }

  // How far joints have come apart, m; a radian counts as a metre.
  double CalcViolation() const {
    double out = 0;
    for (const Joint& joint : scene_.joints) {
      const JointPlace a = PlaceOnParent(scene_, joint, poses_);
      const JointPlace b = PlaceOnChild(scene_, joint, poses_);
      Vec3 d = b.anchor - a.anchor;
      if (joint.kind == JointKind::kPrismatic) d -= d.dot(a.axis) * a.axis;
      out = std::max({out, d.norm(), a.axis.cross(b.axis).norm()});
    }
    return out;
  }

  Vec3 CalcCentre() const {
    Vec3 sum = Vec3::Zero();
    double mass = 0;
    for (size_t b = 0; b < poses_.size(); ++b) {
      sum += scene_.bodies[b].mass * poses_[b].p;
      mass += scene_.bodies[b].mass;
    }
    return sum / mass;
  }

  double CalcDepth() const {
    return std::max(0.0, -FindOverlaps(scene_, apart_, poses_).least_gap);
  }

 private:
  const Trial& trial_;
  const Scene& scene_;
  World* world_;
  ApartTable apart_;
  std::vector<Pose> poses_;
};

class Runner {
 public:
  Runner(const Trial& trial, bool is_continuous, World* world, Measurement* out)
      : trial_(trial),
        is_continuous_(is_continuous),
        world_(world),
        out_(out),
        watch_(trial, world) {}

  void Run(double limit) {
    const Scene& scene = trial_.scene;
    out_->wanted = scene.steps();
    out_->penetration = out_->violation = 0;
    if (trial_.is_passive) out_->energy_gain = 0;
    watch_.Look();
    watch_.Compare(out_);
    start_energy_ = watch_.CalcEnergy();
    start_centre_ = watch_.CalcCentre();
    const long error_step =
        trial_.error_time < 0 ? out_->wanted : std::lround(trial_.error_time / scene.h);
    Loads loads;
    while (out_->steps < out_->wanted && out_->seconds < limit) {
      loads = Loads();
      if (scene.act) {
        watch_.Look();
        scene.act(static_cast<double>(out_->steps) * scene.h, watch_.poses(), &loads);
      }
      const double before = ProcessSeconds();
      world_->Step(loads);
      out_->seconds += ProcessSeconds() - before;
      ++out_->steps;
      const long step = out_->steps;
      const bool is_special =
          step == 1 || step == out_->wanted || step == error_step || step == out_->wanted / 2;
      if (!is_special && step % trial_.watch_every != 0) continue;
      watch_.Look();
      if (!watch_.IsFinite()) return Fail(fmt::format("not a number after {} steps", step));
      Measure();
      if (step == error_step && trial_.error) {
        out_->error = trial_.error(watch_.poses(), is_continuous_);
      }
      if (step == out_->wanted / 2 && trial_.standing) halfway_ = trial_.standing(watch_.poses());
    }
    Finish();
  }

 private:
  void Fail(const std::string& why) { SetText(out_->failure, why); }

  void Measure() {
    if (out_->steps == 1) out_->first_fall = (watch_.CalcCentre() - start_centre_).norm();
    out_->penetration = std::max(out_->penetration, watch_.CalcDepth());
    out_->violation = std::max(out_->violation, watch_.CalcViolation());
    if (trial_.is_passive) {
      out_->energy_gain = std::max(out_->energy_gain, watch_.CalcEnergy() - start_energy_);
    }
  }

  void Finish() {
    out_->contacts = world_->Contacts();
    SetText(out_->complaint, world_->Complaint());
    if (trial_.error_is_worst_overlap) {
      out_->error = std::max(out_->penetration, out_->violation);
    }
    if (trial_.failure) Fail(trial_.failure(watch_.poses()));
    if (trial_.standing && out_->finished()) {
      const double time = static_cast<double>(out_->wanted - out_->wanted / 2) * trial_.scene.h;
      out_->creep = std::abs(trial_.standing(watch_.poses()) - halfway_) / time;
    }
  }

  const Trial& trial_;
  bool is_continuous_;
  World* world_;
  Measurement* out_;
  Watch watch_;
  double start_energy_ = 0, halfway_ = 0;
  Vec3 start_centre_ = Vec3::Zero();
};

// Whole runs without a look, as many as fill a tenth of a second; s per simulated second.
double CalcPace(const Engine& engine, const Trial& trial, double limit) {
  const Scene& scene = trial.scene;
  double seconds = 0;
  long steps = 0;
  std::vector<Pose> poses(scene.bodies.size());
  for (int run = 0; run < 20 && seconds < 0.1; ++run) {
    const std::unique_ptr<World> world = engine.make(scene);
    Loads loads;
    const double before = ProcessSeconds();
    for (long i = 0; i < scene.steps(); ++i, ++steps) {
      if (scene.act) {
        loads.wrenches.clear();
        loads.joint_forces.clear();
        for (size_t b = 0; b < poses.size(); ++b) poses[b] = world->BodyPose(static_cast<int>(b));
        scene.act(static_cast<double>(i) * scene.h, poses, &loads);
      }
      world->Step(loads);
      if (i % 16 == 0 && ProcessSeconds() - before > limit) break;
    }
    seconds += ProcessSeconds() - before;
  }
  return seconds / (static_cast<double>(steps) * scene.h);
}

Measurement RunHere(const Engine& engine, const Trial& trial, const RunLimits& limits,
                    bool is_watched) {
  constexpr double kLong = 2;  // s: watched runs of this length have no second one
  Measurement out;
  try {
    if (is_watched) {
      const std::unique_ptr<World> world = engine.make(trial.scene);
      Runner(trial, engine.is_continuous, world.get(), &out).Run(limits.seconds);
    }
    if (out.seconds > kLong) {
      out.pace = out.seconds / (static_cast<double>(out.steps) * trial.scene.h);
    } else {
      out.pace = CalcPace(engine, trial, limits.seconds);
    }
  } catch (const NotExpressible& reason) {
    SetText(out.absent, reason.what());
  } catch (const std::exception& error) {
    SetText(out.failure, error.what());
  }
  return out;
}

void Limit(int what, double most) {
  const rlim_t value = static_cast<rlim_t>(most);
  const rlimit limit{value, value};
  setrlimit(static_cast<__rlimit_resource>(what), &limit);
}

// Of the processor, for stepping, watching and making worlds. One step may take longer than all
// should.
double CalcMostSeconds(const RunLimits& limits) { return 2 * limits.seconds + 10; }

// Reads all of it, or says what became of the child.
Measurement Receive(int from, pid_t child, const RunLimits& limits) {
  Measurement out;
  // Other programs may slow all of it down; a child that sleeps for ever is ended.
  const double patience = 20 * CalcMostSeconds(limits);
  pollfd poller{from, POLLIN, 0};
  const int ready = poll(&poller, 1, static_cast<int>(1e3 * patience));
  if (ready == 0) kill(child, SIGKILL);
  const bool is_whole = ready > 0 && read(from, &out, sizeof(out)) == sizeof(out);
  int status = 0;
  waitpid(child, &status, 0);
  if (is_whole) return out;
  out = Measurement();
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (ready == 0) {
    SetText(out.failure, fmt::format("no result within {:.0f} s", patience));
  } else if (signal == SIGXCPU || signal == SIGKILL) {
    SetText(out.failure,
            fmt::format("ended after {:.0f} s of the processor: its steps take too long",
                        CalcMostSeconds(limits)));
  } else if (WIFSIGNALED(status)) {
    SetText(out.failure, fmt::format("crashed: {}", strsignal(signal)));
  } else {
    SetText(out.failure, "ended without a result");
  }
  return out;
}

}  // namespace

Measurement RunApart(const Engine& engine, const Trial& trial, const RunLimits& limits,
                     bool is_watched) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    close(ends[0]);
    Limit(RLIMIT_AS, 1e9 * limits.memory_gb);
    Limit(RLIMIT_CPU, CalcMostSeconds(limits));
    // Engines write to both; what matters comes through the pipe.
    if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(1);
    if (std::getenv("VOIGT_PEERS_TALK") == nullptr &&
        std::freopen("/dev/null", "w", stderr) == nullptr) {
      _exit(1);
    }
    const Measurement out = RunHere(engine, trial, limits, is_watched);
    const bool written = write(ends[1], &out, sizeof(out)) == sizeof(out);
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  const Measurement out = Receive(ends[0], child, limits);
  close(ends[0]);
  return out;
}

}  // namespace voigt::peers
