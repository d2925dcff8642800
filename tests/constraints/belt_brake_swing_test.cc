// The belt brake on a mechanism that moves: its drum is on a slide with a spring, pushes the belt
// up and lets the lever swing, while the drum slips under the belt until that holds it. Against an
// integration of the equations of lever and drum, into which no row of the constraint enters.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "examples/belt_brake_model.h"
#include "tests/constraints/row_checks.h"
#include "voigt/constraints/assembly.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

using examples::BeltBrakeModel;
using testing::Random;

// The same constraint, which does not say Ġ v.
class WithoutCurvature final : public Constraint {
 public:
  explicit WithoutCurvature(std::shared_ptr<const Constraint> inner)
      : Constraint(inner->name()), inner_(std::move(inner)) {}
  bool IsHolonomic() const override { return inner_->IsHolonomic(); }
  bool HasReactionFriction() const override { return inner_->HasReactionFriction(); }
  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    inner_->AddRows(at, rows);
  }
  void AddFriction(const ConstraintContext& at, RowWriter* rows,
                   std::vector<FrictionRows>* out) const override {
    inner_->AddFriction(at, rows, out);
  }

 private:
  std::shared_ptr<const Constraint> inner_;
};

// The model of the example with its axle on a slide.
struct SwingingBrake {
  BeltBrakeModel brake;
  double slide_mass = 1, spring = 2000, push = 150;  // kg; N/m; N, upwards
  double swing = 1.5;                                // rad/s, of the lever at the start
  bool has_curvature = true;

  SwingingBrake() {
    brake.inertia = 0.1;
    brake.speed = 30;
    brake.torque = 3;
  }

  Model Build() const {
    ModelSpec spec = brake.Build().spec();
    BodySpec slide = spec.bodies[0];
    slide.name = "slide";
    slide.mass.mass = slide_mass;
    spec.bodies.push_back(slide);
    JointSpec rail;
    rail.name = "rail";
    rail.type = JointType::kPrismatic;
    rail.child = "slide";
    rail.axis = Vec3::UnitZ();
    rail.stiffness = {spring};
    spec.joints.push_back(rail);
    for (JointSpec& joint : spec.joints) {
      if (joint.name == "axle") joint.parent = "slide";
    }
    JointLoad up;
    up.joint = "rail";
    up.force = {TimeFunction(push)};
    spec.joint_loads.push_back(up);
    auto& own = spec.user_constraints[0];
    if (!has_curvature) own = std::make_shared<WithoutCurvature>(own);
    return ModelBuilder(std::move(spec)).Build();
  }

  State MakeState(const Model& model) const {
    State state;
    state.q = VecX::Zero(model.nq());
    state.v = VecX::Zero(model.nv());
    AssemblyOptions options;
    options.keep_v.assign(model.nv(), 0);
    for (const auto& [joint, rate] : {std::pair("pivot", swing), std::pair("axle", brake.speed)}) {
      const int k = model.tree().v_start[*model.FindJoint(joint)];
      state.v[k] = rate;
      options.keep_v[k] = 1;
    }
    EXPECT_TRUE(Assemble(model, options, &state).ok());
    return state;
  }
};

// Where the belt runs for a lever at the angle β and a drum at the height z, by the angles at which
// its tangents touch the drum.
struct BeltAngles {
  double length = 0, wrap = 0, e_z = 0;
  double d_turn = 0;  // d · ∂p/∂β

  BeltAngles(const BeltBrakeModel& brake, double z, double beta) {
    const double R = brake.radius, s = std::sin(beta), c = std::cos(beta);
    const double px = brake.arm - R - brake.arm * c, pz = brake.arm * s - brake.depth - z;
    const double ax = R, az = -brake.depth - z;
    const double free_p = std::sqrt(px * px + pz * pz - R * R);
    const double free_a = std::sqrt(ax * ax + az * az - R * R);
    const double left = std::atan2(pz, px) + 2 * kPi - std::atan2(free_p, R);
    const double right = std::atan2(az, ax) + std::atan2(free_a, R);
    wrap = left - right;
    length = free_p + R * wrap + free_a;
    e_z = -std::cos(right);
    d_turn = -std::sin(left) * brake.arm * s + std::cos(left) * brake.arm * c;
  }
};

// The lever's angle, its rate, the drum's angle and its rate. The drum's height is a function Z(β),
// where the belt is as long as it is, and its derivatives are differences of that. A drum that the
// belt holds rolls on it as it rises, R θ̇ + e_z ż = 0: θ̇ = g(β) β̇.
class SwingReference {
 public:
  using Numbers = std::array<double, 4>;

