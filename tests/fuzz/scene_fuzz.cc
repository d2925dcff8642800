// Feeds text that libFuzzer makes up to the reader of scenes; stops at the first that is neither a
// scene nor refused with reasons.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/support/scene_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string defect = voigt::testing::DescribeSceneReadingDefect(text);
  if (defect.empty()) return 0;
  std::fprintf(stderr, "%s\n", defect.c_str());
  std::abort();
}
