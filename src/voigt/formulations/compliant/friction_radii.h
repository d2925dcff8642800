#pragma once

#include "voigt/kernels/newton_workspace.h"

// The radii of the discs that bound friction while they are taken from normal impulses of a pass or
// of the last step.
namespace voigt {

// radius ← (1 − weight) radius + weight μ γ_n.
void SetRadiiFromImpulses(const IslandView& island, const VecX& gamma, double weight,
                          ConvexProgram* program);

// Whether each μ γ_n is within a factor of two of its radius; contacts of a small part of the
// largest do not count.
bool NormalsAgreeWithRadii(const IslandView& island, const VecX& gamma);

}  // namespace voigt
