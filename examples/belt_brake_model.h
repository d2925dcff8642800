#pragma once

#include <optional>

#include "examples/belt_brake.h"
#include "voigt/model/model_builder.h"
#include "voigt/model/state.h"

namespace voigt::examples {

// A drum on a fixed axis with a torque on it; a lever on a pivot beside it, pulled down; a belt
// from the lever over the drum to the ground, half round it.
struct BeltBrakeModel {
  double mu = 0.3;
  double radius = 0.2;          // m
  double inertia = 0.5;         // kg m², of the drum
  double torque = 10;           // N m on the drum, positive towards the anchor
  double speed = 0;             // rad/s, its rate at the start
  double pull = 50;             // N, down, at the end of the lever
  double arm = 0.3, end = 0.6;  // m, from the pivot to the belt and to the pull
  double depth = 0.5;           // m, of lever and anchor below the axis
  bool can_slacken = false;
  std::optional<TimeFunction> upward = {};  // N, in place of the pull, the other way

  double wrap() const { return kPi; }
  double CalcT1() const { return pull * end / arm; }
  // The torque by which friction holds at most, against motion towards the anchor (sense 1), which
  // eases the belt there, or away from it (−1).
  double CalcLargestTorque(double sense) const {
    return CalcT1() * radius * sense * (1 - std::exp(-sense * mu * wrap()));
  }
  // The pull by which the torque is just held.
  double CalcLeastPull() const {
    BeltBrakeModel one = *this;
    one.pull = 1;
    return std::fabs(torque) / one.CalcLargestTorque(torque > 0 ? 1 : -1);
  }

  Model Build() const {
    ModelBuilder builder;
    builder.spec().gravity.setZero();
    const auto add_body = [&](const char* name, double I) {
      BodySpec body;
      body.name = name;
      body.mass_source = MassSource::kExplicit;
      body.mass = {1, Vec3::Zero(), I * Mat3::Identity()};
      builder.AddBody(body);
    };
    const auto add_joint = [&](const char* name, const char* child, const Vec3& position) {
      JointSpec joint;
      joint.name = name;
      joint.type = JointType::kRevolute;
      joint.child = child;
      joint.axis = Vec3::UnitY();
      joint.X_PF.p = position;
      builder.AddJoint(joint);
    };
    add_body("drum", inertia);
    add_body("lever", 0.1);
    add_joint("axle", "drum", Vec3::Zero());
    // The lever's frame is at its pivot, right of the belt; it reaches to the left.
    add_joint("pivot", "lever", {arm - radius, 0, -depth});

    BeltBrake::Settings settings;
    settings.drum = "drum";
    settings.lever = "lever";
    settings.point = {-arm, 0, 0};
    settings.anchor = {radius, 0, -depth};
    settings.radius = radius;
    settings.mu = mu;
    settings.can_slacken = can_slacken;
    settings.length =
        BeltBrake::Path({-radius, 0, -depth}, settings.anchor, Vec3::Zero(), radius).length;
    builder.spec().user_constraints.push_back(std::make_shared<BeltBrake>("belt", settings));

    // About y, towards +x at the top: that is down on the right, towards the anchor.
    JointLoad load;
    load.joint = "axle";
    load.force = {TimeFunction(torque)};
    builder.spec().joint_loads.push_back(load);
    BodyLoad down;
    down.body = "lever";
    down.point = {-end, 0, 0};
    down.force = {TimeFunction(0.0), TimeFunction(0.0), upward.value_or(-pull)};
    builder.spec().body_loads.push_back(down);
    return builder.Build();
  }

  State MakeState() const {
    State state;
    state.q = VecX::Zero(2);
    state.v = VecX::Zero(2);
    state.v[0] = speed;
    return state;
  }
};

}  // namespace voigt::examples
