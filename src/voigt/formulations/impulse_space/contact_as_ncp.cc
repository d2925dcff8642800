#include "voigt/formulations/impulse_space/contact_as_ncp.h"

namespace voigt {

void ListNcpBlocks(const ImpulseIsland& island, std::vector<NcpBlock>* blocks) {
  blocks->clear();
  for (int g = 0; g < static_cast<int>(island.groups.size()); ++g) {
    const RowGroup& group = island.group(g);
    const int first = island.groups[g].first_row;
    NcpBlock block;
    block.first = first;
    if (group.law == Law::kContact) {
      block.kind = NcpKind::kCone;
      block.count = group.row_count;
      block.discs = group.discs();
      blocks->push_back(block);
      continue;
    }
    for (int r = 0; r < group.row_count; ++r) {
      const Row& row = island.problem->rows[island.rows[first + r]];
      block.first = first + r;
      block.kind = group.law == Law::kBilateral    ? NcpKind::kFree
                   : group.law == Law::kUnilateral ? NcpKind::kUnilateral
                                                   : NcpKind::kBounded;
      block.lower = row.lower;
      block.upper = row.upper;
      // What no impulse moves has none.
      if (island.A(first + r, first + r) == 0) {
        block.kind = NcpKind::kBounded;
        block.lower = block.upper = 0;
      }
      blocks->push_back(block);
    }
  }
}

}  // namespace voigt
