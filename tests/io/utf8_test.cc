#include "voigt/io/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace voigt {
namespace {

TEST(FindInvalidUtf8, AcceptsTheFirstAndLastCharactersOfEveryLength) {
  using namespace std::string_view_literals;
  for (std::string_view text :
       {""sv, "plain\n"sv, "\0"sv, "\x7f"sv, "\xc2\x80"sv, "\xdf\xbf"sv, "\xe0\xa0\x80"sv,
        "\xed\x9f\xbf"sv, "\xee\x80\x80"sv, "\xef\xbf\xbf"sv, "\xf0\x90\x80\x80"sv,
        "\xf4\x8f\xbf\xbf"sv, "\xef\xbb\xbf bom"sv}) {
    EXPECT_EQ(FindInvalidUtf8(text), std::nullopt) << text;
  }
}

TEST(FindInvalidUtf8, NamesTheFirstBadByte) {
  for (const char* bad : {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf",  // stray, or longer than need be
                          "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf",      // longer than need be
                          "\xed\xa0\x80", "\xed\xbf\xbf",          // surrogates
                          "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff",  // beyond U+10FFFF
                          "\xc3", "\xe2\x82", "\xf0\x9f\x9a", "\xc3x",     // cut short
                          "\xe2\x82x", "\xf0\x9f\x9ax", "\xe2x\x82", "\xc3\xc3\xbc"}) {
    EXPECT_EQ(FindInvalidUtf8(bad), 0u) << bad;
    EXPECT_EQ(FindInvalidUtf8("a\xc3\xbc" + std::string(bad)), 3u) << bad;
  }
}

}  // namespace
}  // namespace voigt
