#include "voigt/io/mesh_file.h"

#include <gtest/gtest.h>

#include <clocale>
#include <filesystem>
#include <fstream>
#include <locale>
#include <set>

#include "tests/support/data.h"
#include "tests/support/mesh_check.h"
#include "tests/support/mesh_writers.h"
#include "tests/support/meshes.h"

namespace voigt {
namespace {

using testing::MakeBoxMesh;
using testing::MakeTetrahedron;
using testing::VolumeOf;

// Coordinates that are not floats.
TriangleMesh MakeCube() { return MakeBoxMesh({-0.1, 0.2, 1.0 / 3}, {0.7, 1.3, 2.1}); }
// Coordinates that are floats.
TriangleMesh MakeFloatCube() { return MakeBoxMesh({-0.5, 0.25, 1}, {0.75, 1.5, 2}); }

// Triangles as points, whatever their vertices are numbered.
std::multiset<std::array<double, 9>> PointsOf(const TriangleMesh& mesh) {
  std::multiset<std::array<double, 9>> out;
  for (const auto& t : mesh.triangles) {
    std::array<double, 9> best;
    for (int first = 0; first < 3; ++first) {
      std::array<double, 9> points;
      for (int k = 0; k < 9; ++k) points[k] = mesh.vertices[t[(first + k / 3) % 3]][k % 3];
      if (first == 0 || points < best) best = points;
    }
    out.insert(best);
  }
  return out;
}

std::string AllNotices(const MeshFile& file) {
  std::string text;
  for (const Problem& notice : file.notices) text += notice.ToString() + "\n";
  return text;
}

void ExpectSame(const MeshFile& file, const TriangleMesh& expected) {
  EXPECT_EQ(AllNotices(file), "");
  EXPECT_EQ(file.mesh.vertices.size(), expected.vertices.size());
  EXPECT_EQ(PointsOf(file.mesh), PointsOf(expected));
  EXPECT_EQ(DescribeSolidDefect(file.mesh).value_or(""), "");
}

TEST(MeshFile, StlTextGivesBackEveryBit) {
  for (const TriangleMesh& mesh : {MakeCube(), MakeTetrahedron()}) {
    for (const char* end : {"\n", "\r\n", "\r"}) {
      ExpectSame(ParseMesh(testing::WriteStlText(mesh, end), MeshFormat::kStl, "a.stl"), mesh);
    }
  }
}

TEST(MeshFile, StlTextTakesCapitalsPlusSignsAndSeveralSolids) {
  std::string text = testing::WriteStlText(MakeTetrahedron());
  for (char& c : text) c = static_cast<char>(std::toupper(c));
  const MeshFile file = ParseMesh(text, MeshFormat::kStl, "a.stl");
  EXPECT_EQ(PointsOf(file.mesh), PointsOf(MakeTetrahedron()));
  const MeshFile two = ParseMesh(text + testing::WriteStlText(MakeBoxMesh({3, 3, 3}, {4, 4, 4})),
                                 MeshFormat::kStl, "a.stl");
  EXPECT_EQ(two.mesh.triangles.size(), 16u);
  EXPECT_EQ(AllNotices(two), "a.stl: 2 solids are read as one mesh\n");
  const MeshFile obj =
      ParseMesh("v +1e+0 0 0\nv 0 +.5 0\nv 0 0 1.\nf 1 2 3", MeshFormat::kObj, "a.obj");
  EXPECT_EQ(obj.mesh.vertices[0], Vec3(1, 0, 0));
  EXPECT_EQ(obj.mesh.vertices[1], Vec3(0, 0.5, 0));
}

TEST(MeshFile, StlBinaryIsKnownByItsSizeNotItsFirstWord) {
  for (const TriangleMesh& mesh : {MakeFloatCube(), MakeTetrahedron()}) {
    for (const char* header : {"solid cube", "", "facet", "binary"}) {
      ExpectSame(ParseMesh(testing::WriteStlBinary(mesh, header), MeshFormat::kStl, "b.stl"), mesh);
    }
  }
}

TEST(MeshFile, NormalsAgainstTheWindingAndAttributesAreNotices) {
  std::string data = testing::WriteStlBinary(MakeTetrahedron());
  data[84 + 50 + 7] ^= static_cast<char>(0x80);  // y of the second normal (0, -1, 0)
  data[84 + 2 * 50 + 48] = 0x12;
  const MeshFile file = ParseMesh(data, MeshFormat::kStl, "b.stl");
  EXPECT_EQ(AllNotices(file),
            "b.stl: facet 1 at byte 134: its normal (0, 1, 0) points against the order of its "
            "corners, which decides what is outside\n"
            "b.stl: facet 2 at byte 184: its attribute 0x0012 (a colour, say) is not read\n");
  EXPECT_EQ(PointsOf(file.mesh), PointsOf(MakeTetrahedron()));
}

TEST(MeshFile, ZeroAndNegativeZeroAreOneVertex) {
  TriangleMesh mesh = MakeTetrahedron();
  std::string text = testing::WriteStlText(mesh);
  text.replace(text.rfind("vertex 0 0 0"), 12, "vertex -0 0 -0.0");
  EXPECT_EQ(ParseMesh(text, MeshFormat::kStl, "a.stl").mesh.vertices.size(), 4u);
}

TEST(MeshFile, ObjTakesEveryWayToWriteAFace) {
  const std::string vertices = testing::WriteObjVertices(MakeTetrahedron());
  const std::string rest = "vn 0 0 1\nvt 0 0\no name\ng a b\ns off\nmtllib x.mtl\nusemtl y\n";
  for (const char* faces :
       {"f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
        "f 1/1 3/1 2/1\nf 1//1 2//1 4//1\nf 2/1/1 3/1/1 4\n"
        "f 3 1 4",
        "f -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -2 -4 -1\n",
        "# all\r\nf 1 \\\r\n3 2 # first\r\nf 1 2 4\r\nf\\\r\n 2 3 4\r\n\r\nf 3 1 4\r\n"}) {
    SCOPED_TRACE(faces);
    ExpectSame(ParseMesh(vertices + rest + faces, MeshFormat::kObj, "c.obj"), MakeTetrahedron());
  }
  // Vertices may come after the faces that name them, with weights and colours.
  ExpectSame(ParseMesh("f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\nv 0 0 0\nv 1 0 0 1\n"
                       "v 0 1 0 .1 .2 .3\nv 0 0 1 1 .1 .2 .3\n",
                       MeshFormat::kObj, "c.obj"),
             MakeTetrahedron());
}

TEST(MeshFile, ByteOrderMarksAndCommentsAtWordsAreNoPartOfThem) {
  const TriangleMesh mesh = MakeTetrahedron();
  const std::string mark = "\xef\xbb\xbf";
  ExpectSame(ParseMesh(mark + testing::WriteStlText(mesh), MeshFormat::kStl, "a.stl"), mesh);
  ExpectSame(
      ParseMesh(mark + testing::WriteObjVertices(mesh) + "f 1 3 2#a\nf 1 2 4# b\nf 2 3 4\nf 3 1 4#",
                MeshFormat::kObj, "a.obj"),
      mesh);
}

TEST(MeshFile, ObjPolygonsCoverTheSameSolid) {
  // A cube of quadrilaterals, and a prism whose ends are an L.
  const TriangleMesh cube = MakeCube();
  const MeshFile quads =
      ParseMesh(testing::WriteObjVertices(cube) +
                    "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n",
                MeshFormat::kObj, "d.obj");
  ExpectSame(quads, cube);
  const MeshFile prism = ParseMesh(
      "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\n"
      "v 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 3 1\nv 0 3 1\n"
      "f 6 5 4 3 2 1\nf 9 10 11 12 7 8\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\n"
      "f 5 6 12 11\nf 6 1 7 12\n",
      MeshFormat::kObj, "e.obj");
  EXPECT_EQ(AllNotices(prism), "");
  EXPECT_EQ(DescribeSolidDefect(prism.mesh).value_or(""), "");
  EXPECT_EQ(prism.mesh.triangles.size(), 20u);
  EXPECT_DOUBLE_EQ(VolumeOf(prism.mesh), 4);
}

TEST(MeshFile, ObjJoinsVerticesOnlyWhereTheSurfaceIsOpenWithout) {
  // Every triangle with vertices of its own.
  const TriangleMesh cube = MakeCube();
  TriangleMesh loose;
  for (const auto& t : cube.triangles) {
    for (int corner : t) loose.vertices.push_back(cube.vertices[corner]);
    const int n = static_cast<int>(loose.vertices.size());
    loose.triangles.push_back({n - 3, n - 2, n - 1});
  }
  const MeshFile joined = ParseMesh(testing::WriteObj(loose), MeshFormat::kObj, "f.obj");
  EXPECT_EQ(joined.mesh.vertices.size(), 8u);
  EXPECT_EQ(PointsOf(joined.mesh), PointsOf(cube));
  EXPECT_EQ(AllNotices(joined),
            "f.obj: the surface is open, so 28 vertices at the same point as others were joined "
            "with them\n");
  // Two cubes that share an edge, told apart by their numbers.
  TriangleMesh pair = MakeBoxMesh({0, 0, 0}, {1, 1, 1});
  const TriangleMesh other = MakeBoxMesh({1, 1, 0}, {2, 2, 1});
  pair.vertices.insert(pair.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& t : other.triangles) pair.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  ExpectSame(ParseMesh(testing::WriteObj(pair), MeshFormat::kObj, "g.obj"), pair);
}

TEST(MeshFile, ScalesEachAxisAndKeepsOutsideOutside) {
  for (const Vec3& scale : {Vec3(1e-3, 2, 3), Vec3(-1, 1, 1), Vec3(-2, -1, 1), Vec3(-1, -1, -1)}) {
    const double expected = std::abs(scale.prod()) * 0.5 * 0.5 * 2;
    const TriangleMesh box = MakeBoxMesh({0, 0, 0}, {0.5, 0.5, 2});
    for (const MeshFile& file :
         {ParseMesh(testing::WriteStlText(box), MeshFormat::kStl, "a.stl", scale),
          ParseMesh(testing::WriteObj(box), MeshFormat::kObj, "a.obj", scale)}) {
      EXPECT_DOUBLE_EQ(VolumeOf(file.mesh), expected);
      EXPECT_EQ(AllNotices(file), "");
    }
  }
}

// Decimal commas, as in many countries.
class CommaPunctuation : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST(MeshFile, NumbersDoNotDependOnTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  const std::locale old(
      std::locale::global(std::locale(std::locale::classic(), new CommaPunctuation)));
  // Of the C library too, where one is installed.
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"}) {
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  }
  ExpectSame(ParseMesh(testing::WriteStlText(MakeCube()), MeshFormat::kStl, "a.stl"), MakeCube());
  ExpectSame(ParseMesh(testing::WriteObj(MakeCube()), MeshFormat::kObj, "a.obj"), MakeCube());
  std::locale::global(old);
  std::setlocale(LC_ALL, before.c_str());
}

TEST(MeshFile, LoadsByTheEndingOfItsName) {
  const std::filesystem::path folder = ::testing::TempDir();
  for (const auto& [name, data] :
       {std::pair<const char*, std::string>{"mesh_file_test.STL",
                                            testing::WriteStlBinary(MakeFloatCube())},
        {"mesh_file_test.obj", testing::WriteObj(MakeFloatCube())}}) {
    std::ofstream(folder / name, std::ios::binary) << data;
    ExpectSame(LoadMesh(folder / name), MakeFloatCube());
    std::filesystem::remove(folder / name);
  }
}

}  // namespace
}  // namespace voigt
