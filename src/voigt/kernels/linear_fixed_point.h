#pragma once

#include <vector>

#include "voigt/math/types.h"

namespace voigt {

// Solves x = c + B x for a B that is known by its products only, by generalised minimal residuals
// (GMRES): of all points of the space that products of c span, the one with the smallest residual.
// Unlike an iteration that remembers a few steps, it forgets none. [Saad & Schultz 1986]
//
//   solver.Start(c, most);
//   while (solver.NeedsProduct(tolerance)) solver.Add(B * solver.direction());
//   solver.Finish(&x);
class LinearFixedPoint {
 public:
  // Takes `most` products at most.
  void Start(const VecX& c, int most);

  // Whether the residual is still above `tolerance`, relative to c.
  bool NeedsProduct(double tolerance) const { return !is_over_ && left_ > tolerance * size_; }
  const VecX& direction() const { return basis_[count_]; }  // of length one
  void Add(const VecX& product);

  // c itself if no product was asked for.
  void Finish(VecX* x);
  int count() const { return count_; }

 private:
  // (I − B) V_count = V_count+1 H, with H = Q (triangle) by rotations.
  std::vector<VecX> basis_;
  MatX triangle_;
  VecX right_, cosine_, sine_, shares_;
  double size_ = 0, left_ = 0;  // of c and of the residual
  int count_ = 0, most_ = 0;
  bool is_over_ = true;
};

}  // namespace voigt
