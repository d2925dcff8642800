// [Mylapilli & Jain 2014, figure 3]: the same sphere, with friction polygons that are not along its
// slip.

#include <algorithm>

#include "reproduce/experiment_list.h"
#include "reproduce/sphere_run.h"

namespace voigt::reproduce {

void Run002Figure3(Trial* trial) {
  for (const char* solver : {"mlcp-lemke", "mlcp-fb-rlm", "mlcp-fb-plm"}) {
    const SphereRun run = RunSphere(*trial, solver, 45);
    trial->Set(std::string("rolls_from_45_") + solver, run.rolls_from);
    trial->Set(std::string("x_45_") + solver, run.x);
    trial->Set(std::string("v_y_45_") + solver, run.largest_v_y);
  }
  for (double degrees : {45.0, 30.0, 15.0}) {
    const SphereRun run = RunSphere(*trial, "mlcp-lemke", degrees);
    const std::string name = fmt::format("{:.0f}", degrees);
    if (degrees < 45) {
      trial->Set("rolls_from_" + name, run.rolls_from);
      trial->Set("v_y_" + name, run.largest_v_y);
      trial->Set("omega_x_" + name, run.largest_omega_x);
    }
    trial->Add({"mlcp-lemke, polygon at " + name + "°",
                "t [s]",
                "[m/s], [rad/s]",
                {MakeCurve("v_x", 0, run.v_x), MakeCurve("omega_y", 1, run.omega_y),
                 MakeCurve("v_y", 2, run.v_y), MakeCurve("omega_x", 3, run.omega_x)}});
  }
  // Cones have no directions.
  const SphereRun round = RunSphere(*trial, "mncp-plm");
  trial->Set("rolls_from_mncp-plm", round.rolls_from);
  trial->Set("v_y_mncp-plm", round.largest_v_y);
}

}  // namespace voigt::reproduce
