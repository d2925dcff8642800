#include "reproduce/foundation_ode.h"

#include <cmath>
#include <string>

#include "voigt/math/rotation.h"

namespace voigt::reproduce {
namespace {

// As in scenes/foundation.yaml.
constexpr double kMass = 8, kInertia = kMass / 6, kHalf = 0.5, kGravity = 9.8, kElementDamping = 1;

}  // namespace

FoundationEquation::FoundationEquation(const FoundationCase& c)
    : K_(std::stod(c.E) / (c.per_side * c.per_side)),
      load_(std::stod(c.load)),
      x_(c.per_side * c.per_side),
      y_(x_.size()),
      lambda_(x_.size()) {
  for (int i = 0; i < x_.size(); ++i) {
    x_[i] = (i % c.per_side + 0.5) / c.per_side - kHalf;
    y_[i] = (i / c.per_side + 0.5) / c.per_side - kHalf;
  }
}

OdeState FoundationEquation::Start() const { return {0, 0, kHalf, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}; }

void FoundationEquation::CalcRate(double t, const OdeState& y, OdeState* dy) const {
  const Eigen::Map<const VecX> state(y.data(), 13);
  const Vec4 e = state.segment<4>(3);
  const Vec3 v = state.segment<3>(7), omega = state.tail<3>();
  const Mat3 R = QuaternionToMatrix(e);
  // Heights of points fixed in the cube, and how they change: both linear in the points.
  const Vec3 up = R.row(2), up_rate = R.transpose() * Vec3::UnitZ().cross(omega);
  const double phi_0 = y[2] - kHalf * up[2], rate_0 = v[2] - kHalf * up_rate[2];
  lambda_ =
      (-(K_ * phi_0 + kElementDamping * rate_0) - (K_ * up[0] + kElementDamping * up_rate[0]) * x_ -
       (K_ * up[1] + kElementDamping * up_rate[1]) * y_)
          .max(0.0);
  const double sum = lambda_.sum();
  const Vec3 springs((lambda_ * x_).sum(), (lambda_ * y_).sum(), -kHalf * sum);
  const Vec3 at = kHalf * Vec3(std::cos(10 * t), std::sin(10 * t), 1);
  const Vec3 moment = (R * (springs - load_ * at)).cross(Vec3::UnitZ());

  Eigen::Map<VecX> rate(dy->data(), 13);
  rate.head<3>() = v;
  rate[3] = -0.5 * omega.dot(e.tail<3>());
  rate.segment<3>(4) = 0.5 * (e[0] * omega + omega.cross(Vec3(e.tail<3>())));
  rate.segment<3>(7) = Vec3(0, 0, (sum - load_) / kMass - kGravity);
  rate.tail<3>() = moment / kInertia;
}

OdeRun IntegrateFoundation(const Trial& trial, OdeMethod method, const FoundationCase& c,
                           double until) {
  const FoundationEquation equation(c);
  OdeSettings settings;
  settings.largest_step = 0.01;
  // Less than springs of steel yield, 1e-9 m: Jacobians of a cube in the air would be of no use.
  settings.difference = 1e-12;
  long count = 0;
  const auto rate = [&](double t, const OdeState& y, OdeState* dy) {
    if (++count % 4096 == 0) trial.Tick();
    equation.CalcRate(t, y, dy);
  };
  return method(rate, equation.Start(), until, settings);
}

}  // namespace voigt::reproduce
