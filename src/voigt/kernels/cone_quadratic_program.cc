#include "voigt/kernels/cone_quadratic_program.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "voigt/base/check.h"
#include "voigt/math/extremes.h"

namespace voigt {
namespace {

// The largest |s − Proj(s − z)| of one cone of n numbers.
double CalcConeError(const double* s, const double* z, int n) {
  double length = 0;
  for (int i = 1; i < n; ++i) length = std::hypot(length, s[i] - z[i]);
  const double x0 = s[0] - z[0];
  double p0 = x0, shrink = 1;  // the projection: (p0, shrink · x₁‥)
  if (x0 <= -length) {
    p0 = shrink = 0;
  } else if (x0 < length) {
    p0 = 0.5 * (x0 + length);
    shrink = p0 / length;
  }
  double largest = std::fabs(s[0] - p0);
  for (int i = 1; i < n; ++i) {
    largest = Larger(largest, std::fabs(s[i] - shrink * (s[i] - z[i])));
  }
  return largest;
}

}  // namespace

void CheckSizes(const ConeQuadraticProgram& program) {
  const int n = program.size();
  VOIGT_CHECK(program.H.rows() == n && program.H.cols() == n);
  VOIGT_CHECK(program.C.rows() == program.cone_rows() && program.C.cols() == n);
  VOIGT_CHECK(program.E.rows() == program.equations() && program.E.cols() == n);
  VOIGT_CHECK(std::accumulate(program.cones.begin(), program.cones.end(), 0) ==
              program.cone_rows());
  for (int size : program.cones) VOIGT_CHECK(1 <= size && size <= 3);
}

double CalcConeQpResidual(const ConeQuadraticProgram& program, const ConeQpPoint& point) {
  if (!point.x.allFinite() || !point.z.allFinite() || !point.y.allFinite()) return kInfinity;
  double worst = 0, scale = 0;
  for (int i = 0; i < program.size(); ++i) {
    // H is symmetric: its columns are next to each other in memory.
    const auto terms = program.H.col(i).cwiseProduct(point.x);
    scale = Larger(scale, std::fabs(program.g[i]) + terms.cwiseAbs().sum());
    worst = Larger(worst, std::fabs(terms.sum() + program.g[i] - program.C.col(i).dot(point.z) -
                                    program.E.col(i).dot(point.y)));
  }
  for (int i = 0; i < program.equations(); ++i) {
    worst = Larger(worst, std::fabs(program.E.row(i).dot(point.x) + program.e[i]));
  }
  int row = 0;
  for (int size : program.cones) {
    double s[3];
    for (int i = 0; i < size; ++i) {
      const auto terms = program.C.row(row + i).transpose().cwiseProduct(point.x);
      scale = Larger(scale, std::fabs(program.d[row + i]) + terms.cwiseAbs().sum());
      s[i] = terms.sum() + program.d[row + i];
    }
    worst = Larger(worst, CalcConeError(s, point.z.data() + row, size));
    row += size;
  }
  return scale > 0 ? worst / scale : worst;
}

}  // namespace voigt
