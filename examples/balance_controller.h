#pragma once

#include <Eigen/Dense>
#include <cmath>

#include "voigt/sim/simulator.h"

// A controller that keeps scenes/balancing_robot.yaml upright: state feedback u = −k x with the
// gains of a linear-quadratic regulator, in a loop that sets inputs, steps and measures.
namespace voigt::examples {

class BalanceController {
 public:
  explicit BalanceController(const Simulator& simulator)
      : body_(*simulator.model().FindBody("body")),
        left_(*simulator.model().FindActuator("left")),
        right_(*simulator.model().FindActuator("right")),
        gains_(CalcGains(simulator.model(), simulator.settings().step)) {}

  // Measures, sets the motors' inputs for the next step and takes it.
  StepStatus Step(Simulator* simulator) {
    Measure(simulator);
    const double torque = -gains_.dot(x_);
    simulator->SetInput(left_, torque / 2);
    simulator->SetInput(right_, torque / 2);
    return simulator->Step();
  }

  // Where the axle is, m; how far the body leans forwards, rad; their rates.
  void Measure(Simulator* simulator) {
    const Kinematics& kin = simulator->CalcKinematics();
    const Pose X_WB = CalcBodyPose(simulator->model(), kin, body_);
    const Vec6 V = CalcPointVelocity(kin, body_, X_WB.p);
    x_ << X_WB.p[0], std::atan2(X_WB.R(0, 2), X_WB.R(2, 2)), V[3], V[1];
  }
  double position() const { return x_[0]; }
  double tilt() const { return x_[1]; }

 private:
  using Mat4 = Eigen::Matrix4d;

  // A body of mass m, with its centre of mass l over the axle, on wheels of mass m_w and inertia
  // I_w that roll without slip. The motors push the floor back and turn the body back:
  //   (m + m_w + I_w/r²) ẍ + m l θ̈ = τ/r,   m l ẍ + (I + m l²) θ̈ − m g l θ = −τ.
  static Vec4 CalcGains(const Model& model, double h) {
    const MassProperties& body = model.body(*model.FindBody("body")).mass;
    const MassProperties& wheel = model.body(*model.FindBody("left")).mass;
    const double r = 0.1, l = body.com[2], m = body.mass, g = model.gravity().norm();
    Eigen::Matrix2d M;
    M << m + 2 * wheel.mass + 2 * wheel.inertia(1, 1) / (r * r), m * l,  //
        m * l, body.inertia(1, 1) + m * l * l;
    const Eigen::Vector2d from_tilt = M.inverse() * Eigen::Vector2d(0, m * g * l);
    const Eigen::Vector2d from_torque = M.inverse() * Eigen::Vector2d(1 / r, -1);

    // One step of the simulator, x ← A x + b τ: rates first, then positions with the new rates.
    Mat4 A = Mat4::Identity();
    A.block<2, 1>(2, 1) = h * from_tilt;
    A.topRows<2>() += h * A.bottomRows<2>();
    Vec4 b;
    b << h * h * from_torque, h * from_torque;

    // Riccati's equation by iteration, in the form that stays symmetric. A metre, a radian and
    // their rates cost what Q says, a newton metre R.
    const Mat4 Q = Vec4(10, 100, 1, 1).asDiagonal();
    const double R = 10;
    Mat4 P = Q;
    Vec4 k = Vec4::Zero();
    for (int i = 0; i < 10000; ++i) {
      const Vec4 Pb = P * b;
      k = A.transpose() * Pb / (R + b.dot(Pb));
      const Mat4 closed = A - b * k.transpose();
      P = Q + closed.transpose() * P * closed + R * k * k.transpose();
    }
    return k;
  }

  int body_, left_, right_;
  Vec4 gains_;
  Vec4 x_ = Vec4::Zero();
};

}  // namespace voigt::examples
