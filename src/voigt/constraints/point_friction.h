#pragma once

#include <initializer_list>
#include <vector>

#include "voigt/constraints/constraint.h"

namespace voigt {

// Friction of a guided point: rows along `directions`, from the force of the constraint's own rows.
void AddPointFriction(const ReactionFriction& law, int body_A, int body_B, const Vec3& p,
                      std::initializer_list<Vec3> directions, RowWriter* rows,
                      std::vector<FrictionRows>* out);

}  // namespace voigt
