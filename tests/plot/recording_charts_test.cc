#include "voigt/plot/recording_charts.h"

#include <gtest/gtest.h>

#include "tests/io/recording_support.h"

namespace voigt {
namespace {

using testing::RecordedRun;

// A ball of 2 kg that falls 5 cm onto the ground, and a pendulum with a spring.
constexpr char kDrop[] = R"(name: Drop
world: {geometry: [{shape: half-space}]}
bodies:
  - {name: ball, mass: 2, geometry: [{shape: sphere, radius: 0.1}]}
  - {name: bob, mass: 1, com: [0, 0, -1], inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: free, type: free, child: ball}
  - {name: pin, type: revolute, child: bob, axis: [0, 1, 0], frame: {position: [5, 0, 2]}, spring: {stiffness: 2}}
initial: {free: {position: [0, 0, 0.15]}, pin: 0.5}
simulation: {step: 0.01, until: 0.5, tolerance: 1e-12}
)";

class RecordingCharts : public testing::RecordingFolder {
 protected:
  RecordingCharts() {
    RecordedRun run(Path("run.h5"), kDrop);
    for (int i = 0; i < 50; ++i) run.Step();
    run.writer.Finish(&run.simulator);
  }

  Chart Find(const std::string& name, const RecordingChartOptions& options = {}) const {
    for (const NamedChart& chart : MakeRecordingCharts(Recording(Path("run.h5")), options)) {
      if (chart.name == name) return chart.chart;
    }
    ADD_FAILURE() << "no chart " << name;
    return {};
  }

  static std::vector<std::string> NamesOf(const Chart& chart) {
    std::vector<std::string> out;
    for (const Curve& curve : chart.curves) out.push_back(curve.name);
    return out;
  }
};

using CurveNames = std::vector<std::string>;

TEST_F(RecordingCharts, ContactForcesAreThoseOfTheRun) {
  const Chart chart = Find("contacts");
  ASSERT_EQ(NamesOf(chart), CurveNames{"ball"});
  const auto& points = chart.curves[0].points;
  ASSERT_EQ(points.size(), 51u);
  EXPECT_EQ(points[0][1], 0) << "in the air";
  EXPECT_NEAR(points[50][0], 0.5, 1e-12);
  EXPECT_NEAR(points[50][1], 2 * 9.81, 1e-9) << "at rest it weighs what it weighs";
  EXPECT_EQ(NamesOf(Find("contacts", {{}, {"world", "ball"}})), (CurveNames{"world", "ball"}));
  EXPECT_NEAR(Find("contacts", {{}, {"world"}}).curves[0].points[50][1], 2 * 9.81, 1e-9);
}

TEST_F(RecordingCharts, CoordinatesShareAChartByUnit) {
  EXPECT_EQ(NamesOf(Find("displacements")), (CurveNames{"free.x", "free.y", "free.z"}));
  EXPECT_EQ(Find("displacements").y_label, "q [m]");
  EXPECT_EQ(NamesOf(Find("angles")), CurveNames{"pin"});
  EXPECT_EQ(Find("angles").curves[0].points[0], Vec2(0, 0.5));
  const RecordingChartOptions options{{"free.qw", "pin"}, {}};
  EXPECT_EQ(NamesOf(Find("quaternions", options)), CurveNames{"free.qw"});
  EXPECT_EQ(NamesOf(Find("angles", options)), CurveNames{"pin"});
}

TEST_F(RecordingCharts, DrawAccelerations) {
  const Chart falls = Find("accelerations");
  EXPECT_EQ(falls.y_label, "dv/dt [m/s²]");
  ASSERT_FALSE(falls.curves.empty());
  EXPECT_EQ(falls.curves[0].name, "free.vz");
  EXPECT_TRUE(std::isnan(falls.curves[0].points[0][1]));
  EXPECT_NEAR(falls.curves[0].points[1][1], -9.81, 1e-9);
  const Chart swings = Find("angular_accelerations", {{"pin"}, {}});
  EXPECT_EQ(NamesOf(swings), (CurveNames{"pin"}));
  const Chart one = Find("accelerations", {{"free.x"}, {}});
  EXPECT_EQ(one.curves[0].name, "free.vz");
}

TEST_F(RecordingCharts, EnergyAddsUp) {
  const Chart chart = Find("energy");
  ASSERT_EQ(chart.curves.size(), 5u);
  const auto energy = Recording(Path("run.h5")).Numbers(RecordingTable::kEnergy);
  for (size_t i = 0; i < 51; ++i) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += chart.curves[k].points[i][1];
    EXPECT_NEAR(chart.curves[3].points[i][1], sum, 1e-12);
    EXPECT_EQ(chart.curves[4].points[i][1],
              chart.curves[3].points[i][1] - energy[kEnergyNumbers * i + 5] -
                  energy[kEnergyNumbers * i + 3] - energy[kEnergyNumbers * i + 4]);
  }
}

TEST_F(RecordingCharts, AuditStaysBelowItsLimit) {
  const Chart chart = Find("audit");
  EXPECT_TRUE(chart.log_y);
  ASSERT_GT(chart.curves.size(), 1u);
  EXPECT_EQ(chart.curves.back().name, "limit");
  for (const Curve& curve : chart.curves) {
    for (const Vec2& point : curve.points) EXPECT_FALSE(point[1] > 1) << curve.name;
  }
}

TEST_F(RecordingCharts, RefuseNamesThatAreNotThere) {
  EXPECT_THROW(MakeRecordingCharts(Recording(Path("run.h5")), {{"pon"}, {}}), InputError);
  EXPECT_THROW(MakeRecordingCharts(Recording(Path("run.h5")), {{}, {"bell"}}), InputError);
}

}  // namespace
}  // namespace voigt
