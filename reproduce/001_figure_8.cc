// [Drumwright & Shell 2010, figure 8]: dry friction of 5 N m ought to hold the arm.

#include "reproduce/arm_run.h"
#include "reproduce/experiment_list.h"

namespace voigt::reproduce {

void Run001Figure8(Trial* trial) {
  const ArmFriction friction{5, 0};
  const int bicep = 2;
  Chart chart{"Angle of the bicep (humeral roll)", "t [s]", "angle [rad]", {}};
  for (const char* h : {"0.05", "0.01", "0.001"}) {
    const ArmRun run = RunArm(*trial, friction, std::stod(h), "max-dissipation", "bound", bicep);
    trial->Set(std::string("drift_") + h, run.drift);
    if (std::string(h) != "0.01") continue;
    chart.curves.push_back(MakeCurve("maximum dissipation, h = 0.01 s", 0, run.angle));
  }
  int color = 1;
  for (const char* h : {"1e-3", "1e-5", "1e-6"}) {
    const std::string name = std::string("accelerations_") + h;
    if (!trial->Wants(name)) continue;
    const ArmRun run = RunArmByAccelerations(*trial, friction, std::stod(h), 0.2, bicep);
    trial->Set(name, run.drift);
    if (std::string(h) == "1e-3") continue;  // far outside of the picture
    chart.curves.push_back(
        MakeCurve(std::string("accelerations, h = ") + h + " s", color++, run.angle));
  }
  trial->Add(chart);
}

}  // namespace voigt::reproduce
