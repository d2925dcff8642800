#include "voigt/io/json_text.h"

#include <gtest/gtest.h>

namespace voigt {
namespace {

TEST(JsonText, EscapesWhatEndsATextOrAScript) {
  EXPECT_EQ(JsonQuote("a\"b\\c\n</script>"), "\"a\\\"b\\\\c\\u000a\\u003c/script>\"");
  EXPECT_EQ(JsonQuote("µ ≤ 1"), "\"µ ≤ 1\"");
}

TEST(JsonText, HasNullForWhatIsNoNumber) {
  EXPECT_EQ(JsonNumber(0.1), "0.1");
  EXPECT_EQ(JsonNumber(kInfinity), "null");
  EXPECT_EQ(JsonNumber(kNaN), "null");
}

TEST(JsonWriter, PutsCommasBetweenMembersOnly) {
  JsonWriter out;
  out.Begin('{').Key("a").Integer(1).Key("b").Begin('[').Text("x").Flag(true);
  out.Begin('[').End().End().Key("c").Numbers(Vec3(1, 2, 3)).End();
  EXPECT_EQ(out.text(), R"({"a": 1, "b": ["x", true, []], "c": [1, 2, 3]})");
}

}  // namespace
}  // namespace voigt
