#include "voigt/dynamics/inertia_check.h"

#include <gtest/gtest.h>

#include "voigt/base/errors.h"
#include "voigt/io/scene.h"

namespace voigt {
namespace {

std::string Complaint(const std::string& scene_text) {
  const Scene scene = ParseScene(scene_text, "scene");
  ProblemList problems;
  CheckEveryDofMovesInertia(scene.model, scene.initial.q, &problems);
  std::string complaint;
  for (const Problem& problem : problems.problems()) complaint += problem.ToString() + "\n";
  return complaint;
}

TEST(InertiaCheck, AcceptsMasslessLinksInsideATree) {
  EXPECT_EQ(Complaint(R"(
bodies:
  - {name: gimbal, massless: true}
  - {name: wheel, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: a, type: revolute, child: gimbal, axis: [1, 0, 0]}
  - {name: b, type: revolute, parent: gimbal, child: wheel, axis: [0, 1, 0]}
)"),
            "");
}

TEST(InertiaCheck, NamesAMasslessTip) {
  const std::string complaint = Complaint(R"(
bodies:
  - {name: wheel, mass: 1, inertia: [1, 1, 1]}
  - {name: tip, massless: true}
joints:
  - {name: a, type: revolute, child: wheel}
  - {name: b, type: revolute, parent: wheel, child: tip}
)");
  EXPECT_NE(complaint.find("joint 'b'"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("body 'tip'"), std::string::npos) << complaint;
  EXPECT_EQ(complaint.find("joint 'a'"), std::string::npos) << complaint;
}

TEST(InertiaCheck, NamesTwoMasslessTurnsAboutOneAxis) {
  // The composite inertia about 'a' is fine; only with 'b' free to respond does it vanish.
  const std::string complaint = Complaint(R"(
bodies:
  - {name: ring, massless: true}
  - {name: wheel, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: a, type: revolute, child: ring}
  - {name: b, type: revolute, parent: ring, child: wheel}
)");
  EXPECT_NE(complaint.find("joint 'a'"), std::string::npos) << complaint;
}

TEST(InertiaCheck, NamesAPointMassOnABallJoint) {
  const std::string complaint = Complaint(R"(
bodies:
  - {name: bob, mass: 1, com: [0, 0, -1], inertia: point}
joints:
  - {name: hook, type: ball, child: bob}
)");
  EXPECT_NE(complaint.find("joint 'hook'"), std::string::npos) << complaint;
}

TEST(InertiaCheck, AcceptsAPointMassOnAPinAndArmatureElsewhere) {
  EXPECT_EQ(Complaint(R"(
bodies:
  - {name: bob, mass: 1, com: [0, 0, -1], inertia: point}
  - {name: rotor, massless: true}
joints:
  - {name: pin, type: revolute, child: bob, axis: [0, 1, 0]}
  - {name: motor, type: revolute, parent: bob, child: rotor, armature: 0.01}
)"),
            "");
}

}  // namespace
}  // namespace voigt
