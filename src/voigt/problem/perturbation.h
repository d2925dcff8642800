#pragma once

#include "voigt/math/types.h"

namespace voigt {

// A small change of a problem's data. Empty vectors change nothing.
struct Perturbation {
  VecX dv_star;             // per rate: m/s, rad/s
  VecX dphi;                // per row, of the gap: m, rad
  VecX dmu;                 // per group, of the friction coefficient
  VecX dtorsion, drolling;  // per group, of its lengths against spin and rolling: m
};

}  // namespace voigt
