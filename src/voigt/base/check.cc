#include "voigt/base/check.h"

#include <stdexcept>
#include <string>

namespace voigt::internal {

void FailCheck(const char* condition, const char* file, int line) {
  throw std::logic_error(std::string(file) + ':' + std::to_string(line) +
                         ": check failed: " + condition);
}

}  // namespace voigt::internal
