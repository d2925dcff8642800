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
  const auto [time, ratio] = solver.solref;
  const double impedance = std::clamp(solver.solimp[1], 0.0001, 0.9999);
  const double reach = mass * impedance / (1 - impedance);
  // Both negative are stiffness and damping themselves, per mass.
  if (time <= 0 && ratio <= 0) return {-time * reach, -ratio * reach};
  if (time <= kRigidTimeConstant || ratio <= 0) return {};
  // With impedance d at its largest, f = m d/(1 − d) (k r + b ṙ), where
  // k = 1/(d τ² ζ²) and b = 2/(d τ).
  return {reach / (impedance * time * time * ratio * ratio), reach * 2 / (impedance * time)};
}

}  // namespace voigt
