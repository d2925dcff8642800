// Surfaces that run along their bodies (Geometry::surface_velocity): belts and tracks.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

constexpr double kGravity = 9.8, kStepOfBelt = 0.01;

// A block of 2 kg on four points on a half-space that may be turned; `belt` and `block` are what
// their shapes are said to have beside, `material` what both are made of.
Scene MakeBelt(const std::string& belt, const std::string& block = "",
               const std::string& material = "friction: 0.25", const std::string& more = "") {
  return ParseScene(fmt::format(R"(
gravity: [0, 0, -9.8]
materials: {{default: {{{}}}}}
world: {{geometry: [{{name: belt, shape: half-space{}}}]}}
bodies:
  - name: block
    mass: 2
    inertia: [0.01, 0.02, 0.02]
    geometry:
      - {{name: feet, shape: points, positions:
         [[-0.2, -0.1, 0], [0.2, -0.1, 0], [-0.2, 0.1, 0], [0.2, 0.1, 0]]{}}}
joints: [{{name: a, type: free, child: block}}]
simulation: {{step: 0.01, until: 2}}
{})",
                                material, belt, block, more),
                    "belt");
}

struct BeltRun {
  State end;
  double drive_work = 0;         // J
  double most_over_balance = 0;  // of the audit's energy and friction power
};

BeltRun RunBelt(const Scene& scene, double time) {
  Simulator simulator = testing::MakeSimulator(scene);
  BeltRun out;
  const long steps = std::lround(time / kStepOfBelt);
  for (long i = 0; i < steps; ++i) {
    EXPECT_EQ(simulator.Step(), StepStatus::kOk);
    EXPECT_NE(simulator.step_audit(), nullptr);
    const Audit& audit = *simulator.step_audit();
    out.drive_work += audit.drive_work;
    out.most_over_balance = std::max({out.most_over_balance, audit.energy, audit.friction_power});
  }
  EXPECT_EQ(simulator.solver().not_solved, 0);
  EXPECT_EQ(simulator.audit().failed, 0);
  out.end = simulator.state();
  return out;
}

// The scheme's own distance: step k ends with min(k h μ g, V).
double CarriedDistance(double mu, double V, double time) {
  double distance = 0;
  const long steps = std::lround(time / kStepOfBelt);
  for (long k = 1; k <= steps; ++k) {
    distance += kStepOfBelt * std::min(k * kStepOfBelt * mu * kGravity, V);
  }
  return distance;
}

TEST(Conveyor, BlockSlidesAndIsThenCarriedAtTheSpeedOfTheBelt) {
  for (double mu : {0.1, 0.25, 0.5}) {
    for (double V : {0.3, 1.0, -0.7}) {
      const Scene scene = MakeBelt(fmt::format(", surface_velocity: [{}, 0, 0]", V), "",
                                   fmt::format("friction: {}", mu));
      const double time = 2, sliding = std::fabs(V) / (mu * kGravity);
      const BeltRun run = RunBelt(scene, time);
      SCOPED_TRACE(fmt::format("mu = {}, V = {}", mu, V));
      EXPECT_NEAR(run.end.v[0], V, 1e-12);
      EXPECT_NEAR(run.end.v.tail<5>().norm(), 0, 1e-11);
      EXPECT_NEAR(run.end.q[0], std::copysign(CarriedDistance(mu, std::fabs(V), time), V), 1e-11);
      // V²/(2 μ g) and from then on V t, up to what a step of the scheme is off by: h V/2.
      const double exact = V * (time - sliding / 2);
      EXPECT_NEAR(run.end.q[0], exact, 0.51 * kStepOfBelt * std::fabs(V));
      EXPECT_NEAR(run.end.q[1], 0, 1e-15);
    }
  }
}

// In axes of the shape, which may lie as it likes; what points out of the plane has no meaning.
TEST(Conveyor, BeltCarriesAlongItsOwnAxes) {
  const Scene scene = MakeBelt(", rpy: [0, 0, 30 deg], surface_velocity: [0.3, 0.4, 2]", "",
                               "friction: 0.5", "initial: {a: {velocity: [0.5, -0.5, 0]}}");
  const BeltRun run = RunBelt(scene, 1);
  const double c = std::cos(kPi / 6), s = std::sin(kPi / 6);
  EXPECT_NEAR(run.end.v[0], 0.3 * c - 0.4 * s, 1e-12);
  EXPECT_NEAR(run.end.v[1], 0.3 * s + 0.4 * c, 1e-12);
  EXPECT_NEAR(run.end.q[2], 0, 1e-12);
}

// Up a slope of 15°, tan = 0.268: friction above that carries, below it the block slides down with
// g (sin − μ cos), however fast the belt runs.
TEST(Conveyor, BeltUpASlopeCarriesWhatFrictionHolds) {
  constexpr double tilt = kPi / 12;
  const auto run = [](double mu) {
    return RunBelt(MakeBelt(", rpy: [0, 15 deg, 0], surface_velocity: [-1, 0, 0]", "",
                            fmt::format("friction: {}", mu), "initial: {a: {rpy: [0, 15 deg, 0]}}"),
                   1)
        .end;
  };
  const Vec3 down(std::cos(tilt), 0, -std::sin(tilt));
  EXPECT_NEAR(run(0.5).v.head<3>().dot(down), -1, 1e-12);
  const double a = kGravity * (std::sin(tilt) - 0.2 * std::cos(tilt));
  const State slides = run(0.2);
  EXPECT_NEAR(slides.v.head<3>().dot(down), a, 1e-11);
  EXPECT_NEAR(slides.q.head<3>().dot(down), a * (1 + kStepOfBelt) / 2, 1e-11);
}

