#include "voigt/sim/contact_report.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenes.h"
#include "voigt/io/scene.h"

namespace voigt {
namespace {

// A body above the ground, after some time.
std::vector<ContactReport> ListAfter(const std::string& material, const std::string& shape,
                                     const std::string& initial, double t) {
  const std::string text = "materials: {default: " + material +
                           "}\nworld: {geometry: [{shape: half-space}]}\n"
                           "bodies: [{name: body, mass: 2, geometry: [" +
                           shape +
                           "]}]\njoints: [{name: free, type: free, child: body}]\n"
                           "initial: {free: " +
                           initial + "}\nsimulation: {step: 0.001}\n";
  const Scene scene = ParseScene(text, "contact");
  Simulator simulator = testing::MakeSimulator(scene);
  while (simulator.state().t < t) EXPECT_EQ(simulator.Step(), StepStatus::kOk);
  std::vector<ContactReport> contacts;
  simulator.ListContacts(&contacts);
  return contacts;
}

TEST(ContactReport, SlidingFrictionIsAtItsLimitAgainstTheSlip) {
  const auto contacts = ListAfter("{friction: 0.3}", "{shape: box, size: [0.2, 0.2, 0.02]}",
                                  "{position: [0, 0, 0.01], velocity: [3, 4, 0]}", 0.1);
  ASSERT_EQ(contacts.size(), 4u);
  double weight = 0;
  for (const ContactReport& contact : contacts) {
    weight += contact.normal_force;
    EXPECT_EQ(contact.state, ContactState::kSlip);
    EXPECT_EQ(contact.law, NormalLaw::kRigid);
    EXPECT_EQ(contact.stiffness, kInfinity);
    EXPECT_EQ(contact.friction, 0.3);
    EXPECT_EQ(contact.body_A, 0);
    EXPECT_EQ(contact.body_B, 1);
    EXPECT_TRUE(std::isnan(contact.pressure));
    const Vec3 expected = -0.3 * contact.normal_force * Vec3(0.6, 0.8, 0);
    EXPECT_LT((contact.friction_force_W - expected).norm(), 1e-9 * contact.normal_force);
    EXPECT_NEAR(contact.velocity_W.norm(), 5 - 0.3 * 9.81 * 0.1, 1e-9);
    EXPECT_NEAR(contact.depth, 0, 1e-12);
  }
  EXPECT_NEAR(weight, 2 * 9.81, 1e-9);
}

// 4 N s/m at each of four corners, at the end of the step, beside μ N; the two slow the box down as
// Newton's law says.
TEST(ContactReport, ViscousFrictionIsPartOfTheForce) {
  for (double mu : {0.0, 0.3}) {
    const auto contacts = ListAfter(
        "{friction: " + std::to_string(mu) + ", viscous_friction: 4}",
        "{shape: box, size: [0.2, 0.2, 0.02]}",
        "{position: [0, 0, 0.01], velocity: [3, 4, 0], angular_velocity: [0, 0, 0]}", 0.1);
    ASSERT_EQ(contacts.size(), 4u);
    Vec3 force = Vec3::Zero();
    for (const ContactReport& contact : contacts) {
      const Vec3 expected = -mu * contact.normal_force * Vec3(0.6, 0.8, 0) - 4 * contact.velocity_W;
      EXPECT_LT((contact.friction_force_W - expected).norm(), 1e-9 * expected.norm()) << mu;
      EXPECT_EQ(contact.state, ContactState::kSlip);
      force += contact.friction_force_W;
    }
    // m dv/dt = −μ m g − 16 v, each step of h implicit in v.
    double v = 5;
    for (int i = 0; i < 100; ++i) v = (v - 0.001 * mu * 9.81) / (1 + 0.001 * 16 / 2);
    EXPECT_NEAR(force.norm(), mu * 2 * 9.81 + 16 * v, 1e-6) << mu;
  }
}

TEST(ContactReport, FrictionAgainstSpinIsATorque) {
  const auto contacts =
      ListAfter("{friction: 0.3, torsional_friction: 0.004}", "{shape: sphere, radius: 0.1}",
                "{position: [0, 0, 0.1], angular_velocity: [0, 0, 50]}", 0.05);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].friction_torque_W[2], -0.004 * 2 * 9.81, 1e-9);
  EXPECT_LT(contacts[0].friction_torque_W.head<2>().norm(), 1e-12);
  EXPECT_LT(contacts[0].friction_force_W.norm(), 1e-9);
}

