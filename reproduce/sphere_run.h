#pragma once

#include <string>
#include <vector>

#include "reproduce/core/trial.h"

namespace voigt::reproduce {

// A sphere thrown along a floor [Mylapilli & Jain 2014, figures 2 and 3], by one of the solvers.
struct SphereRun {
  std::vector<Vec2> v_x, v_y, omega_x, omega_y;  // over time
  std::vector<Vec2> friction, limit;             // size of the friction force and mu F_n, N
  double rolls_from = kNaN;                      // s
  double energy_lost = 0;                        // J
  double largest_v_y = 0, largest_omega_x = 0;
  double x = 0;  // at the end, m
};

// The four of the paper, as voigt calls them, and Lemke's method in the place of PATH.
const std::vector<std::string>& ListSphereSolvers();

// `degrees`: of the polygon of friction against the slip; NaN: along it.
SphereRun RunSphere(const Trial& trial, const std::string& formulation, double degrees = kNaN);

}  // namespace voigt::reproduce
