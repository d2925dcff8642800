#include "voigt/io/recording_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/io/recording_support.h"
#include "voigt/io/recording_model.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

using testing::CountH5dumpRows;
using testing::RecordedRun;
using testing::RecordingFolder;
using Table = RecordingTable;

class RecordingWriterTest : public RecordingFolder {};

constexpr char kBouncing[] = R"(name: Two balls
world: {geometry: [{name: ground, shape: half-space}]}
bodies:
  - {name: a, geometry: [{shape: sphere, radius: 0.1, density: 1000}]}
  - {name: b, geometry: [{shape: box, size: [0.2, 0.2, 0.2], density: 1000}]}
joints:
  - {name: ja, type: free, child: a}
  - {name: jb, type: free, child: b}
initial:
  ja: {position: [0, 0, 0.3], velocity: [0.3, 0, 0]}
  jb: {position: [1, 0, 0.15], angular_velocity: [0.4, 0.2, 0]}
simulation: {step: 0.005, until: 0.4, record_interval: 0.02}
)";

TEST_F(RecordingWriterTest, HoldsEveryRecordedMoment) {
  RecordedRun run(Path("run.h5"), kBouncing);
  std::vector<State> states = {run.simulator.state()};
  std::vector<Energy> energies = {run.simulator.CalcEnergy()};
  std::vector<size_t> contacts = {0};
  std::vector<double> forces, points, slips;
  while (run.simulator.steps() < 80) {
    run.Step();
    if (run.simulator.steps() % 4 != 0) continue;
    states.push_back(run.simulator.state());
    energies.push_back(run.simulator.CalcEnergy());
    std::vector<ContactReport> list;
    run.simulator.ListContacts(&list);
    std::erase_if(list, [](const ContactReport& c) { return c.state == ContactState::kOpen; });
    contacts.push_back(list.size());
    for (const ContactReport& c : list) {
      forces.push_back(c.normal_force);
      points.insert(points.end(), c.p_W.begin(), c.p_W.end());
      slips.insert(slips.end(), c.velocity_W.begin(), c.velocity_W.end());
    }
  }
  run.writer.Finish(&run.simulator);

  const Recording recording(Path("run.h5"));
  EXPECT_EQ(recording.name(), "Two balls");
  ASSERT_EQ(recording.size(), 21);
  const auto q = recording.Numbers(Table::kQ), v = recording.Numbers(Table::kV),
             t = recording.Numbers(Table::kTime), energy = recording.Numbers(Table::kEnergy);
  const auto count = recording.Integers(Table::kContactCount),
             start = recording.Integers(Table::kContactStart),
             steps = recording.Integers(Table::kStep);
  std::int64_t total = 0;
  for (int i = 0; i < 21; ++i) {
    EXPECT_EQ(recording.ReadState(i), states[i]);
    EXPECT_EQ(t[i], states[i].t);
    EXPECT_EQ(steps[i], 4 * i);
    for (int k = 0; k < 14; ++k) EXPECT_EQ(q[14 * i + k], states[i].q[k]);
    for (int k = 0; k < 12; ++k) EXPECT_EQ(v[12 * i + k], states[i].v[k]);
    EXPECT_EQ(energy[kEnergyNumbers * i], energies[i].kinetic);
    EXPECT_EQ(energy[kEnergyNumbers * i + 1], energies[i].gravity);
    EXPECT_EQ(start[i], total);
    EXPECT_EQ(count[i], static_cast<std::int64_t>(contacts[i]));
    total += count[i];
  }
  EXPECT_GT(total, 20);
  EXPECT_EQ(forces.size(), static_cast<size_t>(total));
  EXPECT_EQ(recording.Numbers(Table::kContactNormalForce), forces);
  EXPECT_EQ(recording.Numbers(Table::kContactPosition), points);
  EXPECT_EQ(recording.Numbers(Table::kContactVelocity), slips);
  EXPECT_EQ(recording.Numbers(Table::kContactDepth).size(), forces.size());
  EXPECT_EQ(energy[kEnergyNumbers * 20 + 3], run.simulator.work());
  EXPECT_EQ(energy[kEnergyNumbers * 20 + 4], run.simulator.constraint_work());
}