TEST(ContactReport, ForeseenContactsAreOpen) {
  const auto contacts = ListAfter("{friction: 0.3}", "{shape: sphere, radius: 0.1}",
                                  "{position: [0, 0, 0.10001]}", 0.0005);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].state, ContactState::kOpen);
  EXPECT_EQ(contacts[0].normal_force, 0);
  EXPECT_NEAR(contacts[0].depth, -(1e-5 - 0.5 * 9.81e-6), 1e-15);
  EXPECT_EQ(contacts[0].radius, 0.1);
}

TEST(ContactReport, SaysHowDeepASpringIsPressed) {
  const auto contacts = ListAfter("{stiffness: 1e4, damping: 200}", "{shape: sphere, radius: 0.1}",
                                  "{position: [0, 0, 0.1]}", 3);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].law, NormalLaw::kLinear);
  EXPECT_EQ(contacts[0].stiffness, 5e3);  // two surfaces of one material
  EXPECT_NEAR(contacts[0].depth, 2 * 9.81 / 5e3, 1e-9);
  EXPECT_EQ(contacts[0].state, ContactState::kStick);
}

TEST(ContactReport, HertzianStiffnessComesFromTheRadius) {
  const auto contacts =
      ListAfter("{youngs_modulus: 1e7, poisson_ratio: 0.3, law: hunt_crossley, dissipation: 1}",
                "{shape: sphere, radius: 0.1}", "{position: [0, 0, 0.1]}", 0.01);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].law, NormalLaw::kHuntCrossley);
  EXPECT_NEAR(contacts[0].stiffness, 4.0 / 3 * 1e7 / (2 * (1 - 0.09)) * std::sqrt(0.1), 1e-3);
}

// An ellipsoid on its flat side, with curvatures c/a² = 5 and c/b² = 1.25: [Johnson 1985, §4.2] has
// 1.03980402952872 for their ratio, by complete elliptic integrals.
TEST(ContactReport, HertzianStiffnessOfAnEllipseIsExact) {
  const auto contacts = ListAfter(
      "{youngs_modulus: 1e7, poisson_ratio: 0.3, law: hunt_crossley, "
      "dissipation: 100, friction: 0}",
      "{shape: ellipsoid, radii: [0.1, 0.2, 0.05]}", "{position: [0, 0, 0.0499]}", 3);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].radius, 0.4, 1e-9);
  const double K = 1.03980402952872 * 4.0 / 3 * 1e7 / (2 * (1 - 0.09)) * std::sqrt(0.4);
  EXPECT_NEAR(contacts[0].stiffness, K, 1e-9 * K);
  EXPECT_NEAR(contacts[0].depth, std::pow(2 * 9.81 / K, 2.0 / 3), 1e-9);
}

TEST(ContactReport, PressureOfAFoundationCarriesTheWeight) {
  Scene scene = testing::LoadNamedScene("foundation");
  Simulator simulator = testing::MakeSimulator(scene);
  for (int i = 0; i < 200; ++i) ASSERT_EQ(simulator.Step(), StepStatus::kOk);
  std::vector<ContactReport> contacts;
  simulator.ListContacts(&contacts);
  ASSERT_EQ(contacts.size(), 100u);
  const auto* layer =
      std::get_if<Foundation>(&simulator.model().geometry()[contacts[0].geometry_B].shape);
  ASSERT_NE(layer, nullptr);
  for (const ContactReport& contact : contacts) {
    EXPECT_EQ(contact.pressure, contact.normal_force / ElementArea(*layer));
  }
}

}  // namespace
}  // namespace voigt