  explicit SwingReference(const SwingingBrake& set) : set_(set) {
    length_ = BeltAngles(set.brake, 0, 0).length;
    now_ = {0, set.swing, 0, set.brake.speed};
  }

  // Until `end`, in steps of h; the time at which the drum ceases to slip.
  double Advance(double end, double h) {
    double t = 0, stop = kInfinity;
    for (int k = 0; k < std::lround(end / h); ++k, t += h) {
      const Numbers next = Step(now_, h);
      if (sticks_ || CalcSlip(next) > 0) {
        now_ = next;
        continue;
      }
      double low = 0, high = h;
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (CalcSlip(Step(now_, middle)) > 0 ? low : high) = middle;
      }
      stop = t + low;
      now_ = Step(now_, low);
      sticks_ = true;
      now_ = Step(now_, h - low);
    }
    return stop;
  }
  const Numbers& now() const { return now_; }
  double CalcHeight(double beta) const {
    double z = 0.5 * set_.brake.arm * beta;
    for (int i = 0; i < 5; ++i) {
      const auto off = [&](double at) { return BeltAngles(set_.brake, at, beta).length - length_; };
      z -= off(z) * 2e-5 / (off(z + 1e-5) - off(z - 1e-5));
    }
    return z;
  }

 private:
  // Z, e_z Z′ and, in this order, first and second derivatives of Z and the first of e_z Z′.
  struct Shape {
    double Z = 0, Z1 = 0, Z2 = 0, roll = 0, roll1 = 0;
  };
  Shape CalcShape(double beta) const {
    constexpr double e = 4e-3;
    std::array<double, 9> Z;  // around β
    for (int k = -4; k <= 4; ++k) Z[k + 4] = CalcHeight(beta + k * e);
    const auto slope = [&](int k) {
      return (8 * (Z[k + 5] - Z[k + 3]) - (Z[k + 6] - Z[k + 2])) / (12 * e);
    };
    const auto roll = [&](int k) {
      return slope(k) * BeltAngles(set_.brake, Z[k + 4], beta + k * e).e_z;
    };
    Shape out;
    out.Z = Z[4];
    out.Z1 = slope(0);
    out.Z2 = (16 * (Z[5] + Z[3]) - (Z[6] + Z[2]) - 30 * Z[4]) / (12 * e * e);
    out.roll = roll(0);
    out.roll1 = (8 * (roll(1) - roll(-1)) - (roll(2) - roll(-2))) / (12 * e);
    return out;
  }
  double CalcSlip(const Numbers& y) const {
    return set_.brake.radius * y[3] + CalcShape(y[0]).roll * y[1];
  }

  Numbers CalcRates(const Numbers& y) const {
    const BeltBrakeModel& brake = set_.brake;
    const Shape at = CalcShape(y[0]);
    const double m = set_.slide_mass + 1, I = 0.1, J = brake.inertia, R = brake.radius;
    const double Q = -brake.pull * brake.end * std::cos(y[0]);
    const double force = Q + at.Z1 * (set_.push - set_.spring * at.Z);
    const double inertia = I + m * at.Z1 * at.Z1, bend = m * at.Z1 * at.Z2;
    if (sticks_) {
      const double g = -at.roll / R, g1 = -at.roll1 / R;
      const double beta_2 =
          (force + brake.torque * g - (bend + J * g * g1) * y[1] * y[1]) / (inertia + J * g * g);
      return {y[1], beta_2, y[3], g * beta_2 + g1 * y[1] * y[1]};
    }
    // Friction T₂ − T₁ on the drum, of which the lever tells T₁: I β̈ = Q − T₁ d · ∂p/∂β.
    const BeltAngles belt(brake, at.Z, y[0]);
    const double part = std::exp(-brake.mu * belt.wrap) - 1;
    const double by_T1 = part * at.roll / belt.d_turn;
    const double beta_2 = (force + by_T1 * Q - bend * y[1] * y[1]) / (inertia + by_T1 * I);
    const double friction = part * (Q - I * beta_2) / belt.d_turn;
    return {y[1], beta_2, y[3], (brake.torque + R * friction) / J};
  }
  // Runge and Kutta's, of order four.
  Numbers Step(const Numbers& y, double h) const {
    const auto along = [&](const Numbers& k, double part) {
      Numbers out = y;
      for (size_t i = 0; i < out.size(); ++i) out[i] += part * k[i];
      return out;
    };
    const Numbers k1 = CalcRates(y), k2 = CalcRates(along(k1, h / 2));
    const Numbers k3 = CalcRates(along(k2, h / 2)), k4 = CalcRates(along(k3, h));
    Numbers out = y;
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    return out;
  }

  SwingingBrake set_;
  double length_ = 0;
  bool sticks_ = false;
  Numbers now_;
};

