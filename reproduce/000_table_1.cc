// [Drumwright 2019, table 1]: how long a second of the cube on its elastic foundation takes.

#include "reproduce/experiment_list.h"
#include "reproduce/foundation_run.h"

namespace voigt::reproduce {

void Run000Table1(Trial* trial) {
  for (const FoundationCase& c : ListFoundationCases()) {
    RunFoundation(*trial, c, 0.01);  // warms caches up
    trial->Set("time_" + c.name(), RunFoundation(*trial, c, 0.01).wall_time);
  }
}

}  // namespace voigt::reproduce
