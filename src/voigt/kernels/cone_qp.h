#pragma once

#include <span>
#include <vector>

#include "voigt/base/stopwatch.h"
#include "voigt/kernels/cone_qp_newton.h"

namespace voigt {

struct ConeQpSettings {
  int max_iterations = 60;    // of the interior-point method
  int max_newton_steps = 25;  // each time that Newton's method is tried
  double tolerance = 1e-13;   // of CalcConeQpResidual
  bool use_start = false;     // x (and y, z) hold a start on entry
  Deadline deadline;
};

struct ConeQpStats {
  int iterations = 0;    // of the interior-point method
  int newton_steps = 0;  // before and after it
  int factors = 0;
};

struct ConeQpResult {
  double residual = kNaN;  // of the point returned
  bool converged = false;
};

// Quadratic programs with second-order cones (cone_quadratic_program.h), dense.
//
// From a start, Newton's method on the optimality conditions is tried first. If it fails, an
// interior-point method (Mehrotra's predictor and corrector, Nesterov & Todd's scaling) comes near
// to the solution, and Newton's method makes it exact: the constraints of contact problems often
// leave no interior, where multipliers grow without bound and interior points lose half of their
// digits. Multiples of the unit matrix are added to the matrices of both for steps alone (proximal
// terms), so that neither H nor the constraints need have full rank.
class ConeQp {
 public:
  // `point`: start if settings.use_start; result: the best point met.
  ConeQpResult Solve(const ConeQuadraticProgram& program, const ConeQpSettings& settings,
                     ConeQpPoint* point, ConeQpStats* stats);

 private:
  void SetStart(const ConeQuadraticProgram& program, const ConeQpPoint& start);
  bool Iterate(const ConeQuadraticProgram& program, ConeQpStats* stats);
  bool FactorMatrix(const ConeQuadraticProgram& program);
  void CalcDirection(const ConeQuadraticProgram& program);
  void SetConeRightSides(const ConeQuadraticProgram& program, double target);
  double CalcStepLength(const ConeQuadraticProgram& program) const;
  double CalcProduct(double alpha) const;
  double Judge(const ConeQuadraticProgram& program, const ConeQpPoint& point);
  bool Improve(const ConeQuadraticProgram& program, const ConeQpSettings& settings,
               const ConeQpPoint& start, int max_steps, ConeQpStats* stats);
  void SolveFromInside(const ConeQuadraticProgram& program, const ConeQpSettings& settings,
                       const ConeQpPoint& start, ConeQpStats* stats);

  ConeQpNewton newton_;
  ConeQpPoint current_, trial_, best_;
  double best_residual_ = kInfinity;
  bool back_to_path_ = false;
  VecX s_, ds_, dz_, dx_, dy_;
  VecX r_dual_, r_cone_, r_equal_, scaled_d_;  // residuals; F⁻¹ d of the cones
  std::vector<double> scalings_;               // F⁻¹ and F of every cone, 9 numbers each
  VecX lambda_;
  MatX matrix_, scaled_;
  std::vector<int> swaps_;
  VecX right_;
};

}  // namespace voigt
