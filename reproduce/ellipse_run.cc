#include "reproduce/ellipse_run.h"

#include <algorithm>
#include <cmath>

namespace voigt::reproduce {

EllipseRun RunEllipse(const Trial& trial, double s, double h, bool is_predictive) {
  Scene scene = trial.LoadScene("ellipse_on_table");
  scene.settings.stabilization = {1, s, is_predictive};
  Simulator simulator = MakeSimulator(scene);
  EllipseRun out;
  double before = 0;
  trial.Step(&simulator, h, scene.settings.until, [&] {
    const VecX& q = simulator.state().q;
    const double reach = std::hypot(kEllipseA * std::sin(q[2]), kEllipseB * std::cos(q[2]));
    const double depth = std::max(0.0, reach - 8 - q[1]);
    out.depth.emplace_back(simulator.state().t, depth);
    out.z.push_back(8 + q[1]);
    out.angle.push_back(q[2]);
    // q moves with the mean of the rates over a step; those at its end do for the theorem.
    const double speed = h * simulator.state().v.norm();
    out.C1 = std::max(out.C1, (depth - (1 - s) * before) / (speed * speed));
    before = depth;
    out.largest = std::max(out.largest, depth);
    out.last = depth;
  });
  return out;
}

}  // namespace voigt::reproduce