struct SwingEnd {
  double beta = 0, beta_rate = 0, theta = 0, height = 0, stop = kInfinity;
  int events = 0;
};

SwingEnd RunSwing(const SwingingBrake& set, double until) {
  SimulationSettings settings;
  settings.integrator = Integrator::kEventDriven;
  settings.formulation.kind = FormulationKind::kWorking;
  settings.step = 0.05;
  const Model model = set.Build();
  Simulator simulator(model, settings, set.MakeState(model));
  SwingEnd out;
  while (simulator.state().t < until - 1e-9) {
    EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    if (simulator.status() != StepStatus::kOk) break;
    for (const Event& event : simulator.last_events()) {
      if (event.kind == EventKind::kStick) out.stop = event.t;
      ++out.events;
    }
  }
  const auto at = [&](const char* joint) { return model.tree().v_start[*model.FindJoint(joint)]; };
  out.beta = simulator.state().q[at("pivot")];
  out.beta_rate = simulator.state().v[at("pivot")];
  out.theta = simulator.state().q[at("axle")];
  out.height = simulator.state().q[at("rail")];
  return out;
}

// While the drum slips, when it stops doing so, and on, while it rolls and the lever swings.
TEST(SwingingBeltBrake, AgreesWithAnIntegrationOfLeverAndDrum) {
  for (double swing : {1.5, -1.0}) {
    SCOPED_TRACE(swing);
    SwingingBrake set;
    set.swing = swing;
    SwingReference reference(set);
    const double stop = reference.Advance(0.8, 2e-4);
    EXPECT_GT(stop, 0.2);
    EXPECT_LT(stop, 0.6);
    const SwingEnd end = RunSwing(set, 0.8);
    EXPECT_EQ(end.events, 1);
    EXPECT_NEAR(end.stop, stop, 1e-9);
    EXPECT_NEAR(end.beta, reference.now()[0], 1e-9);
    EXPECT_NEAR(end.beta_rate, reference.now()[1], 1e-8);
    EXPECT_NEAR(end.theta, reference.now()[2], 1e-9);
    EXPECT_NEAR(end.height, reference.CalcHeight(end.beta), 1e-11);
  }
}

// The lever does swing, by degrees, or the runs would show nothing of rows that change.
TEST(SwingingBeltBrake, SwingsFarEnoughForItsRowToChange) {
  SwingingBrake set;
  double low = 0, high = 0;
  for (int k = 1; k <= 8; ++k) {
    const double beta = RunSwing(set, 0.05 * k).beta;
    low = std::min(low, beta);
    high = std::max(high, beta);
  }
  EXPECT_GT(high - low, 0.1);
}

// Ġ v of the belt against differences of its row, wherever lever and drum are and move to.
TEST(SwingingBeltBrake, SaysTheCurvatureOfItsRow) {
  const Model model = SwingingBrake().Build();
  const auto own = testing::Select(model, [](const Constraint& c) { return c.name() == "belt"; });
  ASSERT_EQ(own.size(), 1u);
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    State state = testing::MakeRandomState(model, &random);
    for (const char* joint : {"pivot", "rail"}) {
      state.q[model.tree().q_start[*model.FindJoint(joint)]] *= 0.1;
    }
    EXPECT_LT(testing::CalcCurvatureError(model, own, state, &random), 1e-10);
  }
}

// With it and with differences in its place runs are the same to their tolerance.
TEST(SwingingBeltBrake, RunsAlikeWithDifferences) {
  SwingingBrake set;
  const SwingEnd said = RunSwing(set, 0.5);
  set.has_curvature = false;
  const SwingEnd taken = RunSwing(set, 0.5);
  EXPECT_NEAR(said.beta, taken.beta, 1e-10);
  EXPECT_NEAR(said.theta, taken.theta, 1e-10);
  EXPECT_NEAR(said.stop, taken.stop, 1e-10);
}

}  // namespace
}  // namespace voigt
