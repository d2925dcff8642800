#include "voigt/model/spec_checks.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <functional>

#include "tests/support/specs.h"
#include "voigt/math/rotation.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

using testing::MakeBody;
using testing::MakeJoint;

// A chain with a joint of every type, loads on bodies and joints, a servo and shapes: no problems.
// Joint i moves body i; tests spoil one thing at a time.
ModelSpec GoodSpec() {
  ModelSpec spec;
  std::string parent = "world";
  for (int i = 0; i < kJointTypeCount; ++i) {
    const auto type = static_cast<JointType>(i);
    const std::string name(ToString(type));
    spec.bodies.push_back(MakeBody("body_" + name));
    spec.joints.push_back(MakeJoint(name, type, parent, "body_" + name));
    parent = "body_" + name;
  }
  BodySpec block;
  block.name = "block";
  block.geometry.push_back({"cube", Box{{1, 1, 1}}, {}, 1000.0, {}});
  spec.bodies.push_back(block);
  spec.joints.push_back(MakeJoint("block_joint", JointType::kFree, "world", "block"));
  spec.world_geometry.push_back({"ground", HalfSpace{}, {}, std::nullopt, {}});

  BodyLoad push;
  push.name = "push";
  push.body = "block";
  push.force = {TimeFunction(1), TimeFunction::Parse("sin(t)"), TimeFunction(0)};
  spec.body_loads.push_back(push);
  spec.joint_loads.push_back({"motor", "planar", {1, 2, 3}, {}});
  spec.servos.push_back({"servo", "revolute", {100}, {1}, {TimeFunction::Parse("t")}, {}, {}});
  return spec;
}

JointSpec& JointOf(ModelSpec* spec, JointType type) { return spec->joints[static_cast<int>(type)]; }

BodySpec& Block(ModelSpec* spec) { return spec->bodies.back(); }

using Change = std::function<void(ModelSpec*)>;

std::vector<Problem> ProblemsAfter(const Change& change) {
  ModelSpec spec = GoodSpec();
  change(&spec);
  return ModelBuilder(std::move(spec)).Check().problems();
}

bool Mentions(const std::vector<Problem>& problems, const std::string& element,
              const std::string& message) {
  for (const Problem& problem : problems) {
    if (problem.element.find(element) != std::string::npos &&
        problem.message.find(message) != std::string::npos) {
      return true;
    }
  }
  return false;
}

std::string ToText(const std::vector<Problem>& problems) {
  std::string text = "the problems are:";
  for (const Problem& problem : problems) text += "\n  " + problem.ToString();
  return text;
}

void ExpectProblem(const Change& change, const std::string& element, const std::string& message) {
  const std::vector<Problem> problems = ProblemsAfter(change);
  EXPECT_TRUE(Mentions(problems, element, message))
      << "expected " << element << ": …" << message << "…\n"
      << ToText(problems);
}

void ExpectFine(const Change& change) {
  const std::vector<Problem> problems = ProblemsAfter(change);
  EXPECT_TRUE(problems.empty()) << ToText(problems);
}

const double kBadNumbers[] = {kNaN, kInfinity, -kInfinity};

TEST(SpecChecks, FindsNothingInAGoodSpec) {
  ExpectFine([](ModelSpec*) {});
}

// Names.

TEST(SpecChecks, RefusesBodiesWithoutNameOrWithATakenOne) {
  ExpectProblem([](ModelSpec* s) { s->bodies[2].name = ""; }, "body 2", "has no name");
  ExpectProblem([](ModelSpec* s) { s->bodies[2].name = "world"; }, "body 2", "'world'");
  ExpectProblem([](ModelSpec* s) { s->bodies[2].name = s->bodies[1].name; }, "body 2",
                "name 'body_revolute' is taken by body 1");
}

TEST(SpecChecks, RefusesJointsWithoutNameOrWithATakenOne) {
  ExpectProblem([](ModelSpec* s) { s->joints[3].name = ""; }, "joint 3", "has no name");
  ExpectProblem([](ModelSpec* s) { s->joints[3].name = "world"; }, "joint 3", "'world'");
  ExpectProblem([](ModelSpec* s) { s->joints[3].name = "fixed"; }, "joint 3",
                "name 'fixed' is taken by joint 0");
}

TEST(SpecChecks, ABodyAndAJointMayShareAName) {
  ExpectFine([](ModelSpec* s) { s->joints.back().name = "block"; });
}

