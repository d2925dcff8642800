// Robots as their users have them, in voigt as it comes and in MuJoCo as it comes, from the same
// files: time of steps and its tail, overlap, creep. Needs the reference data.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "bench/side_by_side.h"
#include "tests/mujoco/mujoco_model.h"
#include "tests/support/data.h"
#include "tests/support/scenes.h"
#include "voigt/sim/contact_report.h"

namespace voigt::bench {
namespace {

// What is done to a robot in its file: it stands in a keyframe and is pushed, or falls from its
// first pose while controls change at random.
struct Robot {
  const char* name;
  const char* file;
  const char* keyframe;  // or null
  double until;          // s
};

constexpr Robot kRobots[] = {
    {"Unitree Go1", "models/menagerie/unitree_go1/scene.xml", "home", 5},
    {"Unitree Go2", "models/menagerie/unitree_go2/scene.xml", "home", 5},
    {"Unitree H1", "models/menagerie/unitree_h1/scene.xml", "home", 5},
    {"humanoid", "models/dm_control/humanoid.xml", nullptr, 2},
    {"quadruped", "models/dm_control/quadruped.xml", nullptr, 2},
    {"cheetah", "models/dm_control/cheetah.xml", nullptr, 2},
    {"walker", "models/dm_control/walker.xml", nullptr, 2},
};

constexpr double kRobotStep = 0.002;    // s, where a robot stands; others have that of their file
constexpr double kRest = 2, kPush = 3;  // s: creep is measured between them, then comes the push
constexpr double kPushSpeed = 0.3;      // m/s, sideways

// What both programs are measured by.
struct Measured {
  int dofs = 0;
  std::vector<double> seconds;  // per step
  double mass = 0;
  double overlap = 0;   // m, the largest, from the time of rest on
  double creep = kNaN;  // m/s of the base
  double contacts = 0;  // mean
  long not_solved = 0;

  double Mean() const {
    double sum = 0;
    for (double s : seconds) sum += s;
    return sum / static_cast<double>(seconds.size());
  }
  double Quantile(double part) const {
    std::vector<double> sorted = seconds;
    const auto at = sorted.begin() + static_cast<long>(part * (sorted.size() - 1.0));
    std::nth_element(sorted.begin(), at, sorted.end());
    return *at;
  }
};

// Between −1 and 1, the same in both programs: one number for each control and tenth of a second.
double Noise(int control, double t) {
  const double interval = std::floor(10 * t + 1e-9);
  const double x = 43758.5453 * std::sin(12.9898 * (control + 1) + 78.233 * (interval + 1));
  return 2 * (x - std::floor(x)) - 1;
}

class MujocoRobot {
 public:
  explicit MujocoRobot(const Robot& robot)
      : robot_(robot), mujoco_(testing::MujocoModel::FromFile(testing::ReferenceData(robot.file))) {
    if (robot.keyframe == nullptr) return;
    const int key = mj_name2id(model(), mjOBJ_KEY, robot.keyframe);
    mj_resetDataKeyframe(model(), data(), key);
    mju_copy(data()->ctrl, model()->key_ctrl + key * model()->nu, model()->nu);
    mujoco_.SetTimestep(kRobotStep);
  }

  double step() const { return model()->opt.timestep; }
  double Time() const { return data()->time; }
  void Control() {
    for (int i = 0; i < model()->nu; ++i) data()->ctrl[i] = Noise(i, Time());
  }
  void Step() { mj_step(model(), data()); }
  void Push() { data()->qvel[1] += kPushSpeed; }
  Vec2 Place() const { return {data()->qpos[0], data()->qpos[1]}; }
  void Start(Measured* out) const {
    out->dofs = model()->nv;
    for (int b = 0; b < model()->nbody; ++b) out->mass += model()->body_mass[b];
  }
  void Look(Measured* out) const {
    for (int c = 0; c < data()->ncon; ++c) {
      out->overlap = std::max(out->overlap, -data()->contact[c].dist);
    }
  }
  int Contacts() const { return data()->ncon; }
  void Finish(Measured*) const {}

 private:
  const mjModel* model() const { return mujoco_.model(); }
  mjData* data() const { return mujoco_.data(); }

  const Robot& robot_;
  testing::MujocoModel mujoco_;
};

class VoigtRobot {
 public:
  VoigtRobot(const Robot& robot, double step) : simulator_(Make(robot, step)) {}

