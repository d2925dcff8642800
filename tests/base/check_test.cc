#include "voigt/base/check.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace voigt {
namespace {

TEST(Check, PassesWhenTheConditionHolds) {
  int evaluations = 0;
  EXPECT_NO_THROW(VOIGT_CHECK(++evaluations == 1));
  EXPECT_EQ(evaluations, 1);
}

TEST(Check, ThrowsLogicErrorThatNamesFileLineAndCondition) {
  const int line = __LINE__ + 2;
  try {
    VOIGT_CHECK(1 + 1 == 3);
    FAIL() << "nothing was thrown";
  } catch (const std::logic_error& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("check_test.cc:" + std::to_string(line)), std::string::npos) << what;
    EXPECT_NE(what.find("1 + 1 == 3"), std::string::npos) << what;
  }
}

TEST(Check, FailCheckAlwaysThrows) {
  try {
    internal::FailCheck("size > 0", "some/file.cc", 17);
    FAIL() << "nothing was thrown";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "some/file.cc:17: check failed: size > 0");
  }
}

TEST(Check, FitsIntoAnIfWithoutBraces) {
  const auto check = [](bool wanted, bool condition) {
    if (wanted)
      VOIGT_CHECK(condition);
    else
      return false;
    return true;
  };
  EXPECT_TRUE(check(true, true));
  EXPECT_FALSE(check(false, false));
  EXPECT_THROW(check(true, false), std::logic_error);
}

TEST(Check, AcceptsTypesThatConvertExplicitly) {
  struct Convertible {
    bool value;
    explicit operator bool() const { return value; }
  };
  EXPECT_NO_THROW(VOIGT_CHECK(Convertible{true}));
  EXPECT_THROW(VOIGT_CHECK(Convertible{false}), std::logic_error);
}

TEST(Check, DebugCheckIsUnevaluatedInReleaseAndThrowsInDebug) {
  [[maybe_unused]] int evaluations = 0;
#ifdef NDEBUG
  EXPECT_NO_THROW(VOIGT_DCHECK(++evaluations == 7));
  EXPECT_EQ(evaluations, 0);
#else
  EXPECT_THROW(VOIGT_DCHECK(++evaluations == 7), std::logic_error);
  EXPECT_EQ(evaluations, 1);
#endif
}

}  // namespace
}  // namespace voigt
