#include "voigt/model/mass_properties.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>

#include "tests/support/meshes.h"
#include "tests/support/random_model.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

using testing::MakeBoxMesh;
using testing::Random;
using testing::RandomMass;
using testing::RandomPose;
using testing::RandomRotation;
using testing::RandomVector;
using testing::Uniform;

constexpr double kDensity = 700;

MassProperties OfShape(const Shape& shape, double density = kDensity) {
  std::string defect;
  const auto mass = CalcShapeMassProperties(shape, density, &defect);
  EXPECT_TRUE(mass) << defect;
  return mass.value_or(MassProperties{kNaN, Vec3::Zero(), Mat3::Zero()});
}

void ExpectNear(const MassProperties& a, const MassProperties& b, double tolerance,
                double length = 1) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  EXPECT_LT((a.com - b.com).norm(), tolerance * length);
  EXPECT_LT((a.inertia - b.inertia).norm(), tolerance * b.inertia.norm());
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

// Textbook values, so that no test compares the library's box with itself.
MassProperties BoxBetween(const Vec3& low, const Vec3& high, double density = kDensity) {
  const Vec3 size = high - low;
  const double m = density * size[0] * size[1] * size[2];
  MassProperties out{m, (low + high) / 2, Mat3::Zero()};
  for (int axis = 0; axis < 3; ++axis) {
    const double a = size[(axis + 1) % 3], b = size[(axis + 2) % 3];
    out.inertia(axis, axis) = m * (a * a + b * b) / 12;
  }
  return out;
}

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

TEST(MassProperties, TransformMovesTheBodyAsItsMeshMoves) {
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    TriangleMesh mesh = MakeBoxMesh({0, 0.5, 1}, {1, 2, 4});
    const MassProperties before = CalcPolyhedronMassProperties(mesh, kDensity);
    const Pose X = RandomPose(&random, 5);
    for (Vec3& vertex : mesh.vertices) vertex = X * vertex;
    ExpectNear(Transform(X, before), CalcPolyhedronMassProperties(mesh, kDensity), 1e-13, 10);
  }
}

TEST(MassProperties, TransformBackReturns) {
  Random random(2);
  const MassProperties mass = RandomMass(&random);
  const Pose X = RandomPose(&random);
  ExpectNear(Transform(X.Inverse(), Transform(X, mass)), mass, 1e-14);
}

TEST(MassProperties, CombineAgreesForEveryWayToCutAnLShape) {
  // The L is [0,3]×[0,1] with [0,1]×[1,3] on it, 0.5 thick; with the missing [1,3]×[1,3] it is a
  // square.
  const auto box = [](double x0, double y0, double x1, double y1) {
    return BoxBetween({x0, y0, 0}, {x1, y1, 0.5});
  };
  const MassProperties wide = Combine({box(0, 0, 3, 1), box(0, 1, 1, 3)});
  const MassProperties tall = Combine({box(0, 0, 1, 3), box(1, 0, 3, 1)});
  ExpectNear(wide, tall, 1e-14, 3);
  ExpectNear(Combine({wide, box(1, 1, 3, 3)}), box(0, 0, 3, 3), 1e-14, 3);
  // By hand: areas 3 and 2, centres (1.5, 0.5) and (0.5, 2).
  EXPECT_NEAR(wide.mass, kDensity * 2.5, 1e-12);
  EXPECT_LT((wide.com - Vec3(5.5 / 5, 5.5 / 5, 0.25)).norm(), 4e-15);
}

TEST(MassProperties, CombineCommutesWithTransform) {
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const MassProperties a = RandomMass(&random), b = RandomMass(&random), c = RandomMass(&random);
    const Pose X = RandomPose(&random);
    ExpectNear(Transform(X, Combine({a, b, c})),
               Combine({Transform(X, c), Transform(X, a), Transform(X, b)}), 1e-14);
    ExpectNear(Combine({Combine({a, b}), c}), Combine({a, b, c}), 1e-14);
  }
}

TEST(MassProperties, CombineOfOnePartIsThePart) {
  Random random(4);
  const MassProperties a = RandomMass(&random);
  ExpectNear(Combine({a}), a, 4e-15);
}

TEST(MassProperties, CombineOfTwoPointMassesIsADumbbell) {
  const MassProperties mass = Combine({{1, {0, 0, 0}, Mat3::Zero()}, {3, {4, 0, 0}, Mat3::Zero()}});
  EXPECT_EQ(mass.mass, 4);
  EXPECT_EQ(mass.com, Vec3(3, 0, 0));
  // The reduced mass 3/4 times the distance squared.
  EXPECT_EQ(mass.inertia, Mat3(Vec3(0, 12, 12).asDiagonal()));
}

