// [Mylapilli & Jain 2014, figure 2]: a sphere that slides and then rolls, with friction polygons
// along its slip.

#include <algorithm>

#include "reproduce/experiment_list.h"
#include "reproduce/sphere_run.h"

namespace voigt::reproduce {

void Run002Figure2(Trial* trial) {
  Chart velocities{"Velocities of the sphere, all five solvers", "t [s]", "[m/s], [rad/s]", {}};
  double aside = 0;
  for (const std::string& solver : ListSphereSolvers()) {
    const SphereRun run = RunSphere(*trial, solver);
    trial->Set("rolls_from_" + solver, run.rolls_from);
    trial->Set("v_x_" + solver, run.v_x.back()[1]);
    trial->Set("omega_y_" + solver, run.omega_y.back()[1]);
    trial->Set("x_" + solver, run.x);
    trial->Set("energy_lost_" + solver, run.energy_lost);
    aside = std::max({aside, run.largest_v_y, run.largest_omega_x});
    const bool is_first = velocities.curves.empty();
    velocities.curves.push_back(MakeCurve(is_first ? "v_x" : "", 0, run.v_x));
    velocities.curves.push_back(MakeCurve(is_first ? "omega_y" : "", 1, run.omega_y));
    if (solver != "mncp-plm") continue;
    trial->Set("friction_sliding", run.friction[100][1] / run.limit[100][1]);
    trial->Set("friction_rolling", run.friction.back()[1] / run.limit.back()[1]);
    trial->Add({"Friction and its limit, mncp-plm",
                "t [s]",
                "force [N]",
                {MakeCurve("friction", 0, run.friction), MakeCurve("mu F_n", 1, run.limit)}});
  }
  trial->Set("aside", aside);
  trial->Add(velocities);
  trial->Show(trial->LoadScene("sliding_sphere"), "Sliding sphere");
}

}  // namespace voigt::reproduce
