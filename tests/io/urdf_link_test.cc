// Links of URDF files: mass, shapes, what is only seen.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/io/robot_text.h"
#include "tests/support/test_folder.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

using testing::ReadRobot;

BodySpec ReadLink(const std::string& elements) {
  return ReadRobot("<link name='l'>" + elements + "</link>").spec.bodies.at(0);
}

TEST(UrdfLink, HasMassAboutItsCentreInTheLinksAxes) {
  const BodySpec body = ReadLink(
      "<inertial><origin xyz='1 2 3' rpy='0.1 0.2 0.3'/><mass value='2.5'/>"
      "<inertia ixx='1' ixy='0.01' ixz='0.02' iyy='1.2' iyz='0.03' izz='1.3'/></inertial>");
  EXPECT_EQ(body.mass_source, MassSource::kExplicit);
  EXPECT_EQ(body.mass.mass, 2.5);
  EXPECT_EQ(body.mass.com, Vec3(1, 2, 3));
  Mat3 I;
  I << 1, 0.01, 0.02, 0.01, 1.2, 0.03, 0.02, 0.03, 1.3;
  // Roll, pitch and yaw about fixed axes, one turn after the other.
  const Mat3 R = RotationAbout(Vec3::UnitZ(), 0.3) * RotationAbout(Vec3::UnitY(), 0.2) *
                 RotationAbout(Vec3::UnitX(), 0.1);
  EXPECT_LT((body.mass.inertia - R * I * R.transpose()).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(UrdfLink, MayBeMasslessOrAPoint) {
  const std::string zeros = "<inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/>";
  EXPECT_EQ(ReadLink("").mass_source, MassSource::kMassless);
  EXPECT_EQ(ReadLink("<inertial><mass value='0'/>" + zeros + "</inertial>").mass_source,
            MassSource::kMassless);
  const BodySpec point =
      ReadLink("<inertial><origin xyz='0 0 1'/><mass value='3'/>" + zeros + "</inertial>");
  EXPECT_EQ(point.mass_source, MassSource::kPoint);
  EXPECT_EQ(point.mass.mass, 3);
  EXPECT_EQ(point.mass.com, Vec3(0, 0, 1));
}

TEST(UrdfLink, TouchesByItsCollisionShapes) {
  const BodySpec body = ReadLink(
      "<collision name='c'><origin xyz='1 0 0' rpy='0 0 1.5'/>"
      "<geometry><box size='1 2 3'/></geometry></collision>"
      "<collision><geometry><sphere radius='0.5'/></geometry></collision>"
      "<collision><geometry><cylinder radius='0.1' length='2'/></geometry></collision>"
      "<collision><geometry><capsule radius='0.2' length='4'/></geometry></collision>");
  ASSERT_EQ(body.geometry.size(), 4u);
  EXPECT_EQ(body.geometry[0].name, "c");
  EXPECT_EQ(std::get<Box>(body.geometry[0].shape).size, Vec3(1, 2, 3));
  EXPECT_EQ(body.geometry[0].X_BG.p, Vec3(1, 0, 0));
  EXPECT_EQ(body.geometry[0].X_BG.R, RotationFromRollPitchYaw({0, 0, 1.5}));
  EXPECT_EQ(std::get<Sphere>(body.geometry[1].shape).radius, 0.5);
  EXPECT_EQ(std::get<Cylinder>(body.geometry[2].shape).radius, 0.1);
  EXPECT_EQ(std::get<Cylinder>(body.geometry[2].shape).length, 2);
  EXPECT_EQ(std::get<Capsule>(body.geometry[3].shape).length, 4);
}

TEST(UrdfLink, NotesWhatIsOnlySeen) {
  const std::string box = "<geometry><box size='1 1 1'/></geometry>";
  const std::string ball = "<geometry><sphere radius='1'/></geometry>";
  // Shown where it touches: nothing is lost.
  EXPECT_TRUE(ReadRobot("<link name='l'><visual>" + box +
                        "<material name='red'/></visual><collision>" + box + "</collision></link>")
                  .notes.empty());
  const auto notes = ReadRobot("<link name='l'>\n<visual name='v'>" + ball +
                               "</visual>\n<collision>" + box + "</collision></link>")
                         .notes;
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].ToString(),
            "r.urdf:3:2: link 'l': visual 'v': ignored: is seen only: the link touches by other "
            "shapes");
  const auto moved = ReadRobot("<link name='l'><visual><origin xyz='1 0 0'/>" + box +
                               "</visual><collision>" + box + "</collision></link>");
  EXPECT_EQ(moved.notes.size(), 1u);
  const auto alone = ReadRobot("<link name='l'><visual>" + box + "</visual></link>");
  ASSERT_EQ(alone.notes.size(), 1u);
  EXPECT_EQ(alone.notes[0].consequence, "is seen only: the link touches nothing");
  EXPECT_TRUE(alone.spec.bodies[0].geometry.empty());
}

