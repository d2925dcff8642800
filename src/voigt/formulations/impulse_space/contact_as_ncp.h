#pragma once

#include <vector>

#include "voigt/formulations/impulse_space/impulse_island.h"
#include "voigt/kernels/implicit_ncp.h"

namespace voigt {

// The laws of an island as blocks of an implicit complementarity problem with its A and q: rows one
// by one, but for contacts, which are one block with all their discs. Force laws must have been
// replaced by their tangents.
void ListNcpBlocks(const ImpulseIsland& island, std::vector<NcpBlock>* blocks);

}  // namespace voigt
