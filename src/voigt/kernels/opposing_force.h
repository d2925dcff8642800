#pragma once

#include "voigt/math/types.h"

namespace voigt {

// The force (or impulse) x within a limit that opposes what it leaves: B x + c = −s x with s > 0
// and ‖x‖ = limit, or one that leaves nothing, B x + c = 0, where less than the limit is enough;
// `stops` says which. B is symmetric and positive semidefinite.
Vec3 FindOpposing(const Mat3& B, const Vec3& c, double limit, bool* stops);

}  // namespace voigt
