#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "voigt/constraints/row_writer.h"

// A constraint of one's own with all that a row may have: a gap that is a function of time,
// damping that depends on the state, and a force law. A body is held at the height of a track that
// shakes, z = A sin(ω t), by a spring and a damper that grips harder the faster it yields; a
// magnet at the end of the track, x = end, pushes it back with F e^{−gap/length}.
//
//   builder.spec().user_constraints.push_back(std::make_shared<ShakenTrack>("car", settings));
//
// examples/bead_on_parabola.h is simpler, docs/friction_element.md has friction.
namespace voigt::examples {

// γ = h F e^{−φ₁/l}, φ₁ = φ + h φ̇₁: less as the gap opens, as it must be, so that its potential
// F l e^{−φ₁/l} is convex.
class Magnet final : public UserForceLaw {
 public:
  Magnet(double force, double length) : force_(force), length_(length) {}

  ForceLawValue Calc(double phi_dot, double phi, double h) const override {
    const double now = force_ * std::exp(-(phi + h * phi_dot) / length_);
    return {h * now, h * h * now / length_, now * length_};
  }

 private:
  double force_, length_;  // N, m
};

struct ShakenTrackSettings {
  double amplitude = 0.01, frequency = 20;    // A: m, ω: rad/s
  double stiffness = 1000, damping = 5;       // N/m, N s/m at rest
  double grip_speed = 0.1;                    // m/s at which damping has doubled
  double end = 1, force = 10, length = 0.05;  // of the magnet: m, N, m
};

class ShakenTrack final : public Constraint {
 public:
  ShakenTrack(std::string body, const ShakenTrackSettings& settings)
      : Constraint("shaken track"),
        body_(std::move(body)),
        settings_(settings),
        magnet_(std::make_shared<Magnet>(settings.force, settings.length)) {}

  // Its gap changes with time by itself: integrators that look ahead ask.
  bool IsPrescribed() const override { return true; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const ShakenTrackSettings& s = settings_;
    const int body = *at.model.FindBody(body_);
    const Vec3 p = CalcBodyPose(at.model, at.kin, body).p;

    // Held both ways at the height of the track. φ_t is the mean of ∂φ/∂t over the step, so that
    // the gap at its end is exact.
    const double now = Height(at.t), then = Height(at.t + at.h);
    rows->BeginOnBodies(Law::kBilateral, 0, body);
    Row* const row = rows->AddWrench(p[2] - now, p, Vec3::Zero(), Vec3::UnitZ());
    row->phi_t = -(then - now) / at.h;
    // B(q, v), as it is at the start of the step; the damper itself acts with the rate at its end.
    const double rate = rows->CalcRate(at.v) + row->phi_t;
    SetSpring({s.stiffness, s.damping * (1 + std::fabs(rate) / s.grip_speed)}, at.h, row);

    // A row that only pushes, by a law: it takes the place of stiffness and damping.
    RowGroup& group = rows->BeginOnBodies(Law::kUnilateral, 0, body);
    group.force_law.kind = ForceLaw::Kind::kUser;
    group.force_law.user = magnet_;
    Row* const push = rows->AddWrench(s.end - p[0], p, Vec3::Zero(), -Vec3::UnitX());
    SetUnilateralSpring({}, at.h, at.recovery_speed, push);
  }

 private:
  double Height(double t) const { return settings_.amplitude * std::sin(settings_.frequency * t); }

  std::string body_;
  ShakenTrackSettings settings_;
  std::shared_ptr<const Magnet> magnet_;
};

}  // namespace voigt::examples
