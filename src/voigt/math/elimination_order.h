#pragma once

#include <span>
#include <utility>
#include <vector>

namespace voigt {

// Orders in which the nodes of a sparse symmetric matrix are eliminated with low fill: the position
// of each node. Edges join different nodes, in any order, repeated or not.

// Approximate minimum degree. About a microsecond per node.
std::vector<int> OrderByDegree(int count, std::span<const std::pair<int, int>> edges);

// Nested dissection [George 1973]: few nodes that cut a graph in two come last, and the halves are
// ordered in the same way before them, down to pieces that are ordered by degree. Cuts lie across
// the graph's slowest mode [Pothen et al. 1990], and are then the least ones nearby. Takes about
// five times as long. Of packed beds of a thousand nodes the factor takes 1.3 to 1.6 times fewer
// multiplications, of ten thousand 2.6 times; of small and of thin ones as many or more.
std::vector<int> OrderByDissection(int count, std::span<const std::pair<int, int>> edges);

}  // namespace voigt
