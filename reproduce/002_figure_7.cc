// [Mylapilli & Jain 2014, figure 7]: the vertical speed of the last link of the twelve-link
// pendulum over 20 s.

#include "reproduce/experiment_list.h"
#include "reproduce/twelve_links.h"

namespace voigt::reproduce {

void Run002Figure7(Trial* trial) {
  CompareWholeRuns(RunTwelveLinks(*trial), &LinksRun::v_z, "v_z of the last link [m/s]", trial);
}

}  // namespace voigt::reproduce
