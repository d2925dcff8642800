// Mass properties of shapes and meshes, against slices, random points and textbooks.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/model/known_masses.h"
#include "tests/support/meshes.h"
#include "tests/support/random_model.h"
#include "voigt/model/mass_properties.h"

namespace voigt {
namespace {

using testing::BoxBetween;
using testing::ExpectNear;
using testing::kDensity;
using testing::MakeBoxMesh;
using testing::Random;
using testing::Uniform;

MassProperties OfShape(const Shape& shape, double density = kDensity) {
  std::string defect;
  const auto mass = CalcShapeMassProperties(shape, density, &defect);
  EXPECT_TRUE(mass) << defect;
  return mass.value_or(MassProperties{kNaN, Vec3::Zero(), Mat3::Zero()});
}

// The shape cut into slices across z, whose area and second moments are known; integrated by
// Simpson's rule, which is exact to rounding for the piecewise smooth profiles used here.
struct Slice {
  double area = 0, xx = 0, yy = 0;  // ∫ dA, ∫ x² dA, ∫ y² dA
};

MassProperties BySlices(const std::vector<double>& breaks,
                        const std::function<Slice(double)>& slice) {
  double volume = 0;
  Vec3 second = Vec3::Zero();
  constexpr int kPanels = 400;
  for (size_t piece = 0; piece + 1 < breaks.size(); ++piece) {
    const double low = breaks[piece], width = (breaks[piece + 1] - low) / kPanels;
    for (int i = 0; i < kPanels; ++i) {
      for (int point = 0; point < 3; ++point) {
        const double z = low + width * (i + 0.5 * point);
        const double weight = width * (point == 1 ? 4.0 / 6 : 1.0 / 6);
        const Slice s = slice(z);
        volume += weight * s.area;
        second += weight * Vec3(s.xx, s.yy, z * z * s.area);
      }
    }
  }
  MassProperties out;
  out.mass = kDensity * volume;
  const Vec3 diagonal(second[1] + second[2], second[0] + second[2], second[0] + second[1]);
  out.inertia = kDensity * Mat3(diagonal.asDiagonal());
  return out;
}

Slice Ellipse(double a, double b) {
  return {kPi * a * b, kPi * a * a * a * b / 4, kPi * a * b * b * b / 4};
}

// Sums over random points of a box of which `inside` picks the body.
MassProperties ByMonteCarlo(const Vec3& low, const Vec3& high,
                            const std::function<bool(const Vec3&)>& inside) {
  Random random(99);
  constexpr int kPoints = 200000;
  double count = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (int i = 0; i < kPoints; ++i) {
    Vec3 p;
    for (int axis = 0; axis < 3; ++axis) p[axis] = Uniform(&random, low[axis], high[axis]);
    if (!inside(p)) continue;
    count += 1;
    first += p;
    second += p * p.transpose();
  }
  MassProperties out;
  out.mass = kDensity * (high - low).prod() * count / kPoints;
  out.com = first / count;
  const Mat3 central = out.mass * (second / count - out.com * out.com.transpose());
  out.inertia = central.trace() * Mat3::Identity() - central;
  return out;
}

// Random points give three digits.
constexpr double kMonteCarlo = 0.015;

// The inertia about the origin instead of the centre of mass.
Mat3 AboutOrigin(const MassProperties& mass) {
  return mass.inertia +
         mass.mass * (mass.com.squaredNorm() * Mat3::Identity() - mass.com * mass.com.transpose());
}

TEST(MassProperties, SphereMatchesSlicesAndRandomPoints) {
  const double r = 0.7;
  const MassProperties mass = OfShape(Sphere{r});
  const auto slice = [&](double z) {
    const double x = std::sqrt(r * r - z * z);
    return Ellipse(x, x);
  };
  ExpectNear(mass, BySlices({-r, r}, slice), 1e-9);
  const Vec3 corner = Vec3::Constant(r);
  ExpectNear(mass, ByMonteCarlo(-corner, corner, [&](const Vec3& p) { return p.norm() < r; }),
             kMonteCarlo);
}

TEST(MassProperties, BoxMatchesRandomPointsAndTextbook) {
  const Vec3 size(0.4, 1.1, 2.3);
  const MassProperties mass = OfShape(Box{size});
  ExpectNear(mass, BoxBetween(-size / 2, size / 2), 1e-14);
  ExpectNear(mass,
             ByMonteCarlo(-size, size,
                          [&](const Vec3& p) { return (2 * p.cwiseAbs() - size).maxCoeff() < 0; }),
             kMonteCarlo);
}

TEST(MassProperties, CylinderMatchesSlicesAndRandomPoints) {
  const double r = 0.6, l = 1.7;
  const MassProperties mass = OfShape(Cylinder{r, l});
  ExpectNear(mass, BySlices({-l / 2, l / 2}, [&](double) { return Ellipse(r, r); }), 1e-12);
  const Vec3 corner(r, r, l / 2);
  ExpectNear(mass,
             ByMonteCarlo(-corner, corner, [&](const Vec3& p) { return p.head<2>().norm() < r; }),
             kMonteCarlo);
}

TEST(MassProperties, CapsuleMatchesSlicesAndRandomPoints) {
  const double r = 0.5, l = 1.3;
  const MassProperties mass = OfShape(Capsule{r, l});
  const auto slice = [&](double z) {
    const double beyond = std::max(0.0, std::abs(z) - l / 2);
    const double x = std::sqrt(std::max(0.0, r * r - beyond * beyond));
    return Ellipse(x, x);
  };
  ExpectNear(mass, BySlices({-l / 2 - r, -l / 2, l / 2, l / 2 + r}, slice), 1e-9);
  // Points closer than r to the segment from (0, 0, −l/2) to (0, 0, l/2).
  const Vec3 corner(r, r, l / 2 + r);
  ExpectNear(mass,
             ByMonteCarlo(-corner, corner,
                          [&](const Vec3& p) {
                            const Vec3 nearest(0, 0, std::clamp(p[2], -l / 2, l / 2));
                            return (p - nearest).norm() < r;
                          }),
             kMonteCarlo);
}

TEST(MassProperties, EllipsoidMatchesSlicesAndRandomPoints) {
  const Vec3 a(0.4, 0.9, 1.4);
  const MassProperties mass = OfShape(Ellipsoid{a});
  const auto slice = [&](double z) {
    const double scale = std::sqrt(1 - z * z / (a[2] * a[2]));
    return Ellipse(a[0] * scale, a[1] * scale);
  };
  ExpectNear(mass, BySlices({-a[2], a[2]}, slice), 1e-9);
  ExpectNear(mass,
             ByMonteCarlo(-a, a, [&](const Vec3& p) { return p.cwiseQuotient(a).norm() < 1; }),
             kMonteCarlo);
}

TEST(MassProperties, HullOfBoxCornersIsTheBox) {
  const TriangleMesh box = MakeBoxMesh({-1, 0, 2}, {1, 3, 5});
  ExpectNear(OfShape(ConvexHull{box.vertices}), BoxBetween({-1, 0, 2}, {1, 3, 5}), 1e-14, 5);
}

TEST(MassProperties, PolyhedronMatchesRandomPoints) {
  // A hexagonal pyramid, lopsided.
  std::vector<Vec3> points = {{0.3, 0.2, 1.4}};
  for (int i = 0; i < 6; ++i) {
    points.emplace_back(1.2 * std::cos(i * kPi / 3), 0.7 * std::sin(i * kPi / 3), 0);
  }
  TriangleMesh mesh{points, {}};
  for (int i = 1; i <= 6; ++i) mesh.triangles.push_back({0, i, i % 6 + 1});
  for (int i = 2; i <= 5; ++i) mesh.triangles.push_back({1, i + 1, i});
  ASSERT_EQ(DescribeSolidDefect(mesh).value_or(""), "");
  const auto inside = [&](const Vec3& p) {
    for (const auto& t : mesh.triangles) {
      const Vec3 &a = points[t[0]], &b = points[t[1]], &c = points[t[2]];
      if ((b - a).cross(c - a).dot(p - a) > 0) return false;
    }
    return true;
  };
  ExpectNear(CalcPolyhedronMassProperties(mesh, kDensity),
             ByMonteCarlo({-1.2, -0.7, 0}, {1.2, 0.7, 1.4}, inside), kMonteCarlo);
}

TEST(MassProperties, FineMeshOfASphereApproachesTheSphere) {
  // The error of a mesh inscribed in a sphere falls with the square of its spacing; extrapolating
  // it away leaves the next order.
  const auto of_mesh = [](int rings) {
    TriangleMesh mesh;
    mesh.vertices.emplace_back(0, 0, 1);
    const int around = 2 * rings;
    for (int i = 1; i < rings; ++i) {
      for (int j = 0; j < around; ++j) {
        const double polar = kPi * i / rings, azimuth = 2 * kPi * j / around;
        mesh.vertices.emplace_back(std::sin(polar) * std::cos(azimuth),
                                   std::sin(polar) * std::sin(azimuth), std::cos(polar));
      }
    }
    mesh.vertices.emplace_back(0, 0, -1);
    const auto at = [&](int i, int j) {
      if (i == 0) return 0;
      if (i == rings) return static_cast<int>(mesh.vertices.size()) - 1;
      return 1 + (i - 1) * around + j % around;
    };
    for (int i = 0; i < rings; ++i) {
      for (int j = 0; j < around; ++j) {
        if (i > 0) mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        if (i + 1 < rings) mesh.triangles.push_back({at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)});
        if (i == 0) {
          mesh.triangles.back() = {at(0, 0), at(1, j), at(1, j + 1)};
        }
      }
    }
    EXPECT_EQ(DescribeSolidDefect(mesh).value_or(""), "");
    return OfShape(mesh);
  };
  const MassProperties coarse = of_mesh(16), fine = of_mesh(32), exact = OfShape(Sphere{1});
  EXPECT_LT(fine.mass, exact.mass);
  EXPECT_NEAR((4 * fine.mass - coarse.mass) / 3, exact.mass, 1e-4 * exact.mass);
  EXPECT_LT(((4 * fine.inertia - coarse.inertia) / 3 - exact.inertia).norm(),
            1e-4 * exact.inertia.norm());
}

TEST(MassProperties, PolyhedronIsExactFarFromItsOrigin) {
  // Sizes and offset are exact in binary, so nothing but the algorithm loses digits.
  for (double offset : {0.0, 1e4, -1e6}) {
    const Vec3 low = Vec3(offset, -offset, 0.5 * offset), high = low + Vec3(0.5, 1.25, 2);
    const MassProperties mass = CalcPolyhedronMassProperties(MakeBoxMesh(low, high), kDensity);
    const MassProperties expected = BoxBetween(low, high);
    EXPECT_NEAR(mass.mass, expected.mass, 1e-14 * expected.mass);
    EXPECT_LT((mass.com - expected.com).norm(), 1e-15 * (1 + std::abs(offset)));
    EXPECT_LT((mass.inertia - expected.inertia).norm(), 1e-13 * expected.inertia.norm());
  }
}

TEST(MassProperties, TetrahedronMatchesItsIntegrals) {
  // Over the corner tetrahedron ∫ x² = 1/60 and ∫ xy = 1/120.
  const TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  const MassProperties mass = CalcPolyhedronMassProperties(mesh, 1);
  EXPECT_NEAR(mass.mass, 1.0 / 6, 4e-15);
  EXPECT_LT((mass.com - Vec3::Constant(0.25)).norm(), 4e-15);
  Mat3 about_corner = Mat3::Constant(-1.0 / 120);
  about_corner.diagonal().setConstant(2.0 / 60);
  EXPECT_LT((AboutOrigin(mass) - about_corner).norm(), 4e-15);
}

TEST(MassProperties, CavityIsSubtracted) {
  TriangleMesh mesh = MakeBoxMesh({-2, -2, -2}, {2, 3, 4});
  TriangleMesh hole = MakeBoxMesh({-1, 0, 1}, {1, 2, 3.5});
  for (const auto& t : hole.triangles) mesh.triangles.push_back({t[0] + 8, t[2] + 8, t[1] + 8});
  mesh.vertices.insert(mesh.vertices.end(), hole.vertices.begin(), hole.vertices.end());

  const MassProperties outer = BoxBetween({-2, -2, -2}, {2, 3, 4});
  const MassProperties inner = BoxBetween({-1, 0, 1}, {1, 2, 3.5});
  const MassProperties mass = OfShape(mesh);
  EXPECT_NEAR(mass.mass, outer.mass - inner.mass, 1e-13 * outer.mass);
  const Vec3 moment = outer.mass * outer.com - inner.mass * inner.com;
  EXPECT_LT((mass.com - moment / mass.mass).norm(), 1e-13);
  const Mat3 difference = AboutOrigin(outer) - AboutOrigin(inner);
  EXPECT_LT((AboutOrigin(mass) - difference).norm(), 1e-13 * AboutOrigin(outer).norm());
}

TEST(MassProperties, ShapesWithoutVolumeAreRefusedWithTheReason) {
  std::string defect;
  EXPECT_FALSE(CalcShapeMassProperties(HalfSpace{}, 1, &defect));
  EXPECT_NE(defect.find("half-space"), std::string::npos);
  defect.clear();
  EXPECT_FALSE(CalcShapeMassProperties(ConvexHull{{{0, 0, 0}, {1, 0, 0}}}, 1, &defect));
  EXPECT_FALSE(CalcShapeMassProperties(HeightField{2, 2, {1, 1}, {0, 0, 0, 0}}, 1, &defect));
  EXPECT_EQ(defect, "a height field has no bottom: it can have no density");
  EXPECT_NE(defect, "");

  TriangleMesh open = MakeBoxMesh({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  EXPECT_FALSE(CalcShapeMassProperties(open, 1, &defect));
  EXPECT_NE(defect.find("open"), std::string::npos);

  TriangleMesh inverted = MakeBoxMesh({0, 0, 0}, {1, 1, 1});
  for (auto& t : inverted.triangles) std::swap(t[0], t[1]);
  EXPECT_FALSE(CalcShapeMassProperties(inverted, 1, &defect));
  EXPECT_NE(defect.find("inside out"), std::string::npos);
}

TEST(MassProperties, DensityScalesMassAndInertiaAlike) {
  for (const Shape& shape :
       {Shape(Sphere{0.3}), Shape(Box{{1, 2, 3}}), Shape(Capsule{0.2, 1}), Shape(Cylinder{0.2, 1}),
        Shape(Ellipsoid{{1, 2, 3}}), Shape(ConvexHull{MakeBoxMesh({0, 0, 0}, {1, 1, 1}).vertices}),
        Shape(MakeBoxMesh({0, 0, 0}, {1, 1, 1}))}) {
    const MassProperties one = OfShape(shape, 1), many = OfShape(shape, 8000);
    EXPECT_NEAR(many.mass, 8000 * one.mass, 1e-12 * many.mass) << ShapeName(shape);
    EXPECT_LT((many.inertia - 8000 * one.inertia).norm(), 1e-12 * many.inertia.norm());
    EXPECT_LT((many.com - one.com).norm(), 4e-15);
  }
}

}  // namespace
}  // namespace voigt
