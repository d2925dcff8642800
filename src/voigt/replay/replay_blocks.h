#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "voigt/io/json_text.h"

namespace voigt {

std::string EncodeBase64(const std::vector<std::uint8_t>& bytes);

// Arrays one after the other in a block of bytes, and a table that says where each one is.
class ReplayBlocks {
 public:
  void Add(std::string_view name, const std::vector<double>& values);
  void Add(std::string_view name, const std::vector<float>& values);
  void Add(std::string_view name, const std::vector<std::uint32_t>& values);
  void Add(std::string_view name, const std::vector<std::uint8_t>& values);
  // Values within ± range, in steps of range/32767.
  void AddRounded(std::string_view name, const std::vector<float>& values, float range);

  // {"name": {"type": …, "offset": …, "count": …, "scale": …}, …}
  void WriteTable(JsonWriter* out) const;

  // The bytes, compressed (gzip) and in the 64 characters that a page may hold.
  std::string Encode() const;
  // The same without compression, where there is no time for it.
  std::string EncodePlain() const { return EncodeBase64(bytes_); }

 private:
  struct Block {
    std::string name;
    const char* type;
    size_t offset, count;
    double scale;
  };
  void AddBytes(std::string_view name, const char* type, const void* data, size_t count,
                size_t value_size, double scale);

  std::vector<Block> blocks_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace voigt
