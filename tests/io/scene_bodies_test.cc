// Shapes and the ways to give mass, against values computed by hand.

#include <gtest/gtest.h>

#include "tests/io/scene_problems.h"

namespace voigt {
namespace {

using testing::FindProblems;
using testing::Lines;

// The body b of a scene whose body b has these keys, held by a free joint.
struct OneBody {
  explicit OneBody(const std::string& keys)
      : scene(ParseScene("bodies: [{name: b, " + keys +
                             "}]\n"
                             "joints: [{name: j, type: free, child: b}]\n",
                         "s")),
        body(scene.model.body(1)) {}

  const Geometry& geometry(int i) const { return scene.model.geometry()[body.first_geometry + i]; }

  Scene scene;
  const Body& body;
};

void ExpectMass(const MassProperties& mass, double m, const Vec3& com, const Mat3& inertia) {
  EXPECT_NEAR(mass.mass, m, 1e-12 * m);
  EXPECT_LT((mass.com - com).norm(), 1e-12);
  EXPECT_LT((mass.inertia - inertia).norm(), 1e-12 * (inertia.norm() + 1)) << mass.inertia;
}

Mat3 Diagonal(double x, double y, double z) { return Vec3(x, y, z).asDiagonal(); }

// The one shape of a body with these keys.
template <typename ShapeType>
ShapeType ReadShape(const std::string& keys) {
  const OneBody b("geometry: [{" + keys + ", density: 1}]");
  EXPECT_EQ(b.body.geometry_count, 1);
  return std::get<ShapeType>(b.geometry(0).shape);
}

TEST(SceneShapes, AreReadWithTheirSizes) {
  EXPECT_EQ(ReadShape<Sphere>("shape: sphere, radius: 0.5").radius, 0.5);
  EXPECT_EQ(ReadShape<Box>("shape: box, size: [1, 2, 3]").size, Vec3(1, 2, 3));
  const auto capsule = ReadShape<Capsule>("shape: capsule, radius: 0.1, length: 2");
  EXPECT_EQ(capsule.radius, 0.1);
  EXPECT_EQ(capsule.length, 2);
  const auto cylinder = ReadShape<Cylinder>("shape: cylinder, radius: 0.3, length: 4");
  EXPECT_EQ(cylinder.radius, 0.3);
  EXPECT_EQ(cylinder.length, 4);
  EXPECT_EQ(ReadShape<Ellipsoid>("shape: ellipsoid, radii: [3, 2, 1]").radii, Vec3(3, 2, 1));
  const auto hull =
      ReadShape<ConvexHull>("shape: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]");
  ASSERT_EQ(hull.points.size(), 4u);
  EXPECT_EQ(hull.points[3], Vec3(0, 0, 1));
  const auto mesh = ReadShape<TriangleMesh>(
      "shape: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "
      "triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]");
  ASSERT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.vertices[1], Vec3(1, 0, 0));
  ASSERT_EQ(mesh.triangles.size(), 4u);
  EXPECT_EQ(mesh.triangles[3], (std::array<int, 3>{2, 0, 3}));
}

TEST(SceneShapes, HaveNamesPosesAndDensities) {
  const OneBody b(
      "geometry: [{name: knob, shape: sphere, radius: 1, density: 5, position: [1, 2, 3], "
      "rpy: [0, 0, 90 deg]}, {shape: sphere, radius: 2}]");
  ASSERT_EQ(b.body.geometry_count, 2);
  EXPECT_EQ(b.geometry(0).name, "knob");
  EXPECT_EQ(b.geometry(0).density, 5);
  EXPECT_EQ(b.geometry(0).X_BG.p, Vec3(1, 2, 3));
  EXPECT_LT((b.geometry(0).X_BG.R.col(0) - Vec3(0, 1, 0)).norm(), 1e-15);
  EXPECT_EQ(b.geometry(1).name, "");
  EXPECT_EQ(b.geometry(1).density, std::nullopt);
}

TEST(SceneShapes, MayHaveSurfacesThatRun) {
  const OneBody b(
      "geometry: [{shape: sphere, radius: 1, density: 5, surface_velocity: [1, 2, 3]}, "
      "{shape: sphere, radius: 2}]");
  EXPECT_EQ(b.geometry(0).surface_velocity, Vec3(1, 2, 3));
  EXPECT_EQ(b.geometry(1).surface_velocity, Vec3::Zero());
}

TEST(SceneShapes, OfTheWorldBelongToBodyZero) {
  const Scene scene = ParseScene(
      "world:\n"
      "  geometry:\n"
      "    - {name: ground, shape: half-space, position: [0, 0, -1]}\n"
      "    - {shape: box, size: [1, 1, 1]}\n",
      "s");
  EXPECT_EQ(scene.model.body(0).geometry_count, 2);
  EXPECT_TRUE(std::holds_alternative<HalfSpace>(scene.model.geometry()[0].shape));
  EXPECT_EQ(scene.model.geometry()[0].name, "ground");
  EXPECT_EQ(scene.model.geometry()[0].X_BG.p, Vec3(0, 0, -1));
}

TEST(SceneMass, ExplicitWithPrincipalMoments) {
  const OneBody b("mass: 2, com: [0.1, 0, -0.5], inertia: [3, 4, 5]");
  ExpectMass(b.body.mass, 2, Vec3(0.1, 0, -0.5), Diagonal(3, 4, 5));
}

TEST(SceneMass, ComDefaultsToTheOrigin) {
  ExpectMass(OneBody("mass: 2, inertia: [3, 4, 5]").body.mass, 2, Vec3::Zero(), Diagonal(3, 4, 5));
}

TEST(SceneMass, ExplicitWithSixMoments) {
  const OneBody b("mass: 1, inertia: [3, 4, 5, 0.1, 0.2, 0.3]");
  Mat3 expected;
  expected << 3, 0.1, 0.2, 0.1, 4, 0.3, 0.2, 0.3, 5;
  ExpectMass(b.body.mass, 1, Vec3::Zero(), expected);
}

TEST(SceneMass, InertiaAxesTurnTheMoments) {
  // Turned by a quarter about z, x and y change places; the pose's rotation is R_BI.
  const OneBody b("mass: 1, inertia: [3, 4, 5], inertia_axes: {rpy: [0, 0, 90 deg]}");
  ExpectMass(b.body.mass, 1, Vec3::Zero(), Diagonal(4, 3, 5));
  // By an eighth about x: yy = zz = (4 + 5)/2 and yz = (4 - 5)/2.
  const OneBody c("mass: 1, inertia: [3, 4, 5], inertia_axes: {rpy: [45 deg, 0, 0]}");
  Mat3 expected;
  expected << 3, 0, 0, 0, 4.5, -0.5, 0, -0.5, 4.5;
  ExpectMass(c.body.mass, 1, Vec3::Zero(), expected);
}

TEST(SceneMass, PointMassesHaveNoInertia) {
  const OneBody b("mass: 2, com: [0, 0, 1], inertia: point");
  ExpectMass(b.body.mass, 2, Vec3(0, 0, 1), Mat3::Zero());
}

TEST(SceneMass, MasslessBodiesHaveNone) {
  const OneBody b("massless: true, geometry: [{shape: sphere, radius: 1}]");
  ExpectMass(b.body.mass, 0, Vec3::Zero(), Mat3::Zero());
  EXPECT_EQ(b.body.geometry_count, 1);
}

TEST(SceneMass, MasslessMayBeDenied) {
  EXPECT_EQ(OneBody("massless: false, mass: 2, inertia: [1, 1, 1]").body.mass.mass, 2);
}

TEST(SceneMass, OfEveryShapeWithADensity) {
  const auto mass = [](const std::string& keys) {
    return OneBody("geometry: [{" + keys + ", density: 300}]").body.mass;
  };
  // Textbook moments.
  const double ball = 300 * 4 / 3.0 * kPi * 0.125;
  ExpectMass(mass("shape: sphere, radius: 0.5"), ball, Vec3::Zero(),
             0.4 * ball * 0.25 * Mat3::Identity());
  const double box = 300 * 0.006;
  ExpectMass(mass("shape: box, size: [0.1, 0.2, 0.3], position: [1, 0, 0]"), box, Vec3(1, 0, 0),
             box / 12 * Diagonal(0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04));
  const double cylinder = 300 * kPi * 0.04 * 3;
  ExpectMass(mass("shape: cylinder, radius: 0.2, length: 3"), cylinder, Vec3::Zero(),
             cylinder * Diagonal(0.01 + 0.75, 0.01 + 0.75, 0.02));
  const double ellipsoid = 300 * 4 / 3.0 * kPi * 6;
  ExpectMass(mass("shape: ellipsoid, radii: [1, 2, 3]"), ellipsoid, Vec3::Zero(),
             ellipsoid / 5 * Diagonal(13, 10, 5));
  // A capsule of radius 1 and length 2: cylinder 2π, half-spheres 4π/3 together, whose centres of
  // mass are at 1 + 3/8 and whose moments about these are (83/320) m r².
  const double rod = 300 * 2 * kPi, caps = 300 * 4 / 3.0 * kPi;
  const double across = rod * (3 + 4) / 12.0 + caps * (83 / 320.0 + 1.375 * 1.375);
  ExpectMass(mass("shape: capsule, radius: 1, length: 2"), rod + caps, Vec3::Zero(),
             Diagonal(across, across, rod / 2 + 0.4 * caps));
  // The corner tetrahedron: 1/6, centre at 1/4, ∫x² = 1/60, ∫xy = 1/120.
  const char* corners = "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]";
  const double tetra = 50;
  Mat3 inertia = 300 * (2 / 60.0 - 2 / 96.0) * Mat3::Identity();
  inertia += 300 * (1 / 96.0 - 1 / 120.0) * (Mat3::Ones() - Mat3::Identity());
  ExpectMass(mass(std::string("shape: hull, points: ") + corners), tetra, Vec3::Constant(0.25),
             inertia);
  ExpectMass(mass(std::string("shape: mesh, triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]"
                              ", vertices: ") +
                  corners),
             tetra, Vec3::Constant(0.25), inertia);
}

TEST(SceneMass, OfSeveralShapesIsTheirSum) {
  // Two unit cubes of 2 and 1 kg at x = 0 and x = 3: centre at 1, moments by Steiner.
  const OneBody b(
      "geometry: [{shape: box, size: [1, 1, 1], density: 2}, "
      "{shape: box, size: [1, 1, 1], density: 1, position: [3, 0, 0]}, "
      "{shape: sphere, radius: 9}]");
  const double own = 3 / 6.0, steiner = 2 * 1 + 1 * 4;
  ExpectMass(b.body.mass, 3, Vec3(1, 0, 0), Diagonal(own, own + steiner, own + steiner));
}

TEST(SceneMass, AloneIsSpreadEvenlyOverTheShapes) {
  // The same cubes share 6 kg by volume.
  const OneBody b(
      "mass: 6, geometry: [{shape: box, size: [1, 1, 1]}, "
      "{shape: box, size: [1, 1, 1], position: [3, 0, 0]}]");
  const double own = 6 / 6.0, steiner = 3 * 2.25 * 2;
  ExpectMass(b.body.mass, 6, Vec3(1.5, 0, 0), Diagonal(own, own + steiner, own + steiner));
}

TEST(SceneMass, MayBeAnExpression) {
  const Scene scene = ParseScene(
      "parameters: {m: 3}\n"
      "bodies: [{name: b, mass: 2 * m, inertia: [m, m, m + 1]}]\n"
      "joints: [{name: j, type: free, child: b}]\n",
      "s");
  ExpectMass(scene.model.body(1).mass, 6, Vec3::Zero(), Diagonal(3, 3, 4));
}

}  // namespace
}  // namespace voigt
