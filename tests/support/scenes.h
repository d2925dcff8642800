#pragma once

#include <string>
#include <vector>

#include "voigt/io/scene.h"
#include "voigt/sim/simulator.h"

namespace voigt::testing {

// A scene of scenes/, by its name without folder and ending.
inline Scene LoadNamedScene(const std::string& name, const std::vector<Override>& overrides = {}) {
  return LoadScene(std::string(VOIGT_SOURCE_DIR) + "/scenes/" + name + ".yaml", overrides);
}

// The names of all of them, sorted.
std::vector<std::string> ListNamedScenes();

inline Simulator MakeSimulator(const Scene& scene) {
  return Simulator(scene.model, scene.settings, scene.initial);
}

// The same scene without limits, joint friction, constraints and contact: its tree as it moves
// freely.
Scene WithoutConstraints(const Scene& scene);

// Runs a scene to its end and returns the final state; fails the test if a step fails.
State RunToEnd(const Scene& scene);

}  // namespace voigt::testing