TEST_F(RecordingWriterTest, PosesAreThoseOfTheBodies) {
  RecordedRun run(Path("run.h5"), kBouncing);
  for (int i = 0; i < 40; ++i) run.Step();
  run.writer.Finish(&run.simulator);
  const Recording recording(Path("run.h5"));
  const auto pose = recording.Numbers(Table::kPose), q = recording.Numbers(Table::kQ);
  // The world, which stays, and two free bodies, whose coordinates are their poses.
  for (std::int64_t row = 0; row < recording.size(); ++row) {
    const double* p = pose.data() + 21 * row;
    EXPECT_EQ(std::vector<double>(p, p + 7), (std::vector<double>{0, 0, 0, 1, 0, 0, 0}));
    for (int b = 1; b < 3; ++b) {
      const double* coordinates = q.data() + 14 * row + 7 * (b - 1);
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(p[7 * b + k], coordinates[k], 1e-15);
      const double sign = p[7 * b + 3] * coordinates[3] < 0 ? -1 : 1;
      for (int k = 3; k < 7; ++k) EXPECT_NEAR(p[7 * b + k], sign * coordinates[k], 1e-14);
    }
  }
}

TEST_F(RecordingWriterTest, ReactionsAreThoseOfTheJoints) {
  // A weight that hangs at rest: the pin carries it.
  RecordedRun run(Path("run.h5"), R"(
bodies: [{name: b, mass: 3, com: [0, 0, -1], inertia: [1, 1, 1]}]
joints:
  - {name: pin, type: revolute, child: b, axis: [0, 1, 0]}
simulation: {step: 0.01, until: 0.1}
)");
  for (int i = 0; i < 5; ++i) run.Step();
  run.writer.Finish(&run.simulator);
  const auto reaction = Recording(Path("run.h5")).Numbers(Table::kReaction);
  ASSERT_EQ(reaction.size(), 36u);
  for (int k = 0; k < 6; ++k) EXPECT_TRUE(std::isnan(reaction[k])) << "before the first step";
  // The pin's frame has z along its axis: how long the force is does not depend on that.
  const Vec3 force(reaction[33], reaction[34], reaction[35]);
  EXPECT_NEAR(force.norm(), 3 * 9.81, 1e-9);
  Reactions reactions;
  run.simulator.CalcReactions(&reactions);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(reaction[30 + k], reactions.joints[1][k]);
}

// A rod that is turned with 2 rad/s² by both integrators: 0.5 kg m² take 1 N m.
TEST_F(RecordingWriterTest, RecordsWhatPrescribedMotionTakes) {
  for (const char* integrator : {"semi-implicit-euler", "event-driven, formulation: working"}) {
    const std::string text = std::string(R"(
bodies: [{name: rod, mass: 1, inertia: [1, 1, 0.5]}]
joints: [{name: axle, type: revolute, axis: [0, 0, 1], child: rod}]
drives: [{type: prescribed, joint: axle, position: t^2}]
simulation: {step: 0.01, integrator: )") +
                             integrator + "}\n";
    RecordedRun run(Path("run.h5"), text);
    for (int k = 0; k < 5; ++k) run.Step();
    run.writer.Finish(&run.simulator);
    const auto force = Recording(Path("run.h5")).Numbers(Table::kPrescribedForce);
    ASSERT_EQ(force.size(), 6u);
    EXPECT_NEAR(force.back(), 1, 1e-6) << integrator;
    std::filesystem::remove(Path("run.h5"));
  }
}

// Of a lift on its motor and of one on its stop.
TEST_F(RecordingWriterTest, RecordsAccelerationsAndForces) {
  RecordedRun run(Path("run.h5"), R"(
world: {geometry: [{name: ground, shape: half-space}]}
bodies:
  - {name: a, mass: 2, inertia: [1, 1, 1]}
  - {name: b, mass: 3, inertia: [1, 1, 1]}
  - {name: ball, geometry: [{shape: sphere, radius: 0.1, density: 1000}]}
joints:
  - {name: lift, type: prismatic, child: a, axis: [0, 0, 1]}
  - {name: drop, type: prismatic, child: b, axis: [0, 0, 1], limits: [0, 1]}
  - {name: fly, type: free, child: ball}
drives: [{type: motor, joint: lift, rate: 0.5}]
initial: {lift: {v: 0.5}, fly: {position: [0, 0, 0.1]}}
simulation: {step: 0.01}
)");
  for (int k = 0; k < 5; ++k) run.Step();
  run.writer.Finish(&run.simulator);
  const Recording recording(Path("run.h5"));
  const auto acceleration = recording.Numbers(Table::kAcceleration),
             drive = recording.Numbers(Table::kDriveForce),
             rows = recording.Numbers(Table::kConstraintForce),
             contact = recording.Numbers(Table::kContactForce);
  const auto names = recording.Texts("/model/constraint_rows/name"),
             units = recording.Texts("/model/constraint_rows/unit");
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names[0], "limits of joint 'drop', row 0");
  EXPECT_EQ(units[0], "N");
  ASSERT_EQ(acceleration.size(), 6u * 8);
  EXPECT_TRUE(std::isnan(acceleration[0]));
  EXPECT_TRUE(std::isnan(rows[0]));
  EXPECT_NEAR(acceleration[8 * 5], 0, 1e-9);
  EXPECT_NEAR(drive[8 * 5], 2 * 9.81, 1e-9);
  EXPECT_EQ(drive[8 * 5 + 1], 0);
  EXPECT_NEAR(rows[3 * 5], 3 * 9.81, 1e-9);
  EXPECT_NEAR(rows[3 * 5 + 1], 0, 1e-12);
  EXPECT_NEAR(rows[3 * 5 + 2], 2 * 9.81, 1e-9);  // the motor
  const double weight = 9.81 * 1000 * 4 / 3 * std::acos(-1.0) * 1e-3;
  ASSERT_EQ(contact.size(), 6u * 4 * 3);
  EXPECT_NEAR(contact[12 * 5 + 2], -weight, 1e-8 * weight);
  EXPECT_NEAR(contact[12 * 5 + 3 * 3 + 2], weight, 1e-8 * weight);
}

