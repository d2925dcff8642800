#include <algorithm>

#include "voigt/io/mjcf_context.h"

namespace voigt {
namespace {

// What MuJoCo takes where a file says nothing: constraints that yield only as far as its
// integrator needs. Those that are no slower are meant to be rigid.
constexpr double kRigidTimeConstant = 0.02;  // s

}  // namespace

MjcfSolver ReadMjcfSolver(const XmlReader& reader, std::string_view solref,
                          std::string_view solimp) {
  MjcfSolver solver;
  reader.Overwrite(solref, 1, solver.solref);
  reader.Overwrite(solimp, 1, solver.solimp);
  return solver;
}

SpringDamper MapMjcfSolver(const MjcfSolver& solver, double mass) {
  const auto bounded = [](double impedance) { return std::clamp(impedance, 0.0001, 0.9999); };
  const double largest = bounded(solver.solimp[1]);
  // The impedance grows to its largest over a width; without one it is the mean of both.
  const double d = solver.solimp[2] > 1e-15 ? largest : (bounded(solver.solimp[0]) + largest) / 2;
  // f = m d/(1 − d) (k d r + b ṙ) with k = K/d² and b = B/d for the largest d.
  const double reach = mass * (d / largest) / (1 - d);
  const auto make = [&](double K, double B) {
    return SpringDamper{reach * (d / largest) * K, reach * B};
  };
  const auto [time, ratio] = solver.solref;
  // Both negative are K and B themselves; without either, nothing is said.
  if (time <= 0 && ratio <= 0) return time < 0 || ratio < 0 ? make(-time, -ratio) : SpringDamper{};
  if (time <= kRigidTimeConstant || ratio <= 0) return {};
  return make(1 / (time * time * ratio * ratio), 2 / time);
}

bool IsSoftMjcf(const MjcfSolver& solver) { return !MapMjcfSolver(solver, 1).is_rigid(); }

}  // namespace voigt
