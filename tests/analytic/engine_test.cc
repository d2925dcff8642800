// The engines of scenes/engine_*.yaml: their dimensions, and their motion beside the ideal
// slider-crank that they are but for clearances.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/support/scenes.h"
#include "voigt/collision/contact_finder.h"

namespace voigt {
namespace {

// scripts/make_engine.mjs, in m.
constexpr double kClearance = 50e-6, kThrow = 0.03, kRodLength = 0.1;
constexpr double kMainRadius = 0.014, kPinRadius = 0.012, kWristRadius = 0.008;
constexpr double kAxialGap = 1e-3;

// How much farther than its corners the flats of a journal of 24 sides are from its bore.
double CalcSagitta(double radius) { return radius * (1 - std::cos(M_PI / 24)); }

// How far the axis of a journal may be from that of its bore of 8 flats, in any direction: along
// the normal of each flat by the clearance and the sagitta at most.
double CalcPlay(double radius) { return (kClearance + CalcSagitta(radius)) / std::cos(M_PI / 8); }

// Contacts of a state, whatever has moved it there.
class GapFinder {
 public:
  explicit GapFinder(const Model& model) : model_(model), kin_(model), finder_(model) {}

  const std::vector<Contact>& Find(const State& state, double h) {
    UpdatePositions(model_, state.q, &kin_);
    UpdateVelocities(model_, state.v, &kin_);
    finder_.Find(model_, kin_, h);
    return finder_.contacts();
  }

  double CalcLeast(const State& state) {
    double least = kInfinity;
    for (const Contact& contact : Find(state, 1e-5)) least = std::min(least, contact.phi);
    return least;
  }

 private:
  const Model& model_;
  Kinematics kin_;
  ContactFinder finder_;
};

// The motion of the ideal mechanism with one degree of freedom, from its energies
// T = ½ I(θ) θ'² and V(θ).
class SliderCrank {
 public:
  explicit SliderCrank(const Model& model) : gravity_(-model.gravity()[2]) {
    crank_ = model.body(*model.FindBody("crankshaft")).mass;
    rod_ = model.body(*model.FindBody("rod1")).mass;
    piston_ = model.body(*model.FindBody("piston1")).mass;
  }

  double CalcHeight(double theta) const {  // of the wrist pin
    const double y = kThrow * std::sin(theta);
    return kThrow * std::cos(theta) + std::sqrt(kRodLength * kRodLength - y * y);
  }

  double CalcInertia(double theta) const {
    const double swing = CalcSlope(theta, [](double x) { return CalcSwing(x); });
    const double rise = CalcSlope(theta, [&](double x) { return CalcHeight(x); });
    const Vec2 com(CalcSlope(theta, [&](double x) { return CalcRod(x)[0]; }),
                   CalcSlope(theta, [&](double x) { return CalcRod(x)[1]; }));
    const double crank = crank_.inertia(0, 0) + crank_.mass * crank_.com.squaredNorm();
    return crank + rod_.mass * com.squaredNorm() + rod_.inertia(0, 0) * swing * swing +
           piston_.mass * rise * rise;
  }

  double CalcPotential(double theta) const {
    const double crank = crank_.com[2] * std::cos(theta);
    return gravity_ * (crank_.mass * crank + rod_.mass * CalcRod(theta)[1] +
                       piston_.mass * (CalcHeight(theta) + piston_.com[2]));
  }

  // (θ, θ') after t, from rest at θ₀, by Runge and Kutta's method.
  Vec2 Run(double theta_0, double torque, double t) const {
    const auto rate = [&](const Vec2& x) {
      const double I_slope = CalcSlope(x[0], [&](double a) { return CalcInertia(a); });
      const double V_slope = CalcSlope(x[0], [&](double a) { return CalcPotential(a); });
      return Vec2(x[1], (torque - V_slope - 0.5 * I_slope * x[1] * x[1]) / CalcInertia(x[0]));
    };
    constexpr int kCount = 400;
    const double h = t / kCount;
    Vec2 x(theta_0, 0);
    for (int k = 0; k < kCount; ++k) {
      const Vec2 a = rate(x), b = rate(x + 0.5 * h * a), c = rate(x + 0.5 * h * b);
      x += h / 6 * (a + 2 * b + 2 * c + rate(x + h * c));
    }
    return x;
  }

 private:
  static double CalcSwing(double theta) {
    return -std::asin(kThrow * std::sin(theta) / kRodLength);
  }
  Vec2 CalcRod(double theta) const {  // y and z of its centre of mass
    const double beta = CalcSwing(theta);
    return Vec2(-kThrow * std::sin(theta), kThrow * std::cos(theta)) +
           rod_.com[2] * Vec2(-std::sin(beta), std::cos(beta));
  }
  template <typename Function>
  static double CalcSlope(double x, const Function& f) {
    constexpr double e = 1e-4;
    return (f(x + e) - f(x - e)) / (2 * e);
  }

