#pragma once

#include <string>

namespace voigt {

// Whether this program was built with the library that draws SVG (librsvg).
bool CanWritePng();

// Draws an SVG document into a PNG file, two pixels per unit. Throws std::runtime_error if that
// fails.
void WritePng(const std::string& svg, const std::string& path);

}  // namespace voigt
