#pragma once

#include <optional>
#include <string>
#include <vector>

#include "voigt/model/geometry.h"

namespace voigt {

// Mass [kg], centre of mass [m] and inertia about it [kg m²], all in one frame.
struct MassProperties {
  double mass = 0;
  Vec3 com = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};

// Of a homogeneous shape, in its own frame G. Returns nothing and says why in *defect where the
// shape bounds no volume (half-spaces, points, foundations, meshes that are open, inverted or
// inconsistent).
std::optional<MassProperties> CalcShapeMassProperties(const Shape& shape, double density,
                                                      std::string* defect);

// Of a closed polyhedron: exact integrals over the tetrahedra that its triangles span with a point
// [Mirtich 1996; here in the covariance form of Blow & Binstock 2004].
MassProperties CalcPolyhedronMassProperties(const TriangleMesh& mesh, double density);

// The same body in frame A, given X_AB.
MassProperties Transform(const Pose& X_AB, const MassProperties& in_B);

// Welds bodies that are given in one frame into one.
MassProperties Combine(const std::vector<MassProperties>& parts);

struct PrincipalInertia {
  Vec3 moments = Vec3::Zero();
  Mat3 axes = Mat3::Identity();  // as columns, right-handed: inertia = axes diag(moments) axesᵀ
};

// The identity is returned for an inertia that is diagonal already.
PrincipalInertia CalcPrincipalInertia(const Mat3& inertia);

// What is wrong with an inertia about the centre of mass: not symmetric, not positive definite, or
// a principal moment larger than the sum of the other two.
std::optional<std::string> DescribeInertiaDefect(const Mat3& inertia);

}  // namespace voigt
