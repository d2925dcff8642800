// Elements of elastic layers: together they are the surface, by its area, its volume and its
// moments.

#include "voigt/model/surface_elements.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/meshes.h"

namespace voigt {
namespace {

struct SurfaceCase {
  const char* name;
  Shape shape;
  double area, volume;
};

std::vector<SurfaceCase> ExactCases() {
  const Vec3 size(0.3, 0.5, 0.2);
  const double box_area = 2 * (0.15 + 0.1 + 0.06), box_volume = 0.03;
  const TriangleMesh mesh = testing::MakeBoxMesh(-0.5 * size, 0.5 * size);
  return {
      {"box", Box{size}, box_area, box_volume},
      {"sphere", Sphere{0.2}, 4 * kPi * 0.04, 4 * kPi / 3 * 0.008},
      {"cylinder", Cylinder{0.2, 0.5}, 2 * kPi * 0.2 * 0.7, kPi * 0.04 * 0.5},
      {"capsule", Capsule{0.2, 0.5}, 2 * kPi * 0.2 * 0.9, kPi * 0.04 * (0.5 + 0.8 / 3)},
      {"hull", ConvexHull{mesh.vertices}, box_area, box_volume},
      {"mesh", mesh, box_area, box_volume},
  };
}

ElasticLayer LayerOfSize(double resolution) {
  ElasticLayer layer;
  layer.resolution = resolution;
  layer.stiffness = 1;
  return layer;
}

ElasticLayer LayerOfCount(int elements) {
  ElasticLayer layer;
  layer.elements = elements;
  layer.stiffness = 1;
  return layer;
}

// Σ f(element).
template <typename Value>
double SumOver(const std::vector<SurfaceElement>& elements, const Value& value) {
  double sum = 0;
  for (const SurfaceElement& element : elements) sum += value(element);
  return sum;
}

double SumOfAreas(const std::vector<SurfaceElement>& elements) {
  return SumOver(elements, [](const SurfaceElement& e) { return e.area; });
}

TEST(SurfaceElements, HaveTheAreaAndTheVolumeOfTheShape) {
  for (const SurfaceCase& c : ExactCases()) {
    SCOPED_TRACE(c.name);
    for (double resolution : {1.0, 0.1, 0.023}) {
      const auto elements = LayElements(c.shape, LayerOfSize(resolution));
      EXPECT_NEAR(SumOfAreas(elements), c.area, 1e-12 * c.area);
      // By the divergence theorem: ∫ x · n dA = 3 V, and ∫ n dA = 0.
      const double volume =
          SumOver(elements, [](const SurfaceElement& e) { return e.area * e.p.dot(e.n) / 3; });
      EXPECT_NEAR(volume, c.volume, 1e-12);
      Vec3 closed = Vec3::Zero();
      for (const SurfaceElement& e : elements) {
        closed += e.area * e.n;
        EXPECT_NEAR(e.n.norm(), 1, 1e-15);
      }
      EXPECT_LT(closed.norm(), 1e-14);
    }
  }
}

TEST(SurfaceElements, AreNoLargerThanAskedFor) {
  for (const SurfaceCase& c : ExactCases()) {
    SCOPED_TRACE(c.name);
    for (double resolution : {0.1, 0.023}) {
      for (const SurfaceElement& e : LayElements(c.shape, LayerOfSize(resolution))) {
        EXPECT_LE(e.area, resolution * resolution * (1 + 1e-9));
      }
    }
  }
}

TEST(SurfaceElements, AreAsManyAsAskedForAndFewMore) {
  std::vector<SurfaceCase> cases = ExactCases();
  cases.push_back({"ellipsoid", Ellipsoid{{0.1, 0.2, 0.3}}, 0, 0});
  for (const SurfaceCase& c : cases) {
    SCOPED_TRACE(c.name);
    for (int count : {1, 100, 900, 5000}) {
      const size_t found = LayElements(c.shape, LayerOfCount(count)).size();
      EXPECT_GE(found, static_cast<size_t>(count));
      if (count >= 100) {
        EXPECT_LT(found, 1.5 * count);
      }
    }
  }
  EXPECT_EQ(LayElements(Box{Vec3::Ones()}, LayerOfCount(6 * 15 * 15)).size(), 6u * 15 * 15);
}

TEST(SurfaceElements, AreaOfAnEllipsoidConvergesWithTheSecondOrder) {
  const double a = 0.3, c = 0.2, e = std::sqrt(1 - c * c / (a * a));
  const double area = 2 * kPi * a * a * (1 + (1 - e * e) / e * std::atanh(e));
  double last = 0;
  for (double resolution : {0.04, 0.02, 0.01}) {
    const auto elements = LayElements(Ellipsoid{{a, a, c}}, LayerOfSize(resolution));
    const double error = std::abs(SumOfAreas(elements) - area);
    EXPECT_LT(error, 0.3 * resolution * resolution);
    if (last > 0) {
      EXPECT_NEAR(last / error, 4, 0.5);
    }
    last = error;
  }
}

TEST(SurfaceElements, SecondMomentsConvergeWithTheSecondOrder) {
  const double r = 0.2, l = 0.5;
  const std::vector<std::pair<Shape, double>> moments = {
      {Sphere{r}, 4 * kPi * std::pow(r, 4) / 3},
      {Cylinder{r, l}, kPi * std::pow(r, 3) * l + 2 * kPi * std::pow(r, 4) / 4}};
  for (const auto& [shape, moment] : moments) {
    double last = 0;
    for (double resolution : {0.02, 0.005}) {
      const double found =
          SumOver(LayElements(shape, LayerOfSize(resolution)),
                  [](const SurfaceElement& e) { return e.area * e.p[0] * e.p[0]; });
      const double error = std::abs(found - moment);
      EXPECT_LT(error, 10 * resolution * resolution * moment / (r * r));
      if (last > 0) {
        EXPECT_GT(last / error, 10);
      }
      last = error;
    }
  }
}

TEST(SurfaceElements, ThinTrianglesAreNotCutAcross) {
  // A rod of 1 m by 1 cm by 1 cm: eight triangles of about 100 elements, and four of a few.
  const TriangleMesh rod = testing::MakeBoxMesh(Vec3::Zero(), {1, 0.01, 0.01});
  EXPECT_LE(LayElements(rod, LayerOfSize(0.0101)).size(), 8u * 100 + 4 * 4);
}

TEST(SurfaceElements, SayWhyALayerIsNotPossible) {
  const auto defect = [](const Shape& shape, const ElasticLayer& layer) {
    return DescribeLayerDefect(shape, layer).value_or("");
  };
  const Sphere ball{1};
  EXPECT_EQ(defect(ball, LayerOfSize(0.1)), "");
  EXPECT_EQ(defect(HalfSpace{}, LayerOfSize(0.1)),
            "a half-space cannot have a foundation on its surface");
  EXPECT_NE(defect(ContactPoints{{Vec3::Zero()}}, LayerOfSize(0.1)), "");
  TriangleMesh open = testing::MakeTetrahedron();
  open.triangles.pop_back();
  EXPECT_NE(defect(open, LayerOfSize(0.1)).find("only a closed mesh"), std::string::npos);

  ElasticLayer layer = LayerOfSize(0.1);
  layer.elements = 3;
  EXPECT_EQ(defect(ball, layer), "foundation: needs one of elements and resolution");
  EXPECT_EQ(defect(ball, LayerOfCount(0)),
            "foundation: elements = 0, expected a whole number from 1 to 2097152");
  EXPECT_EQ(defect(ball, LayerOfSize(-1)),
            "foundation: resolution = -1, expected a positive number in m");
  EXPECT_EQ(defect(ball, LayerOfSize(1e-5)),
            "foundation: has more than 2097152 elements, expected a coarser one");
  layer = LayerOfSize(0.1);
  layer.depth = 0.1;
  EXPECT_EQ(defect(ball, layer), "foundation: needs one of depth and stiffness");
  layer.stiffness.reset();
  EXPECT_EQ(defect(ball, layer), "");
  layer.depth = 0;
  EXPECT_EQ(defect(ball, layer), "foundation: depth = 0, expected a positive number in m");
  layer.depth = 1;
  layer.shear_stiffness = 0;
  EXPECT_EQ(defect(ball, layer),
            "foundation: shear_stiffness = 0, expected a positive number in N/m³; inf is rigid");
  layer.shear_stiffness = kInfinity;
  EXPECT_EQ(defect(ball, layer), "");
  layer.damping = kNaN;
  EXPECT_EQ(defect(ball, layer), "foundation: damping = nan, expected a number ≥ 0 in N s/m³");
}

}  // namespace
}  // namespace voigt
