#pragma once

#include "voigt/collision/manifold.h"
#include "voigt/model/geometry.h"

// From a half-space A to a solid B: points of B where its surface is lowest, and the points around
// that keep it standing. All have the normal of the half-space, and φ is their height.
namespace voigt {

// Each corner; feature: its number, with bits 0, 1, 2 set for the sides +x, +y, +z.
void CollideHalfSpaceBox(const HalfSpace& A, const Pose& X_WA, const Box& B, const Pose& X_WB,
                         double margin, Manifold* out);

// The lowest points of the two half-spheres; feature: 0 for that at -z, 1 for that at +z. A capsule
// that lies on its side touches along a line, to which Hertz's law for a point does not apply; its
// ends act as the spheres that they are, so that nothing jumps when one of them lifts.
void CollideHalfSpaceCapsule(const HalfSpace& A, const Pose& X_WA, const Capsule& B,
                             const Pose& X_WB, double margin, Manifold* out);

// Four points of each rim: the lowest, and those a quarter, a half and three quarters of a turn on.
// A cylinder on its side rests on the lowest of both rims; tilted, on one of them; upright, on a
// square. Points fixed to the rim would be hit one after the other by a wheel that rolls, and brake
// it: these stay where they are while the cylinder turns. Where it stands so upright that no point
// is the lowest, the square begins at the cylinder's x. Feature: quarters of a turn, + 4 at +z.
void CollideHalfSpaceCylinder(const HalfSpace& A, const Pose& X_WA, const Cylinder& B,
                              const Pose& X_WB, double margin, Manifold* out);

// The lowest point; feature 0. Radius: 1/√(κ₁κ₂), the sphere of the same Gaussian curvature, which
// Hertz's ellipse of contact is close to where the two differ little [Johnson 1985, §4.2].
void CollideHalfSpaceEllipsoid(const HalfSpace& A, const Pose& X_WA, const Ellipsoid& B,
                               const Pose& X_WB, double margin, Manifold* out);

}  // namespace voigt
