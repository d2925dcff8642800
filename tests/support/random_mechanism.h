#pragma once

#include <optional>
#include <string>
#include <vector>

#include "voigt/model/model.h"
#include "voigt/model/state.h"

namespace voigt::testing {

// A random tree with more to hold it than its joints, in a pose that meets all of it; rates may
// not. MakeRandomMechanism has in turn loop joints of all types, rods between points (distances),
// all bodies free with every joint made of rows, balls on the ground; MakeDrivenMechanism limits,
// couplers, prescribed motion, drives and dry friction of joints, and every other one rods.
// Stiffness is one of 1, 1e3, …, 1e15 and rigid, damping one of 0, 1, 1e6, 1e12, the step one of
// 1e-4 … 0.1 s. The same seed gives the same mechanism.
struct RandomMechanism {
  Model model;
  State state;
  double h = 0;
  bool rigid = false;
  bool has_friction = false;  // between surfaces
  bool is_driven = false;     // may have more energy from step to step
  std::string description;
};

// How stiff what holds it is, and how long steps are.
struct HoldAndStep {
  double stiffness = kInfinity;  // N/m
  double damping = 0;            // N s/m, 0 of what is rigid
  double h = 0;                  // s
};
// Every combination that there is.
std::vector<HoldAndStep> ListHoldsAndSteps();

// With a combination of one's own, the tree, its pose and what holds it are those of the seed.
RandomMechanism MakeRandomMechanism(int seed, const std::optional<HoldAndStep>& hold = {});
RandomMechanism MakeDrivenMechanism(int seed, const std::optional<HoldAndStep>& hold = {});

}  // namespace voigt::testing
