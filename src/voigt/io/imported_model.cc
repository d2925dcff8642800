#include "voigt/io/imported_model.h"

#include <fmt/format.h>

namespace voigt {

std::string_view ToString(ImportNote::Kind kind) {
  switch (kind) {
    case ImportNote::Kind::kIgnored:
      return "ignored";
    case ImportNote::Kind::kApproximated:
      return "approximated";
    case ImportNote::Kind::kUnsupported:
      break;
  }
  return "unsupported";
}

std::string ImportNote::ToString() const {
  const std::string place = where.ToString();
  return fmt::format("{}{}{}: {}: {}", place, place.empty() ? "" : ": ", element,
                     voigt::ToString(kind), consequence);
}

}  // namespace voigt
