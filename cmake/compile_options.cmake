# Flags for everything that is built here, as an interface target that is not installed.
#
# Contraction to fused multiply-adds is off, and there is no fast-math: the same source gives the
# same bits on every machine with the same compiler.
add_library(voigt_options INTERFACE)
target_compile_options(voigt_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                       -Wno-psabi)  # vectors of four numbers stay inside of their files
# Eigen's packets for three-vectors cost more in stalled loads than they save: measured on the bias
# of a humanoid, 1.04 us with and 0.76 us without. Six-vectors and larger keep theirs.
target_compile_definitions(voigt_options INTERFACE EIGEN_UNALIGNED_VECTORIZE=0)
if(VOIGT_NATIVE)
  target_compile_options(voigt_options INTERFACE -march=native -ffp-contract=fast)
else()
  target_compile_options(voigt_options INTERFACE -ffp-contract=off)
endif()
if(VOIGT_WERROR)
  target_compile_options(voigt_options INTERFACE -Werror)
endif()
if(VOIGT_SANITIZE)
  # The instrumentation confuses GCC's analysis of uninitialised values inside <regex>. Checks
  # of null, misaligned and overflowing pointers double the compile time; the address sanitizer finds
  # accesses outside of objects, the processor those at null.
  target_compile_options(voigt_options INTERFACE -fsanitize=${VOIGT_SANITIZE}
                         -fno-sanitize=null,alignment,pointer-overflow
                         -fno-sanitize-recover=all -fno-omit-frame-pointer
                         -Wno-maybe-uninitialized)
  target_link_options(voigt_options INTERFACE -fsanitize=${VOIGT_SANITIZE})
endif()
