#pragma once

#include <vector>

#include "voigt/kernels/cone_quadratic_program.h"

namespace voigt {

// Newton's method on the optimality conditions of a cone program, with the sets that the last point
// suggests: by s − z, each cone is left alone (inside), at its corner (s = 0), or at its edge,
// where s₀ = ‖s₁‥‖ is one equation with one multiplier ζ: z = ζ (1, −s₁‥/‖s₁‥‖). Its bend adds ζ (1
// − n nᵀ)/‖s₁‥‖ ≥ 0 to H, and the step is that of a problem with equations only. Converges in few
// steps, or not at all.
class ConeQpNewton {
 public:
  // One step from `point`, in place; false if the matrix is singular.
  bool Step(const ConeQuadraticProgram& program, ConeQpPoint* point);

 private:
  enum class Place { kInside, kCorner, kEdge };
  struct Active {
    int cone_row = 0, size = 0, first = 0;  // first: of its equations
    Place place = Place::kInside;
    double length = 0, normal[2] = {};  // ‖s₁‥‖ and its direction
  };

  void ListActive(const ConeQuadraticProgram& program, const ConeQpPoint& point);
  void SetMatrix(const ConeQuadraticProgram& program);
  void AddBend(const ConeQuadraticProgram& program, const Active& active);
  void TakeMultipliers(const ConeQuadraticProgram& program, ConeQpPoint* point) const;

  std::vector<Active> active_;
  VecX s_, multipliers_, values_,
      right_;       // of the equations: multipliers, and what they are off by
  MatX gradients_;  // of the equations, one per column
  MatX matrix_;
  std::vector<int> swaps_;
};

}  // namespace voigt
