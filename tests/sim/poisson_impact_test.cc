// Poisson's law of restitution beside Newton's, and the energy that impacts bring in.

#include "voigt/sim/poisson_impact.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/scenes.h"
#include "voigt/base/errors.h"

namespace voigt {
namespace {

// A body of 1 kg and 1/4 kg m² that does not turn has a foot at r = (1, −1) m from its centre of
// mass, in the plane of x and z, which comes down on the floor. Impulses on the foot change its
// velocities along z and x by
//   w_nn = w_tt = 1/m + 1/I = 5,   w_nt = −r_x r_z/I = 4.
constexpr double kOwn = 5, kCross = 4;

struct FootCase {
  double u_n = -1, u_t = 0;  // before the impact
  double mu = 0, e = 0;
};

std::string FormatFootScene(const FootCase& foot, const std::string& simulation) {
  return fmt::format(R"(
gravity: [0, 0, 0]
materials: {{default: {{friction: {}, restitution: {}}}}}
world: {{geometry: [{{shape: half-space}}]}}
bodies:
  - name: body
    mass: 1
    inertia: [0.25, 0.25, 0.25]
    geometry: [{{shape: sphere, radius: 0.1, position: [1, 0, -0.9]}}]
joints: [{{name: free, type: free, child: body}}]
initial: {{free: {{position: [0, 0, 1], velocity: [{}, 0, {}]}}}}
simulation: {{step: 1e-3, {}}}
)",
                     foot.mu, foot.e, foot.u_t, foot.u_n, simulation);
}

Simulator MakeFootSimulator(const FootCase& foot, FormulationKind kind, const char* law) {
  return testing::MakeSimulator(ParseScene(
      FormatFootScene(foot, fmt::format("formulation: {}, restitution: {}", ToString(kind), law)),
      "foot"));
}

struct FootVelocity {
  double n = 0, t = 0;
};

// The foot's velocity right after the impact.
FootVelocity CalcFootVelocity(const FootCase& foot, FormulationKind kind, const char* law) {
  Simulator simulator = MakeFootSimulator(foot, kind, law);
  EXPECT_EQ(simulator.Step(), StepStatus::kOk);
  EXPECT_EQ(simulator.solver().not_solved, 0) << ToString(kind);
  EXPECT_EQ(simulator.audit().failed, 0) << ToString(kind);
  EXPECT_EQ(simulator.impacts().steps, 1);
  // v is [ω; v] or [v; ω] of the free joint: the position's rates are along x and z.
  const VecX& v1 = simulator.solution().v1;
  const VecX& v0 = simulator.problem().v_star;
  EXPECT_EQ(v1.size(), 6);
  const int linear = v0.head(3).isZero(0) ? 3 : 0, angular = 3 - linear;
  const double omega = v1[angular + 1];
  return {v1[linear + 2] - omega, v1[linear] - omega};
}

std::vector<FormulationKind> ListKindsWithPhases() {
  std::vector<FormulationKind> out;
  FormulationSettings settings;
  for (FormulationKind kind : ListFormulationKinds()) {
    settings.kind = kind;
    if (FindObstacleToPoisson(settings).empty()) out.push_back(kind);
  }
  return out;
}

void ExpectFootVelocity(const FootCase& foot, const char* law, const FootVelocity& expected) {
  for (FormulationKind kind : ListKindsWithPhases()) {
    const FootVelocity found = CalcFootVelocity(foot, kind, law);
    EXPECT_NEAR(found.n, expected.n, 1e-12) << ToString(kind) << ", " << law;
    EXPECT_NEAR(found.t, expected.t, 1e-12) << ToString(kind) << ", " << law;
  }
}

TEST(PoissonImpact, IsNewtonsLawWithoutFriction) {
  // γ_n = −(1 + e) u_n/w_nn.
  const double change = 1.7 * kCross / kOwn;
  ExpectFootVelocity({-1, 0.3, 0, 0.7}, "newton", {0.7, 0.3 + change});
  ExpectFootVelocity({-1, 0.3, 0, 0.7}, "poisson", {0.7, 0.3 + change});
}

// Slip that goes on through both phases: γ_t = −μ γ_n throughout, and the laws agree.
TEST(PoissonImpact, IsNewtonsLawWhereSlipGoesOn) {
  const FootCase foot{-1, 5, 0.5, 0.6};
  const double slope_n = kOwn - foot.mu * kCross, slope_t = kCross - foot.mu * kOwn;
  const double p = 1.6 / slope_n;
  const FootVelocity expected{0.6, 5 + slope_t * p};
  ExpectFootVelocity(foot, "newton", expected);
  ExpectFootVelocity(foot, "poisson", expected);
}

// The foot sticks at the end of compression, p_c = −(u_n − (w_nt/w_tt) u_t)/(w_nn − w_nt²/w_tt),
// and stays so: u_n⁺ = (w_nn − w_nt²/w_tt) e p_c. By Newton's law it is −e u_n.
TEST(PoissonImpact, RestoresWhatStickingCompressed) {
  const FootCase foot{-1, -0.5, 2, 0.8};
  ExpectFootVelocity(foot, "newton", {0.8, 0});
  ExpectFootVelocity(foot, "poisson", {0.8 * (1 - kCross / kOwn * 0.5), 0});
}

// With μ < w_nt/w_tt it sticks at the end of compression, and slips along +x in decompression,
// where γ_t = −μ e p_c. Newton's law has it slide from beginning to end or not at all.
TEST(PoissonImpact, SlipsInDecompressionAlone) {
  const FootCase foot{-1, -0.6, 0.5, 0.8};
  const double schur = kOwn - kCross * kCross / kOwn;
  const double p_c = (1 - kCross / kOwn * 0.6) / schur;
  // W p = −u: what sticking takes is within the limit.
  const double p_t = (0.6 - kCross * p_c) / kOwn;
  ASSERT_LT(std::fabs(p_t), foot.mu * p_c);
  const double p_d = 0.8 * p_c;
  ExpectFootVelocity(foot, "poisson",
                     {(kOwn - foot.mu * kCross) * p_d, (kCross - foot.mu * kOwn) * p_d});
}

// Kane's paradox: with u_t = (w_nt/w_nn) u_n the least energy goes with u_n = −1, and a foot that
// sticks while Newton's law restores e of that speed has more of it:
// ½ (e²/(w_nn − w_nt²/w_tt) − 1/w_nn) = 0.0777… for e = 0.8. Poisson's law loses energy there.
TEST(PoissonImpact, NewtonsLawGainsEnergyAndItIsCounted) {
  const FootCase foot{-1, -kCross / kOwn, 2, 0.8};
  const double gain = 0.5 * (0.64 / (kOwn - kCross * kCross / kOwn) - 1 / kOwn);
  ASSERT_GT(gain, 0.07);
  for (FormulationKind kind : ListKindsWithPhases()) {
    Simulator newton = MakeFootSimulator(foot, kind, "newton");
    ASSERT_EQ(newton.Step(), StepStatus::kOk);
    EXPECT_EQ(newton.impacts().gains, 1);
    EXPECT_NEAR(newton.impacts().gained, gain, 1e-12) << ToString(kind);
    EXPECT_NEAR(newton.constraint_work(), gain, 1e-12) << ToString(kind);
    Simulator poisson = MakeFootSimulator(foot, kind, "poisson");
    ASSERT_EQ(poisson.Step(), StepStatus::kOk);
    EXPECT_EQ(poisson.impacts().steps, 1);
    EXPECT_EQ(poisson.impacts().gains, 0);
    EXPECT_LT(poisson.constraint_work(), 0) << ToString(kind);
  }
}

// Impulses of both phases are in the solution, and momentum holds with them.
TEST(PoissonImpact, SolutionHasTheImpulsesOfBothPhases) {
  Simulator simulator =
      MakeFootSimulator({-1, -0.5, 0.5, 0.8}, FormulationKind::kMncpPlm, "poisson");
  ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  VecX v1;
  simulator.problem().CalcVelocity(simulator.solution().gamma, &v1);
  EXPECT_LT((v1 - simulator.solution().v1).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_EQ(simulator.contact_count(), 1);
}

// Balls in a row that touch, the first one struck at 1 m/s: compression leaves all with 1/3 m/s and
// p₁ = 2/3, p₂ = 1/3; e = 1 doubles them.
TEST(PoissonImpact, PassesThroughTouchingBalls) {
  const Scene scene = ParseScene(R"(
gravity: [0, 0, 0]
materials: {default: {restitution: 1}}
bodies:
  - {repeat: {i: 3}, name: "ball${i}", mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.5}]}
joints:
  - {repeat: {i: 3}, name: "rail${i}", type: prismatic, child: "ball${i}", axis: [1, 0, 0], frame: {position: ["${i}", 0, 0]}}
initial: {rail0: {v: 1}}
simulation: {step: 1e-3, restitution: poisson}
)",
                                 "balls");
  Simulator simulator = testing::MakeSimulator(scene);
  ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  const VecX& v = simulator.solution().v1;
  EXPECT_NEAR(v[0], -1.0 / 3, 1e-12);
  EXPECT_NEAR(v[1], 2.0 / 3, 1e-12);
  EXPECT_NEAR(v[2], 2.0 / 3, 1e-12);
  EXPECT_EQ(simulator.impacts().gains, 0);
}

