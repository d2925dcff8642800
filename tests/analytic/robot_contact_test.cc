// Robots that hold rigid things by friction, and a lid that slides on its feet: faces press on each
// other in more points than hold them, and turn with every step. What is held goes with the hand,
// forces are those of statics, and every step is solved, at steps from 1 to 10 ms.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/scenes.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/sim/contact_report.h"

namespace voigt {
namespace {

constexpr double kStandardGravity = 9.81;

// By the step in ms.
class RobotContact : public ::testing::TestWithParam<int> {
 protected:
  double h() const { return 1e-3 * GetParam(); }

  Simulator MakeSimulator(const std::string& name) const {
    Scene scene = testing::LoadNamedScene(name);
    scene.settings.step = h();
    return testing::MakeSimulator(scene);
  }

  // Until t.
  long CountSteps(double t) const { return std::lround(t / h()); }
};

void ExpectSolved(const Simulator& simulator) {
  EXPECT_EQ(simulator.solver().not_solved, 0);
  EXPECT_EQ(simulator.audit().failed, 0);
}

Pose CalcPose(Simulator* simulator, const char* body) {
  const Model& model = simulator->model();
  return CalcBodyPose(model, simulator->CalcKinematics(), *model.FindBody(body));
}

// Of a body in the frame of another one.
Pose CalcPoseIn(Simulator* simulator, const char* frame, const char* body) {
  return CalcPose(simulator, frame).Inverse() * CalcPose(simulator, body);
}

double CalcAngle(const Mat3& R) { return Eigen::AngleAxisd(R).angle(); }

// Of all contacts on it, mean over the last step.
Vec3 SumForce(const Simulator& simulator, const char* body) {
  std::vector<ContactReport> contacts;
  simulator.ListContacts(&contacts);
  return SumContacts(simulator.model(), contacts).bodies[*simulator.model().FindBody(body)].force_W;
}

// Normal forces of the contacts between two bodies.
std::vector<double> ListPressures(const Simulator& simulator, const char* one, const char* other) {
  const int a = *simulator.model().FindBody(one), b = *simulator.model().FindBody(other);
  std::vector<ContactReport> contacts;
  simulator.ListContacts(&contacts);
  std::vector<double> out;
  for (const ContactReport& contact : contacts) {
    const bool is_pair = (contact.body_A == a && contact.body_B == b) ||
                         (contact.body_A == b && contact.body_B == a);
    if (is_pair && contact.state != ContactState::kOpen) out.push_back(contact.normal_force);
  }
  return out;
}

double Sum(const std::vector<double>& numbers) {
  double sum = 0;
  for (double number : numbers) sum += number;
  return sum;
}

// Friction holds the block against its weight, and the fingers' springs against what it takes to
// turn it and them: together they move outwards by (m + 2 m_f) r ω²/(2 K).
TEST_P(RobotContact, TurningGripperHoldsItsBlock) {
  const double m = 0.5, finger = 2000 * 0.01 * 0.03 * 0.08, r = 0.5, rate = 0.5, ramp = 0.5;
  const double grip = 10, K = 2000, D = 20, until = 1.5;
  Simulator simulator = MakeSimulator("turning_gripper");
  const Pose start = CalcPoseIn(&simulator, "boom", "block");
  double slip = 0, angle = 0;
  for (long i = 0; i < CountSteps(until); ++i) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    const Pose now = CalcPoseIn(&simulator, "boom", "block");
    slip = std::max(slip, (now.p - start.p).tail<2>().norm());
    angle = std::max(angle, CalcAngle(now.R));
  }
  ExpectSolved(simulator);

  const double turned = rate * (until - ramp / 2);
  const Vec3 outwards(std::cos(turned), std::sin(turned), 0);
  const Vec3 onwards(-outwards[1], outwards[0], 0);
  const Pose end = CalcPose(&simulator, "block");
  EXPECT_NEAR(std::atan2(end.p[1], end.p[0]), turned, 1e-5);
  // A step goes by r ω h along the tangent and by r (ω h)²/2 inwards, r (ω h)³/6 ahead of the turn.
  EXPECT_LT(slip, r * rate * rate * rate * h() * h() * until / 6 + 1e-8);
  EXPECT_LT(angle, 1e-6);
  // In a step the block flies straight on and comes off the circle by r (ω h)²/2, which fingers
  // take back: as if it moved outwards at r ω² h/2 all the time, against their dampers.
  const double pull = (m + 2 * finger) * r * rate * rate / (2 * K);
  EXPECT_NEAR(end.p.dot(outwards) - r, pull, r * rate * rate * h() * (D / K + h()) + 1e-7);

