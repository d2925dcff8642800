#include "voigt/replay/replay_page.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/replay/replay_recorder.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

ReplayFrames RecordScene(const Scene& scene, double interval) {
  Simulator simulator = testing::MakeSimulator(scene);
  ReplayRecorder recorder(scene.model, interval);
  recorder.Offer(&simulator);
  voigt::Run(&simulator, nullptr, [&](double) { recorder.Offer(&simulator); });
  return recorder.frames();
}

TEST(ReplayFrames, HoldPosesThatKinematicsGives) {
  const Scene scene =
      testing::LoadNamedScene("double_pendulum", {Override::Parse("simulation.until=0.5")});
  Simulator simulator = testing::MakeSimulator(scene);
  ReplayRecorder recorder(simulator.model(), 0);
  simulator.Step();
  recorder.Keep(&simulator);
  Kinematics kin(simulator.model());
  UpdatePositions(simulator.model(), simulator.state().q, &kin);
  const ReplayFrames& frames = recorder.frames();
  ASSERT_EQ(frames.poses.size(), 7u * (simulator.model().nb() - 1));
  for (int b = 1; b < simulator.model().nb(); ++b) {
    const Pose X_WB = CalcBodyPose(simulator.model(), kin, b);
    const float* pose = &frames.poses[7 * (b - 1)];
    const Eigen::Quaterniond turn(pose[3], pose[4], pose[5], pose[6]);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(pose[i], X_WB.p[i], 1e-6);
    EXPECT_LT((turn.toRotationMatrix() - X_WB.R).norm(), 1e-6);
  }
}

TEST(ReplayFrames, HoldForcesThatCarryTheWeight) {
  const Scene scene =
      testing::LoadNamedScene("box_stack", {Override::Parse("simulation.until=0.2")});
  const ReplayFrames frames = RecordScene(scene, 0.05);
  ASSERT_EQ(frames.count(), 5);
  // What the ground carries at the end: bodies stand, so it is their weight.
  double carried = 0;
  for (std::uint32_t c = frames.contact_start[4]; c < frames.contact_start[5]; ++c) {
    const ReplayFrames::ContactPoint& contact = frames.contacts[c];
    if (contact.bodies[0] == 0) carried += contact.force[2];
    if (contact.bodies[1] == 0) carried -= contact.force[2];
  }
  const double weight = scene.model.TotalMass() * scene.model.gravity().norm();
  EXPECT_NEAR(carried, weight, 1e-5 * weight);
}

// A page offers what was asked for: every rate, and what drives and constraints do.
TEST(ReplayFrames, HoldAccelerationsAndForces) {
  const Scene scene = testing::LoadNamedScene("pickers", {Override::Parse("simulation.until=0.1")});
  const ReplayFrames frames = RecordScene(scene, 0.05);
  int drives = 0, rows = 0, accelerations = 0;
  const size_t last = frames.series.size() * (frames.count() - 1);
  for (size_t k = 0; k < frames.series.size(); ++k) {
    const ReplaySeries& series = frames.series[k];
    drives += series.group == "force of drives";
    rows += series.group == "force of constraints";
    accelerations += series.group == "acceleration";
    if (series.group == "force of drives") {
      EXPECT_TRUE(series.unit == "N" || series.unit == "N m");
      EXPECT_TRUE(std::isfinite(frames.values[last + k])) << series.name;
    }
  }
  EXPECT_EQ(frames.values.size(), frames.series.size() * frames.count());
  EXPECT_GT(drives, 0);
  EXPECT_GT(rows, 0);
  EXPECT_GE(accelerations, drives);
}

TEST(ReplayFrames, ThinOutKeepsEverySecondFrameWhole) {
  const Scene scene =
      testing::LoadNamedScene("box_stack", {Override::Parse("simulation.until=0.2")});
  const ReplayFrames all = RecordScene(scene, 0.05);
  ReplayFrames thin = all;
  thin.ThinOut();
  ASSERT_EQ(thin.count(), 3);
  const size_t pose_size = 7 * (scene.model.nb() - 1);
  for (int f = 0; f < 3; ++f) {
    EXPECT_EQ(thin.t[f], all.t[2 * f]);
    for (size_t i = 0; i < pose_size; ++i) {
      EXPECT_EQ(thin.poses[f * pose_size + i], all.poses[2 * f * pose_size + i]);
    }
    EXPECT_EQ(thin.contact_start[f + 1] - thin.contact_start[f],
              all.contact_start[2 * f + 1] - all.contact_start[2 * f]);
  }
}