// Forces have no part in an impact: a ball bounces as by Newton's law, weight or no weight.
TEST(PoissonImpact, BallBouncesAsByNewtonsLaw) {
  const auto make = [](const char* law) {
    return testing::MakeSimulator(testing::LoadNamedScene(
        "bouncing_ball",
        {{"simulation.formulation", "mncp-plm"}, {"simulation.restitution", law}}));
  };
  Simulator newton = make("newton"), poisson = make("poisson");
  while (newton.state().t < 3) {
    ASSERT_EQ(newton.Step(), StepStatus::kOk);
    ASSERT_EQ(poisson.Step(), StepStatus::kOk);
    ASSERT_LT((newton.state().q - poisson.state().q).cwiseAbs().maxCoeff(), 1e-12);
  }
  EXPECT_GE(poisson.impacts().steps, 5);
  EXPECT_EQ(poisson.impacts().steps, newton.impacts().steps);
  EXPECT_EQ(poisson.impacts().gains, 0);
}

TEST(PoissonImpact, IsRefusedWhereItIsNotKnown) {
  const auto complaint = [](const std::string& simulation) {
    try {
      ParseScene(FormatFootScene({}, simulation), "foot");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(complaint("restitution: poisson"), "");
  EXPECT_NE(complaint("restitution: poisson, formulation: max-dissipation").find("only 'newton'"),
            std::string::npos);
  EXPECT_NE(complaint("restitution: poisson, friction: cone").find("'friction: coulomb'"),
            std::string::npos);
  EXPECT_NE(complaint("restitution: stronge").find("newton"), std::string::npos);

  Scene scene = ParseScene(FormatFootScene({}, "restitution: poisson"), "foot");
  scene.settings.formulation.kind = FormulationKind::kMaxDissipation;
  EXPECT_THROW(testing::MakeSimulator(scene), InputError);
}

}  // namespace
}  // namespace voigt
