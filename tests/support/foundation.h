#pragma once

#include <array>

#include "voigt/math/types.h"

// A cube on an elastic foundation [Drumwright 2019, §5.5] beside the library: the same springs as
// an ordinary differential equation and in equilibrium. Nothing here uses voigt but its vectors.
namespace voigt::testing {

// A cube of 1 m and 8 kg stands on n springs at the cell centres of its bottom, each of K = E/n and
// 1 N s/m, that push upwards or not at all: λ = max(0, −K φ − B φ̇). A vertical load acts on its
// top.
struct FoundationCase {
  int per_side = 10;         // n = per_side²
  double E = 1e7, load = 5;  // Pa, N
  double mass = 8;           // kg; its inertia is mass / 6 about every axis
  double gravity = 9.8;      // m/s²
  double damping = 1;        // of each spring, N s/m
  double load_turning = 10;  // rad/s

  int count() const { return per_side * per_side; }
  double K() const { return E / count(); }
  double weight() const { return mass * gravity + load; }
  Vec2 Element(int i) const;       // in the cube's frame, from the middle of its bottom
  Vec2 LoadPoint(double t) const;  // likewise, from the middle of its top
};

// x, y, z of the cube's centre and its quaternion.
using PoseVector = Eigen::Matrix<double, 7, 1>;

// The equation of motion, exact for any tilt. States are small: how far the cube has risen, the
// vector part of its quaternion, its velocity upwards and the angular velocity about the world's x
// and y. (Vertical forces cannot turn it about z, and its inertia is that of a ball.)
class FoundationOde {
 public:
  using State = std::array<double, 7>;

  // States are counted in these units, so that one tolerance suits all of them.
  struct Units {
    double length = 1, rate = 1;  // m (and rad), 1/s
  };

  explicit FoundationOde(const FoundationCase& c, const Units& units);
  explicit FoundationOde(const FoundationCase& c) : FoundationOde(c, Units{}) {}

  // The depth of static rest and the frequency of the slowest vibration.
  static Units NaturalUnits(const FoundationCase& c);

  // The rate dx of a state x at time t; also as Boost.Odeint calls it.
  void CalcRate(double t, const double* x, double* dx) const;
  void operator()(const State& x, State& dx, double t) const { CalcRate(t, x.data(), dx.data()); }

  PoseVector PoseOf(const double* x) const;
  const FoundationCase& foundation() const { return case_; }

 private:
  FoundationCase case_;
  Units units_;
  Eigen::ArrayXd x_, y_;           // of the elements
  mutable Eigen::ArrayXd lambda_;  // likewise
};

// From rest at full height to `until` by an explicit method with error control: order 5 [Dormand &
// Prince 1980] or 8 [Fehlberg 1968].
struct ExplicitSettings {
  int order = 8;
  double relative = 1e-10, absolute = 1e-10;  // tolerances
  double patience = 0;                        // s of wall time, after which it gives up; 0: none
};
struct ExplicitRun {
  FoundationOde::State x = {};  // where it came to
  bool finished = false;
  long steps = 0;
};
ExplicitRun IntegrateExplicitly(const FoundationOde& ode, double until,
                                const ExplicitSettings& settings);

// Likewise by order 8, whose steps find the moments at which elements lift off; the tolerance is
// relative to the static depth.
PoseVector IntegrateFoundation(const FoundationCase& c, double until, double tolerance = 1e-10);

// Where the springs carry weight and load without motion, for tilts so small that they are linear.
struct FoundationRest {
  PoseVector pose;
  VecX lambda;  // of each element, N
};
FoundationRest FindFoundationRest(const FoundationCase& c, const Vec2& load_point);

}  // namespace voigt::testing
