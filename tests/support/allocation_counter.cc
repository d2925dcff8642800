#include "tests/support/allocation_counter.h"

#include <atomic>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

namespace voigt::testing {

long CountAllocations() { return -1; }

}  // namespace voigt::testing

#else

namespace {

std::atomic<long> allocations = 0;

}  // namespace

// Eigen allocates through malloc, the standard library through operator new, which calls malloc:
// counting here sees both. glibc keeps its own functions under these names.
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  ++allocations;
  return __libc_realloc(old, size);
}
void* memalign(size_t alignment, size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) noexcept {
  *out = memalign(alignment, size);
  return *out == nullptr ? 12 : 0;  // ENOMEM
}
}

namespace voigt::testing {

long CountAllocations() { return allocations; }

}  // namespace voigt::testing

#endif
