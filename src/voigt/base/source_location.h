#pragma once

#include <string>

namespace voigt {

// Where a piece of input was written. Line and column count from 1; 0 means "not from a file".
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;

  // "scene.yaml:12:5", "scene.yaml" without a line, "" where nothing is known.
  std::string ToString() const;
};

}  // namespace voigt
