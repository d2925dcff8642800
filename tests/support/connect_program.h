#pragma once

#include "voigt/kernels/convex_program.h"

namespace voigt::testing {

// Points the program of an example at the parts that the example owns.
template <typename Example>
void ConnectProgram(Example* example) {
  ConvexProgram& program = example->program;
  program.pattern = &example->pattern;
  program.M = &example->M;
  program.factor = &example->factor;
  program.v_star = &example->v_star;
  program.cols = example->cols.data();
  program.G = example->G.data();
}

}  // namespace voigt::testing