  const Vec3 force = SumForce(simulator, "block");
  EXPECT_NEAR(force[2], m * kStandardGravity, 1e-6);
  EXPECT_NEAR(-force.dot(outwards), m * rate * rate * r, 0.01 * m * rate * rate * r);
  // It is the force of one and a half steps ago.
  EXPECT_LT(std::fabs(force.dot(onwards)), 2 * rate * h() * m * rate * rate * r);
  // Fingers need a little of it to turn, and come nearer by the overlaps that a step leaves.
  const double pressed = Sum(ListPressures(simulator, "finger0", "block")) +
                         Sum(ListPressures(simulator, "finger1", "block"));
  EXPECT_NEAR(pressed, 2 * grip - 0.06 * finger * rate * rate,
              K * r * rate * rate * h() * h() + 1e-6);
}

// On the table the block lies flat between pads that stand askew by 0.15 mrad, as servos yield to
// the weight of the arm. Lifted, it lies flush with them, and then it stays where it is but for
// what fingers yield when the arm swings, and for h/2 ∫ J̇ v dt of steps that go straight on.
TEST_P(RobotContact, PickingArmLiftsAndTurnsItsBlock) {
  const double m = 0.1, lift = 0.25, x = 0.5, side = 0.04, until = 4.8, lifted = 1.6;
  Simulator simulator = MakeSimulator("picking_arm");
  Pose grip;
  double slip = 0, angle = 0;
  for (long i = 0; i < CountSteps(until); ++i) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    if (i + 1 < CountSteps(lifted)) continue;
    const Pose now = CalcPoseIn(&simulator, "palm", "block");
    if (i + 1 == CountSteps(lifted)) grip = now;
    slip = std::max(slip, (now.p - grip.p).norm());
    angle = std::max(angle, CalcAngle(grip.R.transpose() * now.R));
  }
  ExpectSolved(simulator);
  EXPECT_LT(slip, 1e-4);
  EXPECT_LT(angle, 1e-6);

  // Up to 7 N m at the shoulder and K = 5e4 N m/rad: 0.14 mrad, and less than 0.1 mm at the hand.
  const Pose end = CalcPose(&simulator, "block");
  EXPECT_NEAR(end.p[2], side / 2 + lift, 1e-4);
  EXPECT_NEAR(end.p.head<2>().norm(), x, 1e-4);
  EXPECT_NEAR(std::atan2(end.p[1], end.p[0]), kPi / 3, 1e-4);
  EXPECT_NEAR(std::atan2(end.R(1, 0), end.R(0, 0)), kPi / 2, 1e-6);
  const Vec3 force = SumForce(simulator, "block");
  EXPECT_LT((force - Vec3(0, 0, m * kStandardGravity)).norm(), 1e-6);
}

TEST_P(RobotContact, BallRollsHalfAsFarAsThePad) {
  const double r = 0.02, m = 0.1, way = 0.04, grip = 10, finger = 2700 * 0.1 * 0.04 * 0.01;
  Simulator simulator = MakeSimulator("rolling_in_hand");
  double worst = 0, worst_angle = 0;
  for (long i = 0; i < CountSteps(1); ++i) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    const Pose ball = CalcPose(&simulator, "ball");
    const double pad = CalcPose(&simulator, "thumb").p[0];
    worst = std::max(worst, (ball.p - Vec3(pad / 2, 0, 0)).norm());
    // Backwards over the pad that moves.
    const double turned = std::atan2(ball.R(2, 0), ball.R(0, 0));
    worst_angle = std::max(worst_angle, std::fabs(turned - pad / (2 * r)));
  }
  ExpectSolved(simulator);
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(worst_angle, 1e-10);
  EXPECT_NEAR(CalcPose(&simulator, "ball").p[0], way / 2, 1e-12);
  const double above = Sum(ListPressures(simulator, "finger", "ball"));
  EXPECT_NEAR(above, grip + finger * kStandardGravity, 1e-6);
  EXPECT_NEAR(Sum(ListPressures(simulator, "thumb", "ball")), above + m * kStandardGravity, 1e-6);
}

// Steps go on with the speeds at their ends, which takes v h/2 from the way; the step in which the
// lid stops adds up to μ g h²/8.
TEST_P(RobotContact, LidStopsAndStaysOnItsFeet) {
  const double mu = 0.3, v = 1, weight = 7800 * 0.8 * 0.6 * 0.03 * kStandardGravity;
  Simulator simulator = MakeSimulator("sliding_lid");
  const double stop = v / (mu * kStandardGravity);
  const Pose start = CalcPose(&simulator, "lid");
  while (simulator.state().t < stop + h()) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  const VecX stopped = simulator.state().q;
  while (simulator.state().t < 1 - h() / 2) {
    ASSERT_EQ(simulator.Step(), StepStatus::kOk);
    EXPECT_LT((simulator.state().q - stopped).lpNorm<Eigen::Infinity>(), 1e-15);
  }
  ExpectSolved(simulator);
  const Pose end = CalcPose(&simulator, "lid");
  EXPECT_NEAR(end.p[0], v * (stop - h()) / 2, mu * kStandardGravity * h() * h() / 8 + 1e-12);
  EXPECT_LT((end.p - start.p).tail<2>().norm(), 1e-12);
  EXPECT_LT(CalcAngle(end.R), 1e-12);
  const std::vector<double> feet = ListPressures(simulator, "lid", "world");
  ASSERT_EQ(feet.size(), 4u);
  for (double foot : feet) EXPECT_NEAR(foot, weight / 4, 1e-7 * weight);
}

INSTANTIATE_TEST_SUITE_P(Steps, RobotContact, ::testing::Values(1, 2, 5, 10),
                         [](const auto& step) { return std::to_string(step.param); });

}  // namespace
}  // namespace voigt
