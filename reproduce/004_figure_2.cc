// [Anitescu, Miller & Hart 2003, figure 2]: how deep the ellipse sinks into the table, with and
// without stabilisation.

#include <cmath>

#include "reproduce/ellipse_run.h"
#include "reproduce/experiment_list.h"

namespace voigt::reproduce {

void Run004Figure2(Trial* trial) {
  Chart chart{"Infeasibility, h = 50 ms", "t [s]", "I(q) [m]", {}};
  chart.log_y = true;
  int color = 0;
  for (const char* s : {"0", "0.2", "1"}) {
    const EllipseRun run = RunEllipse(*trial, std::stod(s), 0.05, true);
    trial->Set(std::string("largest_") + s, run.largest);
    trial->Set(std::string("last_") + s, run.last);
    if (std::string(s) == "0") {
      trial->Set("rise_0", run.depth[199][1] / run.depth[79][1]);
    }
    chart.curves.push_back(MakeCurve(std::string("gamma = ") + s, color++, run.depth));
    const EllipseRun touching = RunEllipse(*trial, std::stod(s), 0.05, false);
    trial->Set(std::string("touching_largest_") + s, touching.largest);
    trial->Set(std::string("touching_last_") + s, touching.last);
  }
  trial->Add(chart);
  // Theorem 3.1 has one constant for all steps.
  for (const char* h : {"0.05", "0.025", "0.0125", "0.00625"}) {
    trial->Set(std::string("C1_") + h, RunEllipse(*trial, 1, std::stod(h), true).C1);
  }
}

}  // namespace voigt::reproduce