TEST_F(RecordingWriterTest, AuditAndSolverCoverTheStepsInBetween) {
  RecordedRun run(Path("run.h5"), kBouncing);
  while (run.simulator.steps() < 80) run.Step();
  run.writer.Finish(&run.simulator);
  const Recording recording(Path("run.h5"));
  const auto audit = recording.Numbers(Table::kAudit), solver = recording.Numbers(Table::kSolver);
  const auto total = ToNumbers(run.simulator.audit().worst);
  for (int k = 0; k < kAuditNumbers; ++k) {
    double worst = kNaN;
    for (int i = 0; i < 21; ++i) {
      if (!(worst >= audit[kAuditNumbers * i + k])) worst = audit[kAuditNumbers * i + k];
    }
    EXPECT_EQ(worst, total[k]) << AuditNumberNames()[k];
  }
  double iterations = 0, rows = 0;
  for (int i = 0; i < 21; ++i) {
    rows = std::max(rows, solver[kSolverNumbers * i]);
    iterations += solver[kSolverNumbers * i + 1];
  }
  EXPECT_EQ(iterations, run.simulator.solver().newton_iterations);
  EXPECT_EQ(rows, run.simulator.solver().most_rows);
}

TEST_F(RecordingWriterTest, AnyMomentOfTheRunIsWhole) {
  // Whatever is at the path after a step can be opened by others, and is a beginning of the run.
  double now = 0;
  RecordedRun run(Path("run.h5"), kBouncing, {}, [&] { return now; });
  std::int64_t rows = 1;
  for (int i = 0; i < 80; ++i) {
    now += 0.07;
    run.Step();
    const Recording recording(Path("run.h5"));
    EXPECT_GE(recording.size(), rows);
    rows = recording.size();
    EXPECT_EQ(recording.ReadState(rows - 1).t, recording.Numbers(Table::kTime).back());
    EXPECT_EQ(recording.FindEnd().row_counts[static_cast<int>(Table::kStateBytes)],
              static_cast<std::int64_t>(recording.Integers(Table::kStateBytes).size()));
  }
  EXPECT_GT(rows, 15);
}

TEST_F(RecordingWriterTest, RowsWaitLessThanASecond) {
  double now = 0;
  RecordedRun run(Path("run.h5"), kBouncing, {{"simulation.record_interval", "0"}},
                  [&] { return now; });
  std::vector<double> when = {0};
  // Steps of all lengths, some of seconds.
  for (int i = 0; i < 60; ++i) {
    const double step_time = i % 10 == 9 ? 3 : 0.05 * (i % 4);
    now += step_time;
    run.Step();
    when.push_back(now);
    // A kill now, or at any time before the next step ends, if that takes no longer than this one.
    const size_t rows = Recording(Path("run.h5")).size();
    for (size_t k = rows; k < when.size(); ++k) {
      EXPECT_LT(now + step_time - when[k], 1) << "row " << k << " is not in the file";
    }
  }
}

