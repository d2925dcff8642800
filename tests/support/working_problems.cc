#include "tests/support/working_problems.h"

#include <algorithm>
#include <cmath>

namespace voigt::testing {

FrictionElement ElementAtRest(int row, int count, double mu, int normal_row) {
  FrictionElement out;
  out.first_row = row;
  out.row_count = count;
  out.mu = mu;
  out.normal_row = normal_row;
  return out;
}

FrictionElement ElementWithForce(int row, int rows, double mu, double N) {
  FrictionElement out = ElementAtRest(row, 1, mu, -1);
  out.C = MatX::Zero(1, rows);
  out.n0 = VecX::Constant(1, N);
  return out;
}

WorkingProblem MakeFromRows(const MatX& G, const VecX& inertia, const VecX& v_dot) {
  WorkingProblem out;
  out.A = G * inertia.cwiseInverse().asDiagonal() * G.transpose();
  out.a0 = G * v_dot;
  out.is_one_sided.assign(G.rows(), 0);
  return out;
}

double CalcWorkingError(const WorkingProblem& problem, const VecX& lambda) {
  const VecX a = problem.a0 + problem.A * lambda;
  std::vector<char> is_friction(problem.rows(), 0);
  double error = 0;
  for (const FrictionElement& element : problem.elements) {
    const int first = element.first_row, count = element.row_count;
    std::fill_n(is_friction.begin() + first, count, 1);
    const double N = element.normal_row >= 0 ? lambda[element.normal_row]
                                             : (element.n0 + element.C * lambda).norm();
    const VecX force = lambda.segment(first, count), slip = a.segment(first, count);
    error = std::max(error, force.norm() - element.mu * N);
    if (element.slides) {
      error = std::max(error, (force + element.mu * N * element.direction.head(count)).norm());
    } else if (slip.norm() > 1e-9) {
      error = std::max(error, (force + element.drop * element.mu * N * slip.normalized()).norm());
    }
  }
  for (int r = 0; r < problem.rows(); ++r) {
    if (is_friction[r]) continue;
    error = std::max(
        error, problem.is_one_sided[r] ? std::fabs(std::fmin(lambda[r], a[r])) : std::fabs(a[r]));
  }
  return error;
}

}  // namespace voigt::testing
