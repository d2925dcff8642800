// [Mylapilli & Jain 2014, figure 7]: the last link of the twelve-link pendulum over 20 s.

#include "reproduce/experiment_list.h"
#include "reproduce/twelve_links.h"

namespace voigt::reproduce {

void Run002Figure7(Trial* trial) {
  const auto& runs = RunTwelveLinks(*trial);
  const LinksRun& lemke = runs.at("mlcp-lemke");
  for (const auto& [name, run] : runs) {
    if (name == "mlcp-lemke") continue;
    trial->Set("until_10_" + name, CalcDifference(lemke, run, &LinksRun::v_z, 0, 10));
    trial->Set("until_20_" + name, CalcDifference(lemke, run, &LinksRun::v_z, 0, 20));
  }
  trial->Add(MakeLinksChart(runs, "Five solvers, and one from another start",
                            "v_z of the last link [m/s]", &LinksRun::v_z, 0));
}

}  // namespace voigt::reproduce
