// Meshes from files and height fields in scenes.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/io/scene_problems.h"
#include "tests/support/test_folder.h"
#include "voigt/model/triangle_mesh.h"

namespace voigt {
namespace {

using testing::ExpectLines;
using testing::ToLines;

// A folder with a scene and the files that it names.
class SceneFolder {
 public:
  SceneFolder() : folder_(testing::NameTestFolder()) {
    std::filesystem::create_directories(folder_ / "parts");
  }
  ~SceneFolder() { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  Scene Load(const std::string& geometry) const {
    return LoadScene(Write("scene.yaml", "world: {geometry: [{" + geometry + "}]}\n"));
  }
  // Problems without the folder's name.
  std::vector<std::string> FindProblems(const std::string& geometry) const {
    try {
      Load(geometry);
    } catch (const InputError& error) {
      std::vector<std::string> lines = ToLines(error.problems());
      const std::string prefix = folder_.string() + "/";
      for (std::string& line : lines) {
        for (size_t at; (at = line.find(prefix)) != std::string::npos;)
          line.erase(at, prefix.size());
      }
      return lines;
    }
    return {};
  }

 private:
  std::filesystem::path folder_;
};

constexpr char kTetrahedron[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

template <typename ShapeType>
ShapeType FirstShape(const Scene& scene) {
  return std::get<ShapeType>(scene.model.geometry()[0].shape);
}

TEST(SceneMesh, IsReadFromAFileBesideTheScene) {
  const SceneFolder folder;
  folder.Write("parts/wedge.obj", kTetrahedron);
  const Scene scene = folder.Load("shape: mesh, file: parts/wedge.obj, scale: [1, 2, 3]");
  const auto mesh = FirstShape<TriangleMesh>(scene);
  ASSERT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.vertices[2], Vec3(0, 2, 0));
  EXPECT_EQ(mesh.vertices[3], Vec3(0, 0, 3));
  EXPECT_EQ(mesh.triangles.size(), 4u);
  EXPECT_TRUE(scene.notices.empty());
  const Scene scaled = folder.Load("shape: mesh, file: parts/wedge.obj, scale: 0.001");
  EXPECT_EQ(FirstShape<TriangleMesh>(scaled).vertices[1], Vec3(0.001, 0, 0));
}

TEST(SceneMesh, IsAHullOnlyWhereThatIsAskedFor) {
  const SceneFolder folder;
  folder.Write("wedge.obj", kTetrahedron);
  const auto hull =
      FirstShape<ConvexHull>(folder.Load("shape: mesh, file: wedge.obj, convex: true"));
  EXPECT_EQ(hull.points.size(), 4u);
  FirstShape<TriangleMesh>(folder.Load("shape: mesh, file: wedge.obj, convex: false"));
}

TEST(SceneMesh, TellsOnceWhatWasRepaired) {
  const SceneFolder folder;
  folder.Write("twice.obj", std::string(kTetrahedron) + "f 1 3 2\n");
  const Scene scene = LoadScene(folder.Write("scene.yaml",
                                             "world: {geometry: [{repeat: {i: 3}, shape: mesh, "
                                             "file: twice.obj, position: [\"${i}\", 0, 0]}]}"));
  EXPECT_EQ(scene.model.geometry().size(), 3u);
  ASSERT_EQ(scene.notices.size(), 1u);
  EXPECT_NE(scene.notices[0].find("twice.obj:9"), std::string::npos) << scene.notices[0];
}

// A unit cube whose faces have corners of their own, as programs that draw write them.
constexpr char kCubeOfFaces[] =
    "shape: mesh, vertices: [[0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 0], [1, 1, 0], "
    "[1, 1, 1], [1, 0, 1], [0, 0, 0], [0, 0, 1], [1, 0, 1], [1, 0, 0], [0, 1, 0], [0, 1, 1], "
    "[1, 1, 1], [1, 1, 0], [0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [-0.0, 0, 1], [1, 0, 1], "
    "[1, 1, 1], [0, 1, 1]], triangles: [[3, 2, 1], [3, 1, 0], [4, 5, 6], [4, 6, 7], [11, 10, 9], "
    "[11, 9, 8], [12, 13, 14], [12, 14, 15], [19, 18, 17], [19, 17, 16], [20, 21, 22], "
    "[20, 22, 23]";

TEST(SceneMesh, JoinsInlineVerticesOfOnePointAsThoseOfFiles) {
  const SceneFolder folder;
  const Scene scene = folder.Load(std::string(kCubeOfFaces) + "]");
  const auto mesh = FirstShape<TriangleMesh>(scene);
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_EQ(DescribeSolidDefect(mesh), std::nullopt);
  ASSERT_EQ(scene.notices.size(), 1u);
  EXPECT_NE(scene.notices[0].find("scene.yaml:1:20: world.geometry[0]: the surface is open, so 16 "
                                  "vertices at the same point as others were joined with them"),
            std::string::npos)
      << scene.notices[0];
  // With one triangle twice, three times over: told once each.
  const Scene repeated = folder.Load("repeat: {i: 3}, position: [\"${2 * i}\", 0, 0], " +
                                     std::string(kCubeOfFaces) + ", [1, 3, 2]]");
  EXPECT_EQ(repeated.model.geometry().size(), 3u);
  EXPECT_EQ(FirstShape<TriangleMesh>(repeated).triangles.size(), 12u);
  ASSERT_EQ(repeated.notices.size(), 2u);
  EXPECT_NE(repeated.notices[1].find("triangle 12: repeats triangle 0: left out"),
            std::string::npos)
      << repeated.notices[1];
}

TEST(SceneMesh, LeavesInlineMeshesAloneThatAreWhole) {
  const SceneFolder folder;
  // Two tetrahedra that touch at a corner: closed as they are, so the corner stays two.
  const Scene scene = folder.Load(
      "shape: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [-1, 0, 0], "
      "[0, -1, 0], [0, 0, 1]], triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3], [4, 6, 5], "
      "[4, 5, 7], [5, 6, 7], [6, 4, 7]]");
  EXPECT_EQ(FirstShape<TriangleMesh>(scene).vertices.size(), 8u);
  EXPECT_TRUE(scene.notices.empty());
}

TEST(SceneMesh, TellsOfRepeatedPointsOfHulls) {
  const SceneFolder folder;
  const std::string points =
      "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0], [0, -0.0, 0]]";
  const Scene hull = folder.Load("shape: hull, points: " + points);
  EXPECT_EQ(FirstShape<ConvexHull>(hull).points.size(), 4u);
  ASSERT_EQ(hull.notices.size(), 1u);
  EXPECT_NE(hull.notices[0].find("points: 2 of 6 points repeat others: left out"),
            std::string::npos)
      << hull.notices[0];
  const Scene mesh = folder.Load("shape: mesh, convex: true, vertices: " + points +
                                 ", triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]");
  EXPECT_EQ(FirstShape<ConvexHull>(mesh).points.size(), 4u);
  EXPECT_EQ(mesh.notices.size(), 1u);
}

// Two at one place would be one of twice the stiffness.
TEST(SceneShapes, TellsOfRepeatedContactPoints) {
  const SceneFolder folder;
  const Scene scene = folder.Load("shape: points, positions: [[0, 0, 0], [1, 0, 0], [0, 0, 0]]");
  const ContactPoints points = FirstShape<ContactPoints>(scene);
  ASSERT_EQ(points.positions.size(), 2u);
  EXPECT_EQ(points.positions[1], Vec3(1, 0, 0));
  ASSERT_EQ(scene.notices.size(), 1u);
  EXPECT_NE(scene.notices[0].find("positions: 1 of 3 points repeat others: left out"),
            std::string::npos)
      << scene.notices[0];
}

TEST(SceneMesh, SaysWhatIsWrong) {
  const SceneFolder folder;
  folder.Write("bad.obj", "v 0 0 zero\nf 1 2 3\n");
  ExpectLines(folder.FindProblems("shape: mesh, file: none.stl"),
              {{"scene.yaml:1:40: world.geometry[0].file: ", "'none.stl': no such mesh file"}});
  ExpectLines(folder.FindProblems("shape: mesh, file: part.step"),
              {{"scene.yaml:1:40: world.geometry[0].file: ",
                "'part.step': a mesh that ends in '.step', expected .stl or .obj"}});
  const auto bad = folder.FindProblems("shape: mesh, file: bad.obj");
  ASSERT_FALSE(bad.empty());
  EXPECT_NE(bad[0].find("bad.obj:1"), std::string::npos) << bad[0];
  EXPECT_NE(bad[0].find("'zero'"), std::string::npos) << bad[0];
  folder.Write("wedge.obj", kTetrahedron);
  ExpectLines(folder.FindProblems("shape: mesh, file: wedge.obj, scale: [1, 2]"),
              {{"scene.yaml:1", "a list of 2, expected one number or three"}});
  ExpectLines(folder.FindProblems("shape: mesh, file: wedge.obj, scale: 0"),
              {{"scene.yaml:1:40: world.geometry[0].file: ", "the scale of axis x is 0"}});
  ExpectLines(folder.FindProblems("shape: mesh, file: wedge.obj, vertices: [[0, 0, 0]]"),
              {{"scene.yaml:1", "given beside 'file'"}});
  ExpectLines(folder.FindProblems("shape: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "
                                  "triangles: [[0, 1, 2]], scale: 2"),
              {{"scene.yaml:1", "needs 'file' beside it"}});
}

TEST(SceneHeightField, IsReadFromRowsOrAFile) {
  const SceneFolder folder;
  folder.Write("hill.txt", "# a hill\n0 1 2  # first row\n\n3 4.5 -1e-1\n");
  const auto inline_field = FirstShape<HeightField>(
      folder.Load("shape: height-field, spacing: [0.5, 2], heights: [[0, 1, 2], [3, 4.5, -0.1]]"));
  const auto field =
      FirstShape<HeightField>(folder.Load("shape: height-field, spacing: 0.5, file: hill.txt"));
  EXPECT_EQ(inline_field.spacing, Vec2(0.5, 2));
  EXPECT_EQ(field.spacing, Vec2(0.5, 0.5));
  for (const HeightField& f : {inline_field, field}) {
    EXPECT_EQ(f.nx, 3);
    EXPECT_EQ(f.ny, 2);
    EXPECT_EQ(f.heights, (std::vector<double>{0, 1, 2, 3, 4.5, -0.1}));
  }
}

TEST(SceneHeightField, SaysWhatIsWrong) {
  const SceneFolder folder;
  folder.Write("uneven.txt", "0 1 2\n0 1\n");
  folder.Write("word.txt", "0 1\n0 high\n");
  folder.Write("empty.txt", "# nothing\n");
  const std::string field = "shape: height-field, spacing: 1, ";
  ExpectLines(folder.FindProblems(field + "file: uneven.txt"),
              {{"uneven.txt:2", "a row of 2 heights, expected 3 as in the first row"}});
  ExpectLines(folder.FindProblems(field + "file: word.txt"), {{"word.txt:2:3", "'high'"}});
  ExpectLines(folder.FindProblems(field + "file: empty.txt"),
              {{"empty.txt", "is empty, expected rows of heights"}});
  EXPECT_EQ(folder.FindProblems(field + "file: none.txt").size(), 1u);
  ExpectLines(folder.FindProblems(field + "heights: [[0, 1], [2, 3, 4]]"),
              {{"scene.yaml:1", "a row of 3 heights, expected 2"}});
  ExpectLines(folder.FindProblems(field + "heights: 3"),
              {{"scene.yaml:1", "expected a list of rows"}});
  ExpectLines(folder.FindProblems(field + "heights: [0, 1]"),
              {{"scene.yaml:1", "'0', expected a list of rows"},
               {"scene.yaml:1", "'1', expected a list of rows"}});
  ExpectLines(folder.FindProblems("shape: height-field, heights: [[0, 1], [2, 3]]"),
              {{"scene.yaml:1", "spacing"}});
  ExpectLines(folder.FindProblems("shape: height-field, spacing: -1, heights: [[0, 1], [2, 3]]"),
              {{"scene.yaml:1", "spacing x = -1, expected a positive length in m"}});
  ExpectLines(folder.FindProblems(field + "heights: [[0, 1]]"),
              {{"scene.yaml:1", "2 x 1 points, expected at least 2"}});
}

TEST(SceneHeightField, HasNoDensity) {
  ExpectLines(testing::FindProblems(
                  "bodies: [{name: b, geometry: [{shape: height-field, spacing: 1, density: 1, "
                  "heights: [[0, 1], [2, 3]]}]}]\njoints: [{name: j, type: free, child: b}]"),
              {{"s:1", "a height field has no bottom: it can have no density"}});
}

}  // namespace
}  // namespace voigt
