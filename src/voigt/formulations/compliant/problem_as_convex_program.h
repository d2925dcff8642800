#pragma once

#include <vector>

#include "voigt/kernels/convex_program.h"
#include "voigt/problem/friction_mode.h"
#include "voigt/problem/row_inertia.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// A VelocityProblem written as the convex program of kernels/convex_program.h: b = v̂ − φ_t, one
// block per group. Contacts become discs of given radii (lagged, and each pass of coulomb) or
// cones.
class ProblemAsConvexProgram : private ScalarLaws {
 public:
  // `problem` must outlive the program.
  void Update(const VelocityProblem& problem, FrictionMode friction);

  const ConvexProgram& program() const { return program_; }
  ConvexProgram& program() { return program_; }

 private:
  Value Calc(int row, double y) const override;

  const VelocityProblem* problem_ = nullptr;
  ConvexProgram program_;
  std::vector<int> group_of_row_;
  RowInertiaScratch scratch_;
  VecX w_;
};

}  // namespace voigt
