#pragma once

#include <string>
#include <string_view>

namespace voigt {

// Text as it stands between tags and in attributes of SVG and HTML. Control characters, which XML
// cannot write, are left out.
std::string EscapeMarkup(std::string_view text);

}  // namespace voigt
