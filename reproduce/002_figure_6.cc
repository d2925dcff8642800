// [Mylapilli & Jain 2014, figure 6]: the height of the last link of the twelve-link pendulum in the
// end.

#include "reproduce/experiment_list.h"
#include "reproduce/twelve_links.h"

namespace voigt::reproduce {

void Run002Figure6(Trial* trial) {
  CompareEnds(RunTwelveLinks(*trial), &LinksRun::z, "height of the last link [m]", trial);
}

}  // namespace voigt::reproduce
