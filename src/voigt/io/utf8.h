#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace voigt {

// Where a text stops being UTF-8: the first byte that neither is a character nor belongs
// to one. Nothing if all of it is.
std::optional<size_t> FindInvalidUtf8(std::string_view text);

}  // namespace voigt
