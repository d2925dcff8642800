// Feeds bytes that libFuzzer makes up to the mesh readers; stops at the first that is neither a
// sound mesh nor refused with reasons.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/support/mesh_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (voigt::MeshFormat format : {voigt::MeshFormat::kStl, voigt::MeshFormat::kObj}) {
    const std::string defect = voigt::testing::DescribeReadingDefect(bytes, format);
    if (defect.empty()) continue;
    std::fprintf(stderr, "%s\n", defect.c_str());
    std::abort();
  }
  return 0;
}
