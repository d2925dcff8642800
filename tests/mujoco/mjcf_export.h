#pragma once

#include <string>

#include "voigt/model/model.h"

namespace voigt::testing {

// The tree of a model as MJCF text, for comparison with MuJoCo: the same bodies, inertias, joints,
// springs, dampers and armature, without geometry and loads. Chains of massless links become
// several joints of one body, which is how MuJoCo says it. Coordinates and rates have the same
// meaning and order in both programs. Only fixed, revolute, prismatic, ball and free joints, none
// passed backwards.
std::string ExportMjcf(const Model& model);

}  // namespace voigt::testing
