// [Mylapilli & Jain 2014, figure 5]: the height of the last link of the twelve-link pendulum over
// 20 s.

#include "reproduce/experiment_list.h"
#include "reproduce/twelve_links.h"

namespace voigt::reproduce {

void Run002Figure5(Trial* trial) {
  const auto& runs = RunTwelveLinks(*trial);
  CompareWholeRuns(runs, &LinksRun::z, "height of the last link [m]", trial);
  const LinksRun& lemke = runs.at("mlcp-lemke");
  trial->Set("angles_mncp-plm", CalcAngleDifference(lemke, runs.at("mncp-plm")));
  trial->Set("angles_twin", CalcAngleDifference(lemke, runs.at("twin")));
}

}  // namespace voigt::reproduce
