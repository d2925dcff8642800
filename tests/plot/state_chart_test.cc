// Changes of what friction does: from a run into its recording, and from there into a chart.

#include "voigt/plot/state_chart.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/io/recording_support.h"
#include "tests/plot/svg.h"
#include "tests/support/pressed_block.h"
#include "voigt/plot/recording_charts.h"

namespace voigt {
namespace {

// A block on a guide that a spring drags, by events; stick until 1 s, slip until 1.54 s.
constexpr char kDragged[] = R"(name: Dragged
gravity: [0, 0, -10]
bodies: [{name: block, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: guide, type: prismatic, axis: [1, 0, 0], child: block, friction: {static: 0.5, kinetic: 0.3}}]
drives: [{type: servo, joint: guide, stiffness: 50, target: 0.1 * t}]
simulation: {integrator: event-driven, formulation: working, step: 0.1, until: 3, record_interval: 0.4}
)";

// A soft ball that slides and comes to roll, so that it sticks.
constexpr char kBall[] = R"(name: Ball
materials: {default: {friction: 0.3, stiffness: 1e4, damping: 10}}
bodies: [{name: ball, geometry: [{shape: sphere, radius: 0.1, density: 1000}]}]
world: {geometry: [{name: ground, shape: half-space}]}
joints: [{name: free, type: free, child: ball}]
initial: {free: {position: [0, 0, 0.0979], velocity: [1, 0, 0]}}
simulation: {integrator: event-driven, formulation: working, step: 0.1, until: 0.3}
)";

class StateChart : public testing::RecordingFolder {
 protected:
  std::vector<Transition> Record(const std::string& path, const char* text, int steps) {
    std::vector<Transition> out;
    testing::RecordedRun run(path, text);
    for (int i = 0; i < steps; ++i) {
      run.Step();
      for (const Transition& change : run.simulator.last_transitions()) out.push_back(change);
    }
    run.writer.Finish(&run.simulator);
    return out;
  }
};

TEST_F(StateChart, RecordingHasTheTransitionsOfTheRun) {
  const auto changes = Record(Path("run.h5"), kDragged, 30);
  ASSERT_EQ(changes.size(), 5u);
  const auto recorded = Recording(Path("run.h5")).ReadTransitions();
  ASSERT_EQ(recorded.size(), changes.size());
  for (size_t k = 0; k < changes.size(); ++k) {
    EXPECT_EQ(recorded[k].t, changes[k].t);
    EXPECT_EQ(recorded[k].id, changes[k].id);
    EXPECT_EQ(recorded[k].from, changes[k].from);
    EXPECT_EQ(recorded[k].to, changes[k].to);
  }
}

// Ids of contacts use all 64 bits.
TEST_F(StateChart, RecordsContactsByName) {
  const auto changes = Record(Path("ball.h5"), kBall, 3);
  const Recording recording(Path("ball.h5"));
  const auto recorded = recording.ReadTransitions();
  ASSERT_GE(recorded.size(), 2u);
  ASSERT_EQ(recorded.size(), changes.size());
  EXPECT_EQ(recorded[0].id, changes[0].id);
  EXPECT_TRUE(IsContactId(recorded[0].id));
  EXPECT_EQ(recorded[0].from, Stiction::kOpen);
  EXPECT_EQ(recorded[0].to, Stiction::kSlip);
  EXPECT_EQ(recorded.back().to, Stiction::kStick);
  const Chart chart = DrawStates(recording, {"ball"});
  ASSERT_EQ(chart.curves.size(), 1u);
  EXPECT_EQ(chart.curves[0].name, "ground and ball, point 0");
  EXPECT_TRUE(DrawStates(recording, {"world2"}).curves.empty());
}

// A run that is stopped between recorded moments, and goes on, has each change once, in the row of
// the moment that follows it.
TEST_F(StateChart, ResumedRunHasTheTablesOfAWholeOne) {
  Record(Path("whole.h5"), kDragged, 30);
  Record(Path("pieces.h5"), kDragged, 17);  // 1.7 s: slip ended at 1.54 s, the last row is 1.6 s
  {
    RecordingEnd end = Recording(Path("pieces.h5")).FindEnd();
    const Scene scene = ParseScene(kDragged, "s.yaml");
    Simulator simulator(scene.model, scene.settings, end.state);
    RecordingWriter writer(Path("pieces.h5"), end, &simulator);
    for (int i = 0; i < 13; ++i) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      writer.Offer(&simulator);
    }
    writer.Finish(&simulator);
  }
  testing::ExpectSameTables(Path("pieces.h5"), Path("whole.h5"));
}

TEST_F(StateChart, StepsAreWhereTheTransitionsAre) {
  const auto changes = Record(Path("run.h5"), kDragged, 30);
  const Chart chart = DrawStates(Recording(Path("run.h5")), {});
  ASSERT_EQ(chart.curves.size(), 1u);
  const Curve& curve = chart.curves[0];
  EXPECT_EQ(curve.name, "friction of joint 'guide'");
  ASSERT_EQ(curve.points.size(), 2 + 2 * changes.size());
  for (size_t k = 0; k < changes.size(); ++k) {
    EXPECT_EQ(curve.points[2 * k + 1][0], changes[k].t);
    EXPECT_EQ(curve.points[2 * k + 2][0], changes[k].t);
    EXPECT_EQ(curve.points[2 * k + 2][1], changes[k].to == Stiction::kStick ? 1 : 3);
  }
  EXPECT_NEAR(curve.points.back()[0], 3, 1e-12);
  // Levels have names in the picture.
  const std::string svg = ChartsToSvg("x", {chart});
  for (const char* name : {">open<", ">stick<", ">creep<", ">slip<"}) {
    EXPECT_NE(svg.find(name), std::string::npos) << name;
  }
  bool has_states = false;
  for (const NamedChart& named : MakeRecordingCharts(Recording(Path("run.h5")))) {
    has_states |= named.name == "states";
  }
  EXPECT_TRUE(has_states);
}

