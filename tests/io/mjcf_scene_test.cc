// MJCF robots as scenes and in scenes.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/io/scene_problems.h"
#include "tests/support/data.h"
#include "tests/support/test_folder.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

const char kHopperMjcf[] = R"(<mujoco model="hopper">
  <option timestep="0.004" gravity="0 0 -5"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="body" pos="0 0 2">
      <freejoint name="root"/>
      <geom name="ball" type="sphere" size="0.1"/>
      <body name="leg" pos="0 0 -0.1">
        <joint name="knee" type="hinge" axis="0 1 0"/>
        <geom type="capsule" size="0.03" fromto="0 0 0 0 0 -0.3"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="knee" gear="2"/></actuator>
  <keyframe>
    <key name="high" qpos="1 0 3 1 0 0 0 0.5" qvel="0 0 1 0 0 0 2" ctrl="0.25"/>
  </keyframe>
  <sensor><jointpos joint="knee"/></sensor>
</mujoco>
)";

class MjcfScene : public ::testing::Test {
 protected:
  MjcfScene() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "hopper.xml") << kHopperMjcf;
  }
  ~MjcfScene() override { std::filesystem::remove_all(folder_); }

  Scene Load(const std::string& yaml) const {
    return ParseScene(yaml, (folder_ / "s.yaml").string());
  }

  static double Coordinate(const Scene& scene, const std::string& joint, int k) {
    return scene.initial.q[scene.model.tree().q_start[*scene.model.FindJoint(joint)] + k];
  }

  std::filesystem::path folder_ = testing::NameTestFolder();
};

TEST_F(MjcfScene, AFileIsASceneWithItsOwnSettings) {
  const Scene scene = LoadScene((folder_ / "hopper.xml").string());
  EXPECT_EQ(scene.model.name(), "hopper");
  EXPECT_EQ(scene.model.gravity(), Vec3(0, 0, -5));
  EXPECT_EQ(scene.settings.step, 0.004);
  EXPECT_EQ(scene.model.nv(), 7);
  EXPECT_EQ(scene.model.actuator_count(), 1);
  EXPECT_EQ(Coordinate(scene, "root", 2), 2);
  Simulator simulator(scene.model, scene.settings, scene.initial);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
}

TEST_F(MjcfScene, KeyframesAreStarts) {
  const Scene scene =
      LoadScene((folder_ / "hopper.xml").string(), {{"include.0.keyframe", "high"}});
  EXPECT_EQ(Coordinate(scene, "root", 0), 1);
  EXPECT_EQ(Coordinate(scene, "root", 2), 3);
  EXPECT_EQ(Coordinate(scene, "knee", 0), 0.5);
  EXPECT_EQ(scene.initial.v[2], 1);
  EXPECT_EQ(scene.initial.v[6], 2);
  EXPECT_EQ(scene.model.actuators()[0].input.constant(), 0.25);
  try {
    LoadScene((folder_ / "hopper.xml").string(), {{"include.0.keyframe", "low"}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'low', expected one of the file's: high"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(MjcfScene, ScenesPlaceRobotsAndKeepTheirOwnGravity) {
  const Scene scene = Load(R"(
gravity: [0, 0, -9]
include:
  - {file: hopper.xml, prefix: "l.", keyframe: high, frame: {position: [0, 5, 0]}}
  - {file: hopper.xml, prefix: "r.", base: fixed, frame: {position: [0, -5, 0]}}
actuators: [{name: own, type: motor, joint: r.knee, input: 1}]
initial: {l.knee: 0.1}
)");
  EXPECT_EQ(scene.model.gravity(), Vec3(0, 0, -9));
  EXPECT_EQ(scene.model.nv(), 8);
  EXPECT_EQ(scene.model.actuator_count(), 3);
  EXPECT_EQ(*scene.model.FindActuator("l.push"), 0);
  EXPECT_EQ(Coordinate(scene, "l.knee", 0), 0.1);
  EXPECT_EQ(Coordinate(scene, "l.root", 2), 3);
  EXPECT_EQ(scene.settings.step, 0.004);
  // The free one starts at its keyframe; the fixed one stands where the file has it.
  EXPECT_EQ(scene.model.joint(*scene.model.FindJoint("r.root")).type, JointType::kFixed);
  EXPECT_EQ(scene.model.joint(*scene.model.FindJoint("r.root")).X_PF.p, Vec3(0, -5, 2));
  bool has_note = false;
  for (const ImportNote& note : scene.notes) has_note |= note.element == "gravity";
  EXPECT_TRUE(has_note);
  Simulator simulator(scene.model, scene.settings, scene.initial);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
}

TEST_F(MjcfScene, ABaseThatIsNotThereIsAProblem) {
  std::ofstream(folder_ / "pole.xml") << "<mujoco><worldbody><body><joint type='hinge'/><geom "
                                         "size='1'/></body></worldbody></mujoco>";
  for (const char* base : {"fixed", "free"}) {
    try {
      Load(std::string("include: [{file: pole.xml, base: ") + base + "}]");
      ADD_FAILURE() << base;
    } catch (const InputError& error) {
      EXPECT_NE(
          std::string(error.what()).find("include[0].base: " + std::string(base) + ", but no"),
          std::string::npos)
          << error.what();
    }
  }
}

// The robots that others wrote: all that affects their motion is taken over.
TEST(MjcfModels, OfOthersLoadAndMoveWithNothingLeftOut) {
  if (!testing::HasReferenceData()) GTEST_SKIP() << "no reference data in " << VOIGT_TEST_DATA;
  for (const std::string& file : testing::ReferenceRobots()) {
    SCOPED_TRACE(file);
    const Scene scene = LoadScene(file);
    EXPECT_GT(scene.model.nv(), 0);
    for (const ImportNote& note : scene.notes) {
      EXPECT_NE(note.kind, ImportNote::Kind::kUnsupported) << note.ToString();
    }
    Simulator simulator(scene.model, scene.settings, scene.initial);
    for (int i = 0; i < 10; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  }
}

}  // namespace
}  // namespace voigt
