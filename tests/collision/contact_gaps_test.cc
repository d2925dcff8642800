// What contacts that are found tell: normals, points and gaps, with and without a layer.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/collision/placed_models.h"
#include "tests/collision/scene_of_shapes.h"
#include "tests/support/random_model.h"
#include "voigt/collision/contact_finder.h"

namespace voigt {
namespace {

using testing::AddBodyWithShapes;
using testing::Ids;
using testing::MakeGeometry;
using testing::MoveTo;
using testing::Random;
using testing::Scatter;

// Those that are asked for alone lie midway in their own gaps, however deep the others are.
TEST(ContactFinder, FindsSomePointsAsIfThereWereNoOthers) {
  for (double height : {0.0, 0.2}) {
    const Geometry plank = height > 0 ? MakeGeometry(Box{{2, 1, height}})
                                      : MakeGeometry(ContactPoints{{{-1, 0, 0}, {1, 0, 0}}});
    ModelSpec spec;
    spec.world_geometry = {MakeGeometry(HalfSpace{})};
    AddBodyWithShapes(&spec, "plank", {plank});
    const Model model = ModelBuilder(spec).Build();
    Random random(1);
    State state = testing::MakeRandomState(model, &random);
    state.v.setZero();
    state.q.head<3>().setZero();
    const double tilt = 0.01;  // about y: the end at x = 1 is below the ground
    state.q.segment<4>(3) = Vec4(std::cos(tilt / 2), 0, std::sin(tilt / 2), 0);
    state.q[2] = std::sin(tilt) - 2e-3 + 0.5 * height * std::cos(tilt);
    const Kinematics kin = MoveTo(model, state);
    ContactFinder all(model), some(model);
    all.Find(model, kin, 0.05);
    std::vector<std::uint64_t> ids;
    double deepest = 0;
    for (const Contact& contact : all.contacts()) {
      deepest = std::min(deepest, contact.phi);
      if (contact.p_W[0] < 0) ids.push_back(contact.id);
    }
    EXPECT_NEAR(deepest, -2e-3, 1e-12);
    for (const Contact& contact : all.contacts()) EXPECT_NEAR(contact.p_W[2], deepest / 2, 1e-12);
    some.FindOnly(model, kin, 0.05, ids);
    ASSERT_EQ(some.contacts().size(), ids.size());
    ASSERT_GT(ids.size(), 0u);
    for (size_t k = 0; k < ids.size(); ++k) {
      EXPECT_EQ(some.contacts()[k].id, ids[k]);
      EXPECT_NEAR(some.contacts()[k].phi, 2 * std::sin(tilt) - 2e-3, 1e-12);
      EXPECT_NEAR(some.contacts()[k].p_W[2], std::sin(tilt) - 1e-3, 1e-12);
    }
  }
}

// A half-space that a body carries may come after or before the other shape.
TEST(ContactFinder, NormalsPointFromTheFirstShapeToTheSecond) {
  for (bool plate_first : {true, false}) {
    ModelSpec spec;
    const auto add_plate = [&] { AddBodyWithShapes(&spec, "plate", {MakeGeometry(HalfSpace{})}); };
    if (plate_first) add_plate();
    AddBodyWithShapes(&spec, "ball", {MakeGeometry(Sphere{0.5})});
    if (!plate_first) add_plate();
    const Model model = ModelBuilder(spec).Build();
    State state;
    state.q = model.NeutralCoordinates();
    state.v = VecX::Zero(model.nv());
    state.q[model.tree().q_start[*model.FindBody("ball")] + 2] = 0.4;
    ContactFinder finder(model);
    finder.Find(model, MoveTo(model, state), 1e-3);
    ASSERT_EQ(finder.contacts().size(), 1u);
    const Contact& contact = finder.contacts()[0];
    EXPECT_EQ(contact.n_W, Vec3(0, 0, plate_first ? 1 : -1));
    EXPECT_NEAR(contact.phi, -0.1, 1e-15);
    EXPECT_LT((contact.p_W - Vec3(0, 0, -0.05)).norm(), 1e-15);
    EXPECT_EQ(contact.radius, 0.5);
  }
}

// A layer is the same as spheres that are larger by half of it, among themselves, and by all of it
// on planes and points' side of a plane.
TEST(ContactFinder, LayerIsTakenOffEveryGap) {
  constexpr double kLayer = 0.03, kStep = 0.01;
  const auto make = [&](double layer, double more, bool with_ground) {
    ModelSpec spec;
    spec.contact.layer = layer;
    if (with_ground) spec.world_geometry = {MakeGeometry(HalfSpace{})};
    for (int i = 0; i < 30; ++i) {
      std::vector<Geometry> shapes = {MakeGeometry(Sphere{0.05 + 0.005 * i + more})};
      if (with_ground) shapes.front().touches = std::vector<std::string>{"ground"};
      AddBodyWithShapes(&spec, "b" + std::to_string(i), std::move(shapes));
    }
    if (with_ground) spec.world_geometry.front().groups = {"ground"};
    return ModelBuilder(spec).Build();
  };
  for (const bool with_ground : {false, true}) {
    const Model thin = make(kLayer, 0, with_ground);
    const Model thick = make(0, with_ground ? kLayer : 0.5 * kLayer, with_ground);
    Random random(7);
    State state = Scatter(thin, 0.7, &random);
    state.v.setZero();
    ContactFinder found(thin), expected(thick);
    found.Find(thin, MoveTo(thin, state), kStep);
    expected.Find(thick, MoveTo(thick, state), kStep);
    ASSERT_GT(found.contacts().size(), 3u);
    ASSERT_EQ(Ids(found.contacts()), Ids(expected.contacts()));
    for (size_t i = 0; i < found.contacts().size(); ++i) {
      const Contact &a = found.contacts()[i], &b = expected.contacts()[i];
      EXPECT_NEAR(a.phi, b.phi, 1e-14);
      EXPECT_LT((a.n_W - b.n_W).norm(), 1e-14);
      // Midway between surfaces, which the layer moves evenly: on planes only one of them was
      // moved.
      const Vec3 shift = with_ground ? Vec3(0.5 * kLayer * a.n_W) : Vec3::Zero();
      EXPECT_LT((a.p_W - shift - b.p_W).norm(), 1e-14);
    }
  }
}

TEST(ContactFinder, LayerHoldsForPointsAndFacesToo) {
  constexpr double kLayer = 0.02;
  ModelSpec spec;
  spec.contact.layer = kLayer;
  spec.world_geometry = {MakeGeometry(HalfSpace{})};
  AddBodyWithShapes(&spec, "points", {MakeGeometry(ContactPoints{{{0, 0, 0}, {0.1, 0, 0.001}}})});
  AddBodyWithShapes(&spec, "box", {MakeGeometry(Box{{1, 1, 1}})});
  const Model model = ModelBuilder(spec).Build();
  Random random(1);
  State state = Scatter(model, 1, &random);
  for (int b : {1, 2}) {
    state.q.segment<4>(model.tree().q_start[b] + 3) = Vec4(1, 0, 0, 0);
  }
  state.v.setZero();
  state.q.segment<3>(model.tree().q_start[1]) = Vec3(5, 0, 0.015);
  state.q.segment<3>(model.tree().q_start[2]) = Vec3(0, 0, 0.519);
  ContactFinder finder(model);
  finder.Find(model, MoveTo(model, state), 0.01);
  std::vector<double> gaps;
  for (const Contact& contact : finder.contacts()) gaps.push_back(contact.phi);
  ASSERT_EQ(gaps.size(), 6u);
  EXPECT_NEAR(gaps[0], 0.015 - kLayer, 1e-15);
  EXPECT_NEAR(gaps[1], 0.016 - kLayer, 1e-15);
  for (int i = 2; i < 6; ++i) EXPECT_NEAR(gaps[i], 0.019 - kLayer, 1e-15);
}

}  // namespace
}  // namespace voigt
