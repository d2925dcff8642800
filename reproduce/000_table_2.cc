// [Drumwright 2019, table 2]: how far off the cube on its elastic foundation is after a second.

#include <cmath>

#include "reproduce/experiment_list.h"
#include "reproduce/foundation_run.h"

namespace voigt::reproduce {

void Run000Table2(Trial* trial) {
  for (const FoundationCase& c : ListFoundationCases()) {
    const VecX exact = Eigen::Map<const VecX>(trial->Constants("pose_" + c.name()).data(), 7);
    trial->Set("error_" + c.name(), (RunFoundation(*trial, c, 0.01).pose - exact).norm());
    const std::string fine = "fine_" + c.name();
    if (trial->Wants(fine)) {
      trial->Set(fine, (RunFoundation(*trial, c, 0.001).pose - exact).norm());
    }
  }
}

}  // namespace voigt::reproduce
