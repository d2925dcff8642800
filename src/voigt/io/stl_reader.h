#pragma once

#include <string_view>

#include "voigt/io/mesh_builder.h"
#include "voigt/io/mesh_report.h"

namespace voigt {

// STL. A binary file has a header of 80 bytes of any kind, which may well begin
// with "solid", the number n of facets in 4 bytes and 50 bytes a facet: normal and three corners as
// floats, and two bytes of use to nobody here, all little-endian. So a file of 84 + 50 n bytes is
// binary, and a text otherwise if it begins with "solid" and has no zero bytes. Normals do not
// count, but those against the winding of their corners are a notice.
void ReadStl(std::string_view data, MeshBuilder* builder, MeshReport* report);

}  // namespace voigt
