// Robots in scenes: `include`, and robots as scenes of their own.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/io/scene_problems.h"
#include "tests/support/test_folder.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

using testing::ExpectLines;
using testing::Lines;

// A pendulum of two links; the second joint cannot be at zero.
const char kPendulumUrdf[] = R"(<robot name="pendulum">
  <material name="red"/>
  <link name="base"/>
  <link name="rod">
    <inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
      <inertia ixx="0.2" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.01"/></inertial>
    <collision><geometry><mesh filename="tetra.obj"/></geometry></collision>
  </link>
  <link name="tip">
    <inertial><origin xyz="0.1 0 -0.3" rpy="0 0.4 0"/><mass value="1"/>
      <inertia ixx="0.05" ixy="0" ixz="0" iyy="0.06" iyz="0.001" izz="0.02"/></inertial>
    <collision name="end"><origin xyz="0 0 -0.6"/><geometry><sphere radius="0.05"/></geometry></collision>
  </link>
  <joint name="pin" type="continuous"><parent link="base"/><child link="rod"/>
    <origin xyz="0 0 0.2" rpy="0 0 0.3"/><axis xyz="0 1 0"/><dynamics damping="0.1"/></joint>
  <joint name="bend" type="revolute"><parent link="rod"/><child link="tip"/>
    <origin xyz="0 0 -1"/><axis xyz="1 1 0"/><limit lower="0.5" upper="1.5"/></joint>
</robot>
)";

class SceneInclude : public ::testing::Test {
 protected:
  SceneInclude() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "robots");
    Write("robots/pendulum.urdf", kPendulumUrdf);
    Write("robots/tetra.obj",
          "v 0 0 0\nv .1 0 0\nv 0 .1 0\nv 0 0 .1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  }
  ~SceneInclude() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  Scene Load(const std::string& yaml, const std::vector<Override>& overrides = {}) const {
    return ParseScene(yaml, (folder_ / "s.yaml").string(), overrides);
  }
  // Problems without the folder in their paths.
  Lines Problems(const std::string& yaml) const {
    Lines lines;
    try {
      Load(yaml);
    } catch (const InputError& error) {
      lines = testing::ToLines(error.problems());
    }
    const std::string folder = folder_.string() + "/";
    for (std::string& line : lines) {
      for (size_t at; (at = line.find(folder)) != std::string::npos;) line.erase(at, folder.size());
    }
    return lines;
  }

  std::filesystem::path folder_ = testing::NameTestFolder();
};

State RunSome(const Scene& scene) {
  Simulator simulator(scene.model, scene.settings, scene.initial);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(simulator.Step(), StepStatus::kOk);
  return simulator.state();
}

