// [Mylapilli & Jain 2014, figure 8]: the vertical speed of the last link of the twelve-link
// pendulum in the end.

#include "reproduce/experiment_list.h"
#include "reproduce/twelve_links.h"

namespace voigt::reproduce {

void Run002Figure8(Trial* trial) {
  CompareEnds(RunTwelveLinks(*trial), &LinksRun::v_z, "v_z of the last link [m/s]", trial);
}

}  // namespace voigt::reproduce
