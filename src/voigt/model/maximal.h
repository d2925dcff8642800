#pragma once

#include "voigt/model/model.h"
#include "voigt/model/state.h"

namespace voigt {

// The same system in maximal coordinates: every body moves freely (joint "free:NAME", with ' behind
// it where a joint has that name; its coordinates are the pose of the body's own frame) and every
// joint, tree and loop alike, is a loop joint. Springs, damping, armature, loads and drives stay
// with their joints. Massless bodies stay massless, and no solver can move them on their own.
Model ToMaximal(const Model& model);

// The state of the maximal model in which all bodies are where `state` puts them.
State ToMaximalState(const Model& model, const State& state, const Model& maximal);

struct MinimalState {
  State state;
  // How far the bodies are from any state of the tree: the largest distance [m], rotation [rad] and
  // velocity mismatch [m/s, rad/s] at a tree joint.
  double position_error = 0, rotation_error = 0, velocity_error = 0;
};

// The other way: joint coordinates and rates that fit the bodies best, joint by joint. Angles are
// taken within half a turn of those in `hint` (a state of the minimal model).
MinimalState ToMinimalState(const Model& maximal, const State& state, const Model& model,
                            const State& hint);

}  // namespace voigt
