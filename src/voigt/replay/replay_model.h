#pragma once

#include "voigt/io/json_text.h"
#include "voigt/model/model.h"
#include "voigt/replay/replay_blocks.h"

namespace voigt {

// What of a model the page draws: writes the members "bodies", "shapes" and "joints" of an object,
// and the triangles of meshes as the blocks mesh_vertices and mesh_triangles.
void WriteReplayModel(const Model& model, JsonWriter* out, ReplayBlocks* blocks);

}  // namespace voigt
