// [Anitescu, Miller & Hart 2003, figure 4]: joints and contacts of the robot hand together.

#include "reproduce/experiment_list.h"
#include "reproduce/hand_run.h"

namespace voigt::reproduce {

void Run004Figure4(Trial* trial) {
  Chart chart{"Infeasibility of joints and contacts", "t [s]", "I(q) [m], [rad]", {}};
  chart.log_y = true;
  int color = 0;
  for (const char* gamma : {"0", "0.2", "1"}) {
    const HandRun run = RunHand(*trial, std::stod(gamma));
    trial->Set(std::string("largest_") + gamma, LargestOf(run.total));
    trial->Set(std::string("contacts_") + gamma, LargestOf(run.contacts));
    chart.curves.push_back(MakeCurve(std::string("gamma = ") + gamma, color++, run.total));
  }
  trial->Add(chart);
}

}  // namespace voigt::reproduce
