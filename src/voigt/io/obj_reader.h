#pragma once

#include <string_view>

#include "voigt/io/mesh_builder.h"
#include "voigt/io/mesh_report.h"

namespace voigt {

// Wavefront OBJ: vertices (v) and faces (f). Faces may name vertices anywhere in the file, from 1
// on, or backwards from the line they stand in, -1 being the latest; what they say on texture and
// normals is checked for form only. Names, groups, smoothing, materials, normals and texture
// coordinates make no shape and are passed over; any other statement is a notice. Polygons whose
// corners leave their plane by more than a thousandth of their extent are a notice.
void ReadObj(std::string_view text, MeshBuilder* builder, MeshReport* report);

}  // namespace voigt
