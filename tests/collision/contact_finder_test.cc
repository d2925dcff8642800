// Which contacts are found: those of brute force, in order, and the same every time.

#include "voigt/collision/contact_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/collision/placed_models.h"
#include "tests/collision/scene_of_shapes.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/random_model.h"

namespace voigt {
namespace {

using testing::AddBodyWithShapes;
using testing::Ids;
using testing::MakeGeometry;
using testing::MoveTo;
using testing::Random;
using testing::Scatter;

// Free spheres of different sizes over a ground; some bodies carry two.
Model MakeSpheres(int count, Random* random) {
  ModelSpec spec;
  spec.world_geometry = {MakeGeometry(HalfSpace{}), MakeGeometry(Sphere{0.5})};
  for (int i = 0; i < count; ++i) {
    std::vector<Geometry> shapes = {MakeGeometry(Sphere{testing::Uniform(random, 0.05, 0.2)})};
    if (i % 5 == 0) shapes.push_back(MakeGeometry(Sphere{0.1}, {Mat3::Identity(), {0.2, 0, 0}}));
    AddBodyWithShapes(&spec, "b" + std::to_string(i), std::move(shapes));
  }
  return ModelBuilder(spec).Build();
}

// All pairs of spheres of different bodies whose gap is at most 2h(|v_A| + |v_B| + gh).
std::set<std::uint64_t> FindSpherePairsByBruteForce(const Model& model, const Kinematics& kin,
                                                    double h) {
  struct Ball {
    int body, geometry;
    Vec3 p, v;
    double r;
  };
  std::vector<Ball> balls;
  for (int b = 0; b < model.nb(); ++b) {
    const Pose X = CalcBodyPose(model, kin, b);
    const Body& body = model.body(b);
    for (int g = body.first_geometry; g < body.first_geometry + body.geometry_count; ++g) {
      const Geometry& geometry = model.geometry()[g];
      if (!std::holds_alternative<Sphere>(geometry.shape)) continue;
      const Vec3 p = X * geometry.X_BG.p;
      balls.push_back({b, g, p, CalcPointVelocity(kin, b, p).tail<3>(),
                       std::get<Sphere>(geometry.shape).radius});
    }
  }
  double fastest = 0;
  for (const Ball& ball : balls) fastest = std::max(fastest, ball.v.norm());
  std::set<std::uint64_t> ids;
  for (const Ball& A : balls) {
    for (const Ball& B : balls) {
      if (A.geometry >= B.geometry || A.body == B.body) continue;
      const double gap = (A.p - B.p).norm() - A.r - B.r;
      if (gap <= 2 * h * (fastest + 9.81 * h)) {
        ids.insert(MakeContactId(A.geometry, B.geometry, 0));
      }
    }
  }
  return ids;
}

TEST(ContactFinder, FindsTheSphereContactsOfBruteForce) {
  Random random(6);
  const Model model = MakeSpheres(1000, &random);
  ContactFinder finder(model);
  EXPECT_TRUE(finder.unsupported().empty());
  for (double edge : {2.0, 4.0, 20.0}) {
    const Kinematics kin = MoveTo(model, Scatter(model, edge, &random));
    for (double h : {1e-3, 1e-2}) {
      finder.Find(model, kin, h);
      std::set<std::uint64_t> found;
      for (const Contact& contact : finder.contacts()) {
        if (contact.geometry_A != 0) found.insert(contact.id);
      }
      const auto expected = FindSpherePairsByBruteForce(model, kin, h);
      EXPECT_GT(expected.size(), edge > 10 ? 0u : 500u);
      EXPECT_EQ(found, expected);
    }
  }
}

// Shapes of the world, of bodies fixed to it, and of bodies fixed to those, between free ones: they
// are placed once, and free bodies find them wherever they are.
TEST(ContactFinder, FindsShapesThatAreFixedAmongOthers) {
  Random random(16);
  ModelSpec spec;
  const auto some_sphere = [&] {
    return MakeGeometry(Sphere{testing::Uniform(&random, 0.1, 0.3)}, testing::RandomPose(&random));
  };
  for (int i = 0; i < 40; ++i) spec.world_geometry.push_back(some_sphere());
  for (int i = 0; i < 200; ++i) {
    const std::string name = std::to_string(i);
    const bool is_post = i % 4 == 1, is_top = i % 4 == 2;
    AddBodyWithShapes(&spec,
                      (is_post  ? "post"
                       : is_top ? "top"
                                : "free") +
                          name,
                      {some_sphere()}, is_post || is_top ? JointType::kFixed : JointType::kFree,
                      is_top ? "post" + std::to_string(i - 1) : "world");
    spec.joints.back().X_PF = testing::RandomPose(&random);
  }
  const Model model = ModelBuilder(spec).Build();
  ContactFinder finder(model);
  const auto is_fixed = [&](int geometry) {
    for (int b = 0; b < model.nb(); ++b) {
      const Body& body = model.body(b);
      if (geometry < body.first_geometry + body.geometry_count) return body.name[0] != 'f';
    }
    return false;
  };
  for (int trial = 0; trial < 5; ++trial) {
    const Kinematics kin = MoveTo(model, testing::MakeRandomState(model, &random));
    finder.Find(model, kin, 1e-2);
    auto expected = FindSpherePairsByBruteForce(model, kin, 1e-2);
    std::erase_if(expected, [&](std::uint64_t id) {
      return is_fixed(GeometryA(id)) && is_fixed(GeometryB(id));
    });
    int with_fixed = 0;
    for (const std::uint64_t id : expected) {
      with_fixed += is_fixed(GeometryA(id)) || is_fixed(GeometryB(id));
    }
    EXPECT_GT(with_fixed, 20);
    const auto ids = Ids(finder.contacts());
    EXPECT_EQ(std::set<std::uint64_t>(ids.begin(), ids.end()), expected);
  }
}

// A joint that closes a loop may hold a body to the world, but where it is its coordinates say.
TEST(ContactFinder, FollowsBodiesThatAFixedLoopHolds) {
  ModelSpec spec;
  const auto ball = MakeGeometry(Sphere{0.1}, {Mat3::Identity(), Vec3::UnitX()});
  AddBodyWithShapes(&spec, "door", {ball}, JointType::kRevolute);
  AddBodyWithShapes(&spec, "visitor", {MakeGeometry(Sphere{0.1})});
  JointSpec loop;
  loop.name = "lock";
  loop.type = JointType::kFixed;
  loop.tree = TreeChoice::kLoop;
  loop.parent = "world";
  loop.child = "door";
  spec.joints.push_back(loop);
  const Model model = ModelBuilder(spec).Build();
  ContactFinder finder(model);
  for (const double angle : {0.0, 1.0, 0.5}) {
    State state;
    state.q = model.NeutralCoordinates();
    state.v = VecX::Zero(model.nv());
    state.q[model.tree().q_start[1]] = angle;
    const Pose door = CalcBodyPose(model, MoveTo(model, state), 1);
    state.q.segment<3>(model.tree().q_start[2]) = door * Vec3(1.15, 0, 0);
    finder.Find(model, MoveTo(model, state), 1e-3);
    ASSERT_EQ(finder.contacts().size(), 1u);
    EXPECT_NEAR(finder.contacts()[0].phi, -0.05, 1e-15);
  }
}

TEST(ContactFinder, ContactsAreSortedAndWellFormed) {
  Random random(7);
  const Model model = MakeSpheres(200, &random);
  ContactFinder finder(model);
  finder.Find(model, MoveTo(model, Scatter(model, 1.5, &random)), 1e-2);
  const auto& contacts = finder.contacts();
  ASSERT_GT(contacts.size(), 200u);
  for (size_t i = 0; i < contacts.size(); ++i) {
    const Contact& c = contacts[i];
    if (i > 0) {
      EXPECT_LT(contacts[i - 1].id, c.id);
    }
    EXPECT_LT(c.geometry_A, c.geometry_B);
    EXPECT_LT(c.body_A, c.body_B);
    EXPECT_NEAR(c.n_W.norm(), 1, 1e-15);
    EXPECT_EQ(c.id, MakeContactId(c.geometry_A, c.geometry_B, c.feature));
    EXPECT_LT(c.radius, 0.21);
  }
}

TEST(ContactFinder, GivesTheSameBitsAgainAndForAnotherFinder) {
  Random random(8);
  const Model model = MakeSpheres(300, &random);
  const Kinematics here = MoveTo(model, Scatter(model, 2, &random));
  const Kinematics there = MoveTo(model, Scatter(model, 2, &random));
  ContactFinder one(model), other(model);
  one.Find(model, there, 1e-2);
  one.Find(model, here, 1e-2);
  other.Find(model, here, 1e-2);
  ASSERT_EQ(Ids(one.contacts()), Ids(other.contacts()));
  for (size_t i = 0; i < one.contacts().size(); ++i) {
    EXPECT_EQ(one.contacts()[i].phi, other.contacts()[i].phi);
    EXPECT_EQ(one.contacts()[i].p_W, other.contacts()[i].p_W);
    EXPECT_EQ(one.contacts()[i].n_W, other.contacts()[i].n_W);
  }
}

// Who follows some contacts gets what there is between their shapes, and nothing else.
TEST(ContactFinder, FindsTheSameBetweenSomePairs) {
  Random random(9);
  const Model model = MakeSpheres(300, &random);
  ContactFinder all(model), some(model);
  const Kinematics kin = MoveTo(model, Scatter(model, 2, &random));
  all.Find(model, kin, 1e-2);
  std::vector<std::uint64_t> ids = {1, 17};  // of limits
  std::vector<Contact> expected;
  for (size_t k = 0; k < all.contacts().size(); k += 3) {
    ids.push_back(all.contacts()[k].id);
    expected.push_back(all.contacts()[k]);
  }
  some.FindBetween(model, kin, 1e-2, ids);
  ASSERT_GT(expected.size(), 50u);
  ASSERT_EQ(some.contacts().size(), expected.size());
  for (size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(some.contacts()[k].id, expected[k].id);
    EXPECT_EQ(some.contacts()[k].phi, expected[k].phi);
    EXPECT_EQ(some.contacts()[k].p_W, expected[k].p_W);
    EXPECT_EQ(some.contacts()[k].n_W, expected[k].n_W);
  }
}

TEST(ContactFinder, NeedsNoMemoryOnceItIsWarm) {
  if (testing::CountAllocations() < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  Random random(9);
  const Model model = MakeSpheres(300, &random);
  const Kinematics kin = MoveTo(model, Scatter(model, 2, &random));
  ContactFinder finder(model);
  finder.Find(model, kin, 1e-2);
  const long before = testing::CountAllocations();
  for (int i = 0; i < 3; ++i) finder.Find(model, kin, 1e-2);
  EXPECT_EQ(testing::CountAllocations(), before);
}

TEST(ContactFinder, PointsAreFoundWhenNearAndElementsAlways) {
  ModelSpec spec;
  spec.world_geometry = {MakeGeometry(HalfSpace{})};
  Foundation layer;
  layer.size = {1, 1};
  layer.nx = layer.ny = 3;
  layer.stiffness = 100;
  AddBodyWithShapes(&spec, "feet", {MakeGeometry(ContactPoints{{{0, 0, 0}, {0, 0, 1}}})});
  AddBodyWithShapes(&spec, "mat", {MakeGeometry(layer)});
  const Model model = ModelBuilder(spec).Build();
  State state;
  state.q = model.NeutralCoordinates();
  state.v = VecX::Zero(model.nv());
  state.q[model.tree().q_start[2] + 2] = 7;  // the mat is far up
  ContactFinder finder(model);
  finder.Find(model, MoveTo(model, state), 1e-3);
  ASSERT_EQ(finder.contacts().size(), 10u);
  EXPECT_EQ(finder.contacts()[0].body_B, 1);
  EXPECT_EQ(finder.contacts()[0].feature, 0);
  for (int k = 0; k < 9; ++k) {
    EXPECT_EQ(finder.contacts()[1 + k].feature, k);
    EXPECT_NEAR(finder.contacts()[1 + k].phi, 7, 1e-14);
  }
  // Falling fast, the upper point is near as well.
  state.v[2] = -1000;
  finder.Find(model, MoveTo(model, state), 1e-3);
  EXPECT_EQ(finder.contacts().size(), 11u);
}

// Two spheres fall side by side at one speed; an impact may stop the lower one in this very step.
TEST(ContactFinder, ForeseesWhatAnImpactMayBringTogether) {
  ModelSpec spec;
  AddBodyWithShapes(&spec, "lower", {MakeGeometry(Sphere{0.5})});
  AddBodyWithShapes(&spec, "upper", {MakeGeometry(Sphere{0.5})});
  const Model model = ModelBuilder(spec).Build();
  State state;
  state.q = model.NeutralCoordinates();
  state.v = VecX::Zero(model.nv());
  state.q[7 + 2] = 1.1;
  ContactFinder finder(model);
  finder.Find(model, MoveTo(model, state), 0.01);
  EXPECT_TRUE(finder.contacts().empty());
  state.v[2] = state.v[6 + 2] = -10;
  finder.Find(model, MoveTo(model, state), 0.01);
  EXPECT_EQ(finder.contacts().size(), 1u);
}

}  // namespace
}  // namespace voigt
