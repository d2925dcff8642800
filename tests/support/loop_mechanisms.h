#pragma once

#include <string>

#include "tests/support/one_dof.h"

namespace voigt::testing {

// A scene with loops whose motion is known: it has one degree of freedom (or another one that its
// angular momentum rules), and the coordinate of one joint tells it all. Equations written by hand,
// from the figures in the scene.
struct LoopMechanism {
  std::string scene;
  std::string joint;
  OneDof reference;
  OneDofMotion start;
  double until = 0;  // s: before it gets near a singular position
  double h = 0;      // s: a step with errors of the order alone
  int order = 2;     // of motion and energy, with rates in the middle of steps; 1 with springs
};

LoopMechanism FourBars();
LoopMechanism SliderCrank();
LoopMechanism Bricard();
LoopMechanism FlyballGovernor();

}  // namespace voigt::testing
