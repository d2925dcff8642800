#include "voigt/model/prescribed_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "voigt/base/check.h"
#include "voigt/math/rotation.h"
#include "voigt/model/joint_motion.h"

namespace voigt {
namespace {

// A rotation vector with its rate and acceleration.
struct RotationJet {
  Vec3 theta, rate, curvature;
};

RotationJet CalcRotationJet(const CompiledTimeFunction* theta, double t) {
  RotationJet out;
  for (int i = 0; i < 3; ++i) {
    const TimeJet jet = theta[i].CalcJet(t);
    out.theta[i] = jet.value;
    out.rate[i] = jet.rate;
    out.curvature[i] = jet.curvature;
  }
  return out;
}

// The same rotation with as many turns about its axis as come closest to `expected`.
Vec3 TakeTurns(const Vec3& theta, const Vec3& expected) {
  constexpr double kNoAxis = 1e-9;
  const double angle = theta.norm();
  if (!expected.allFinite() || (angle < kNoAxis && expected.norm() < 1)) return theta;
  const Vec3 axis = angle < kNoAxis ? expected.normalized() : Vec3(theta / angle);
  constexpr double kTurn = 2 * std::numbers::pi;
  return theta + kTurn * std::round((expected.dot(axis) - angle) / kTurn) * axis;
}

}  // namespace

PrescribedMotion::PrescribedMotion(JointType type, const std::vector<TimeFunction>& position)
    : type_(type) {
  VOIGT_DCHECK(static_cast<int>(position.size()) == DofCount(type));
  for (const TimeFunction& function : position) position_.emplace_back(function);
}

int PrescribedMotion::scalar_count() const {
  return HasQuaternion(type_) ? QuaternionStart(type_) : DofCount(type_);
}

Vec3 PrescribedMotion::CalcRotationVector(double t) const {
  const CompiledTimeFunction* const theta = &position_[scalar_count()];
  return {theta[0](t), theta[1](t), theta[2](t)};
}

void PrescribedMotion::CalcCoordinates(double t, double* q) const {
  const int scalars = scalar_count();
  for (int k = 0; k < scalars; ++k) q[k] = position_[k](t);
  if (!HasQuaternion(type_)) return;
  Eigen::Map<Vec4>(q + scalars) = QuaternionExp(CalcRotationVector(t));
}

void PrescribedMotion::CalcRates(double t, double* v) const {
  const int scalars = scalar_count();
  for (int k = 0; k < scalars; ++k) v[k] = position_[k].CalcJet(t).rate;
  if (!HasQuaternion(type_)) return;
  const RotationJet jet = CalcRotationJet(&position_[scalars], t);
  Eigen::Map<Vec3>(v + scalars) = CalcExpRate(jet.theta, jet.rate);
}

void PrescribedMotion::CalcAccelerations(double t, double* v_dot) const {
  const int scalars = scalar_count();
  for (int k = 0; k < scalars; ++k) v_dot[k] = position_[k].CalcJet(t).curvature;
  if (!HasQuaternion(type_)) return;
  const RotationJet jet = CalcRotationJet(&position_[scalars], t);
  Eigen::Map<Vec3>(v_dot + scalars) = CalcExpAcceleration(jet.theta, jet.rate, jet.curvature);
}

void PrescribedMotion::CalcStep(double t, double h, const double* q, double* out) const {
  const int scalars = scalar_count();
  for (int k = 0; k < scalars; ++k) out[k] = position_[k](t + h) - position_[k](t);
  if (!HasQuaternion(type_)) return;
  const Vec3 from = CalcRotationVector(t), to = CalcRotationVector(t + h);
  const Vec4 here = Eigen::Map<const Vec4>(q + scalars).normalized();
  const Vec3 e = QuaternionLog(QuaternionProduct(QuaternionConjugate(QuaternionExp(from)), here));
  const Vec3 way = QuaternionLog(QuaternionProduct(QuaternionConjugate(here), QuaternionExp(to)));
  const Vec3 expected = CalcExpRate(0.5 * (from + to), to - from);
  Eigen::Map<Vec3>(out + scalars) = e + LogRateMatrix(e) * TakeTurns(way, expected);
}

double PrescribedMotion::CalcMiss(double t, const double* q, const double* v, double small) const {
  constexpr double kManyTurns = 100;  // rad: from there on rounding of θ shows in ω
  std::array<double, kMaxJointDofs + 1> s;
  std::array<double, kMaxJointDofs> rates;
  CalcCoordinates(t, s.data());
  CalcRates(t, rates.data());
  double worst = 0;
  const int scalars = scalar_count();
  for (int k = 0; k < scalars; ++k) {
    worst = std::max(worst, std::fabs(s[k] - q[k]) / (std::fabs(s[k]) + small));
    worst = std::max(worst, std::fabs(rates[k] - v[k]) / (std::fabs(rates[k]) + small));
  }
  if (!HasQuaternion(type_)) return worst;
  std::array<double, kMaxJointDofs> e;
  CalcDeflection(type_, q, s.data(), e.data());
  using Rotation = Eigen::Map<const Vec3>;
  const double angle = CalcRotationVector(t).norm();
  const Rotation omega(rates.data() + scalars);
  const double off = (omega - Rotation(v + scalars)).norm() / (omega.norm() + small);
  worst = std::max(worst, Rotation(e.data() + scalars).norm() / (angle + small));
  return std::max(worst, off / std::max(1.0, angle / kManyTurns));
}

}  // namespace voigt