TEST_F(RecordingWriterTest, OthersMayReadMeanwhile) {
  double now = 0;
  RecordedRun run(Path("run.h5"), kBouncing, {}, [&] { return now; });
  for (int i = 0; i < 20; ++i) run.Step();
  now += 1;
  run.Step();
  // One that has the file open sees what was in it then, whatever happens afterwards.
  const Recording reader(Path("run.h5"));
  const auto rows = reader.size();
  for (int i = 0; i < 20; ++i) {
    now += 1;
    run.Step();
  }
  EXPECT_EQ(reader.Numbers(Table::kTime).size(), static_cast<size_t>(rows));
  EXPECT_EQ(reader.ReadState(rows - 1).t, reader.Numbers(Table::kTime).back());
  run.writer.Finish(&run.simulator);
  EXPECT_EQ(Recording(Path("run.h5")).size(), 12);
}

TEST_F(RecordingWriterTest, NothingOfAFormerRecordingIsLeft) {
  for (int steps : {60, 8}) {
    double now = 0;
    RecordedRun run(Path("run.h5"), kBouncing, {}, [&] { return now += 1; });
    for (int i = 0; i < steps; ++i) run.Step();
    run.writer.Finish(&run.simulator);
    EXPECT_EQ(Recording(Path("run.h5")).size(), 1 + steps / 4);
  }
}

TEST_F(RecordingWriterTest, LeavesOneFileBehind) {
  {
    RecordedRun run(Path("run.h5"), kBouncing);
    for (int i = 0; i < 20; ++i) run.Step();
    run.writer.Finish(&run.simulator);
  }
  EXPECT_EQ(ListFiles(), std::vector<std::string>{"run.h5"});
}

TEST_F(RecordingWriterTest, H5dumpReadsIt) {
  {
    RecordedRun run(Path("run.h5"), kBouncing);
    for (int i = 0; i < 80; ++i) run.Step();
    run.writer.Finish(&run.simulator);
  }
  EXPECT_EQ(CountH5dumpRows(Path("run.h5"), "/steps/t"), 21);
  EXPECT_EQ(CountH5dumpRows(Path("run.h5"), "/no/such/thing"), -1);
}

TEST_F(RecordingWriterTest, RefusesPathsThatCannotBeWritten) {
  const Scene scene = ParseScene(kBouncing, "s.yaml");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  const std::string path = Path("no/such/run.h5");
  try {
    RecordingWriter(path, RecordingSource{}, &simulator);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems()[0].where.file, path);
  }
  // Nor may it take the place of a device or a folder, or of the scene.
  EXPECT_THROW(RecordingWriter("/dev/null", RecordingSource{}, &simulator), InputError);
  EXPECT_THROW(RecordingWriter(Path(""), RecordingSource{}, &simulator), InputError);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  std::ofstream(Path("s.yaml")) << kBouncing;
  const RecordingSource source{Path("s.yaml"), {{Path("s.yaml"), kBouncing}}, {}, "voigt"};
  EXPECT_THROW(RecordingWriter(Path("s.yaml"), source, &simulator), InputError);
  EXPECT_EQ(ListFiles(), std::vector<std::string>{"s.yaml"});
}

TEST(RecordingModel, NamesCoordinatesAndRates) {
  const Scene scene = ParseScene(R"(
bodies:
  - {repeat: {i: 6}, name: "b${i}", mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: fixed, type: fixed, child: b0}
  - {name: hinge, type: revolute, parent: b0, child: b1}
  - {name: slide, type: prismatic, parent: b1, child: b2}
  - {name: tube, type: cylindrical, parent: b2, child: b3}
  - {name: hip, type: ball, parent: b3, child: b4}
  - {name: base, type: free, child: b5}
)",
                                 "s.yaml");
  const NumberNames q = ListCoordinates(scene.model), v = ListRates(scene.model);
  using Words = std::vector<std::string>;
  EXPECT_EQ(q.names,
            (Words{"hinge", "slide", "tube.angle", "tube.z", "hip.qw", "hip.qx", "hip.qy", "hip.qz",
                   "base.x", "base.y", "base.z", "base.qw", "base.qx", "base.qy", "base.qz"}));
  EXPECT_EQ(q.units,
            (Words{"rad", "m", "rad", "m", "1", "1", "1", "1", "m", "m", "m", "1", "1", "1", "1"}));
  EXPECT_EQ(v.names, (Words{"hinge", "slide", "tube.angle", "tube.z", "hip.wx", "hip.wy", "hip.wz",
                            "base.vx", "base.vy", "base.vz", "base.wx", "base.wy", "base.wz"}));
  EXPECT_EQ(v.units, (Words{"rad/s", "m/s", "rad/s", "m/s", "rad/s", "rad/s", "rad/s", "m/s", "m/s",
                            "m/s", "rad/s", "rad/s", "rad/s"}));
}

}  // namespace
}  // namespace voigt