TEST(PrincipalInertia, RebuildsTheInertiaFromRightHandedAxes) {
  Random random(8);
  for (int i = 0; i < 50; ++i) {
    const Mat3 inertia = RandomMass(&random).inertia;
    const PrincipalInertia principal = CalcPrincipalInertia(inertia);
    const Mat3& axes = principal.axes;
    EXPECT_LT((axes * axes.transpose() - Mat3::Identity()).norm(), 1e-14);
    EXPECT_NEAR(axes.determinant(), 1, 1e-14);
    EXPECT_LT((axes * principal.moments.asDiagonal() * axes.transpose() - inertia).norm(),
              1e-14 * inertia.norm());
  }
}

TEST(PrincipalInertia, KeepsTheAxesOfADiagonalInertia) {
  // Even where moments are equal, or not in order.
  for (const Vec3& moments : {Vec3(3, 1, 2), Vec3(1, 1, 1), Vec3(2, 2, 1), Vec3(0, 0, 0)}) {
    const PrincipalInertia principal = CalcPrincipalInertia(moments.asDiagonal());
    EXPECT_EQ(principal.moments, moments);
    EXPECT_EQ(principal.axes, Mat3(Mat3::Identity()));
  }
}

// Checks of an inertia.

std::string DefectOfInertia(const Mat3& inertia) {
  return DescribeInertiaDefect(inertia).value_or("");
}

Mat3 Moments(double a, double b, double c) { return Vec3(a, b, c).asDiagonal(); }

TEST(InertiaDefect, AcceptsPhysicalInertias) {
  EXPECT_EQ(DefectOfInertia(Moments(1, 1, 1)), "");
  EXPECT_EQ(DefectOfInertia(Moments(1e-9, 1e-9, 1e-9)), "");
  Random random(5);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(DefectOfInertia(RandomMass(&random).inertia), "");
}

TEST(InertiaDefect, AcceptsFlatBodiesInAnyPosition) {
  EXPECT_EQ(DefectOfInertia(Moments(1, 2, 3)), "");
  EXPECT_EQ(DefectOfInertia(Moments(0.333333, 0.666667, 1.0)), "");
  Random random(6);
  for (int i = 0; i < 20; ++i) {
    const Mat3 R = RandomRotation(&random);
    EXPECT_EQ(DefectOfInertia(R * Moments(1, 2, 3) * R.transpose()), "");
  }
}

TEST(InertiaDefect, RefusesMomentsThatViolateTheTriangleInequality) {
  Random random(7);
  for (const Mat3& bad : {Moments(1, 1, 2.01), Moments(5, 1, 1), Moments(1, 1e-3, 2)}) {
    EXPECT_NE(DefectOfInertia(bad).find("sum of the other two"), std::string::npos);
    const Mat3 R = RandomRotation(&random);
    EXPECT_NE(DefectOfInertia(R * bad * R.transpose()).find("sum of the other two"),
              std::string::npos);
  }
}

TEST(InertiaDefect, RefusesMomentsThatAreNotPositive) {
  for (const Mat3& bad :
       {Moments(0, 1, 1), Moments(1, -1, 1), Moments(0, 0, 0), Moments(-1, -1, -1)}) {
    EXPECT_NE(DefectOfInertia(bad).find("expected all to be positive"), std::string::npos);
  }
  // Positive on the diagonal, but not definite.
  Mat3 indefinite = Mat3::Identity();
  indefinite(0, 1) = indefinite(1, 0) = 2;
  EXPECT_NE(DefectOfInertia(indefinite).find("expected all to be positive"), std::string::npos);
}

TEST(InertiaDefect, RefusesAsymmetry) {
  Mat3 bad = Moments(2, 2, 2);
  bad(0, 1) = 1e-3;
  EXPECT_NE(DefectOfInertia(bad).find("not symmetric"), std::string::npos);
}

TEST(InertiaDefect, RefusesNumbersThatAreNotFinite) {
  for (double value : {kNaN, kInfinity, -kInfinity}) {
    for (int i = 0; i < 9; ++i) {
      Mat3 bad = Moments(2, 2, 2);
      bad(i / 3, i % 3) = value;
      EXPECT_NE(DefectOfInertia(bad).find("not finite"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace voigt
