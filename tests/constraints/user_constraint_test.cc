// The example of a constraint written by a user: checked and run.

#include <gtest/gtest.h>

#include <cmath>

#include "examples/bead_on_parabola.h"
#include "tests/constraints/row_checks.h"
#include "voigt/sim/simulator.h"

namespace voigt {
namespace {

using examples::BeadOnParabola;
using testing::MakeRows;
using testing::Random;
using testing::Rows;

Model MakeBead(double a, double K) {
  ModelBuilder builder;
  BodySpec bead;
  bead.name = "bead";
  bead.mass_source = MassSource::kExplicit;
  bead.mass = {0.5, Vec3::Zero(), 0.01 * Mat3::Identity()};
  JointSpec joint;
  joint.name = "free";
  joint.type = JointType::kFree;
  joint.child = "bead";
  builder.AddBody(bead).AddJoint(joint);
  builder.spec().user_constraints.push_back(std::make_shared<BeadOnParabola>("bead", a, K));
  return builder.Build();
}

TEST(UserConstraint, HasARowThatIsTheExactDerivative) {
  const Model model = MakeBead(0.7, 1e4);
  Random random(1);
  for (int i = 0; i < 10; ++i) {
    const State state = testing::MakeRandomState(model, &random);
    const auto list = ConstraintSet(model).list();
    ASSERT_EQ(list.size(), 1u);
    EXPECT_LT(testing::CalcDerivativeError(model, list, state, &random), 1e-9);
    const double slope = 2 * 0.7 * state.q[0];
    EXPECT_DOUBLE_EQ(MakeRows(model, state)[0].c, 1 / (1e4 * (1 + slope * slope)));
  }
}

// Steps of the bead alone: the one row is solved by hand.
TEST(UserConstraint, KeepsABeadOnItsTrack) {
  const double a = 0.5, h = 1e-4, m = 0.5, g = 9.81;
  const Model model = MakeBead(a, kInfinity);
  State state;
  state.q = model.NeutralCoordinates();
  state.q[0] = 1;
  state.q[2] = a;
  state.v = VecX::Zero(6);
  const double start = m * g * a;
  double lowest = 1, farthest = 0;
  for (int i = 0; i < 20000; ++i) {
    const Rows rows = MakeRows(model, state, h);
    const Row& row = rows[0];
    VecX v = state.v;
    v[2] -= h * g;
    const VecX G = rows.problem.ToDenseG().row(0);
    const double w = G.head<3>().squaredNorm() / m;
    const double gamma = (row.v_hat - row.phi_t - G.dot(v)) / (w + row.R);
    v.head<3>() += gamma / m * G.head<3>();
    state.v = v;
    IntegratePositions(model, v, h, &state.q);
    lowest = std::min(lowest, state.q[2]);
    farthest = std::max(farthest, -state.q[0]);
    // Off the track by the curvature within a step only.
    ASSERT_LT(std::abs(state.q[2] - a * state.q[0] * state.q[0]), 2 * a * h * h * v.squaredNorm());
  }
  const double energy = 0.5 * m * state.v.squaredNorm() + m * g * state.q[2];
  EXPECT_NEAR(energy, start, 2e-3 * start);
  EXPECT_NEAR(lowest, 0, 1e-6);
  EXPECT_NEAR(farthest, 1, 1e-3);
}

// Ġ v of the row is nobody's formula: differences along the motion have it. The bead is on its
// track and keeps its energy.
TEST(UserConstraint, KeepsABeadOnItsTrackByEvents) {
  const double a = 0.5, m = 0.5, g = 9.81;
  for (FormulationKind kind : {FormulationKind::kMaxDissipation, FormulationKind::kWorking}) {
    SimulationSettings settings;
    settings.integrator = Integrator::kEventDriven;
    settings.formulation.kind = kind;
    settings.step = 0.05;
    State start;
    start.q = MakeBead(a, kInfinity).NeutralCoordinates();
    start.q[0] = 1;
    start.q[2] = a;
    start.v = VecX::Zero(6);
    Simulator simulator(MakeBead(a, kInfinity), settings, start);
    double fastest = 0;
    for (int k = 0; k < 100; ++k) {
      ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      const State& state = simulator.state();
      EXPECT_NEAR(state.q[2], a * state.q[0] * state.q[0], 1e-13);
      const double energy = 0.5 * m * state.v.head<3>().squaredNorm() + m * g * state.q[2];
      EXPECT_NEAR(energy, m * g * a, 1e-10);
      fastest = std::max(fastest, state.v.head<3>().norm());
    }
    EXPECT_GT(fastest, 3);  // it has swung: √(2 g a) at the bottom
  }
}

// Friction on a joint of the tree whose normal force has parts of all kinds: what the joint bears,
// a multiple of what another row of the element bears, and a part of friction itself.
class PressedSlide final : public Constraint {
 public:
  PressedSlide() : Constraint("pressed slide") {}
  static constexpr double kMu = 0.4, kOfRow = 2, kOwn = 0.5;

