// [Mylapilli & Jain 2014, figure 5]: the last link of the twelve-link pendulum over 20 s.

#include "reproduce/experiment_list.h"
#include "reproduce/twelve_links.h"

namespace voigt::reproduce {

void Run002Figure5(Trial* trial) {
  const auto& runs = RunTwelveLinks(*trial);
  const LinksRun& lemke = runs.at("mlcp-lemke");
  for (const auto& [name, run] : runs) {
    if (name == "mlcp-lemke") continue;
    trial->Set("until_10_" + name, CalcDifference(lemke, run, &LinksRun::z, 0, 10));
    trial->Set("until_20_" + name, CalcDifference(lemke, run, &LinksRun::z, 0, 20));
  }
  trial->Set("angles_mncp-plm", CalcAngleDifference(lemke, runs.at("mncp-plm")));
  trial->Set("angles_twin", CalcAngleDifference(lemke, runs.at("twin")));
  trial->Add(MakeLinksChart(runs, "Five solvers, and one from another start",
                            "height of the last link [m]", &LinksRun::z, 0));
}

}  // namespace voigt::reproduce
