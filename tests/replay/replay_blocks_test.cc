#include "voigt/replay/replay_blocks.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>

namespace voigt {
namespace {

// Decoders written for the test alone.
std::vector<std::uint8_t> DecodeBase64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> out;
  std::uint32_t bits = 0;
  int count = 0;
  for (char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out.push_back(static_cast<std::uint8_t>(bits >> count & 0xff));
  }
  return out;
}

std::vector<std::uint8_t> Inflate(std::vector<std::uint8_t> bytes, size_t size) {
  std::vector<std::uint8_t> out(size);
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, MAX_WBITS + 16), Z_OK);
  stream.next_in = bytes.data();
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  EXPECT_EQ(stream.avail_out, 0u);
  inflateEnd(&stream);
  return out;
}

// [RFC 4648, §10].
TEST(Base64, GivesTheExamplesOfItsStandard) {
  const auto encode = [](std::string_view text) {
    return EncodeBase64(std::vector<std::uint8_t>(text.begin(), text.end()));
  };
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foo"), "Zm9v");
  EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
}

TEST(ReplayBlocks, ComeBackAsTheyWere) {
  ReplayBlocks blocks;
  blocks.Add("state", std::vector<std::uint8_t>{1, 2, 3});
  blocks.Add("t", std::vector<double>{0.1, 1e300});
  blocks.AddRounded("point", {-2.0f, 1.0f, 2.0f}, 2.0f);
  JsonWriter table;
  blocks.WriteTable(&table);
  EXPECT_EQ(table.text(), R"({"state": {"type": "u8", "offset": 0, "count": 3, "scale": 1}, )"
                          R"("t": {"type": "f64", "offset": 8, "count": 2, "scale": 1}, )"
                          R"("point": {"type": "i16", "offset": 24, "count": 3, "scale": )" +
                              JsonNumber(2.0f / 32767) + "}}");
  const std::vector<std::uint8_t> bytes = Inflate(DecodeBase64(blocks.Encode()), 30);
  EXPECT_EQ(bytes[2], 3);
  double t = 0;
  std::memcpy(&t, bytes.data() + 16, 8);
  EXPECT_EQ(t, 1e300);
  std::int16_t point[3];
  std::memcpy(point, bytes.data() + 24, 6);
  EXPECT_EQ(point[0], -32767);
  EXPECT_EQ(point[1], 16384);
  EXPECT_EQ(point[2], 32767);
}

}  // namespace
}  // namespace voigt