TEST_F(SceneInclude, ARobotMovesAsTheSameSceneByHand) {
  const Scene robot = Load(R"(
include:
  - {file: robots/pendulum.urdf, prefix: "r.", frame: {position: [1, 0, 0], rpy: [0.1, 0, 0]}}
initial: {r.pin: 1}
)");
  const Scene by_hand = Load(R"(
bodies:
  - {name: r.base, massless: true}
  - {name: r.rod, mass: 2, com: [0, 0, -0.5], inertia: [0.2, 0.2, 0.01]}
  - {name: r.tip, mass: 1, com: [0.1, 0, -0.3], inertia: [0.05, 0.06, 0.02, 0, 0, 0.001],
     inertia_axes: {rpy: [0, 0.4, 0]}}
joints:
  - {name: r.base, type: fixed, child: r.base, frame: {position: [1, 0, 0], rpy: [0.1, 0, 0]}}
  - {name: r.pin, type: revolute, parent: r.base, child: r.rod, axis: [0, 1, 0], damping: 0.1,
     frame: {position: [0, 0, 0.2], rpy: [0, 0, 0.3]}}
  - {name: r.bend, type: revolute, parent: r.rod, child: r.tip, axis: [1, 1, 0],
     frame: {position: [0, 0, -1]}, limits: [0.5, 1.5]}
initial: {r.pin: 1, r.bend: 1}
)");
  EXPECT_EQ(robot.initial.q, by_hand.initial.q);
  EXPECT_FALSE(robot.moved_start);
  const State a = RunSome(robot), b = RunSome(by_hand);
  EXPECT_LT((a.q - b.q).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_GT(std::abs(a.q[0] - 1), 0.1);
}

TEST_F(SceneInclude, SceneElementsNameThoseOfRobots) {
  const Scene scene = Load(R"(
include: [{repeat: {i: 2}, file: robots/pendulum.urdf, prefix: "p${i}/", frame: {position: ["${i}", 0, 0]}}]
bodies: [{name: hook, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: weld, type: fixed, parent: p1/tip, child: hook}]
loads: [{joint: p0/pin, force: 1}, {body: p1/rod, force: [1, 0, 0]}]
drives: [{type: servo, joint: p0/bend, stiffness: 10, target: 1}]
constraints: [{type: coupler, terms: [{joint: p0/pin, factor: 1}, {joint: p1/pin, factor: -1}]}]
)");
  EXPECT_EQ(scene.model.nb() - 1, 7);
  EXPECT_EQ(scene.model.nv(), 4);
  EXPECT_EQ(*scene.model.FindBody("hook"), 7);
  EXPECT_EQ(scene.initial.q[1], 1);  // between its limits
  EXPECT_EQ(RunSome(scene).q.size(), 4);
}

TEST_F(SceneInclude, InitialStatesOfTheSceneWin) {
  const Scene scene =
      Load("include: [{file: robots/pendulum.urdf}]\ninitial: {bend: 0.7, pin: {q: 0.2, v: 3}}\n");
  EXPECT_EQ(scene.initial.q[1], 0.7);
  EXPECT_EQ(scene.initial.q[0], 0.2);
  EXPECT_EQ(scene.initial.v[0], 3);
}

TEST_F(SceneInclude, BasesAreFixedOrFree) {
  EXPECT_EQ(Load("include: [{file: robots/pendulum.urdf}]").model.nv(), 2);
  EXPECT_EQ(Load("include: [{file: robots/pendulum.urdf, base: fixed}]").model.nv(), 2);
  const Scene scene = Load(
      "include: [{file: robots/pendulum.urdf, base: free, frame: {position: [1, 2, 3]}}]\n"
      "initial: {world_to_base: {velocity: [1, 0, 0]}}");
  EXPECT_EQ(scene.model.nv(), 8);
  EXPECT_EQ(scene.model.tree().X_PI[1].p, Vec3(1, 2, 3));
  EXPECT_EQ(scene.initial.v[0], 1);
}

TEST_F(SceneInclude, MeshesStayMeshesUnlessHullsAreAskedFor) {
  const auto shape = [&](const std::string& keys) {
    return Load("include: [{file: robots/pendulum.urdf" + keys + "}]").model.geometry()[0].shape;
  };
  EXPECT_TRUE(std::holds_alternative<TriangleMesh>(shape("")));
  EXPECT_TRUE(std::holds_alternative<ConvexHull>(shape(", convex_meshes: true")));
}

TEST_F(SceneInclude, NotesAreKeptAndCounted) {
  const Scene scene =
      Load("include: [{file: robots/pendulum.urdf}, {file: robots/pendulum.urdf, prefix: p}]");
  ASSERT_EQ(scene.notes.size(), 1u);
  EXPECT_EQ(scene.notes[0].element, "material 'red'");
  EXPECT_EQ(scene.notes[0].where.line, 2);
  EXPECT_TRUE(scene.notices.empty());
  EXPECT_EQ(SummarizeNotes(scene), "not taken over as it stands: 1 ignored; voigt check " +
                                       (folder_ / "s.yaml").string() + " tells which");
  EXPECT_EQ(SummarizeNotes(Load("name: Nothing")), "");
}

TEST_F(SceneInclude, ARobotIsASceneOfItsOwn) {
  const std::string path = (folder_ / "robots/pendulum.urdf").string();
  const Scene scene = LoadScene(path, {{"simulation.step", "0.01"}, {"initial.pin", "0.4"}});
  EXPECT_EQ(scene.file, path);
  EXPECT_EQ(scene.model.name(), "pendulum");
  EXPECT_EQ(scene.model.nv(), 2);
  EXPECT_EQ(scene.settings.step, 0.01);
  EXPECT_EQ(scene.initial.q, VecX(Vec2(0.4, 1)));
  EXPECT_EQ(LoadScene(path, {{"include.0.base", "free"}}).model.nv(), 8);
  EXPECT_EQ(LoadScene(path, {{"name", "other"}}).model.name(), "other");
  RunSome(scene);
}

TEST_F(SceneInclude, BadRequestsAreBadInput) {
  ExpectLines(Problems("include: [{}]"), {{"s.yaml:1:11: include[0]: ", "'file' is missing"}});
  ExpectLines(Problems("include: [{file: none.urdf}]"),
              {{"s.yaml:1:18: include[0].file: ", "'none.urdf' cannot be read"}});
  Write("s.txt", "bodies: []");
  ExpectLines(Problems("include: [{file: s.txt}]"),
              {{"s.yaml:1:18: include[0].file: ", "'s.txt' is no XML, expected a robot"}});
  Write("s.sdf", "<sdf/>");
  ExpectLines(Problems("include: [{file: s.sdf}]"),
              {{"s.sdf:1:2: ", "the first element is 'sdf', expected "}});
  const std::string file = "include: [{file: robots/pendulum.urdf, ";
  ExpectLines(Problems(file + "base: loose}]"),
              {{"s.yaml:1:46: include[0].base: ", "'loose', expected fixed or free"}});
  ExpectLines(Problems(file + "keyframe: home}]"),
              {{"s.yaml:1:50: include[0].keyframe: ", "'home', expected none: the file has no"}});
  ExpectLines(Problems(file + "scale: 2}]"),
              {{"s.yaml:1:40: include[0]: unknown key 'scale'", "expected one of"}});
  Write("bad.urdf", "<robot name='b'>\n<link name='l'><origin/></link>\n<joint/></robot>");
  EXPECT_EQ(Problems("include: [{file: bad.urdf}]\nloads: [{joint: j, force: 1}]").at(0),
            "bad.urdf:3:2: joint: 'name' is missing, expected a text");
}

TEST_F(SceneInclude, NamesMustNotClash) {
  const Lines lines =
      Problems("include: [{file: robots/pendulum.urdf}, {file: robots/pendulum.urdf}]\n");
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0], "robots/pendulum.urdf:3:4: body 3: name 'base' is taken by body 0");
}

}  // namespace
}  // namespace voigt
