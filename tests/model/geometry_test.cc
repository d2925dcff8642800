#include "voigt/model/geometry.h"

#include <gtest/gtest.h>

namespace voigt {
namespace {

// The defect as text, "" for a good shape.
std::string ShapeDefect(const Shape& shape) { return DescribeShapeDefect(shape).value_or(""); }

void ExpectShapeDefect(const Shape& shape, const std::string& part) {
  EXPECT_NE(ShapeDefect(shape).find(part), std::string::npos)
      << ShapeName(shape) << ": '" << ShapeDefect(shape) << "' does not mention '" << part << "'";
}

std::vector<Vec3> Tetrahedron() { return {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; }

TEST(Geometry, NamesShapes) {
  EXPECT_EQ(ShapeName(Sphere{}), "sphere");
  EXPECT_EQ(ShapeName(Box{}), "box");
  EXPECT_EQ(ShapeName(Capsule{}), "capsule");
  EXPECT_EQ(ShapeName(Cylinder{}), "cylinder");
  EXPECT_EQ(ShapeName(Ellipsoid{}), "ellipsoid");
  EXPECT_EQ(ShapeName(HalfSpace{}), "half-space");
  EXPECT_EQ(ShapeName(ConvexHull{}), "hull");
  EXPECT_EQ(ShapeName(TriangleMesh{}), "mesh");
  EXPECT_EQ(ShapeName(ContactPoints{}), "points");
  EXPECT_EQ(ShapeName(Foundation{}), "foundation");
  EXPECT_EQ(ShapeName(HeightField{}), "height field");
}

TEST(Geometry, AcceptsGoodShapes) {
  EXPECT_EQ(ShapeDefect(Sphere{0.1}), "");
  EXPECT_EQ(ShapeDefect(Box{{1, 2, 3}}), "");
  EXPECT_EQ(ShapeDefect(Capsule{0.1, 1}), "");
  EXPECT_EQ(ShapeDefect(Cylinder{0.1, 1}), "");
  EXPECT_EQ(ShapeDefect(Ellipsoid{{1, 2, 3}}), "");
  EXPECT_EQ(ShapeDefect(HalfSpace{}), "");
  EXPECT_EQ(ShapeDefect(ConvexHull{Tetrahedron()}), "");
  EXPECT_EQ(ShapeDefect(TriangleMesh{Tetrahedron(), {{0, 1, 2}}}), "");
}

HeightField Field(int nx, int ny, std::vector<double> heights) {
  return {nx, ny, {0.5, 2}, std::move(heights)};
}

TEST(Geometry, ChecksHeightFields) {
  EXPECT_EQ(ShapeDefect(Field(2, 3, {1, 2, 3, 4, 5, 6})), "");
  ExpectShapeDefect(Field(1, 3, {1, 2, 3}), "1 x 3 points, expected at least 2");
  ExpectShapeDefect(HeightField{}, "0 x 0 points");
  ExpectShapeDefect(Field(600, 600, {}),
                    "600 x 600 points, expected at least 2 along x and y and at most");
  ExpectShapeDefect(Field(2, 2, {1, 2, 3}), "3 heights, expected 2 x 2");
  ExpectShapeDefect(Field(2, 2, {1, 2, 3, kInfinity}), "height 1 of row 1 is not finite");
  HeightField flat = Field(2, 2, {1, 1, 1, 1});
  flat.spacing[1] = 0;
  ExpectShapeDefect(flat, "spacing y = 0, expected a positive length");
}

TEST(Geometry, AHeightFieldIsAGridOfTriangles) {
  const HeightField field = Field(3, 2, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(GridPoint(field, 0, 0), Vec3(-0.5, -1, 1));
  EXPECT_EQ(GridPoint(field, 2, 1), Vec3(0.5, 1, 6));
  const TriangleMesh mesh = MakeMesh(field);
  ASSERT_EQ(mesh.vertices.size(), 6u);
  EXPECT_EQ(mesh.vertices[4], GridPoint(field, 1, 1));
  const std::vector<std::array<int, 3>> expected = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
  EXPECT_EQ(mesh.triangles, expected);
}

Foundation Layer() {
  Foundation layer;
  layer.size = {1, 2};
  layer.nx = 3;
  layer.ny = 4;
  layer.depth = 0.1;
  return layer;
}

template <typename Change>
Foundation Changed(Foundation layer, Change change) {
  change(&layer);
  return layer;
}

TEST(Geometry, ChecksPoints) {
  EXPECT_EQ(ShapeDefect(ContactPoints{{{1, 2, 3}}}), "");
  ExpectShapeDefect(ContactPoints{}, "has no points");
  ExpectShapeDefect(ContactPoints{{{0, 0, 0}, {0, kNaN, 0}}}, "point 1 is not finite");
}

TEST(Geometry, ChecksFoundations) {
  EXPECT_EQ(ShapeDefect(Layer()), "");
  for (double bad : {0.0, -1.0, kNaN, kInfinity}) {
    ExpectShapeDefect(Changed(Layer(), [&](Foundation* f) { f->size[0] = bad; }), "size x = ");
    ExpectShapeDefect(Changed(Layer(), [&](Foundation* f) { f->size[1] = bad; }), "size y = ");
    ExpectShapeDefect(Changed(Layer(), [&](Foundation* f) { f->depth = bad; }), "depth = ");
    ExpectShapeDefect(Changed(Layer(),
                              [&](Foundation* f) {
                                f->depth.reset();
                                f->stiffness = bad;
                              }),
                      "stiffness = ");
  }
  for (double bad : {-1.0, kNaN, kInfinity}) {
    ExpectShapeDefect(Changed(Layer(), [&](Foundation* f) { f->damping = bad; }), "damping = ");
  }
  for (int bad : {0, -1, 1 << 20}) {
    ExpectShapeDefect(Changed(Layer(), [&](Foundation* f) { f->nx = bad; }),
                      " x 4 elements, expected");
  }
  ExpectShapeDefect(Changed(Layer(), [&](Foundation* f) { f->stiffness = 1; }), "one of depth and");
  ExpectShapeDefect(Changed(Layer(), [&](Foundation* f) { f->depth.reset(); }), "one of depth and");
}

TEST(Geometry, RefusesLengthsThatAreNotPositive) {
  for (double bad : {0.0, -1.0, kNaN, kInfinity, -kInfinity}) {
    ExpectShapeDefect(Sphere{bad}, "radius = ");
    ExpectShapeDefect(Capsule{bad, 1}, "radius = ");
    ExpectShapeDefect(Capsule{1, bad}, "length = ");
    ExpectShapeDefect(Cylinder{bad, 1}, "radius = ");
    ExpectShapeDefect(Cylinder{1, bad}, "length = ");
    ExpectShapeDefect(Box{{bad, 1, 1}}, "size x = ");
    ExpectShapeDefect(Box{{1, bad, 1}}, "size y = ");
    ExpectShapeDefect(Box{{1, 1, bad}}, "size z = ");
    ExpectShapeDefect(Ellipsoid{{bad, 1, 1}}, "radius x = ");
    ExpectShapeDefect(Ellipsoid{{1, bad, 1}}, "radius y = ");
    ExpectShapeDefect(Ellipsoid{{1, 1, bad}}, "radius z = ");
  }
}

TEST(Geometry, SaysWhatWasFoundAndWhatWasExpected) {
  ExpectShapeDefect(Sphere{-1}, "radius = -1, expected a positive length");
}

TEST(Geometry, RefusesShapesLeftAtTheirDefaults) {
  EXPECT_NE(ShapeDefect(Sphere{}), "");
  EXPECT_NE(ShapeDefect(Box{}), "");
  EXPECT_NE(ShapeDefect(Capsule{}), "");
  EXPECT_NE(ShapeDefect(Cylinder{}), "");
  EXPECT_NE(ShapeDefect(Ellipsoid{}), "");
  EXPECT_NE(ShapeDefect(ConvexHull{}), "");
  EXPECT_NE(ShapeDefect(TriangleMesh{}), "");
}

TEST(Geometry, RefusesHullsWithoutVolume) {
  ExpectShapeDefect(ConvexHull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}, "plane");
  ExpectShapeDefect(ConvexHull{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, "3 points");
}

TEST(Geometry, AcceptsOpenMeshesButNoBrokenOnes) {
  EXPECT_EQ(ShapeDefect(TriangleMesh{Tetrahedron(), {{0, 1, 2}, {0, 2, 3}}}), "");
  ExpectShapeDefect(TriangleMesh{Tetrahedron(), {{0, 1, 4}}}, "vertex 4");
  ExpectShapeDefect(TriangleMesh{Tetrahedron(), {{0, 1, 1}}}, "twice");
  ExpectShapeDefect(TriangleMesh{Tetrahedron(), {}}, "no triangles");
}

}  // namespace
}  // namespace voigt
