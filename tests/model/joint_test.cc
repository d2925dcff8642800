#include "voigt/model/joint.h"

#include <gtest/gtest.h>

#include <set>

namespace voigt {
namespace {

TEST(Joint, TypesHaveTheSizesOfTheTable) {
  EXPECT_EQ(CoordinateCount(JointType::kFixed), 0);
  EXPECT_EQ(CoordinateCount(JointType::kRevolute), 1);
  EXPECT_EQ(CoordinateCount(JointType::kPrismatic), 1);
  EXPECT_EQ(CoordinateCount(JointType::kScrew), 1);
  EXPECT_EQ(CoordinateCount(JointType::kCylindrical), 2);
  EXPECT_EQ(CoordinateCount(JointType::kUniversal), 2);
  EXPECT_EQ(CoordinateCount(JointType::kPlanar), 3);
  EXPECT_EQ(CoordinateCount(JointType::kBall), 4);
  EXPECT_EQ(CoordinateCount(JointType::kFree), 7);

  EXPECT_EQ(DofCount(JointType::kFixed), 0);
  EXPECT_EQ(DofCount(JointType::kRevolute), 1);
  EXPECT_EQ(DofCount(JointType::kPrismatic), 1);
  EXPECT_EQ(DofCount(JointType::kScrew), 1);
  EXPECT_EQ(DofCount(JointType::kCylindrical), 2);
  EXPECT_EQ(DofCount(JointType::kUniversal), 2);
  EXPECT_EQ(DofCount(JointType::kPlanar), 3);
  EXPECT_EQ(DofCount(JointType::kBall), 3);
  EXPECT_EQ(DofCount(JointType::kFree), 6);
}

TEST(Joint, AnglesAreToldFromDisplacements) {
  EXPECT_TRUE(IsAngularDof(JointType::kRevolute, 0));
  EXPECT_TRUE(IsAngularDof(JointType::kScrew, 0));
  EXPECT_FALSE(IsAngularDof(JointType::kPrismatic, 0));
  EXPECT_TRUE(IsAngularDof(JointType::kCylindrical, 0));
  EXPECT_FALSE(IsAngularDof(JointType::kCylindrical, 1));
  EXPECT_TRUE(IsAngularDof(JointType::kUniversal, 1));
  EXPECT_FALSE(IsAngularDof(JointType::kPlanar, 1));
  EXPECT_TRUE(IsAngularDof(JointType::kPlanar, 2));
  EXPECT_TRUE(IsAngularDof(JointType::kBall, 0));
  EXPECT_FALSE(IsAngularDof(JointType::kFree, 2));
  EXPECT_TRUE(IsAngularDof(JointType::kFree, 3));
}

TEST(Joint, NoTypeExceedsTheLargestSizes) {
  int most_dofs = 0;
  for (int i = 0; i < kJointTypeCount; ++i) {
    most_dofs = std::max(most_dofs, DofCount(static_cast<JointType>(i)));
  }
  EXPECT_EQ(most_dofs, kMaxJointDofs);
}

TEST(Joint, QuaternionsAreTheOnlyCoordinatesWithoutARate) {
  for (int i = 0; i < kJointTypeCount; ++i) {
    const auto type = static_cast<JointType>(i);
    EXPECT_EQ(CoordinateCount(type) - DofCount(type), HasQuaternion(type) ? 1 : 0);
    if (!HasQuaternion(type)) continue;
    EXPECT_EQ(QuaternionStart(type) + 4, CoordinateCount(type));
  }
}

TEST(Joint, NamesAreDistinctAndReadBack) {
  std::set<std::string_view> names;
  for (int i = 0; i < kJointTypeCount; ++i) {
    const auto type = static_cast<JointType>(i);
    EXPECT_TRUE(names.insert(ToString(type)).second) << ToString(type);
    EXPECT_EQ(JointTypeFromString(ToString(type)), type);
  }
  EXPECT_EQ(ToString(JointType::kRevolute), "revolute");
  EXPECT_EQ(ToString(JointType::kFree), "free");
}

TEST(Joint, UnknownNamesAreRefused) {
  for (const char* name : {"", "hinge", "Revolute", "revolute ", "freed"}) {
    EXPECT_FALSE(JointTypeFromString(name)) << name;
  }
}

}  // namespace
}  // namespace voigt