  bool IsHolonomic() const override { return true; }
  bool HasReactionFriction() const override { return true; }

  // Holds up the weight.
  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const int weight = *at.model.FindBody("weight");
    const Vec3 p = CalcBodyPose(at.model, at.kin, weight).p;
    rows->BeginOnBodies(Law::kBilateral, 0, weight);
    SetSpring({}, at.h, rows->AddWrench(p[2], p, Vec3::Zero(), Vec3::UnitZ()));
  }

  void AddFriction(const ConstraintContext& at, RowWriter* rows,
                   std::vector<FrictionRows>* out) const override {
    const int slider = *at.model.FindBody("slider");
    FrictionRows& friction = out->emplace_back();
    friction.row_count = 1;
    friction.law.mu_static = friction.law.mu_kinetic = kMu;
    friction.P = Vec3(0, 1, 1).asDiagonal();
    friction.of_row[2] = kOfRow;
    friction.own(2, 0) = kOwn;
    friction.body = slider;
    rows->BeginOnBodies(Law::kBounded, 0, slider);
    rows->AddWrench(0, CalcBodyPose(at.model, at.kin, slider).p, Vec3::Zero(), Vec3::UnitX());
  }
};

Model MakePressedSlide() {
  ModelBuilder builder;
  builder.spec().gravity = {0, 0, -10};
  const auto add = [&](const char* name, double mass, const Vec3& axis) {
    BodySpec body;
    body.name = name;
    body.mass_source = MassSource::kExplicit;
    body.mass = {mass, Vec3::Zero(), Mat3::Identity()};
    JointSpec joint;
    joint.name = std::string("along ") + name;
    joint.type = JointType::kPrismatic;
    joint.child = name;
    joint.axis = axis;
    builder.AddBody(body).AddJoint(joint);
  };
  add("slider", 3, Vec3::UnitX());
  add("weight", 1, Vec3::UnitZ());
  builder.spec().user_constraints.push_back(std::make_shared<PressedSlide>());
  return builder.Build();
}

// N = m g + 2 W + λ/2 with λ = ∓ μ N: the slider, of mass m, is braked by μ N/m, more where it
// slides back.
TEST(UserConstraint, RubsOnAJointOfTheTreeByAllPartsOfItsNormalForce) {
  const double mu = PressedSlide::kMu, pressed = 30 + PressedSlide::kOfRow * 10;
  for (double sense : {1.0, -1.0}) {
    const double N = pressed / (1 + sense * PressedSlide::kOwn * mu);
    for (Integrator integrator : {Integrator::kEventDriven, Integrator::kSemiImplicitEuler}) {
      const bool by_events = integrator == Integrator::kEventDriven;
      SimulationSettings settings;
      settings.integrator = integrator;
      settings.formulation.kind =
          by_events ? FormulationKind::kWorking : FormulationKind::kCompliant;
      settings.step = 0.01;
      State start;
      start.q = VecX::Zero(2);
      start.v = Vec2(5 * sense, 0);
      Simulator simulator(MakePressedSlide(), settings, start);
      for (int k = 0; k < 10; ++k) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
      EXPECT_NEAR(simulator.state().v[0], sense * (5 - 0.1 * mu * N / 3), 1e-9)
          << sense << ' ' << by_events;
      EXPECT_NEAR(simulator.state().q[1], 0, 1e-9);
    }
  }
}

}  // namespace
}  // namespace voigt
