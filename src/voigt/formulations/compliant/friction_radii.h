#pragma once

#include "voigt/kernels/newton_workspace.h"

// The radii of the discs that bound friction, μ times `bound` for each disc of a contact, while
// they are taken from normal impulses of a pass or of the last step.
namespace voigt {

// bound ← (1 − weight) bound + weight γ_n.
void SetRadiiFromImpulses(const IslandView& island, const VecX& gamma, double weight,
                          ConvexProgram* program);

// Whether each γ_n is within a factor of two of its bound; contacts of a small part of the largest
// do not count, nor do those without friction.
bool NormalsAgreeWithRadii(const IslandView& island, const VecX& gamma);

}  // namespace voigt