// The heights of an element's path, "M x y L x y …", in the picture.
std::vector<double> ReadHeights(const std::string& path) {
  std::vector<double> out;
  std::string numbers = path;
  std::replace_if(numbers.begin(), numbers.end(), [](char c) { return c == 'M' || c == 'L'; }, ' ');
  std::istringstream in(numbers);
  for (double x = 0, y = 0; in >> x >> y;) out.push_back(y);
  return out;
}

// Creep comes back from the recording with its times, those of StictionStates, and is drawn from
// one to the other, at the height of its name.
TEST_F(StateChart, HasCreepOfASoftContact) {
  std::ifstream file(VOIGT_SOURCE_DIR "/scenes/creeping_block.yaml");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Record(Path("creep.h5"), text.c_str(), 40);  // 2 s
  const Recording recording(Path("creep.h5"));
  const Chart chart = DrawStates(recording, {});
  ASSERT_EQ(chart.curves.size(), 4u);  // corners
  const std::vector<double> times = {0, 1, 1.008691508, 1.576990108}, levels = {1, 2, 3, 1};
  for (size_t c = 0; c < chart.curves.size(); ++c) {
    const Curve& curve = chart.curves[c];
    ASSERT_EQ(curve.points.size(), 2 + 2 * times.size());
    const double shift = curve.points[0][1];
    EXPECT_LT(shift, 0.2);
    for (size_t k = 0; k < times.size(); ++k) {
      EXPECT_NEAR(curve.points[2 * k + 2][0], times[k], 1e-8);
      EXPECT_NEAR(curve.points[2 * k + 2][1], levels[k] + shift, 1e-12);
      EXPECT_NEAR(curve.points[2 * k + 3][1], levels[k] + shift, 1e-12);
    }
  }
  int creeping = 0;
  for (const Transition& change : recording.ReadTransitions()) {
    creeping += change.from == Stiction::kStick && change.to == Stiction::kCreep;
  }
  EXPECT_EQ(creeping, 4);
  // In the picture the first corner's line has four heights, as far from each other as their names.
  std::vector<double> names, heights;
  for (const testing::SvgElement& element : testing::ParseSvg(ChartsToSvg("x", {chart}))) {
    for (const std::string name : {"open", "stick", "creep", "slip"}) {
      if (element.text == name) names.push_back(element.Number("y"));
    }
    const auto stroke = element.attributes.find("stroke");
    const bool is_line = element.name == "path" && element.attributes.count("fill") > 0 &&
                         stroke != element.attributes.end() &&
                         stroke->second == chart.curves[0].color;
    if (is_line) heights = ReadHeights(element.attributes.at("d"));
  }
  ASSERT_EQ(names.size(), 4u);
  ASSERT_GT(heights.size(), 5u);
  std::sort(heights.rbegin(), heights.rend());
  heights.erase(std::unique(heights.begin(), heights.end()), heights.end());
  std::sort(names.rbegin(), names.rend());
  ASSERT_EQ(heights.size(), 4u);
  for (int k = 1; k < 4; ++k) EXPECT_NEAR(heights[k] - heights[0], names[k] - names[0], 0.21);
}

// Time steps tell changes of friction from reactions, too, at the ends of steps.
TEST_F(StateChart, TimeStepsHaveTransitions) {
  testing::RecordedRun run(Path("steps.h5"), kDragged, {{"simulation", "{step: 0.01, until: 3}"}});
  std::vector<Transition> changes;
  for (int i = 0; i < 200; ++i) {
    run.Step();
    for (const Transition& change : run.simulator.last_transitions()) changes.push_back(change);
  }
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[0].from, Stiction::kOpen);
  EXPECT_EQ(changes[0].to, Stiction::kStick);
  EXPECT_EQ(changes[1].to, Stiction::kSlip);
  EXPECT_NEAR(changes[1].t, 1, 0.021);
  EXPECT_EQ(changes[2].to, Stiction::kStick);
  EXPECT_NEAR(changes[2].t, 1.5404, 0.021);
}

// Those of contacts with more friction at rest, too: into the recording, and into the chart.
TEST_F(StateChart, TimeStepsHaveTransitionsOfContacts) {
  const std::string pressed =
      "name: Pressed" + testing::PressedBlock("step: 0.01, until: 2, record_interval: 0.4");
  const auto changes = Record(Path("contact.h5"), pressed.c_str(), 200);
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[1].to, Stiction::kSlip);
  EXPECT_NEAR(changes[1].t, 1, 0.021);
  EXPECT_EQ(changes[2].to, Stiction::kStick);
  EXPECT_NEAR(changes[2].t, 1.5404, 0.021);
  const Recording recording(Path("contact.h5"));
  const auto recorded = recording.ReadTransitions();
  ASSERT_EQ(recorded.size(), changes.size());
  for (size_t k = 0; k < changes.size(); ++k) {
    EXPECT_EQ(recorded[k].t, changes[k].t);
    EXPECT_EQ(recorded[k].id, changes[k].id);
    EXPECT_EQ(recorded[k].to, changes[k].to);
  }
  const Chart chart = DrawStates(recording, {});
  ASSERT_EQ(chart.curves.size(), 1u);
  EXPECT_EQ(chart.curves[0].name, "floor and block, point 0");
}

}  // namespace
}  // namespace voigt
