#pragma once

#include <random>

#include "voigt/model/model.h"
#include "voigt/model/state.h"

namespace voigt::testing {

using Random = std::mt19937_64;

double Uniform(Random* random, double low, double high);
Vec3 RandomVector(Random* random, double scale = 1);
Vec6 RandomSpatial(Random* random);
Mat3 RandomRotation(Random* random);
Pose RandomPose(Random* random, double scale = 1);

// Mass, centre of mass and inertia of a small cloud of point masses: physical by construction.
MassProperties RandomMass(Random* random);

struct RandomTreeOptions {
  int max_dofs = 60;
  double branching = 0.3;      // chance that a body hangs on an earlier one than the last
  bool with_springs = false;   // springs, damping and armature
  bool floating_base = false;  // the first joint is free
  bool allow_reversed = true;  // joints that the tree passes from child to parent
};

// A tree of bodies with joints of all types, random frames, inertias and directions.
Model MakeRandomTree(Random* random, const RandomTreeOptions& options = {});

// Random coordinates (unit quaternions) and rates of order 1.
State MakeRandomState(const Model& model, Random* random);
VecX RandomRates(const Model& model, Random* random, double scale = 1);

}  // namespace voigt::testing
