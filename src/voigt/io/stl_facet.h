#pragma once

#include <array>
#include <string_view>

#include "voigt/io/mesh_builder.h"
#include "voigt/io/mesh_report.h"
#include "voigt/math/types.h"

namespace voigt {

struct StlFacet {
  Vec3 normal = Vec3::Zero();
  std::array<Vec3, 3> corners;
  MeshPlace place;
};

// Adds a facet with finite corners; says where its normal disagrees with them.
void AddStlFacet(const StlFacet& facet, MeshBuilder* builder, MeshReport* report);

// The ASCII form of STL.
void ReadStlText(std::string_view text, MeshBuilder* builder, MeshReport* report);

}  // namespace voigt
