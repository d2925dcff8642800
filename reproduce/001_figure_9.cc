// [Drumwright & Shell 2010, figure 9]: the arm falls with dry and viscous friction.

#include <cmath>

#include "reproduce/arm_run.h"
#include "reproduce/experiment_list.h"

namespace voigt::reproduce {

void Run001Figure9(Trial* trial) {
  const ArmFriction friction{0.25, 0.1};
  const int pitch = 1, elbow = 3;
  // First order: two steps tell where h = 0 leads.
  const ArmRun rough = RunArm(*trial, friction, 1e-3, "max-dissipation", "damper", pitch);
  const ArmRun fine = RunArm(*trial, friction, 1e-4, "max-dissipation", "damper", pitch);
  const VecX q = fine.end + (fine.end - rough.end) / 9;
  const VecX v = fine.end_rate + (fine.end_rate - rough.end_rate) / 9;
  const VecX exact = Eigen::Map<const VecX>(trial->Constants("exact").data(), 8);
  const auto error_of = [&](const ArmRun& run) { return (run.end - exact).cwiseAbs().maxCoeff(); };
  trial->Set("q1", q[0]);
  trial->Set("q2", q[pitch]);
  trial->Set("q4", q[elbow]);
  trial->Set("v2", v[pitch]);
  trial->Set("v4", v[elbow]);
  double held = 0;
  for (int k : {2, 4, 5, 6, 7}) held = std::max(held, std::abs(fine.end[k] - fine.start[k]));
  trial->Set("held", held);
  double last = 0;
  for (const char* h : {"1e-2", "1e-3", "1e-4"}) {
    const ArmRun run = RunArm(*trial, friction, std::stod(h), "max-dissipation", "bound", pitch);
    trial->Set(std::string("error_") + h, error_of(run));
    if (std::string(h) == "1e-4") trial->Set("order", std::log10(last / error_of(run)));
    last = error_of(run);
  }
  Chart angles{"Angle of the shoulder pitch", "t [s]", "angle [rad]", {}};
  Chart rates{"Rate of the shoulder pitch", "t [s]", "rate [rad/s]", {}};
  const ArmRun coarse = RunArm(*trial, friction, 1e-2, "max-dissipation", "bound", pitch);
  angles.curves.push_back(MakeCurve("maximum dissipation, h = 0.01 s", 0, coarse.angle));
  rates.curves.push_back(MakeCurve("maximum dissipation, h = 0.01 s", 0, coarse.rate));
  int color = 1;
  for (const char* h : {"1e-3", "1e-5"}) {
    const std::string name = std::string("accelerations_") + h;
    if (!trial->Wants(name)) continue;
    const ArmRun run = RunArmByAccelerations(*trial, friction, std::stod(h), 1, pitch);
    trial->Set(name, error_of(run));
    angles.curves.push_back(
        MakeCurve(std::string("accelerations, h = ") + h + " s", color, run.angle));
    rates.curves.push_back(
        MakeCurve(std::string("accelerations, h = ") + h + " s", color++, run.rate));
  }
  trial->Add(angles);
  trial->Add(rates);
  trial->Show(trial->LoadScene("eight_joint_arm"), "Arm with friction in its joints");
}

}  // namespace voigt::reproduce
