#include "voigt/dynamics/prescribed_rates.h"

#include <array>

namespace voigt {
namespace {

constexpr double kTimeStep = 0.01;  // s

// Weights of f(t ± k e), k = 1 … 4.
constexpr std::array<double, 4> kFirst = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
constexpr std::array<double, 4> kSecond = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};

double CalcTimeRate(const CompiledTimeFunction& f, double t) {
  double sum = 0;
  for (int k = 1; k <= 4; ++k) sum += kFirst[k - 1] * (f(t + k * kTimeStep) - f(t - k * kTimeStep));
  return sum / kTimeStep;
}

double CalcTimeCurvature(const CompiledTimeFunction& f, double t) {
  const double now = f(t);
  double sum = 0;
  for (int k = 1; k <= 4; ++k) {
    sum += kSecond[k - 1] * ((f(t + k * kTimeStep) - now) - (now - f(t - k * kTimeStep)));
  }
  return sum / (kTimeStep * kTimeStep);
}

}  // namespace

PrescribedRates::PrescribedRates(const Model& model) : flags_(model.nv(), 0) {
  for (const PrescribedJoint& motion : model.spec().prescribed_joints) {
    const auto body = model.FindJoint(motion.joint);
    if (!body || motion.stiffness != kInfinity) continue;
    const Tree& tree = model.tree();
    for (int k = 0; k < tree.dof_count[*body]; ++k) {
      flags_[tree.v_start[*body] + k] = 1;
      motions_.push_back({tree.q_start[*body] + k, tree.v_start[*body] + k,
                          CompiledTimeFunction(motion.position[k])});
    }
  }
}

void PrescribedRates::SetAccelerations(double t, VecX* v_dot) const {
  for (const Motion& motion : motions_) (*v_dot)[motion.v] = CalcTimeCurvature(motion.position, t);
}

void PrescribedRates::SetMotion(double t, VecX* q, VecX* v) const {
  for (const Motion& motion : motions_) {
    (*q)[motion.q] = motion.position(t);
    (*v)[motion.v] = CalcTimeRate(motion.position, t);
  }
}

}  // namespace voigt
