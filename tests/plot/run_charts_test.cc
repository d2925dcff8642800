#include "voigt/plot/run_charts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/plot/svg.h"
#include "voigt/io/scene.h"
#include "voigt/sim/run.h"

namespace voigt {
namespace {

// A scene after its run.
struct Ran {
  explicit Ran(const std::string& text)
      : scene(ParseScene(text, "s")),
        simulator(scene.model, scene.settings, scene.initial),
        recorder(scene.settings.record_interval) {
    Run(&simulator, &recorder);
    charts = MakeRunCharts(simulator.model(), recorder.samples());
  }

  const Chart& motion() const { return charts.at(0); }
  const Chart& energy() const { return charts.at(1); }
  const Chart& coordinates() const { return charts.at(2); }

  Scene scene;
  Simulator simulator;
  Recorder recorder;
  std::vector<Chart> charts;
};

// A ball on an arm of 1 m that swings about the axis.
std::string Pendulum(const std::string& axis, const std::string& simulation = "{until: 1}") {
  return "bodies: [{name: b, geometry: [{shape: sphere, radius: 0.1, density: 1000, "
         "position: [1, 1, 1]}]}]\n"
         "joints: [{name: pin, type: revolute, child: b, axis: " +
         axis +
         "}]\n"
         "initial: {pin: {v: 3}}\n"
         "gravity: [0, 0, 0]\n"
         "simulation: " +
         simulation + "\n";
}

std::vector<std::string> Names(const Chart& chart) {
  std::vector<std::string> out;
  for (const Curve& curve : chart.curves) out.push_back(curve.name);
  return out;
}

TEST(RunCharts, ShowMotionEnergyAndCoordinates) {
  const Ran run(Pendulum("[0, 1, 0]"));
  ASSERT_EQ(run.charts.size(), 3u);
  EXPECT_EQ(run.motion().title, "Motion, 24 moments from light (t = 0 s) to dark (t = 1 s)");
  EXPECT_TRUE(run.motion().equal_scales);
  EXPECT_EQ(run.energy().title, "Energy");
  EXPECT_EQ(Names(run.energy()), (std::vector<std::string>{"kinetic", "gravity", "springs", "total",
                                                           "total - work of loads"}));
  EXPECT_EQ(run.coordinates().title, "Joint coordinates");
  EXPECT_EQ(Names(run.coordinates()), std::vector<std::string>{"pin"});
}

TEST(RunCharts, CurvesAreTheSamples) {
  const Ran run(
      "bodies: [{name: b, mass: 1, com: [1, 0, 0], inertia: [1, 1, 1]}]\n"
      "joints: [{name: pin, type: revolute, child: b, axis: [0, 1, 0], damping: 2, "
      "spring: {stiffness: 3}}]\n"
      "simulation: {step: 0.01, until: 0.5}\n");
  // All energies are at work, so that no curve can stand for another.
  const Sample& last = run.recorder.samples().back();
  for (double energy : {last.energy.kinetic, last.energy.gravity, last.energy.spring, last.work}) {
    EXPECT_GT(std::abs(energy), 0.01);
  }
  const auto& samples = run.recorder.samples();
  ASSERT_EQ(samples.size(), 51u);
  const auto value = [&](const Chart& chart, int curve, size_t i) {
    EXPECT_EQ(chart.curves[curve].points[i][0], samples[i].t);
    return chart.curves[curve].points[i][1];
  };
  for (size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(value(run.energy(), 0, i), samples[i].energy.kinetic);
    EXPECT_EQ(value(run.energy(), 1, i), samples[i].energy.gravity);
    EXPECT_EQ(value(run.energy(), 2, i), samples[i].energy.spring);
    EXPECT_EQ(value(run.energy(), 3, i), samples[i].energy.Total());
    EXPECT_EQ(value(run.energy(), 4, i), samples[i].energy.Total() - samples[i].work);
    EXPECT_EQ(value(run.coordinates(), 0, i), samples[i].q[0]);
  }
}

TEST(RunCharts, LookAlongTheAxisThatHidesLeast) {
  const auto labels = [](const std::string& axis) {
    const Ran run(Pendulum(axis, "{until: 2.5}"));
    return run.motion().x_label + " " + run.motion().y_label;
  };
  EXPECT_EQ(labels("[0, 1, 0]"), "x [m] z [m]");
  EXPECT_EQ(labels("[1, 0, 0]"), "y [m] z [m]");
  EXPECT_EQ(labels("[0, 0, 1]"), "x [m] y [m]");
}

// A point on a rail has no extent but along the rail.
TEST(RunCharts, LookAtMotionAlongALineFromTheSide) {
  const auto labels = [](const std::string& axis) {
    const Ran run(
        "bodies: [{name: b, mass: 1, inertia: point}]\n"
        "joints: [{name: rail, type: prismatic, child: b, axis: " +
        axis +
        "}]\n"
        "initial: {rail: {v: 1}}\n");
    return run.motion().x_label + " " + run.motion().y_label;
  };
  EXPECT_EQ(labels("[1, 0, 0]"), "x [m] z [m]");
  EXPECT_EQ(labels("[0, 1, 0]"), "y [m] z [m]");
  EXPECT_EQ(labels("[0, 0, 1]"), "x [m] z [m]");
}

TEST(RunCharts, PointsAreVisible) {
  const Ran run(
      "bodies: [{name: b, mass: 1, inertia: point}]\n"
      "joints: [{name: rail, type: prismatic, child: b, axis: [1, 0, 0]}]\n"
      "initial: {rail: {v: 1}}\n"
      "simulation: {step: 0.125, until: 1}\n");
  size_t dots = 0;
  double last = 0;
  for (const auto& element : testing::ParseSvg(ChartsToSvg("dots", run.charts))) {
    if (element.name != "circle") continue;
    ++dots;
    EXPECT_GT(element.Number("cx"), last + 10) << "one moment beside the other";
    last = element.Number("cx");
  }
  EXPECT_EQ(dots, run.recorder.samples().size());
}

TEST(RunCharts, OutlinesStandWhereTheBodiesAre) {
  const Ran run(Pendulum("[0, 1, 0]", "{step: 0.1, until: 0.5}"));
  const auto& samples = run.recorder.samples();
  ASSERT_EQ(samples.size(), 6u);
  ASSERT_EQ(run.motion().curves.size(), 6u) << "one outline a sample";
  for (size_t i = 0; i < samples.size(); ++i) {
    // Turned about y from (x, z) = (1, 1).
    const double c = std::cos(samples[i].q[0]), s = std::sin(samples[i].q[0]);
    const Vec2 center(c + s, c - s);
    for (const Vec2& point : run.motion().curves[i].points) {
      EXPECT_LT((point - center).norm(), 0.1 + 1e-12);
      EXPECT_GT((point - center).norm(), 0.09);
    }
    EXPECT_TRUE(run.motion().curves[i].filled);
  }
  // From light to dark.
  EXPECT_EQ(run.motion().curves.front().color, "#9ecae1");
  EXPECT_EQ(run.motion().curves.back().color, "#08306b");
  EXPECT_LT(run.motion().curves.front().opacity, run.motion().curves.back().opacity);
}

TEST(RunCharts, BodiesWithoutShapesAreLinesToTheirCentreOfMass) {
  const Ran run(
      "bodies: [{name: b, mass: 1, com: [2, 0, 0], inertia: point}, {name: c, massless: true}]\n"
      "joints:\n"
      "  - {name: pin, type: revolute, child: b, axis: [0, 1, 0], frame: {position: [0, 0, 1]}}\n"
      "  - {name: stub, type: fixed, parent: b, child: c}\n"
      "simulation: {until: 0}\n");
  // The massless body is not drawn.
  ASSERT_EQ(run.motion().curves.size(), 1u);
  EXPECT_EQ(run.motion().curves[0].points, (std::vector<Vec2>{{0, 1}, {2, 1}}));
}

TEST(RunCharts, OneSampleIsEnough) {
  const Ran run(Pendulum("[0, 1, 0]", "{until: 0}"));
  EXPECT_EQ(run.motion().title, "Motion, 1 moments from light (t = 0 s) to dark (t = 0 s)");
  EXPECT_NO_THROW(testing::ParseSvg(ChartsToSvg("one", run.charts)));
}

TEST(RunCharts, AreEmptyWithoutSamplesOrBodies) {
  const Ran run(Pendulum("[0, 1, 0]"));
  EXPECT_TRUE(MakeRunCharts(run.simulator.model(), {}).empty());
  EXPECT_TRUE(Ran("name: nothing\n").charts.empty());
  EXPECT_NO_THROW(testing::ParseSvg(ChartsToSvg("empty", {})));
}

TEST(RunCharts, ScenesWithNothingToDrawStillMakeAPage) {
  const Ran run(
      "bodies: [{name: b, massless: true}]\n"
      "joints: [{name: j, type: prismatic, child: b, armature: 1}]\n"
      "simulation: {until: 0.01}\n");
  EXPECT_TRUE(run.motion().curves.empty());
  const std::string svg = ChartsToSvg("bare", run.charts);
  EXPECT_NO_THROW(testing::ParseSvg(svg));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(RunCharts, SayWhenTheyShowSomeCoordinatesOnly) {
  const Ran run(
      "bodies: [{repeat: {i: 2}, name: \"b${i}\", mass: 1, inertia: [1, 1, 1]}]\n"
      "joints:\n"
      "  - {name: pin, type: revolute, child: b0}\n"
      "  - {name: body, type: free, parent: b0, child: b1}\n"
      "simulation: {until: 0.01}\n");
  EXPECT_EQ(run.coordinates().title, "Joint coordinates");
  EXPECT_EQ(Names(run.coordinates()),
            (std::vector<std::string>{"pin", "body[0]", "body[1]", "body[2]", "body[3]", "body[4]",
                                      "body[5]", "body[6]"}));
  const Ran many(
      "bodies: [{repeat: {i: 20}, name: \"b${i}\", mass: 1, inertia: [1, 1, 1]}]\n"
      "joints: [{repeat: {i: 20}, name: \"j${i}\", type: revolute, child: \"b${i}\"}]\n"
      "simulation: {until: 0.01}\n");
  EXPECT_EQ(many.coordinates().title, "Joint coordinates, the first 8 of 20");
  EXPECT_EQ(many.coordinates().curves.size(), 8u);
}

TEST(RunCharts, MakeAWellFormedPage) {
  const Ran run(Pendulum("[0, 1, 0]"));
  const auto elements = testing::ParseSvg(ChartsToSvg("A & B", run.charts));
  std::vector<std::string> texts;
  for (const auto& element : elements) {
    if (element.name == "text") texts.push_back(element.text);
  }
  for (const char* expected : {"A &amp; B", "Energy", "time [s]", "energy [J]", "kinetic",
                               "Joint coordinates", "pin", "x [m]", "z [m]"}) {
    EXPECT_NE(std::find(texts.begin(), texts.end(), expected), texts.end()) << expected;
  }
}

}  // namespace
}  // namespace voigt
