#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "tests/model/good_spec.h"

namespace voigt {
namespace {

using testing::ExpectFine;
using testing::ExpectProblem;
using testing::JointOf;
using testing::kBadNumbers;

// Frames and axes.

TEST(JointChecks, RefusesFramesThatAreNoPoses) {
  for (double bad : kBadNumbers) {
    for (int axis = 0; axis < 3; ++axis) {
      ExpectProblem([&](ModelSpec* s) { s->joints[1].X_PF.p[axis] = bad; }, "joint 'revolute'",
                    "frame on the parent");
      ExpectProblem([&](ModelSpec* s) { s->joints[1].X_CM.p[axis] = bad; }, "joint 'revolute'",
                    "frame on the child");
    }
    for (int i = 0; i < 9; ++i) {
      ExpectProblem([&](ModelSpec* s) { s->joints[1].X_PF.R(i / 3, i % 3) = bad; },
                    "joint 'revolute'", "frame on the parent is not a rotation");
      ExpectProblem([&](ModelSpec* s) { s->joints[1].X_CM.R(i / 3, i % 3) = bad; },
                    "joint 'revolute'", "frame on the child is not a rotation");
    }
  }
  ExpectProblem([](ModelSpec* s) { s->joints[1].X_PF.R *= 1.001; }, "joint 'revolute'",
                "frame on the parent is not a rotation");
  // A reflection is orthogonal as well.
  ExpectProblem([](ModelSpec* s) { s->joints[1].X_CM.R(2, 2) = -1; }, "joint 'revolute'",
                "frame on the child is not a rotation");
}

TEST(JointChecks, RefusesZeroAndNonFiniteAxes) {
  for (JointType type : {JointType::kRevolute, JointType::kPrismatic, JointType::kScrew,
                         JointType::kCylindrical, JointType::kPlanar}) {
    const std::string element = "joint '" + std::string(ToString(type)) + "'";
    ExpectProblem([&](ModelSpec* s) { JointOf(s, type).axis = Vec3::Zero(); }, element, "not zero");
    for (double bad : kBadNumbers) {
      ExpectProblem([&](ModelSpec* s) { JointOf(s, type).axis = Vec3(0, bad, 1); }, element,
                    "axis");
    }
    ExpectFine([&](ModelSpec* s) { JointOf(s, type).axis = Vec3(1, -2, 3); });
  }
}

TEST(JointChecks, RefusesUniversalAxesThatAreNoPair) {
  const auto axes = [](std::optional<Vec3> axis, std::optional<Vec3> axis2) {
    return [=](ModelSpec* s) {
      JointOf(s, JointType::kUniversal).axis = axis;
      JointOf(s, JointType::kUniversal).axis2 = axis2;
    };
  };
  ExpectFine(axes(Vec3(1, 1, 0), Vec3(0, 0, 5)));
  ExpectProblem(axes(Vec3(1, 0, 0), Vec3(1e-3, 1, 0)), "joint 'universal'", "not perpendicular");
  ExpectProblem(axes(Vec3(1, 0, 0), Vec3(2, 0, 0)), "joint 'universal'", "not perpendicular");
  ExpectProblem(axes(Vec3(1, 0, 0), std::nullopt), "joint 'universal'", "both axis and axis2");
  ExpectProblem(axes(std::nullopt, Vec3(1, 0, 0)), "joint 'universal'", "both axis and axis2");
  ExpectProblem(axes(Vec3(1, 0, 0), Vec3(0, 0, 0)), "joint 'universal'", "axis2 = [0, 0, 0]");
  ExpectProblem(axes(Vec3(0, 0, 0), Vec3(0, 1, 0)), "joint 'universal'", "axis = [0, 0, 0]");
  ExpectProblem(axes(Vec3(kNaN, 0, 0), Vec3(0, 1, 0)), "joint 'universal'", "axis = [nan, 0, 0]");
}

TEST(JointChecks, RefusesAxesWhereTheyMeanNothing) {
  for (JointType type : {JointType::kFixed, JointType::kBall, JointType::kFree}) {
    ExpectProblem([&](ModelSpec* s) { JointOf(s, type).axis = Vec3::UnitX(); },
                  "joint '" + std::string(ToString(type)) + "'", "has no axis");
  }
  ExpectProblem([](ModelSpec* s) { JointOf(s, JointType::kRevolute).axis2 = Vec3::UnitX(); },
                "joint 'revolute'", "axis2 belongs to universal joints");
}

TEST(JointChecks, RefusesPitchThatIsNotFiniteOrOnOtherJoints) {
  for (double bad : kBadNumbers) {
    ExpectProblem([&](ModelSpec* s) { JointOf(s, JointType::kScrew).pitch = bad; }, "joint 'screw'",
                  "pitch is not finite");
    ExpectProblem([&](ModelSpec* s) { JointOf(s, JointType::kPlanar).pitch = bad; },
                  "joint 'planar'", "pitch");
  }
  ExpectProblem([](ModelSpec* s) { JointOf(s, JointType::kRevolute).pitch = 0.1; },
                "joint 'revolute'", "pitch belongs to screw joints");
}

// Lists over degrees of freedom.

struct NamedList {
  const char* name;
  std::vector<double> JointSpec::* list;
};

const NamedList kLists[] = {{"stiffness", &JointSpec::stiffness},
                            {"damping", &JointSpec::damping},
                            {"armature", &JointSpec::armature},
                            {"dry friction", &JointSpec::dry_friction},
                            {"viscous friction", &JointSpec::viscous_friction}};

TEST(JointChecks, RefusesNegativeAndNonFiniteCoefficients) {
  for (const NamedList& list : kLists) {
    for (double bad : {-1.0, -1e-300, kNaN, kInfinity, -kInfinity}) {
      ExpectProblem([&](ModelSpec* s) { JointOf(s, JointType::kRevolute).*list.list = {bad}; },
                    "joint 'revolute'", std::string(list.name) + " = ");
      ExpectProblem([&](ModelSpec* s) { JointOf(s, JointType::kBall).*list.list = {1, bad, 1}; },
                    "joint 'ball'", std::string(list.name) + " = ");
    }
    ExpectFine([&](ModelSpec* s) { JointOf(s, JointType::kBall).*list.list = {0, 1, 2}; });
  }
}

TEST(JointChecks, RefusesListsOfWrongLength) {
  for (const NamedList& list : kLists) {
    ExpectProblem([&](ModelSpec* s) { JointOf(s, JointType::kFree).*list.list = {1, 2, 3}; },
                  "joint 'free'", std::string(list.name) + " has 3 values, expected 1 or 6");
    ExpectProblem([&](ModelSpec* s) { JointOf(s, JointType::kRevolute).*list.list = {1, 2}; },
                  "joint 'revolute'", std::string(list.name) + " has 2 values");
    ExpectProblem([&](ModelSpec* s) { JointOf(s, JointType::kFixed).*list.list = {1}; },
                  "joint 'fixed'", "does not move");
    for (int i = 1; i < kJointTypeCount; ++i) {
      const auto type = static_cast<JointType>(i);
      ExpectFine([&](ModelSpec* s) { JointOf(s, type).*list.list = {1}; });
      ExpectFine([&](ModelSpec* s) {
        JointOf(s, type).*list.list = std::vector<double>(DofCount(type), 2);
      });
    }
  }
}

TEST(JointChecks, RefusesLimitsTheWrongWayRound) {
  const auto limits = [](JointType type, std::vector<double> lower, std::vector<double> upper) {
    return [=](ModelSpec* s) {
      JointOf(s, type).lower = lower;
      JointOf(s, type).upper = upper;
    };
  };
  ExpectProblem(limits(JointType::kRevolute, {1}, {-1}), "joint 'revolute'", "limits [1, -1]");
  ExpectProblem(limits(JointType::kPlanar, {0}, {1, -1, 1}), "joint 'planar'", "limits [0, -1]");
  ExpectProblem(limits(JointType::kRevolute, {kNaN}, {1}), "joint 'revolute'", "limits [nan, 1]");
  ExpectProblem(limits(JointType::kRevolute, {}, {kNaN}), "joint 'revolute'", "limits [-inf, nan]");
  // Infinity is no limit on its own side only.
  ExpectFine(limits(JointType::kRevolute, {-kInfinity}, {kInfinity}));
  ExpectFine(limits(JointType::kRevolute, {}, {1}));
  ExpectFine(limits(JointType::kRevolute, {2}, {}));
  ExpectFine(limits(JointType::kRevolute, {1}, {1}));
  ExpectProblem(limits(JointType::kRevolute, {kInfinity}, {}), "joint 'revolute'", "limits [inf");
  ExpectProblem(limits(JointType::kRevolute, {}, {-kInfinity}), "joint 'revolute'", "limits [-inf");
}

TEST(JointChecks, RefusesLimitsOfWrongLengthOrOnQuaternions) {
  ExpectProblem([](ModelSpec* s) { JointOf(s, JointType::kPlanar).lower = {1, 2}; },
                "joint 'planar'", "lower limit has 2 values, expected 1 or 3");
  // Both faults are listed.
  const auto both = [](ModelSpec* s) {
    JointOf(s, JointType::kPlanar).lower = {1, 2};
    JointOf(s, JointType::kPlanar).upper = {1, 2, 3, 4};
  };
  ExpectProblem(both, "joint 'planar'", "lower limit has 2 values");
  ExpectProblem(both, "joint 'planar'", "upper limit has 4 values");
  for (JointType type : {JointType::kFixed, JointType::kBall, JointType::kFree}) {
    ExpectProblem([&](ModelSpec* s) { JointOf(s, type).upper = {1}; },
                  "joint '" + std::string(ToString(type)) + "'", "no scalar coordinates to limit");
  }
}

TEST(JointChecks, RefusesRestThatIsNoCoordinate) {
  ExpectProblem([](ModelSpec* s) { JointOf(s, JointType::kRevolute).rest = {1, 2}; },
                "joint 'revolute'", "rest has 2 values, expected 1");
  ExpectProblem([](ModelSpec* s) { JointOf(s, JointType::kBall).rest = {1, 0, 0}; }, "joint 'ball'",
                "rest has 3 values, expected 4");
  ExpectProblem([](ModelSpec* s) { JointOf(s, JointType::kBall).rest = {1, 1, 0, 0}; },
                "joint 'ball'", "not a unit quaternion");
  ExpectProblem([](ModelSpec* s) { JointOf(s, JointType::kFree).rest = {1, 2, 3, 0, 0, 0, 0}; },
                "joint 'free'", "not a unit quaternion");
  for (double bad : kBadNumbers) {
    ExpectProblem([&](ModelSpec* s) { JointOf(s, JointType::kPlanar).rest = {0, bad, 0}; },
                  "joint 'planar'", "rest is not finite");
    ExpectProblem([&](ModelSpec* s) { JointOf(s, JointType::kBall).rest = {bad, 0, 0, 0}; },
                  "joint 'ball'", "rest is not finite");
  }
  ExpectFine(
      [](ModelSpec* s) { JointOf(s, JointType::kFree).rest = {1, 2, 3, 0.5, 0.5, 0.5, 0.5}; });
}

}  // namespace
}  // namespace voigt
