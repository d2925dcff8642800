#include "voigt/replay/replay_blocks.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "voigt/base/check.h"

namespace voigt {
namespace {

static_assert(std::endian::native == std::endian::little, "pages hold little-endian numbers");

// zlib's flag for the format of gzip, added to the size of its window.
constexpr int kGzipFormat = 16;

std::vector<std::uint8_t> Compress(const std::vector<std::uint8_t>& bytes) {
  z_stream stream{};
  VOIGT_CHECK(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipFormat, 9,
                           Z_DEFAULT_STRATEGY) == Z_OK);
  std::vector<std::uint8_t> out(deflateBound(&stream, bytes.size()));
  stream.next_in = const_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  VOIGT_CHECK(result == Z_STREAM_END);
  return out;
}

}  // namespace

std::string EncodeBase64(const std::vector<std::uint8_t>& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t rest = std::min<size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (k < rest ? bytes[i + k] : 0);
    for (size_t k = 0; k < 4; ++k) out += k <= rest ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

void ReplayBlocks::AddBytes(std::string_view name, const char* type, const void* data, size_t count,
                            size_t value_size, double scale) {
  // Browsers want arrays to start at multiples of their values' size.
  while (bytes_.size() % 8 != 0) bytes_.push_back(0);
  blocks_.push_back({std::string(name), type, bytes_.size(), count, scale});
  bytes_.resize(bytes_.size() + count * value_size);
  if (count > 0) std::memcpy(bytes_.data() + blocks_.back().offset, data, count * value_size);
}

void ReplayBlocks::Add(std::string_view name, const std::vector<double>& values) {
  AddBytes(name, "f64", values.data(), values.size(), 8, 1);
}

void ReplayBlocks::Add(std::string_view name, const std::vector<float>& values) {
  AddBytes(name, "f32", values.data(), values.size(), 4, 1);
}

void ReplayBlocks::Add(std::string_view name, const std::vector<std::uint32_t>& values) {
  AddBytes(name, "u32", values.data(), values.size(), 4, 1);
}

void ReplayBlocks::Add(std::string_view name, const std::vector<std::uint8_t>& values) {
  AddBytes(name, "u8", values.data(), values.size(), 1, 1);
}

void ReplayBlocks::AddRounded(std::string_view name, const std::vector<float>& values,
                              float range) {
  constexpr float kLargest = 32767;
  const float scale = range > 0 ? range / kLargest : 1;
  std::vector<std::int16_t> rounded;
  rounded.reserve(values.size());
  for (float value : values) {
    rounded.push_back(
        static_cast<std::int16_t>(std::lround(std::clamp(value / scale, -kLargest, kLargest))));
  }
  AddBytes(name, "i16", rounded.data(), rounded.size(), 2, scale);
}

void ReplayBlocks::WriteTable(JsonWriter* out) const {
  out->Begin('{');
  for (const Block& block : blocks_) {
    out->Key(block.name).Begin('{').Key("type").Text(block.type);
    out->Key("offset").Integer(static_cast<long>(block.offset));
    out->Key("count").Integer(static_cast<long>(block.count));
    out->Key("scale").Number(block.scale).End();
  }
  out->End();
}

std::string ReplayBlocks::Encode() const { return EncodeBase64(Compress(bytes_)); }

}  // namespace voigt