TEST(ReplayPage, StaysBelowItsLimitAndHoldsNoOutsideAddress) {
  if (ReplayTemplate().empty()) GTEST_SKIP() << "built without npm";
  const Scene scene =
      testing::LoadNamedScene("dominoes", {Override::Parse("simulation.until=0.3")});
  const ReplayFrames frames = RecordScene(scene, 0);
  const size_t whole = MakeReplayPage(scene.model, {"a </script> b", "", {}}, frames).size();
  const size_t limit = ReplayTemplate().size() + (whole - ReplayTemplate().size()) / 2;
  const std::string page = MakeReplayPage(scene.model, {"a </script> b", "", {}}, frames, limit);
  EXPECT_LT(page.size(), limit);
  EXPECT_EQ(page.find("a </script> b"), std::string::npos);
  EXPECT_EQ(page.find("src=\"http"), std::string::npos);
  EXPECT_EQ(page.find("<link"), std::string::npos);
}

constexpr char kHundredBodies[] = R"(
bodies: [{repeat: {i: 100}, name: "b${i}", mass: 1, inertia: [0.1, 0.2, 0.25]}]
joints: [{repeat: {i: 100}, name: "j${i}", type: free, child: "b${i}"}]
)";

// A hundred bodies that tumble, each on four contacts, 60 frames per second: all numbers differ
// from frame to frame, so that nothing is easy to compress.
ReplayFrames MakeTumblingFrames(const Model& model, double seconds) {
  ReplayFrames frames(model);
  ReplayMoment moment;
  moment.q = model.NeutralCoordinates();
  moment.v = VecX::Zero(model.nv());
  moment.contacts.resize(400);
  for (int f = 0; f < 60 * seconds; ++f) {
    moment.t = f / 60.0;
    for (int b = 0; b < 100; ++b) {
      const double phase = moment.t * (1 + 0.01 * b) + b;
      moment.q.segment<3>(7 * b) << std::sin(phase), std::cos(1.1 * phase), std::sin(1.3 * phase);
      moment.q.segment<4>(7 * b + 3) << std::cos(phase), std::sin(phase), 0, 0;
    }
    for (int c = 0; c < 400; ++c) {
      ContactReport& contact = moment.contacts[c];
      contact.body_B = 1 + c / 4;
      contact.p_W = moment.q.segment<3>(7 * (c / 4)) + 0.01 * Vec3(c % 2, c / 2 % 2, 0);
      contact.n_W = Vec3::UnitZ();
      contact.normal_force = 2 + std::sin(moment.t * (1 + 0.001 * c));
      contact.friction_force_W = Vec3(std::sin(moment.t * c), std::cos(moment.t * c), 0);
      contact.depth = 1e-5 * contact.normal_force;
      contact.pressure = kNaN;
      contact.state = c % 3 == 0 ? ContactState::kSlip : ContactState::kStick;
    }
    frames.Add(moment);
  }
  return frames;
}

// Two seconds in a thirtieth of the room that a page has for a minute. At least a quarter of it is
// used: frames are not thinned out more than they must be.
TEST(ReplayPage, TwoSecondsOfAHundredBodiesTakeTheirShareOf20Megabytes) {
  if (ReplayTemplate().empty()) GTEST_SKIP() << "built without npm";
  const Scene scene = ParseScene(kHundredBodies, "bodies.yaml");
  const size_t room = (20'000'000 - ReplayTemplate().size()) / 30;
  const std::string page =
      MakeReplayPage(scene.model, {"", "", {}}, MakeTumblingFrames(scene.model, 2),
                     ReplayTemplate().size() + room);
  EXPECT_LT(page.size(), ReplayTemplate().size() + room);
  EXPECT_GT(page.size(), ReplayTemplate().size() + room / 4);
}

TEST(LongReplayPage, AMinuteOfAHundredBodiesStaysBelow20Megabytes) {
  if (ReplayTemplate().empty()) GTEST_SKIP() << "built without npm";
  const Scene scene = ParseScene(kHundredBodies, "bodies.yaml");
  const std::string page =
      MakeReplayPage(scene.model, {"", "", {}}, MakeTumblingFrames(scene.model, 60));
  EXPECT_LT(page.size(), 20'000'000u);
  EXPECT_GT(page.size(), 5'000'000u);
}

}  // namespace
}  // namespace voigt
