#include "voigt/io/utf8.h"

namespace voigt {
namespace {

// How many bytes the character that starts the text has; 0 if it is none.
size_t CharacterSize(std::string_view text) {
  const auto byte = [&](size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // The second byte of these is bounded further: no characters written longer than need be, no
  // surrogates, none beyond U+10FFFF.
  unsigned low = 0x80, high = 0xbf;
  if (lead == 0xe0) low = 0xa0;
  if (lead == 0xed) high = 0x9f;
  if (lead == 0xf0) low = 0x90;
  if (lead == 0xf4) high = 0x8f;
  if (lead < 0xc2 || lead > 0xf4 || byte(1) < low || byte(1) > high) return 0;
  for (size_t i = 2; i < size; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  }
  return size;
}

}  // namespace

std::optional<size_t> FindInvalidUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t size = CharacterSize(text.substr(at));
    if (size == 0) return at;
    at += size;
  }
  return std::nullopt;
}

}  // namespace voigt