  double gravity_;
  MassProperties crank_, rod_, piston_;
};

double CalcCrankAngle(Simulator* simulator) {
  const int crank = *simulator->model().FindBody("crankshaft");
  const Mat3 R = CalcBodyPose(simulator->model(), simulator->CalcKinematics(), crank).R;
  return std::atan2(R(2, 1), R(1, 1));
}

double CalcPistonHeight(Simulator* simulator) {
  const int piston = *simulator->model().FindBody("piston1");
  return CalcBodyPose(simulator->model(), simulator->CalcKinematics(), piston).p[2];
}

// A piston is where its crank's angle has it, but for what all bearings on the way may give.
double CalcHeightPlay() {
  const double along = CalcPlay(kMainRadius) + CalcPlay(kPinRadius) + CalcPlay(kWristRadius);
  const double across = along + kClearance / std::cos(M_PI / 8);
  const double sine = (kThrow + across) / kRodLength;
  return along + across * sine / std::sqrt(1 - sine * sine);
}

class Engine : public ::testing::TestWithParam<const char*> {};

// At the start every journal is in the middle of its bore: gaps are the clearance, or more by what
// flats of the journal lack.
TEST_P(Engine, StartsWithTheClearancesOfItsDimensions) {
  const Scene scene = testing::LoadNamedScene(GetParam());
  std::map<std::pair<std::string, std::string>, double> least;
  GapFinder finder(scene.model);
  for (const Contact& contact : finder.Find(scene.initial, 0.02)) {
    const auto& all = scene.model.geometry();
    const auto names = std::minmax(all[contact.geometry_A].name, all[contact.geometry_B].name);
    const double found = least.contains(names) ? least[names] : kInfinity;
    least[names] = std::min(found, contact.phi);
  }
  const auto expect = [&](const char* a, const char* b, double gap, double more) {
    ASSERT_TRUE((least.contains({a, b}))) << a << ' ' << b;
    const double found = least[{a, b}];
    EXPECT_GE(found, gap - 1e-11) << a << ' ' << b;
    EXPECT_LE(found, gap + more + 1e-11) << a << ' ' << b;
  };
  expect("bearing", "journal", kClearance, CalcSagitta(kMainRadius));
  expect("big_end", "pin", kClearance, CalcSagitta(kPinRadius));
  expect("pin", "small_end", kClearance, CalcSagitta(kWristRadius));
  expect("crown", "cylinder", kClearance, 0);
  expect("cylinder", "skirt", kClearance, 0);
  expect("bearing", "web", kAxialGap, 0);
  expect("big_end", "web", kAxialGap, 0);
}

TEST_P(Engine, HasPartsOfOneKilogram) {
  const Scene scene = testing::LoadNamedScene(GetParam());
  for (int b = 1; b < scene.model.nb(); ++b) {
    EXPECT_DOUBLE_EQ(scene.model.body(b).mass.mass, 1) << scene.model.body(b).name;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Engine,
                         ::testing::Values("engine_one_cylinder", "engine_four_cylinders"));

// The rod's inertia is given by the script; here that of a million points in its plates.
TEST(EngineRod, HasTheInertiaOfTheUnionOfItsShapes) {
  const Scene scene = testing::LoadNamedScene("engine_one_cylinder");
  const Body& rod = scene.model.body(*scene.model.FindBody("rod1"));
  const auto is_inside = [&](const Vec3& p) {
    for (int g = rod.first_geometry; g < rod.first_geometry + rod.geometry_count; ++g) {
      const Geometry& shape = scene.model.geometry()[g];
      const Vec3 corner = std::get<ConvexHull>(shape.shape).points[0].cwiseAbs();
      const Vec3 at = shape.X_BG.R.transpose() * (p - shape.X_BG.p);
      if ((at.cwiseAbs() - corner).maxCoeff() <= 0) return true;
    }
    return false;
  };
  // All of it are prisms along x, symmetric, whose ends are between layers.
  constexpr double kLayer = 2e-3, kCell = 1e-4;
  double mass = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (double x = kLayer / 2; x < 0.008; x += kLayer) {
    for (double y = -0.021 + kCell / 2; y < 0.021; y += kCell) {
      for (double z = -0.021 + kCell / 2; z < 0.116; z += kCell) {
        const Vec3 p(x, y, z);
        if (!is_inside(p)) continue;
        mass += 1;
        first += Vec3(0, y, z);
        second += Vec3(x * x, y * y, z * z).asDiagonal();
      }
    }
  }
  const Vec3 com = first / mass;
  const Mat3 spread = second / mass - com * com.transpose();
  const Mat3 inertia = spread.trace() * Mat3::Identity() - spread;
  EXPECT_LT((com - rod.mass.com).norm(), 2e-5);
  EXPECT_LT((inertia - rod.mass.inertia).norm(), 2e-3 * rod.mass.inertia.norm());
}

// By time stepping, to the end of the scene.
TEST(EngineMotion, FollowsTheIdealMechanismWithinItsClearances) {
  const Scene scene = testing::LoadNamedScene("engine_one_cylinder");
  Simulator simulator = testing::MakeSimulator(scene);
  const SliderCrank ideal(scene.model);
  const double torque = 5, start = 40 * M_PI / 180, play = CalcHeightPlay();
  const double energy_0 = simulator.CalcEnergy().Total();
  EXPECT_LT(play, 0.7e-3);
  GapFinder finder(scene.model);
  double angle = start, speed = 0;
  while (simulator.state().t < scene.settings.until - 1e-9) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    const double turn = std::remainder(CalcCrankAngle(&simulator) - angle, 2 * M_PI);
    speed = turn / scene.settings.step;
    angle += turn;
    EXPECT_NEAR(CalcPistonHeight(&simulator), ideal.CalcHeight(angle), play);
    // Gaps are straightened over a step: corners that turn by ωh are off by r (ωh)²/2.
    const double bend = speed * scene.settings.step;
    EXPECT_GT(finder.CalcLeast(simulator.state()), -kMainRadius * bend * bend - 1e-9);
    // No energy but that of the torque; steps of first order are good for h ω̇/ω of it.
    EXPECT_LE(simulator.CalcEnergy().Total() - energy_0, simulator.work() * (1 + 1e-3) + 1e-6);
  }
  // A force acts with the rate at the end of a step, where bodies move with its mean.
  EXPECT_NEAR(simulator.work(), torque * (angle - start), torque * speed * scene.settings.step);
  // It is slower than the ideal one by what landings took, and ahead of it nowhere.
  const Vec2 end = ideal.Run(start, torque, simulator.state().t);
  const double lost = -simulator.constraint_work() / simulator.work();
  RecordProperty("lost", std::to_string(lost));
  EXPECT_LT(angle, end[0] + play / kThrow);
  EXPECT_GT(angle, end[0] - lost * (end[0] - start) - play / kThrow);
}

// Event by event the mechanism is the same, and nothing overlaps at all.
TEST(EngineMotion, FollowsTheIdealMechanismFromImpactToImpact) {
  const Scene scene =
      testing::LoadNamedScene("engine_one_cylinder", {{"simulation.integrator", "event-driven"},
                                                      {"simulation.step", "5e-4"},
                                                      {"simulation.until", "0.005"}});
  Simulator simulator = testing::MakeSimulator(scene);
  const SliderCrank ideal(scene.model);
  GapFinder finder(scene.model);
  const double energy_0 = simulator.CalcEnergy().Total();
  double before = 0;
  while (simulator.state().t < scene.settings.until - 1e-9) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    EXPECT_NEAR(CalcPistonHeight(&simulator), ideal.CalcHeight(CalcCrankAngle(&simulator)),
                CalcHeightPlay());
    EXPECT_GT(finder.CalcLeast(simulator.state()), -1e-9);
    EXPECT_LE(simulator.constraint_work(), before + 1e-13);
    before = simulator.constraint_work();
  }
  const double balance = simulator.CalcEnergy().Total() - energy_0 - simulator.work() - before;
  EXPECT_NEAR(balance, 0, 1e-9 * simulator.work());
  EXPECT_GT(simulator.events().impacts, 10);
  EXPECT_EQ(simulator.solver().not_solved, 0);
  EXPECT_EQ(simulator.audit().failed, 0);
}

// Without friction maximum dissipation and complementarity are one law.
TEST(EngineMotion, IsTheSameByOtherContactModels) {
  const auto run = [](const char* formulation) {
    const Scene scene = testing::LoadNamedScene(
        "engine_one_cylinder",
        {{"simulation.formulation", formulation}, {"simulation.until", "0.01"}});
    return testing::RunToEnd(scene);
  };
  const State compliant = run("compliant");
  for (const char* other : {"max-dissipation", "stabilized-lcp"}) {
    EXPECT_LT((run(other).q - compliant.q).lpNorm<Eigen::Infinity>(), 1e-9) << other;
  }
}

}  // namespace
}  // namespace voigt
