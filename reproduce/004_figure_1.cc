// [Anitescu, Miller & Hart 2003, figure 1]: ten frames of an ellipse that falls on a table.

#include <cmath>

#include "reproduce/ellipse_run.h"
#include "reproduce/experiment_list.h"

namespace voigt::reproduce {
namespace {

Curve OutlineOfEllipse(double x, double z, double angle, int index) {
  Curve curve = MakeCurve("", index);
  curve.filled = true;
  for (int k = 0; k < 72; ++k) {
    const double a = kEllipseA * std::cos(k * kPi / 36), b = kEllipseB * std::sin(k * kPi / 36);
    curve.points.emplace_back(x + a * std::cos(angle) - b * std::sin(angle),
                              z + a * std::sin(angle) + b * std::cos(angle));
  }
  return curve;
}

}  // namespace

void Run004Figure1(Trial* trial) {
  const double h = 0.05;
  const EllipseRun run = RunEllipse(*trial, 1, h, true);
  Chart frames{"Ten frames, one second apart, side by side", "[m]", "z [m]", {}};
  frames.equal_scales = true;
  for (int k = 0; k < 10; ++k) {
    const size_t at = static_cast<size_t>(std::lround((k + 1) / h)) - 1;
    frames.curves.push_back(OutlineOfEllipse(9.0 * k, run.z[at], run.angle[at], k % 7));
  }
  trial->Add(frames);
  size_t first = 0;
  while (first < run.z.size() && run.z[first] - std::hypot(kEllipseA * std::sin(run.angle[first]),
                                                           kEllipseB * std::cos(run.angle[first])) >
                                     1e-3) {
    ++first;
  }
  trial->Set("first_contact", (first + 1) * h);
  double least = kInfinity;
  for (size_t k = first; k < run.z.size(); ++k) least = std::min(least, run.z[k]);
  trial->Set("lowest_centre", least);
  trial->Show(trial->LoadScene("ellipse_on_table"), "Ellipse on a table");
}

}  // namespace voigt::reproduce