class UrdfMesh : public ::testing::Test {
 protected:
  UrdfMesh() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "bot/meshes");
    std::ofstream(folder_ / "bot/meshes/tetra.obj")
        << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  }
  ~UrdfMesh() override { std::filesystem::remove_all(folder_); }

  // A robot in bot/urdf with one mesh.
  ImportedModel Load(const std::string& attributes, const UrdfOptions& options = {}) const {
    return ParseUrdf(testing::RobotText("<link name='l'><collision><geometry><mesh " + attributes +
                                        "/></geometry></collision></link>\n"),
                     (folder_ / "bot/urdf/r.urdf").string(), options);
  }

  std::filesystem::path folder_ = testing::NameTestFolder();
};

TEST_F(UrdfMesh, StaysAMeshAndIsScaled) {
  for (const std::string& name :
       {std::string("../meshes/tetra.obj"), std::string("package://bot/meshes/tetra.obj"),
        std::string("model://bot/meshes/tetra.obj"),
        "file://" + (folder_ / "bot/meshes/tetra.obj").string()}) {
    SCOPED_TRACE(name);
    const ImportedModel model = Load("filename='" + name + "' scale='2 3 4'");
    const auto& mesh = std::get<TriangleMesh>(model.spec.bodies[0].geometry.at(0).shape);
    ASSERT_EQ(mesh.vertices.size(), 4u);
    EXPECT_EQ(mesh.triangles.size(), 4u);
    EXPECT_EQ(mesh.vertices[1], Vec3(2, 0, 0));
    EXPECT_EQ(mesh.vertices[3], Vec3(0, 0, 4));
    EXPECT_TRUE(model.notes.empty());
  }
}

TEST_F(UrdfMesh, IsLookedForInPackages) {
  std::filesystem::create_directories(folder_ / "ws/src");
  std::filesystem::rename(folder_ / "bot", folder_ / "ws/src/bot");
  EXPECT_THROW(Load("filename='package://bot/meshes/tetra.obj'"), InputError);
  for (const char* packages : {"ws/src", "ws/src/bot", "ws/src/"}) {
    EXPECT_NO_THROW(Load("filename='package://bot/meshes/tetra.obj'", {{folder_ / packages}}));
  }
}

TEST_F(UrdfMesh, IsLookedForInTheEnvironment) {
  std::filesystem::create_directories(folder_ / "ws/src");
  std::filesystem::rename(folder_ / "bot", folder_ / "ws/src/bot");
  const std::string path = "/no/such/folder::" + (folder_ / "ws/src").string();
  setenv("ROS_PACKAGE_PATH", path.c_str(), 1);
  EXPECT_NO_THROW(Load("filename='package://bot/meshes/tetra.obj'"));
  unsetenv("ROS_PACKAGE_PATH");
  EXPECT_THROW(Load("filename='package://bot/meshes/tetra.obj'"), InputError);
}

TEST_F(UrdfMesh, ThatIsMissingIsAProblemWithThePlacesLookedAt) {
  try {
    Load("filename='package://bot/meshes/none.stl'");
    FAIL();
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 1u);
    const std::string text = error.problems()[0].ToString();
    EXPECT_NE(text.find("r.urdf:2:43: mesh.filename: 'package://bot/meshes/none.stl' is not found, "
                        "at:"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find((folder_ / "bot/meshes/none.stl").string()), std::string::npos) << text;
  }
}

TEST_F(UrdfMesh, OfAnotherFormatIsNotedAndLeftOut) {
  const ImportedModel model = Load("filename='../meshes/tetra.dae'");
  EXPECT_TRUE(model.spec.bodies[0].geometry.empty());
  ASSERT_EQ(model.notes.size(), 1u);
  EXPECT_EQ(model.notes[0].kind, ImportNote::Kind::kUnsupported);
}

TEST_F(UrdfMesh, ThatIsBrokenIsReportedWithItsOwnLines) {
  std::ofstream(folder_ / "bot/meshes/bad.obj") << "v 0 0\n";
  try {
    Load("filename='../meshes/bad.obj'");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(error.problems()[0].ToString().find("bad.obj:1:"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace voigt
