#pragma once

#include <utility>

#include "tests/collision/scene_of_shapes.h"
#include "tests/support/random_model.h"
#include "voigt/collision/contact_finder.h"
#include "voigt/constraints/contact_rows.h"

namespace voigt::testing {

// A model at a state, with its contacts and their rows.
struct Bench {
  Bench(const Model& m, const State& s, double step)
      : model(m), state(s), h(step), kin(m), finder(m) {
    Update();
  }

  void Update() {
    UpdatePositions(model, state.q, &kin);
    UpdateVelocities(model, state.v, &kin);
    finder.Find(model, kin, h);
    problem.pattern = &model.tree().pattern;
    problem.h = h;
    problem.ClearRows();
    AddContactRows({model, kin, state.q, state.v, state.t, h}, finder.contacts(), state.contacts,
                   &problem);
  }

  const Row& row(int r) const { return problem.rows[r]; }

  const Model& model;
  State state;
  double h;
  Kinematics kin;
  ContactFinder finder;
  VelocityProblem problem;
};

// A ball of 1 kg and radius 0.5 over a ground, both of one material.
struct Ball {
  Ball(Material material, double phi, const Vec3& v, double h = 0.01)
      : model(Build(std::move(material))), bench(model, StateAt(model, phi, v), h) {}

  static Model Build(Material material) {
    ModelSpec spec;
    material.name = kDefaultMaterial;
    spec.materials = {std::move(material)};
    spec.world_geometry = {MakeGeometry(HalfSpace{})};
    AddBodyWithShapes(&spec, "ball", {MakeGeometry(Sphere{0.5})});
    return ModelBuilder(spec).Build();
  }
  static State StateAt(const Model& model, double phi, const Vec3& v) {
    State state;
    state.q = model.NeutralCoordinates();
    state.v = VecX::Zero(model.nv());
    state.q[2] = 0.5 + phi;
    state.v.head<3>() = v;
    return state;
  }

  Model model;
  Bench bench;
};

// Mechanisms with spheres, points and half-spaces on their links.
inline Model MakeRandomMechanism(Random* random) {
  RandomTreeOptions options;
  options.max_dofs = 20;
  ModelSpec spec = MakeRandomTree(random, options).spec();
  spec.contact.acceleration = 1e12;  // everything is near
  spec.world_geometry = {MakeGeometry(HalfSpace{}, RandomPose(random))};
  int i = 0;
  for (BodySpec& body : spec.bodies) {
    const Pose X = RandomPose(random);
    body.geometry.clear();
    if (i % 3 == 0) body.geometry = {MakeGeometry(Sphere{0.3}, X)};
    if (i % 3 == 1) body.geometry = {MakeGeometry(ContactPoints{{X.p, -X.p}})};
    if (i % 3 == 2) body.geometry = {MakeGeometry(HalfSpace{}, X), MakeGeometry(Sphere{0.2}, X)};
    ++i;
  }
  return ModelBuilder(spec).Build();
}

}  // namespace voigt::testing
