#pragma once

#include <cmath>
#include <memory>
#include <string>

#include "voigt/constraints/reaction_friction.h"
#include "voigt/constraints/row_writer.h"

// A friction element of one's own: a belt brake. A belt is fixed to the world at one end, lies over
// a drum that turns, and is held at its other end by a lever. docs/friction_element.md goes through
// it line by line.
//
//                 ___
//               /     \      the drum turns about y; seen here against y, x to the right, z up
//     belt  →  |   +   |
//              |       |
//   T₁ ↓ lever          anchor ↓ T₂
//
// A thin belt that is about to slip has T₂ = T₁ exp(±μ φ), where φ is the angle over which it lies
// on the drum [Euler, Eytelwein]. Put it into a model with
//
//   builder.spec().user_constraints.push_back(std::make_shared<BeltBrake>(...));
namespace voigt::examples {

class BeltBrake final : public Constraint {
 public:
  struct Settings {
    std::string drum, lever;    // bodies; the drum's origin is on its axis, which is y of the world
    Vec3 point = Vec3::Zero();  // where the belt is fixed to the lever, in the lever's frame
    Vec3 anchor = Vec3::Zero();  // where it is fixed to the world
    double radius = 0;           // m, of the drum
    double length = 0;           // m, of the belt
    double mu = 0;
    bool can_slacken = false;  // it pulls and does not push; otherwise it is never to be slack
  };

  BeltBrake(std::string name, Settings settings)
      : Constraint(std::move(name)), settings_(std::move(settings)) {}

  // Moving the lever meets it.
  bool IsHolonomic() const override { return true; }

  // Where the belt runs, in the plane y = 0 of the drum: p and a are its ends relative to the
  // drum's centre, d and e the directions in which it leaves the drum towards them.
  struct Path {
    Vec3 p, a, d, e;
    double wrap = 0, length = 0;    // rad, m
    double free_p = 0, free_a = 0;  // m, of the belt between drum and ends

    Path(const Vec3& lever, const Vec3& anchor, const Vec3& centre, double R)
        : p(lever - centre), a(anchor - centre) {
      const double left = TouchAngle(p, R, 1), right = TouchAngle(a, R, -1);
      wrap = left - right;
      const Vec3 at_left(R * std::cos(left), 0, R * std::sin(left));
      const Vec3 at_right(R * std::cos(right), 0, R * std::sin(right));
      d = (p - at_left).normalized();
      e = (a - at_right).normalized();
      free_p = (p - at_left).norm();
      free_a = (a - at_right).norm();
      length = free_p + R * wrap + free_a;
    }

   private:
    // Where the line from p touches the circle, with the drum on its right (side 1) or left (−1),
    // as an angle from x towards z: left of the drum it is beyond the top, near π.
    static double TouchAngle(const Vec3& p, double R, double side) {
      const double towards = std::atan2(p[2], p[0]);
      const double angle = towards - side * std::acos(R / std::hypot(p[0], p[2]));
      return side > 0 && angle < -kPi / 2 ? angle + 2 * kPi : angle;
    }
  };

  // The holding row. Position: the belt is as long as it is. Velocity: as d · ṗ, because the belt
  // leaves the drum along its tangent. Acceleration: below. Force: λ pulls the lever along −d, and
  // the drum with −λ d and −λ e, which turn it by nothing. So T₁ = −λ. One-sided rows have φ ≥ 0
  // and push with λ ≥ 0: that of a belt which can be slack is the other way round, with T₁ = λ.
  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Bodies on = FindBodies(at);
    const Path path = CalcPath(at, on);
    rows->BeginOnBodies(settings_.can_slacken ? Law::kUnilateral : Law::kBilateral, on.drum,
                        on.lever);
    Row* const row = rows->AddWrench(sign() * (path.length - settings_.length), on.centre + path.p,
                                     Vec3::Zero(), sign() * path.d);
    SetSpring({}, at.h, row);  // rigid
    // The other end: the same tension, on the drum from the world.
    rows->AddWrenchToRow(0, on.drum, on.centre + path.a, Vec3::Zero(), -sign() * path.e);
  }

  // What velocities add to the acceleration, Ġ v = d · J̇_p v + e · J̇_a v + ḋ · ṗ + ė · ȧ with both
  // ends seen from the centre of the drum. A free piece of the belt turns about where it leaves the
  // drum: ḋ = w (w · ṗ)/(its length) with w across it. Without this function differences of the row
  // along the motion take its place.
  bool AddCurvature(const ConstraintContext& at, std::vector<double>* out) const override {
    const Bodies on = FindBodies(at);
    const Path path = CalcPath(at, on);
    const auto rate = [&](int body, const Vec3& p) -> Vec3 {
      return CalcPointVelocity(at.kin, body, p).tail<3>();
    };
    const auto turning = [](const Vec3& along, const Vec3& p_dot) {
      return std::pow(along.cross(Vec3::UnitY()).dot(p_dot), 2);
    };
    const Vec3 p = on.centre + path.p, a_dot = -rate(on.drum, on.centre);
    const Vec3 a_bias = -CalcPointBias(at.model, at.kin, on.drum, on.centre);
    const Vec3 p_bias = CalcPointBias(at.model, at.kin, on.lever, p) + a_bias;
    out->push_back(sign() * (path.d.dot(p_bias) + path.e.dot(a_bias) +
                             turning(path.d, rate(on.lever, p) + a_dot) / path.free_p +
                             turning(path.e, a_dot) / path.free_a));
    return true;
  }

  bool HasReactionFriction() const override { return settings_.mu > 0; }

  // The sliding row: the drum's surface moves under the belt with u = R ω, towards the anchor. Its
  // multiplier is what friction adds to the pull of the anchor: T₂ = T₁ + λ. The condition
  // exp(−μφ) ≤ T₂/T₁ ≤ exp(μφ) reads, in terms of both,
  //
  //   |T₂ − T₁| ≤ tanh(μφ/2) (T₁ + T₂),
  //
  // the same for both senses: a coefficient tanh(μφ/2), and N = T₁ + T₂, which is −2 times the
  // multiplier of the holding row and friction's own λ.
  void AddFriction(const ConstraintContext& at, RowWriter* rows,
                   std::vector<FrictionRows>* out) const override {
    const Bodies on = FindBodies(at);
    const Path path = CalcPath(at, on);
    FrictionRows& friction = out->emplace_back();
    friction.row_count = 1;
    friction.law.mu_static = friction.law.mu_kinetic = std::tanh(0.5 * settings_.mu * path.wrap);
    friction.P.setZero();
    friction.of_row[0] = -2 * sign();
    friction.own(0, 0) = 1;
    rows->BeginOnBodies(Law::kBounded, 0, on.drum);
    rows->AddWrench(0, on.centre + path.a, Vec3::Zero(), path.e);
  }

 private:
  double sign() const { return settings_.can_slacken ? -1 : 1; }

  struct Bodies {
    int drum = 0, lever = 0;
    Vec3 centre;
  };

  Bodies FindBodies(const ConstraintContext& at) const {
    Bodies out;
    out.drum = *at.model.FindBody(settings_.drum);
    out.lever = *at.model.FindBody(settings_.lever);
    out.centre = CalcBodyPose(at.model, at.kin, out.drum).p;
    return out;
  }

  Path CalcPath(const ConstraintContext& at, const Bodies& on) const {
    const Vec3 p = CalcBodyPose(at.model, at.kin, on.lever) * settings_.point;
    return Path(p, settings_.anchor, on.centre, settings_.radius);
  }

  Settings settings_;
};

}  // namespace voigt::examples