// Tracks: the surface runs back, the body ahead. Two surfaces that run alike do not notice.
TEST(Conveyor, TracksDriveTheirBodyAndEqualSurfacesCancel) {
  EXPECT_NEAR(RunBelt(MakeBelt("", ", surface_velocity: [-0.5, 0, 0]"), 1).end.v[0], 0.5, 1e-12);
  const Scene alike = MakeBelt(", surface_velocity: [1, 0, 0]", ", surface_velocity: [1, 0, 0]");
  EXPECT_EQ(RunBelt(alike, 1).end.v.head<2>(), Vec2(0, 0));
}

// A belt that brings m to V works m V², half of which friction turns into heat; carrying on a level
// costs nothing.
TEST(Conveyor, WorkOfTheBeltIsBookedAsADrive) {
  constexpr double m = 2, V = 0.8;
  const Scene scene = MakeBelt(", surface_velocity: [0.8, 0, 0]");
  const BeltRun run = RunBelt(scene, 1);
  EXPECT_NEAR(run.drive_work, m * V * V, 1e-11);
  EXPECT_LE(run.most_over_balance, 1e-12);
  Simulator simulator = testing::MakeSimulator(scene);
  for (int i = 0; i < 100; ++i) simulator.Step();
  EXPECT_NEAR(simulator.constraint_work(), 0.5 * m * V * V, 1e-11);
}

TEST(Conveyor, EveryFormulationKnowsIt) {
  for (FormulationKind kind : ListFormulationKinds()) {
    SCOPED_TRACE(std::string(ToString(kind)));
    for (const char* belt :
         {", surface_velocity: [1, 0, 0]", ", surface_velocity: [0.6, 0.8, 0]"}) {
      Scene scene = MakeBelt(belt);
      scene.settings.formulation.kind = kind;
      // Polygons may lose up to 1 − cos(π/16) of friction: 2 % of V²/(2 μ g).
      scene.settings.formulation.impulse_space.directions = 16;
      Simulator simulator = testing::MakeSimulator(scene);
      for (int i = 0; i < 100; ++i) simulator.Step();
      EXPECT_EQ(simulator.status(), StepStatus::kOk);
      EXPECT_EQ(simulator.solver().not_solved, 0);
      EXPECT_NEAR(simulator.state().v.head<2>().norm(), 1, 1e-9);
      // Least forces, as printed, press harder where that spares friction its slip, and so bring
      // the block to speed at once (docs/theory/minimum_norm.md).
      const double distance = simulator.state().q.head<2>().norm();
      if (kind == FormulationKind::kCompliantQcqp) {
        EXPECT_NEAR(distance, 1, 1e-5);
      } else {
        EXPECT_NEAR(distance, CarriedDistance(0.25, 1, 1), 0.02 / (2 * 0.25 * kGravity));
      }
    }
  }
}

// Springs along the surface ride with the belt, dampers bring the block to its speed by b/m.
TEST(Conveyor, SpringsAndDampersAlongTheSurfaceActAgainstTheSlip) {
  const Scene spring =
      MakeBelt(", surface_velocity: [0.5, 0, 0]", "",
               "friction: 0.25, tangential_stiffness: 1e4, tangential_damping: 200");
  EXPECT_NEAR(RunBelt(spring, 4).end.v[0], 0.5, 1e-9);

  // Four feet, each surface with 1 N s/m: b = 4 N s/m; each step has v ← (v + h b V/m)/(1 + h b/m).
  const Scene damper =
      MakeBelt(", surface_velocity: [0.5, 0, 0]", "", "friction: 0, viscous_friction: 1");
  const double ratio = 1 / (1 + kStepOfBelt * 4 / 2);
  EXPECT_NEAR(RunBelt(damper, 1).end.v[0], 0.5 * (1 - std::pow(ratio, 100)), 1e-11);
}

TEST(Conveyor, ReportsTellSlipOnTheBelt) {
  Simulator simulator = testing::MakeSimulator(MakeBelt(", surface_velocity: [0.5, 0, 0]"));
  std::vector<ContactReport> contacts;
  simulator.Step();
  simulator.ListContacts(&contacts);
  ASSERT_EQ(contacts.size(), 4u);
  const double v1 = 0.25 * kGravity * kStepOfBelt;
  for (const ContactReport& contact : contacts) {
    EXPECT_EQ(contact.state, ContactState::kSlip);
    EXPECT_NEAR(contact.velocity_W[0], v1 - 0.5, 1e-12);  // of the block on the belt
  }
  for (int i = 0; i < 99; ++i) simulator.Step();
  simulator.ListContacts(&contacts);
  ASSERT_EQ(contacts.size(), 4u);
  for (const ContactReport& contact : contacts) {
    EXPECT_EQ(contact.state, ContactState::kStick);
    EXPECT_NEAR(contact.velocity_W.norm(), 0, 1e-11);
  }
}

TEST(Conveyor, EventDrivenRunsRefuseItByName) {
  Scene scene = MakeBelt(", surface_velocity: [0.5, 0, 0]");
  scene.settings.integrator = Integrator::kEventDriven;
  try {
    testing::MakeSimulator(scene);
    FAIL() << "no complaint";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("belt:4:"), std::string::npos) << text;
    EXPECT_NE(text.find("surface_velocity"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace voigt
