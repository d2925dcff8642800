# Flags for everything that is built here, as an interface target that is not installed.
#
# Contraction to fused multiply-adds is off, and there is no fast-math: the same source gives the
# same bits on every machine with the same compiler.
add_library(voigt_options INTERFACE)
target_compile_options(voigt_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
if(VOIGT_NATIVE)
  target_compile_options(voigt_options INTERFACE -march=native -ffp-contract=fast)
else()
  target_compile_options(voigt_options INTERFACE -ffp-contract=off)
endif()
if(VOIGT_WERROR)
  target_compile_options(voigt_options INTERFACE -Werror)
endif()
if(VOIGT_SANITIZE)
  target_compile_options(voigt_options INTERFACE -fsanitize=${VOIGT_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(voigt_options INTERFACE -fsanitize=${VOIGT_SANITIZE})
endif()
