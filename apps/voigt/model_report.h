#pragma once

#include <map>
#include <string>
#include <vector>

#include "voigt/io/scene.h"

namespace voigt {

// How many of each kind, by name.
using KindCounts = std::map<std::string, int>;

// What was understood of a scene.
struct ModelReport {
  int bodies = 0, dofs = 0, loop_joints = 0;
  double mass = 0;  // kg
  KindCounts joints, shapes, constraints, drives, loads;
  int tendons = 0, actuators = 0;
  std::vector<std::string> materials;  // "ice: rigid, friction 0.02"
  int placed_joints = 0;               // that do not start at zero
  int moving_joints = 0;               // that do not start at rest
  std::vector<std::string> notices;    // what does not act, and what is unused
};

ModelReport MakeModelReport(const Scene& scene);

}  // namespace voigt
