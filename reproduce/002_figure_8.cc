// [Mylapilli & Jain 2014, figure 8]: the end of the run of the twelve-link pendulum.

#include <algorithm>

#include "reproduce/experiment_list.h"
#include "reproduce/twelve_links.h"

namespace voigt::reproduce {

void Run002Figure8(Trial* trial) {
  const auto& runs = RunTwelveLinks(*trial);
  // The largest difference of two runs in the last second.
  const auto spread = [&](const char* a, const char* b) {
    return CalcDifference(runs.at(a), runs.at(b), &LinksRun::v_z, 19, 20);
  };
  trial->Set("spread_mncp", spread("mncp-rlm", "mncp-plm"));
  trial->Set("spread_between", spread("mlcp-lemke", "mncp-plm"));
  trial->Set("spread_twin", spread("mlcp-lemke", "twin"));
  if (trial->Wants("spread_mlcp")) {
    trial->Set("spread_mlcp", std::max({spread("mlcp-lemke", "mlcp-fb-rlm"),
                                        spread("mlcp-lemke", "mlcp-fb-plm")}));
  }
  trial->Add(MakeLinksChart(runs, "The last two seconds", "v_z of the last link [m/s]",
                            &LinksRun::v_z, 18));
}

}  // namespace voigt::reproduce
