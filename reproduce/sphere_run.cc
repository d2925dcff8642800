#include "reproduce/sphere_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace voigt::reproduce {

const std::vector<std::string>& ListSphereSolvers() {
  static const std::vector<std::string> names = {"mlcp-lemke", "mlcp-fb-rlm", "mlcp-fb-plm",
                                                 "mncp-rlm", "mncp-plm"};
  return names;
}

SphereRun RunSphere(const Trial& trial, const std::string& formulation, double degrees) {
  std::vector<Override> overrides = {{"simulation.formulation", formulation}};
  if (!std::isnan(degrees)) {
    overrides.push_back({"simulation.cone", fmt::format("{{angle: {:.17g} deg}}", degrees)});
  }
  const Scene scene = trial.LoadScene("sliding_sphere", overrides);
  Simulator simulator = MakeSimulator(scene);
  SphereRun out;
  const double start = simulator.CalcEnergy().Total();
  trial.Step(&simulator, scene.settings.step, 0.6, [&] {
    const double t = simulator.state().t;
    const Vec3 centre = simulator.state().q.head<3>() + Vec3(0, 0, 1);
    const Vec6 motion = CalcPointVelocity(simulator.CalcKinematics(), 1, centre);
    const Vec3 omega = motion.head<3>(), v = motion.tail<3>();
    out.v_x.emplace_back(t, v[0]);
    out.v_y.emplace_back(t, v[1]);
    out.omega_x.emplace_back(t, omega[0]);
    out.omega_y.emplace_back(t, omega[1]);
    out.largest_v_y = std::max(out.largest_v_y, std::abs(v[1]));
    out.largest_omega_x = std::max(out.largest_omega_x, std::abs(omega[0]));
    const double slip = std::hypot(v[0] - omega[1], v[1] + omega[0]);
    if (std::isnan(out.rolls_from) && slip < 1e-9) out.rolls_from = t;
    std::vector<ContactReport> contacts;
    simulator.ListContacts(&contacts);
    if (contacts.empty()) return;
    out.friction.emplace_back(t, contacts[0].friction_force_W.norm());
    out.limit.emplace_back(t, contacts[0].friction * contacts[0].normal_force);
  });
  out.x = simulator.state().q[0];
  out.energy_lost = start - simulator.CalcEnergy().Total();
  return out;
}

}  // namespace voigt::reproduce
