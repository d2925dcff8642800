// [Drumwright 2019, table 2]: how far off the cube on its elastic foundation is after a second.

#include <cmath>

#include "reproduce/experiment_list.h"
#include "reproduce/foundation_ode.h"

namespace voigt::reproduce {

void Run000Table2(Trial* trial) {
  for (const FoundationCase& c : ListFoundationCases()) {
    const VecX exact = Eigen::Map<const VecX>(trial->Constants("pose_" + c.name()).data(), 7);
    const double error = (RunFoundation(*trial, c, 0.01).pose - exact).norm();
    trial->Set("error_" + c.name(), error);
    if (std::string(c.E) == "1e11") {
      const OdeRun run = IntegrateFoundation(*trial, IntegrateExplicitly, c, 1);
      const double error_of_ode45 = (Eigen::Map<const VecX>(run.y.data(), 7) - exact).norm();
      trial->Set("ode45_" + c.name(), error_of_ode45 / error);
    }
    const std::string fine = "fine_" + c.name();
    if (trial->Wants(fine)) {
      trial->Set(fine, (RunFoundation(*trial, c, 0.001).pose - exact).norm());
    }
  }
}

}  // namespace voigt::reproduce
