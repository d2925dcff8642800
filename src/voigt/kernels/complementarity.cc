#include "voigt/kernels/complementarity.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"

namespace voigt {

const char* ToString(ComplementarityStatus status) {
  switch (status) {
    case ComplementarityStatus::kSolved:
      return "solved";
    case ComplementarityStatus::kRay:
      return "ray";
    case ComplementarityStatus::kInfeasible:
      return "infeasible";
    case ComplementarityStatus::kIterationLimit:
      return "iteration limit";
    case ComplementarityStatus::kInaccurate:
      return "inaccurate";
    case ComplementarityStatus::kFailed:
      return "failed";
  }
  return "unknown";
}

bool IsWellPosed(const ComplementarityProblem& problem) {
  const int size = problem.size();
  VOIGT_CHECK(problem.N.rows() == size && problem.N.cols() == size);
  VOIGT_CHECK(problem.lower.size() == size && problem.upper.size() == size);
  if (!problem.q.allFinite() || !problem.N.allFinite()) return false;
  for (int i = 0; i < size; ++i) {
    const double lower = problem.lower[i], upper = problem.upper[i];
    if (!(lower <= upper) || lower == kInfinity || upper == -kInfinity) return false;
  }
  return true;
}

double CalcComplementarityResidual(const ComplementarityProblem& problem,
                                   const Eigen::Ref<const VecX>& z, Eigen::Ref<VecX> w) {
  w = problem.q;
  if (!z.allFinite()) return kInfinity;
  w.noalias() += problem.N * z;

  // Some rows at a time, so that N is read along its columns.
  constexpr int kRows = 64;
  double largest = 0, scale = 0;
  for (int first = 0; first < problem.size(); first += kRows) {
    const int rows = std::min(kRows, problem.size() - first);
    double s[kRows], sum[kRows];
    for (int i = 0; i < rows; ++i) {
      s[i] = 0;
      sum[i] = std::abs(problem.q[first + i]);
    }
    for (int j = 0; j < problem.size(); ++j) {
      const double* entries = problem.N.col(j).data() + first;
      const double z_j = std::abs(z[j]);
      for (int i = 0; i < rows; ++i) {
        const double entry = std::abs(entries[i]);
        s[i] = entry > s[i] ? entry : s[i];
        sum[i] += entry * z_j;
      }
    }
    for (int i = 0; i < rows; ++i) {
      const int k = first + i;
      if (s[i] == 0) s[i] = 1;
      const double moved =
          std::min(std::max(z[k] - w[k] / s[i], problem.lower[k]), problem.upper[k]);
      if (!std::isfinite(moved)) return kInfinity;
      largest = std::max(largest, s[i] * std::abs(z[k] - moved));
      scale = std::max(scale, sum[i]);
    }
  }
  return scale > 0 ? largest / scale : largest;
}

bool IsInfeasible(const ComplementarityProblem& problem, const Eigen::Ref<const VecX>& y,
                  double tolerance) {
  const double y_max = y.lpNorm<Eigen::Infinity>();
  if (y.size() != problem.size() || !(y_max > 0) || !y.allFinite()) return false;
  double supremum = problem.q.dot(y), terms = problem.q.cwiseAbs().dot(y.cwiseAbs());
  for (int i = 0; i < problem.size(); ++i) {
    const bool has_lower = problem.lower[i] != -kInfinity;
    const bool has_upper = problem.upper[i] != kInfinity;
    // The sign of y.
    if (has_lower && y[i] < -tolerance * y_max) return false;
    if (has_upper && y[i] > tolerance * y_max) return false;
    // The worst z.
    const double slope = problem.N.col(i).dot(y);
    const double slope_terms = problem.N.col(i).cwiseAbs().dot(y.cwiseAbs());
    const double end = slope > 0 ? problem.upper[i] : problem.lower[i];
    if (std::isinf(end)) {
      if (std::abs(slope) > tolerance * slope_terms) return false;
      continue;
    }
    supremum += slope * end;
    terms += slope_terms * std::abs(end);
  }
  return supremum < -tolerance * terms;
}

}  // namespace voigt
