#pragma once

// Invariants of the program itself. A failed check is a bug in voigt or a call that breaks a
// documented precondition, never bad user input (that throws InputError).
namespace voigt::internal {

[[noreturn]] void FailCheck(const char* condition, const char* file, int line);

}  // namespace voigt::internal

// Always on: use it outside inner loops.
#define VOIGT_CHECK(condition)            \
  (static_cast<bool>(condition) ? void(0) \
                                : ::voigt::internal::FailCheck(#condition, __FILE__, __LINE__))

// On in debug and sanitizer builds: use it in inner loops.
#ifdef NDEBUG
#define VOIGT_DCHECK(condition) void(sizeof(condition))
#else
#define VOIGT_DCHECK(condition) VOIGT_CHECK(condition)
#endif
