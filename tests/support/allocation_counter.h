#pragma once

namespace voigt::testing {

// Heap allocations of this process so far. A program that calls this has malloc and its kin
// replaced by counting ones; with a sanitizer, which replaces them itself, it returns -1.
long CountAllocations();

}  // namespace voigt::testing
