#pragma once

#include <filesystem>
#include <string>

namespace voigt::testing {

// Reference data that is not part of the repository. Where the whole folder is absent, tests that
// need it are skipped; where it is present, a missing file is an error.
inline bool HasReferenceData() { return std::filesystem::is_directory(VOIGT_TEST_DATA); }

inline std::string ReferenceData(const std::string& path) {
  return std::string(VOIGT_TEST_DATA) + "/" + path;
}

}  // namespace voigt::testing
