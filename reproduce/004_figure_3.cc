// [Anitescu, Miller & Hart 2003, figure 3]: how far joints of the robot hand come apart.

#include <cmath>

#include "reproduce/experiment_list.h"
#include "reproduce/hand_run.h"

namespace voigt::reproduce {

void Run004Figure3(Trial* trial) {
  const HandRun none = RunHand(*trial, 0), some = RunHand(*trial, 0.2), full = RunHand(*trial, 1);
  trial->Set("end_0", none.end);
  trial->Set("used_up_0", none.joints.back()[1]);
  trial->Set("largest_0.2", LargestOf(some.joints));
  trial->Set("largest_1", LargestOf(full.joints));
  trial->Set("end_0.2", some.end);
  trial->Set("end_1", full.end);
  trial->Set("fall_0.2", some.joints.back()[1] / LargestOf(some.joints));
  trial->Set("fall_1", full.joints.back()[1] / LargestOf(full.joints));
  // While the knuckles turn evenly, every step adds the same d: I_l = (1 − gamma) I_{l−1} + d.
  const double d = full.joints[40][1];
  trial->Set("recursion_0", none.joints[40][1] / (40 * d));
  trial->Set("recursion_0.2", some.joints[40][1] / (d / 0.2));
  Chart chart{"Infeasibility of joints", "t [s]", "I(q) [m], [rad]", {}};
  chart.log_y = true;
  chart.curves = {MakeCurve("gamma = 0", 0, none.joints), MakeCurve("gamma = 0.2", 1, some.joints),
                  MakeCurve("gamma = 1", 2, full.joints)};
  trial->Add(chart);
}

}  // namespace voigt::reproduce
