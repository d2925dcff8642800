// Friction elements that bear on one another, with more friction at rest than in motion, and normal
// forces that go through zero.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <functional>

#include "tests/events/event_run.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RunByEvents;

// Two slides in a row, the second on the first: axes, masses and friction.
struct Slides {
  std::array<Vec3, 2> axis;
  std::array<double, 2> mass, mu, sign;  // which way they slide
};

// R of each slide by d'Alembert's principle, and how far a·R is from −μ N sign.
Vec2 CalcSlideErrors(const Slides& slides, const Vec2& s) {
  const Vec3 gravity(0, 0, -9.81);
  const Vec3 first = slides.axis[0] * s[0], second = first + slides.axis[1] * s[1];
  const Vec3 R2 = slides.mass[1] * (second - gravity);
  const Vec3 R1 = slides.mass[0] * (first - gravity) + R2;
  Vec2 out;
  int i = 0;
  for (const Vec3& R : {R1, R2}) {
    const Vec3& a = slides.axis[i];
    out[i] = a.dot(R) + slides.mu[i] * slides.sign[i] * (R - a.dot(R) * a).norm();
    ++i;
  }
  return out;
}

Vec2 FindSlideAccelerations(const Slides& slides) {
  Vec2 s = Vec2::Zero();
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Vec2 error = CalcSlideErrors(slides, s);
    Eigen::Matrix2d J;
    constexpr double kStep = 1e-6;
    for (int j = 0; j < 2; ++j) {
      const Vec2 step = kStep * Vec2::Unit(j);
      J.col(j) =
          (CalcSlideErrors(slides, s + step) - CalcSlideErrors(slides, s - step)) / (2 * kStep);
    }
    s -= J.inverse() * error;
  }
  return s;
}

// Both begin to slide at once, from rest, each with the friction of motion: what the first one has
// to bear depends on what the second one does.
TEST(BearingOnOneAnother, SlidesBeginWithTheFrictionOfMotion) {
  Slides slides{.axis = {Vec3(0, -4, 1).normalized(), Vec3(0, -1, -1).normalized()},
                .mass = {1.5, 2.3},
                .mu = {0.33, 0.4},
                .sign = {-1, 1}};
  const Vec2 a = FindSlideAccelerations(slides);
  ASSERT_LT(CalcSlideErrors(slides, a).norm(), 1e-12);
  ASSERT_LT(a[0], 0);
  ASSERT_GT(a[1], 0);
  for (const double step : {1.0, 0.05}) {
    const EventRun run = RunByEvents(fmt::format(R"(
gravity: [0, 0, -9.81]
bodies:
  - {{name: a, mass: 1.5, inertia: [0.01, 0.01, 0.01]}}
  - {{name: b, mass: 2.3, inertia: [0.01, 0.01, 0.01]}}
joints:
  - {{name: first, type: prismatic, child: a, axis: [0, -4, 1], friction: {{kinetic: 0.33}}}}
  - {{name: second, type: prismatic, parent: a, child: b, axis: [0, -1, -1], friction: {{static: 0.8, kinetic: 0.4}}}}
simulation: {{integrator: event-driven, formulation: working, until: 1, step: {}}}
)",
                                                 step));
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(run.end.v[i], a[i], 1e-10);
  }
}

// A force across a slide, or through a pin, that is a function of time: friction μ ‖F‖ has a kink
// where the force goes through zero and a sharp bend where it passes by. By quadrature.
TEST(BearingOnOneAnother, NormalForcesThatGoThroughZeroLeaveTheirKinks) {
  using boost::math::quadrature::gauss_kronrod;
  for (const double beside : {0.0, 1e-7, 1e-3, 0.1, 2.0}) {
    const auto force = [beside](double t) { return std::hypot(5 * std::cos(2 * t), beside); };
    const auto integrate = [&](const std::function<double(double)>& f) {
      constexpr double kKink = kPi / 4;
      double sum = 0, from = 0;
      for (const double to :
           {0.5, kKink - 1e-2, kKink - 1e-4, kKink, kKink + 1e-4, kKink + 1e-2, 0.9, 1.0}) {
        sum += gauss_kronrod<double, 61>::integrate(f, from, to, 15, 1e-15);
        from = to;
      }
      return sum;
    };
    const double v = 2 - 0.3 * integrate(force);
    const double x = 2 - 0.3 * integrate([&](double t) { return (1 - t) * force(t); });
    for (const char* joint :
         {"type: prismatic, axis: [1, 0, 0], friction: {kinetic: 0.3}",
          "type: revolute, axis: [1, 0, 0], friction: {kinetic: 0.3, radius: 1}"}) {
      for (const double step : {1.0, 0.1, 0.01}) {
        SCOPED_TRACE(fmt::format("{} N beside, {}, step {}", beside, joint, step));
        const EventRun run = RunByEvents(fmt::format(R"(
gravity: [0, 0, 0]
bodies: [{{name: a, mass: 1, inertia: [1, 1, 1]}}]
joints: [{{name: slide, child: a, {}}}]
loads: [{{body: a, force: [0, 5*cos(2*t), {}]}}]
initial: {{slide: {{v: 2}}}}
simulation: {{integrator: event-driven, formulation: working, until: 1, step: {}}}
)",
                                                     joint, beside, step));
        EXPECT_NEAR(run.end.v[0], v, 1e-10);
        EXPECT_NEAR(run.end.q[0], x, 1e-10);
      }
    }
  }
}

}  // namespace
}  // namespace voigt