TEST(SpecChecks, RefusesGravityThatIsNotFinite) {
  for (double bad : kBadNumbers) {
    ExpectProblem([&](ModelSpec* s) { s->gravity[1] = bad; }, "gravity", "not finite");
  }
}

// Ends of joints.

TEST(SpecChecks, RefusesJointsOnUnknownBodies) {
  ExpectProblem([](ModelSpec* s) { s->joints[1].parent = "nobody"; }, "joint 'revolute'",
                "parent body 'nobody' does not exist");
  ExpectProblem([](ModelSpec* s) { s->joints[1].child = "nobody"; }, "joint 'revolute'",
                "child body 'nobody' does not exist");
  ExpectProblem([](ModelSpec* s) { s->joints[1].child = ""; }, "joint 'revolute'",
                "child body '' does not exist");
}

TEST(SpecChecks, RefusesJointsBetweenABodyAndItself) {
  ExpectProblem([](ModelSpec* s) { s->joints[1].parent = s->joints[1].child; }, "joint 'revolute'",
                "with itself");
  ExpectProblem([](ModelSpec* s) { s->joints[1].child = s->joints[1].parent = "world"; },
                "joint 'revolute'", "with itself");
}

// Frames and axes.

TEST(SpecChecks, RefusesFramesThatAreNoPoses) {
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

TEST(SpecChecks, RefusesZeroAndNonFiniteAxes) {
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

TEST(SpecChecks, RefusesUniversalAxesThatAreNoPair) {
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

TEST(SpecChecks, RefusesAxesWhereTheyMeanNothing) {
  for (JointType type : {JointType::kFixed, JointType::kBall, JointType::kFree}) {
    ExpectProblem([&](ModelSpec* s) { JointOf(s, type).axis = Vec3::UnitX(); },
                  "joint '" + std::string(ToString(type)) + "'", "has no axis");
  }
  ExpectProblem([](ModelSpec* s) { JointOf(s, JointType::kRevolute).axis2 = Vec3::UnitX(); },
                "joint 'revolute'", "axis2 belongs to universal joints");
}

TEST(SpecChecks, RefusesPitchThatIsNotFiniteOrOnOtherJoints) {
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

TEST(SpecChecks, RefusesNegativeAndNonFiniteCoefficients) {
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

TEST(SpecChecks, RefusesListsOfWrongLength) {
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

TEST(SpecChecks, RefusesLimitsTheWrongWayRound) {
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

TEST(SpecChecks, RefusesLimitsOfWrongLengthOrOnQuaternions) {
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

TEST(SpecChecks, RefusesRestThatIsNoCoordinate) {
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

// Masses.

TEST(SpecChecks, RefusesMassesThatAreNotPositive) {
  for (MassSource source : {MassSource::kExplicit, MassSource::kPoint, MassSource::kScaled}) {
    for (double bad : {0.0, -1.0, kNaN, kInfinity, -kInfinity}) {
      ExpectProblem(
          [&](ModelSpec* s) {
            Block(s).geometry[0].density.reset();
            Block(s).mass_source = source;
            Block(s).mass = {bad, Vec3::Zero(), Mat3::Identity()};
          },
          "body 'block'", "mass = ");
    }
  }
}

TEST(SpecChecks, RefusesCentresOfMassThatAreNotFinite) {
  for (double bad : kBadNumbers) {
    for (MassSource source : {MassSource::kExplicit, MassSource::kPoint}) {
      ExpectProblem(
          [&](ModelSpec* s) {
            s->bodies[1].mass_source = source;
            s->bodies[1].mass.com[2] = bad;
          },
          "body 'body_revolute'", "centre of mass is not finite");
    }
  }
}

TEST(SpecChecks, RefusesInertiasThatAreNotPhysical) {
  const auto inertia = [](const Mat3& I) {
    return [=](ModelSpec* s) { s->bodies[1].mass.inertia = I; };
  };
  const std::string element = "body 'body_revolute'";
  ExpectProblem(inertia(Mat3::Zero()), element, "expected all to be positive");
  ExpectProblem(inertia(Vec3(1, 1, -1).asDiagonal()), element, "expected all to be positive");
  ExpectProblem(inertia(Vec3(1, 1, 3).asDiagonal()), element, "sum of the other two");
  Mat3 asymmetric = Mat3::Identity();
  asymmetric(1, 2) = 0.1;
  ExpectProblem(inertia(asymmetric), element, "not symmetric");
  for (double bad : kBadNumbers) {
    Mat3 I = Mat3::Identity();
    I(0, 1) = I(1, 0) = bad;
    ExpectProblem(inertia(I), element, "not finite");
  }
}

TEST(SpecChecks, APointMassNeedsNoInertia) {
  ExpectFine([](ModelSpec* s) {
    s->bodies[1].mass_source = MassSource::kPoint;
    s->bodies[1].mass.inertia.setZero();
  });
}

TEST(SpecChecks, RefusesADensityBesideAMass) {
  for (MassSource source : {MassSource::kExplicit, MassSource::kPoint, MassSource::kScaled}) {
    ExpectProblem(
        [&](ModelSpec* s) {
          Block(s).mass_source = source;
          Block(s).mass = {1, Vec3::Zero(), Mat3::Identity()};
        },
        "body 'block'", "mass and a density");
  }
  ExpectProblem([](ModelSpec* s) { Block(s).mass_source = MassSource::kMassless; }, "body 'block'",
                "massless, but a shape has a density");
}

TEST(SpecChecks, RefusesBodiesWithoutAnySourceOfMass) {
  ExpectProblem([](ModelSpec* s) { Block(s).geometry.clear(); }, "body 'block'", "has no mass");
  ExpectProblem([](ModelSpec* s) { Block(s).geometry[0].density.reset(); }, "body 'block'",
                "has no mass");
  ExpectProblem(
      [](ModelSpec* s) {
        Block(s).geometry.clear();
        Block(s).mass_source = MassSource::kScaled;
        Block(s).mass.mass = 1;
      },
      "body 'block'", "neither an inertia nor a shape");
}

TEST(SpecChecks, RefusesMassOfShapesWithoutVolume) {
  ExpectProblem([](ModelSpec* s) { Block(s).geometry[0].shape = HalfSpace{}; }, "body 'block'",
                "no mass from its half-space");
  ExpectProblem([](ModelSpec* s) { Block(s).geometry[0].shape = ContactPoints{{Vec3::Zero()}}; },
                "body 'block'", "no mass from its points");
  ExpectProblem(
      [](ModelSpec* s) {
        Block(s).geometry[0].shape = TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
      },
      "body 'block'", "no mass from its mesh: the surface is open");
}

TEST(SpecChecks, PointsTakeNoPartInAMassThatShapesShare) {
  ModelSpec spec = GoodSpec();
  Block(&spec).mass_source = MassSource::kScaled;
  Block(&spec).mass.mass = 12;
  Block(&spec).geometry[0].density.reset();
  Block(&spec).geometry.push_back({"", ContactPoints{{Vec3::Ones()}}, {}, std::nullopt, {}});
  ProblemList problems;
  const MassProperties mass = CalcBodyMass(Block(&spec), &problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_LT((mass.inertia - 2 * Mat3::Identity()).norm(), 1e-14);
}

// Geometry.

TEST(SpecChecks, RefusesBadShapesAndNamesBodyAndShape) {
  ExpectProblem([](ModelSpec* s) { Block(s).geometry[0].shape = Sphere{-1}; },
                "body 'block', sphere 'cube'", "radius = -1");
  ExpectProblem(
      [](ModelSpec* s) { s->world_geometry.push_back({"", Box{{1, 0, 1}}, {}, std::nullopt, {}}); },
      "world, box", "size y = 0");
}

TEST(SpecChecks, RefusesDensitiesThatAreNotPositive) {
  for (double bad : {0.0, -1.0, kNaN, kInfinity, -kInfinity}) {
    ExpectProblem([&](ModelSpec* s) { Block(s).geometry[0].density = bad; }, "body 'block'",
                  "density = ");
  }
}

TEST(SpecChecks, RefusesShapePosesThatAreNone) {
  for (double bad : kBadNumbers) {
    ExpectProblem([&](ModelSpec* s) { Block(s).geometry[0].X_BG.p[0] = bad; }, "body 'block', box",
                  "non-finite position");
    ExpectProblem([&](ModelSpec* s) { s->world_geometry[0].X_BG.p[0] = bad; },
                  "world, half-space 'ground'", "non-finite position");
  }
  ExpectProblem([](ModelSpec* s) { Block(s).geometry[0].X_BG.R.setZero(); }, "body 'block', box",
                "not a rotation");
}

// Loads and servos.

TEST(SpecChecks, RefusesLoadsOnUnknownBodies) {
  ExpectProblem([](ModelSpec* s) { s->body_loads[0].body = "nobody"; }, "load 'push'",
                "body 'nobody' does not exist");
  ExpectProblem([](ModelSpec* s) { s->body_loads[0].body = "world"; }, "load 'push'",
                "acts on the world");
}

TEST(SpecChecks, RefusesLoadsThatAreNotFinite) {
  for (double bad : kBadNumbers) {
    ExpectProblem([&](ModelSpec* s) { s->body_loads[0].point[2] = bad; }, "load 'push'",
                  "point is not finite");
    ExpectProblem([&](ModelSpec* s) { s->body_loads[0].force[0] = bad; }, "load 'push'",
                  "force = ");
    ExpectProblem([&](ModelSpec* s) { s->body_loads[0].torque[2] = bad; }, "load 'push'",
                  "torque = ");
    ExpectProblem([&](ModelSpec* s) { s->joint_loads[0].force[1] = bad; }, "load 'motor'",
                  "force = ");
  }
}

TEST(SpecChecks, RefusesLoadsOnUnknownJointsOrOfWrongLength) {
  ExpectProblem([](ModelSpec* s) { s->joint_loads[0].joint = "nothing"; }, "load 'motor'",
                "joint 'nothing' does not exist");
  ExpectProblem([](ModelSpec* s) { s->joint_loads[0].force = {1, 2}; }, "load 'motor'",
                "force has 2 values, expected 3");
  ExpectProblem([](ModelSpec* s) { s->joint_loads[0].force = {}; }, "load 'motor'",
                "force has 0 values, expected 3");
}

TEST(SpecChecks, RefusesServosOnJointsTheyCannotDrive) {
  ExpectProblem([](ModelSpec* s) { s->servos[0].joint = "nothing"; }, "servo 'servo'",
                "joint 'nothing' does not exist");
  for (JointType type : {JointType::kFixed, JointType::kBall, JointType::kFree}) {
    ExpectProblem([&](ModelSpec* s) { s->servos[0].joint = std::string(ToString(type)); },
                  "servo 'servo'", "no scalar coordinates to drive");
  }
}

TEST(SpecChecks, RefusesServosWithListsOfWrongLength) {
  const auto servo = [](const std::function<void(Servo*)>& change) {
    return [=](ModelSpec* s) {
      Servo& drive = s->servos[0];
      drive = {"servo", "planar", {1}, {1}, {0, 0, 0}, {0, 0, 0}, {}};
      change(&drive);
    };
  };
  ExpectFine(servo([](Servo*) {}));
  ExpectFine(servo([](Servo* drive) { drive->stiffness = {1, 2, 3}; }));
  ExpectFine(servo([](Servo* drive) { drive->damping = {}; }));
  ExpectFine(servo([](Servo* drive) { drive->target_rate = {}; }));
  ExpectProblem(servo([](Servo* drive) { drive->stiffness = {}; }), "servo 'servo'",
                "stiffness has 0 values, expected 3");
  ExpectProblem(servo([](Servo* drive) { drive->stiffness = {1, 2}; }), "servo 'servo'",
                "stiffness has 2 values, expected 3");
  ExpectProblem(servo([](Servo* drive) { drive->damping = {1, 2}; }), "servo 'servo'",
                "damping has 2 values, expected 3");
  ExpectProblem(servo([](Servo* drive) { drive->target = {0, 0}; }), "servo 'servo'",
                "target has 2 values, expected 3");
  ExpectProblem(servo([](Servo* drive) { drive->target_rate = {0}; }), "servo 'servo'",
                "target rate has 1 values, expected 3");
}

TEST(SpecChecks, RefusesServosWithBadNumbers) {
  for (double bad : {-1.0, kNaN, kInfinity}) {
    ExpectProblem([&](ModelSpec* s) { s->servos[0].stiffness = {bad}; }, "servo 'servo'",
                  "gain = ");
    ExpectProblem([&](ModelSpec* s) { s->servos[0].damping = {bad}; }, "servo 'servo'", "gain = ");
  }
  for (double bad : kBadNumbers) {
    ExpectProblem([&](ModelSpec* s) { s->servos[0].target = {bad}; }, "servo 'servo'", "target = ");
    ExpectProblem([&](ModelSpec* s) { s->servos[0].target_rate = {bad}; }, "servo 'servo'",
                  "target rate = ");
  }
}

TEST(SpecChecks, ProblemsKeepThePlaceTheyWereWrittenAt) {
  const auto problems = ProblemsAfter([](ModelSpec* s) {
    s->joints[1].where = {"scene.yaml", 12, 3};
    s->joints[1].damping = {-1};
  });
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].where.ToString(), "scene.yaml:12:3");
}

// Mass properties by source.

MassProperties MassOf(const BodySpec& body) {
  ProblemList problems;
  const MassProperties mass = CalcBodyMass(body, &problems);
  EXPECT_TRUE(problems.empty()) << ToText(problems.problems());
  return mass;
}

TEST(BodyMass, ExplicitIsWhatWasGiven) {
  const BodySpec body = MakeBody("arm", 2, {0.1, 0, 0});
  const MassProperties mass = MassOf(body);
  EXPECT_EQ(mass.mass, 2);
  EXPECT_EQ(mass.com, Vec3(0.1, 0, 0));
  EXPECT_EQ(mass.inertia, Mat3(Mat3::Identity()));
}

TEST(BodyMass, PointHasNoInertia) {
  BodySpec body = MakeBody("bob", 2, {0.1, 0, 0});
  body.mass_source = MassSource::kPoint;
  const MassProperties mass = MassOf(body);
  EXPECT_EQ(mass.mass, 2);
  EXPECT_EQ(mass.com, Vec3(0.1, 0, 0));
  EXPECT_EQ(mass.inertia, Mat3(Mat3::Zero()));
}

TEST(BodyMass, MasslessHasNothing) {
  BodySpec body = MakeBody("link");
  body.mass_source = MassSource::kMassless;
  const MassProperties mass = MassOf(body);
  EXPECT_EQ(mass.mass, 0);
  EXPECT_EQ(mass.inertia, Mat3(Mat3::Zero()));
}

// Two unit cubes of unlike density, side by side along x; the second is turned about z as well.
BodySpec TwoCubes() {
  BodySpec body;
  body.name = "cubes";
  body.geometry.push_back({"", Box{{1, 1, 1}}, {}, 1000.0, {}});
  body.geometry.push_back(
      {"", Box{{1, 1, 1}}, {RotationAbout(Vec3::UnitZ(), kPi / 2), {1, 0, 0}}, 3000.0, {}});
  return body;
}

TEST(BodyMass, GeometryAddsUpShapesWithDensity) {
  BodySpec body = TwoCubes();
  // Without a density a shape adds nothing.
  body.geometry.push_back({"", Sphere{5}, {}, std::nullopt, {}});
  const MassProperties mass = MassOf(body);
  EXPECT_NEAR(mass.mass, 4000, 1e-9);
  EXPECT_LT((mass.com - Vec3(0.75, 0, 0)).norm(), 1e-14);
  // Cubes: m/6 each; parallel axes: the reduced mass 750 at distance 1 about y and z.
  EXPECT_NEAR(mass.inertia(0, 0), 4000.0 / 6, 1e-9);
  EXPECT_NEAR(mass.inertia(1, 1), 4000.0 / 6 + 750, 1e-9);
  EXPECT_NEAR(mass.inertia(2, 2), 4000.0 / 6 + 750, 1e-9);
}

TEST(BodyMass, ScaledSpreadsTheMassEvenlyOverAllShapes) {
  BodySpec body = TwoCubes();
  body.mass_source = MassSource::kScaled;
  body.mass.mass = 6;
  for (Geometry& geometry : body.geometry) geometry.density.reset();
  const MassProperties mass = MassOf(body);
  EXPECT_EQ(mass.mass, 6);
  // A 2 × 1 × 1 box.
  EXPECT_LT((mass.com - Vec3(0.5, 0, 0)).norm(), 4e-15);
  EXPECT_LT(
      (mass.inertia - Mat3(Vec3(6.0 / 12 * 2, 6.0 / 12 * 5, 6.0 / 12 * 5).asDiagonal())).norm(),
      1e-14);
}

TEST(BodyMass, IsZeroWhereItIsNotPhysical) {
  for (MassSource source : {MassSource::kExplicit, MassSource::kPoint, MassSource::kScaled}) {
    BodySpec body = MakeBody("bad");
    body.mass_source = source;
    body.mass.mass = -1;
    ProblemList problems;
    const MassProperties mass = CalcBodyMass(body, &problems);
    EXPECT_FALSE(problems.empty());
    EXPECT_EQ(mass.mass, 0);
    EXPECT_EQ(mass.inertia, Mat3(Mat3::Zero()));
  }
}

TEST(Describe, NamesElements) {
  EXPECT_EQ(Describe(MakeBody("arm")), "body 'arm'");
  EXPECT_EQ(Describe(MakeJoint("elbow", JointType::kBall, "world", "arm")), "joint 'elbow'");
}

}  // namespace
}  // namespace voigt
