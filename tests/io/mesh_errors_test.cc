#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/mesh_check.h"
#include "tests/support/mesh_writers.h"
#include "tests/support/meshes.h"
#include "voigt/io/mesh_file.h"

namespace voigt {
namespace {

using testing::MakeTetrahedron;

std::string ProblemsOf(std::string_view data, MeshFormat format, const Vec3& scale = Vec3::Ones()) {
  try {
    ParseMesh(data, format, "m", scale);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string NoticesOf(const MeshFile& file) {
  std::string text;
  for (const Problem& notice : file.notices) text += notice.ToString() + "\n";
  return text;
}

const char kCorners[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";

TEST(MeshErrors, FilesThatAreNone) {
  const std::filesystem::path folder = ::testing::TempDir();
  const auto problem = [](const std::filesystem::path& path) -> std::string {
    try {
      LoadMesh(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(problem("a/none.stl"), "a/none.stl: no such mesh file");
  EXPECT_EQ(problem("a.dae"), "a.dae: a mesh that ends in '.dae', expected .stl or .obj");
  std::filesystem::create_directory(folder / "mesh_errors.obj");
  EXPECT_EQ(problem(folder / "mesh_errors.obj"),
            (folder / "mesh_errors.obj").string() + ": is not a file, expected a mesh");
  std::filesystem::remove(folder / "mesh_errors.obj");
  std::ofstream(folder / "mesh_empty.stl");
  EXPECT_EQ(problem(folder / "mesh_empty.stl"),
            (folder / "mesh_empty.stl").string() +
                ": has 0 bytes and begins with '', expected an STL: a text that begins with "
                "'solid', or 84 bytes and 50 more per facet");
  std::filesystem::remove(folder / "mesh_empty.stl");
}

TEST(MeshErrors, ScaleAndCoordinatesOutOfRange) {
  const std::string mesh = std::string(kCorners) + "f 1 2 3";
  EXPECT_EQ(ProblemsOf(mesh, MeshFormat::kObj, {1, 0, 1}),
            "m: the scale of axis y is 0, expected a finite number, not zero");
  EXPECT_EQ(ProblemsOf(mesh, MeshFormat::kObj, {1, 1, kNaN}),
            "m: the scale of axis z is nan, expected a finite number, not zero");
  EXPECT_EQ(ProblemsOf(mesh, MeshFormat::kObj, {1e60, 1, 1}),
            "m:2:1: x = 1 of a vertex, expected a number of at most 1e+50 when scaled");
  // Tiny and huge meshes are none the worse for their size.
  for (double size : {1e-200, 1e-30, 1e45}) {
    EXPECT_EQ(ParseMesh(mesh, MeshFormat::kObj, "m", Vec3::Constant(size)).mesh.triangles.size(),
              1u);
  }
}

TEST(MeshErrors, BinaryStlThatEndsEarlyOrLies) {
  const std::string good = testing::WriteStlBinary(MakeTetrahedron());
  EXPECT_EQ(ProblemsOf(good.substr(0, 200), MeshFormat::kStl),
            "m: byte 80 announces 4 facets, which take 284 bytes, but the file has 200");
  EXPECT_EQ(ProblemsOf(good + std::string(50, '\1'), MeshFormat::kStl),
            "m: byte 80 announces 4 facets, which take 284 bytes, but the file has 334");
  std::string absurd = good;
  absurd.replace(80, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(ProblemsOf(absurd, MeshFormat::kStl),
            "m: byte 80 announces 4294967295 facets, which take 214748364834 bytes, but the file "
            "has 284");
  EXPECT_EQ(ProblemsOf(testing::WriteStlBinary({}), MeshFormat::kStl),
            "m: has no triangles with an area, expected at least one");
  const MeshFile padded = ParseMesh(good + "\n", MeshFormat::kStl, "m");
  EXPECT_EQ(NoticesOf(padded),
            "m: byte 80 announces 4 facets, which take 284 bytes, but the file has 285: the rest "
            "is not read\n");
  EXPECT_EQ(padded.mesh.triangles.size(), 4u);
  std::string infinite = good;
  infinite.replace(84 + 50 + 12, 4, std::string("\0\0\x80\x7f", 4));
  EXPECT_EQ(ProblemsOf(infinite, MeshFormat::kStl),
            "m: facet 1 at byte 134: corner 0 is (inf, 0, 0), expected finite numbers");
}

TEST(MeshErrors, StlTextNamesLineAndFacet) {
  const std::string good = testing::WriteStlText(MakeTetrahedron());
  const auto with = [&](const std::string& what, const std::string& by) {
    std::string text = good;
    text.replace(text.find(what), what.size(), by);
    return ProblemsOf(text, MeshFormat::kStl);
  };
  EXPECT_EQ(with("vertex 0 1 0", "vertex 0 1,5 0"),
            "m:5:16: facet 0: '1,5', expected a number such as -1.5e-3");
  EXPECT_EQ(with("vertex 0 1 0", "vertex 0 nan -inf"),
            "m:5:16: facet 0: 'nan', expected a finite number\n"
            "m:5:20: facet 0: '-inf', expected a finite number");
  EXPECT_EQ(with("vertex 0 1 0", "vertex 0 1e999 0"),
            "m:5:16: facet 0: '1e999' is beyond double precision");
  EXPECT_EQ(with("vertex 0 1 0", "vertex 0 1"),
            "m:5:7: facet 0: 2 numbers after 'vertex', expected 3");
  EXPECT_EQ(with("facet normal", "facet normal 1"),
            "m:2:3: facet 0: 4 numbers after 'facet', expected 3");
  EXPECT_EQ(with("outer loop", "outer  ring"),
            "m:3:5: facet 0: 'outer  ring', expected 'outer loop'");
  EXPECT_EQ(with("endloop", "vertex 1 1 1"), "m:7:5: facet 0: 'vertex 1 1 1', expected 'endloop'");
  EXPECT_EQ(with("vertex 0 1 0", "endloop"),
            "m:5:7: facet 0: 'endloop', expected 'vertex', three times");
  EXPECT_EQ(with("endfacet", "endfacets"), "m:8:3: facet 0: 'endfacets', expected 'endfacet'");
  EXPECT_EQ(with("endsolid a name", "end"), "m:30:1: 'end', expected 'facet normal' or 'endsolid'");
  EXPECT_EQ(ProblemsOf(good + "more\x01", MeshFormat::kStl),
            "m:31:1: 'more\\x01', expected 'solid'");
  EXPECT_EQ(ProblemsOf(good.substr(0, good.find("endloop")), MeshFormat::kStl),
            "m:7:5: the file ends after 0 whole facets, expected 'endloop'");
  EXPECT_EQ(ProblemsOf(good.substr(0, good.find("endsolid")), MeshFormat::kStl),
            "m:30:1: the file ends after 4 whole facets, expected 'facet normal' or 'endsolid'");
  EXPECT_EQ(ProblemsOf("solid\nendsolid", MeshFormat::kStl),
            "m: has no triangles with an area, expected at least one");
}

TEST(MeshErrors, NormalsThatAreNoNumberDoNotMatter) {
  std::string text = testing::WriteStlText(MakeTetrahedron());
  const size_t at = text.find("normal ");
  text.replace(at, text.find('\n', at) - at, "normal -nan nan inf");
  const MeshFile file = ParseMesh(text, MeshFormat::kStl, "m");
  EXPECT_EQ(NoticesOf(file),
            "m:2:3: facet 0: its normal (nan, nan, nan) is not finite; it is not needed\n");
  EXPECT_EQ(file.mesh.triangles.size(), 4u);
}

TEST(MeshErrors, ObjFacesAndVertices) {
  const auto with = [](const std::string& line) {
    return ProblemsOf(kCorners + line + "\n", MeshFormat::kObj);
  };
  const std::string form = ", expected vertex numbers other than 0 as in 7, 7/2, 7//3 or 7/2/3";
  EXPECT_EQ(with("f 1 2 5"), "m:5:7: vertex 5, expected 1 to 4, the number of vertices");
  EXPECT_EQ(with("f 1 2 -5"), "m:5:7: vertex -5, but there are only 4 before this line");
  EXPECT_EQ(with("f 1 2 -2147483648"),
            "m:5:7: vertex -2147483648, but there are only 4 before this line");
  for (const char* corner : {"0", "1/", "1/0", "1//", "/1", "1/2/3/4", "1.5", "x", "99999999999"}) {
    EXPECT_EQ(with(std::string("f 1 2 ") + corner), "m:5:7: '" + std::string(corner) + "'" + form);
  }
  EXPECT_EQ(with("f 1 2"), "m:5:1: a face of 2 corners, expected at least 3");
  EXPECT_EQ(with("v 1 2\nf 1 2 3"),
            "m:5:1: 2 numbers after 'v', expected 3, 4 with a weight, or 3 more with a colour");
  EXPECT_EQ(with("v 1 2 inf\nf 1 2 5"), "m:5:7: 'inf', expected a finite number");
  EXPECT_EQ(with("f 1 2 4 3 1 3"),
            "m:5:1: a face of 6 corners: the border of the polygon crosses itself");
  EXPECT_EQ(with(""), "m: has no triangles with an area, expected at least one");
}

TEST(MeshErrors, ObjNoticesWhatItPassesOver) {
  const MeshFile file =
      ParseMesh(std::string(kCorners) + "v 1 1 0.5 2\nl 1 2\nf 1 2 5 3\nf 1 1 2 4\nvp 0.1\n",
                MeshFormat::kObj, "m");
  EXPECT_EQ(NoticesOf(file),
            "m:5:11: the weight '2' of a vertex is not read, faces have no use for it\n"
            "m:6:1: 'l' is not read, only vertices (v) and faces (f) are\n"
            "m:9:1: 'vp' is not read, only vertices (v) and faces (f) are\n"
            "m:7:1: the corners of the face leave their plane by 0.236 of its extent, expected at "
            "most 0.001: how it is cut decides its shape\n"
            "m:8:1: 1 corners of the face repeat the one before: left out\n");
  EXPECT_EQ(file.mesh.triangles.size(), 3u);
}

TEST(MeshErrors, SlipsThatRepeatAreCounted) {
  std::string text = kCorners;
  for (int i = 0; i < 1000; ++i) text += "f 1 2 9\n";
  const std::string problems = ProblemsOf(text, MeshFormat::kObj);
  EXPECT_EQ(std::count(problems.begin(), problems.end(), '\n'), 2);
  EXPECT_TRUE(
      problems.ends_with("m:7:7: vertex 9, expected 1 to 4, the number of vertices, and 997 "
                         "more like it"))
      << problems;
}

TEST(MeshErrors, DuplicatesAndRepeatedCornersAreLeftOut) {
  const MeshFile file = ParseMesh(std::string(kCorners) +
                                      "v 9 9 9\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
                                      "f 4 2 3\nf 4 3 2\nf 2 2 3\n",
                                  MeshFormat::kObj, "m");
  EXPECT_EQ(file.mesh.triangles.size(), 5u);
  EXPECT_EQ(file.mesh.vertices.size(), 4u);
  EXPECT_EQ(NoticesOf(file),
            "m:12:1: two corners are at one point (1, 0, 0): left out, it has no area\n"
            "m:10:1: repeats the triangle of line 8: left out\n"
            "m:11:1: is the triangle of line 8 seen from behind: the surface has two sides and "
            "nothing between "
            "them there\n"
            "m: 1 of 5 vertices belong to no triangle: left out\n");
}

}  // namespace
}  // namespace voigt