  double Time() const { return simulator_.state().t; }
  void Control() {
    const int count = simulator_.model().actuator_count();
    for (int i = 0; i < count; ++i) simulator_.SetInput(i, Noise(i, Time()));
  }
  void Step() {
    if (simulator_.Step() != StepStatus::kOk) {
      throw std::runtime_error(Explain(simulator_.status()));
    }
  }
  void Push() {
    State pushed = simulator_.state();
    pushed.v[1] += kPushSpeed;
    simulator_.SetState(pushed);
  }
  Vec2 Place() const { return simulator_.state().q.head<2>(); }
  void Start(Measured* out) const {
    out->dofs = simulator_.model().nv();
    out->mass = simulator_.model().TotalMass();
  }
  void Look(Measured* out) {
    simulator_.ListContacts(&contacts_);
    for (const ContactReport& contact : contacts_) {
      out->overlap = std::max(out->overlap, contact.depth);
    }
  }
  int Contacts() const { return simulator_.contact_count(); }
  void Finish(Measured* out) const { out->not_solved = simulator_.solver().not_solved; }

 private:
  static Simulator Make(const Robot& robot, double step) {
    const std::string keyframe =
        robot.keyframe == nullptr ? "" : fmt::format(", keyframe: {}", robot.keyframe);
    const Scene scene = ParseScene(
        fmt::format("include: [{{file: {}{}}}]\nsimulation: {{step: {}, audit: false}}\n",
                    testing::ReferenceData(robot.file), keyframe, step),
        robot.name);
    return testing::MakeSimulator(scene);
  }

  Simulator simulator_;
  std::vector<ContactReport> contacts_;
};

template <typename Program>
Measured Run(const Robot& robot, Program* program) {
  Measured out;
  program->Start(&out);
  Vec2 place = Vec2::Zero();
  bool is_placed = false, is_pushed = false;
  while (program->Time() < robot.until - 1e-9) {
    if (robot.keyframe == nullptr) program->Control();
    const double before = ThreadSeconds();
    program->Step();
    out.seconds.push_back(ThreadSeconds() - before);
    out.contacts += program->Contacts();
    if (program->Time() >= kRest && !is_pushed) program->Look(&out);
    if (robot.keyframe == nullptr) continue;
    if (!is_placed && program->Time() >= kRest) {
      is_placed = true;
      place = program->Place();
    }
    if (!is_pushed && program->Time() >= kPush) {
      is_pushed = true;
      out.creep = (program->Place() - place).norm() / (kPush - kRest);
      program->Push();
    }
  }
  out.contacts /= static_cast<double>(out.seconds.size());
  program->Finish(&out);
  return out;
}

void Print(const char* who, const Measured& m, double mean) {
  fmt::print("  {:<8}{:>6}{:>12.3f}{:>10.1f}{:>12.1f}{:>12.1f}{:>10.1f}{:>13.1e}{:>13.1e}{:>12}\n",
             who, m.dofs, m.mass, m.contacts, 1e6 * mean, 1e6 * m.Quantile(0.5),
             m.Quantile(0.999) / m.Quantile(0.5), m.overlap, m.creep, m.not_solved);
}

void Compare(const Robot& robot) {
  constexpr int kRounds = 3;
  std::array<std::vector<double>, 2> means;
  Measured ours, theirs;
  double step = 0;
  for (int round = 0; round < kRounds; ++round) {
    MujocoRobot mujoco(robot);
    step = mujoco.step();
    VoigtRobot voigt(robot, step);
    ours = Run(robot, &voigt);
    theirs = Run(robot, &mujoco);
    means[0].push_back(ours.Mean());
    means[1].push_back(theirs.Mean());
  }
  const double our_mean = Median(means[0]), their_mean = Median(means[1]);
  fmt::print("\n{}, {:g} s in steps of {:g} s: voigt takes {:.2f} times MuJoCo's time\n",
             robot.name, robot.until, step, our_mean / their_mean);
  fmt::print("  {:<8}{:>6}{:>12}{:>10}{:>12}{:>12}{:>10}{:>13}{:>13}{:>12}\n", "", "dofs",
             "mass [kg]", "contacts", "mean [us]", "median", "tail", "overlap [m]", "creep [m/s]",
             "not solved");
  Print("voigt", ours, our_mean);
  Print("MuJoCo", theirs, their_mean);
}

int Main() {
  if (!testing::HasReferenceData()) {
    fmt::print("skipped: no reference data\n");
    return 0;
  }
  fmt::print(
      "voigt with its defaults but without the audit, MuJoCo {} as it comes; tail: the "
      "99.9 % quantile of the times of steps over their median\n",
      mj_versionString());
  for (const Robot& robot : kRobots) Compare(robot);
  return 0;
}

}  // namespace
}  // namespace voigt::bench

int main() { return voigt::bench::Main(); }
