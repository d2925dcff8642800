// What bench_peers measures, and against what.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

#include "bench/peers/csv_file.h"
#include "bench/peers/goals.h"
#include "bench/peers/measure.h"
#include "bench/peers/overlap.h"
#include "bench/peers/table.h"

namespace voigt::peers {
namespace {

Pose At(double x, double y, double z, const Mat3& R = Mat3::Identity()) {
  return {R, Vec3(x, y, z)};
}

Mat3 About(const Vec3& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

Trial FindTrial(const std::string& name) {
  for (const Trial& trial : ListTrials(false)) {
    if (trial.scene.name == name) return trial;
  }
  ADD_FAILURE() << name;
  return {};
}

// The poses of the scene's start, one body moved.
std::vector<Pose> MovedStart(const Scene& scene, size_t body, const Vec3& by) {
  std::vector<Pose> out;
  for (const Body& b : scene.bodies) out.push_back(b.start);
  out[body].p += by;
  return out;
}

Row MakeRow(const std::string& engine, double seconds, double error) {
  Row out;
  out.engine = engine;
  out.seconds = {seconds};
  out.first.error = error;
  out.first.steps = out.first.wanted = 10;
  return out;
}

TEST(PeerOverlap, GapsAreThoseOfGeometry) {
  const Shape ball = MakeSphere(0.5), box = MakeBox(Vec3(2, 1, 1)), rod = MakeCapsule(0.1, 2);
  const Shape ground = MakePlane(Vec3::UnitZ(), 0.25);
  EXPECT_NEAR(CalcGap(ball, At(0, 0, 1), ground, ground.X_BS), 0.25, 1e-15);
  EXPECT_NEAR(CalcGap(ball, At(0, 0, 0), ball, At(0.6, 0.8, 0)), 0, 1e-15);
  EXPECT_NEAR(CalcGap(ball, At(1.4, 0, 0), box, At(0, 0, 0)), -0.1, 1e-15);
  EXPECT_NEAR(CalcGap(ball, At(0.1, 0, 0), box, At(0, 0, 0)), -1,
              1e-15);  // inside, half a metre deep
  // On its edge, turned by 45 degrees.
  EXPECT_NEAR(CalcGap(box, At(0, 0, 2, About(Vec3::UnitX(), kPi / 4)), ground, ground.X_BS),
              1.75 - std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(CalcGap(box, At(0, 0, 0), box, At(0, 0.99, 0)), -0.01, 1e-15);
  // Edges across each other.
  const Mat3 turned = About(Vec3::UnitX(), kPi / 4),
             across = About(Vec3::UnitZ(), kPi / 2) * turned;
  EXPECT_NEAR(CalcGap(box, At(0, 0, 0, turned), box, At(0, 0, 1.4, across)), 1.4 - std::sqrt(2.0),
              1e-12);
  // Rods that cross, stand in line, and lie side by side.
  const Mat3 lying = About(Vec3::UnitY(), kPi / 2);
  EXPECT_NEAR(CalcGap(rod, At(0, 0, 0), rod, At(0, 0.3, 0.5, lying)), 0.1, 1e-15);
  EXPECT_NEAR(CalcGap(rod, At(0, 0, 0), rod, At(0, 0, 2.5)), 0.3, 1e-15);
  EXPECT_NEAR(CalcGap(rod, At(0, 0, 0), rod, At(0.3, 0, 1)), 0.1, 1e-15);
}

TEST(PeerOverlap, FindsTheDeepestPairAndLeavesJoinedBodiesOut) {
  Scene scene;
  for (double x : {0.0, 0.9, 1.7}) {
    Body ball;
    ball.start.p = Vec3(x, 0, 0);
    ball.shapes = {MakeSphere(0.5)};
    scene.bodies.push_back(ball);
  }
  const std::vector<Pose> poses = MovedStart(scene, 0, Vec3::Zero());
  EXPECT_NEAR(FindOverlaps(scene, ApartTable(scene), poses).least_gap, -0.2, 1e-15);
  EXPECT_EQ(FindOverlaps(scene, ApartTable(scene), poses).near, 2);
  scene.apart = {{2, 1}};
  EXPECT_NEAR(FindOverlaps(scene, ApartTable(scene), poses).least_gap, -0.1, 1e-15);
}

TEST(PeerScene, JointForcesAreOppositeOnBothBodies) {
  const Trial trial = FindTrial("pendulum-12");
  Loads loads;
  loads.joint_forces.assign(trial.scene.joints.size(), 0);
  loads.joint_forces[3] = 2;
  const std::vector<Wrench> spread =
      SpreadLoads(trial.scene, loads, MovedStart(trial.scene, 0, Vec3::Zero()));
  Vec3 torque = Vec3::Zero(), on_child = Vec3::Zero();
  for (const Wrench& wrench : spread) {
    torque += wrench.torque;
    if (wrench.body == 3) on_child += wrench.torque;
  }
  // Joint 0 hangs on the world; the other forces are zero.
  EXPECT_NEAR(torque.norm(), 0, 1e-15);
  EXPECT_NEAR((on_child - 2 * trial.scene.joints[3].axis).norm(), 0, 1e-15);
}

// Exact distances as computed elsewhere, to eight digits; the scheme's are longer by h/t: the sum
// of n velocities that grow by equal steps.
TEST(PeerReferences, RampDistances) {
  const std::pair<const char*, double> cases[] = {{"ramp-0", 1.26821332},
                                                  {"ramp-0.125", 0.67658375},
                                                  {"ramp-0.25", 0.08495418},
                                                  {"ramp-0.375", 0}};
  for (const auto& [name, exact] : cases) {
    const Trial trial = FindTrial(name);
    const Vec3 down = trial.scene.bodies[0].start.R.col(0);
    EXPECT_NEAR(trial.error(MovedStart(trial.scene, 0, exact * down), true), 0, 1e-8);
    EXPECT_NEAR(trial.error(MovedStart(trial.scene, 0, 1.01 * exact * down), false), 0, 1e-8);
  }
}

TEST(PeerReferences, StackAtRest) {
  const Trial trial = FindTrial("stack-100");
  std::vector<Pose> poses = MovedStart(trial.scene, 0, Vec3::Zero());
  poses[99].p[2] = 99.499999504595;
  EXPECT_NEAR(trial.error(poses, false), 0, 1e-12);
}

// Every scene begins without overlap, and every reference finds something to say.
TEST(PeerReferences, ScenesBeginWithoutOverlap) {
  for (const Trial& trial : ListTrials(true)) {
    const std::vector<Pose> start = MovedStart(trial.scene, 0, Vec3::Zero());
    EXPECT_GT(FindOverlaps(trial.scene, ApartTable(trial.scene), start).least_gap, -1e-12)
        << trial.scene.name;
    EXPECT_TRUE(trial.error || trial.error_is_worst_overlap) << trial.scene.name;
    EXPECT_FALSE(trial.reference.empty()) << trial.scene.name;
  }
}

// voigt at a tenth of the step comes a hundred times closer to the references that are no steps.
TEST(PeerReferences, PendulumAndFourBarAreWhereSmallStepsLead) {
  for (const char* name : {"pendulum-12", "four-bar-20"}) {
    Trial trial = FindTrial(name);
    trial.scene.until = 0.14;
    trial.error_time = -1;
    if (std::string(name) == "four-bar-20") {
      for (const Trial& quick : ListTrials(true)) {
        if (quick.scene.name == name) trial = quick;
      }
    }
    double errors[2];
    for (int k = 0; k < 2; ++k) {
      trial.scene.h = k == 0 ? 1e-3 : 1e-4;
      const Measurement m = RunApart(ListVoigt()[0], trial, {100, 12}, true);
      ASSERT_TRUE(m.ok()) << m.failure;
      errors[k] = m.error;
    }
    EXPECT_LT(errors[0], 1e-3) << name;
    constexpr double kCloser = 0.01;  // second order
    EXPECT_NEAR(errors[1] / errors[0], kCloser, 0.2 * kCloser) << name;
  }
}

TEST(PeerRuns, CrashesExceptionsAndRefusalsAreToldAsSuch) {
  const Trial trial = FindTrial("ramp-0");
  const auto run = [&](const std::function<std::unique_ptr<World>(const Scene&)>& make) {
    return RunApart({"x", "", make}, trial, {1, 12}, true);
  };
  const Measurement crash = run([](const Scene&) -> std::unique_ptr<World> { std::abort(); });
  EXPECT_FALSE(crash.ok());
  EXPECT_NE(std::string(crash.failure).find("crashed"), std::string::npos) << crash.failure;
  const Measurement thrown =
      run([](const Scene&) -> std::unique_ptr<World> { throw std::runtime_error("no memory"); });
  EXPECT_STREQ(thrown.failure, "no memory");
  const Measurement refused =
      run([](const Scene&) -> std::unique_ptr<World> { throw NotExpressible("no planes"); });
  EXPECT_STREQ(refused.absent, "no planes");
  EXPECT_FALSE(refused.ran());
}

TEST(PeerTable, FrontIsWhatNobodyBeatsInBoth) {
  Result result;
  result.trial.tolerance = 1e-9;
  result.rows = {MakeRow("voigt", 1, 1e-3), MakeRow("quick", 0.5, 1e-2), MakeRow("exact", 2, 1e-6),
                 MakeRow("worse", 3, 1e-1), MakeRow("alike", 0.9, 0.99e-3)};
  EXPECT_TRUE(result.IsOnFront(result.rows[0]));  // the last is as accurate
  EXPECT_TRUE(result.IsOnFront(result.rows[1]));
  EXPECT_TRUE(result.IsOnFront(result.rows[2]));
  EXPECT_FALSE(result.IsOnFront(result.rows[3]));
  result.rows.push_back(MakeRow("better", 0.9, 1e-4));
  EXPECT_EQ(result.ListBetter(result.rows[0]), std::vector<std::string>{"better"});
  // One that failed is beaten by all that did not, one that was stopped by nobody; neither beats
  // any.
  result.rows[3].first.steps = 5;
  EXPECT_TRUE(result.ListBetter(result.rows[3]).empty());
  std::strcpy(result.rows[3].first.failure, "fell");
  EXPECT_EQ(result.ListBetter(result.rows[3]).size(), 5u);
  result.rows.back().first.steps = 5;
  EXPECT_TRUE(result.ListBetter(result.rows[0]).empty());
  EXPECT_NE(FormatResult(result).find("stopped after 5 of 10"), std::string::npos);
  Result other;
  other.rows = {MakeRow("voigt", 1, 1e-3), MakeRow("exact", 2, 1e-6), MakeRow("new", 4, 1e-6)};
  const std::vector<std::string> engines = ListEngineNames({result, other});
  EXPECT_EQ(engines, (std::vector<std::string>{"voigt", "quick", "exact", "worse", "alike",
                                               "better", "new"}));
  const std::vector<std::string> cells = OverviewCells(result, engines);
  EXPECT_EQ(cells[1], "2");
  EXPECT_EQ(cells[5], "1.11 s");
  EXPECT_EQ(cells[6], "–");
  EXPECT_EQ(OverviewCells(other, engines),
            (std::vector<std::string>{"1", "–", "0.5", "–", "–", "–", "0.25"}));
}

TEST(PeerCsv, WhatIsReadIsWhatWasWritten) {
  const Trial trial = FindTrial("stack-10");
  std::vector<Engine> engines;
  Result result{trial,
                {MakeRow("voigt", 1.25, 1e-3), MakeRow("a, \"b\"", 2, NAN), MakeRow("c", 3, 0)}};
  for (const Row& row : result.rows) engines.push_back({row.engine, "", nullptr});
  result.rows[0].first.mass = 10;
  result.rows[1].first.steps = 7;
  result.rows[1].difference = "mass 3, not 4";
  std::strcpy(result.rows[1].first.complaint, "2 steps not solved");
  std::strcpy(result.rows[2].first.failure, "fell; over");
  result.rows.push_back(MakeRow("d", 0, NAN));
  engines.push_back({"d", "", nullptr});
  result.rows[3].seconds.clear();
  std::strcpy(result.rows[3].first.absent, "no planes");
  const std::string path = ::testing::TempDir() + "peers_test.csv";
  {
    std::ofstream file(path);
    file << CsvHeader();
    for (int k : {2, 0, 3, 1}) file << CsvLine(result, result.rows[k]);
  }
  const std::vector<Result> read = ReadCsvFiles({path}, ListTrials(false), engines);
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(FormatResult(read[0]), FormatResult(result));
  for (int k : {0, 1, 2, 3}) {
    EXPECT_EQ(CsvLine(read[0], read[0].rows[k]), CsvLine(result, result.rows[k]));
  }
  std::ofstream(path, std::ios::app) << "stack-10,voigt,x\n";
  EXPECT_THROW(ReadCsvFiles({path}, ListTrials(false), engines), std::runtime_error);
}

TEST(PeerGoals, MissesAreNamedWithTheirFigures) {
  Result result;
  result.trial.scene.name = "humanoid";
  result.rows = {MakeRow("voigt", 2, 1e-6), MakeRow("MuJoCo Newton", 1, 1e-3)};
  const std::string text = FormatGoals(JudgeGoals({result}));
  EXPECT_NE(text.find("NOT MET     humanoid no slower than MuJoCo (0 of 1)"), std::string::npos);
  EXPECT_NE(text.find("ratio 2.00"), std::string::npos);
  EXPECT_NE(text.find("not checked creep"), std::string::npos);
}

}  // namespace
}  // namespace voigt::peers
