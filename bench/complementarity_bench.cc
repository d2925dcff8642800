// Linear complementarity problems of growing size: Lemke's method and block pivoting beside those
// of Siconos, where it is installed, on the same matrices. Residuals of all are judged alike.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "bench/side_by_side.h"
#include "tests/support/complementarity_problems.h"
#include "voigt/kernels/boxed_pivoting.h"
#include "voigt/kernels/lemke.h"

#ifdef VOIGT_BENCH_SICONOS
extern "C" {
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
}
#endif

namespace voigt::bench {
namespace {

using testing::ComplementarityMaker;
using testing::OwnedComplementarity;

struct Method {
  std::string name;
  std::function<void()> solve;
  int max_size = 1000000;  // above it, a run takes minutes
  VecX* z;
};

#ifdef VOIGT_BENCH_SICONOS
// A standard problem as Siconos wants it. Its methods may change their arguments, so each run gets
// fresh ones; the copies are part of its time, but nothing beside the solution.
class SiconosSolver {
 public:
  SiconosSolver(const OwnedComplementarity& problem, int solver)
      : problem_(problem), N_(problem.N), q_(problem.q), w_(problem.size()) {
    options_ = solver_options_create(solver);
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = 1000 + 50 * problem.size();
    options_->dparam[SICONOS_DPARAM_TOL] = 1e-10;
    matrix_ = NM_create_from_data(NM_DENSE, problem.size(), problem.size(), N_.data());
  }
  ~SiconosSolver() {
    solver_options_delete(options_);
    matrix_->matrix0 = nullptr;
    NM_clear(matrix_);
    free(matrix_);
  }
  SiconosSolver(const SiconosSolver&) = delete;

  void Solve(VecX* z) {
    N_ = problem_.N;
    q_ = problem_.q;
    z->setZero();
    w_.setZero();
    LinearComplementarityProblem lcp{};
    lcp.size = problem_.size();
    lcp.M = matrix_;
    lcp.q = q_.data();
    linearComplementarity_driver(&lcp, z->data(), w_.data(), options_);
  }

 private:
  const OwnedComplementarity& problem_;
  MatX N_;
  VecX q_, w_;
  SolverOptions* options_ = nullptr;
  NumericsMatrix* matrix_ = nullptr;
};
#endif

// Rounds of one call each, in turn; fewer where a call is long.
void Compare(const OwnedComplementarity& problem, const std::vector<Method>& methods,
             const std::string& label) {
  std::vector<std::vector<double>> seconds(methods.size());
  const int rounds = problem.size() <= 100 ? 51 : problem.size() <= 400 ? 5 : 1;
  for (int round = -1; round < rounds; ++round) {
    for (size_t k = 0; k < methods.size(); ++k) {
      if (problem.size() > methods[k].max_size) continue;
      if (round < 0 && rounds == 1) continue;
      const Stopwatch stopwatch;
      methods[k].solve();
      if (round >= 0) seconds[k].push_back(stopwatch.Seconds());
    }
  }
  fmt::print("{:<22}{:>6}", label, problem.size());
  const double ours = Median(seconds[0]);
  VecX w(problem.size());
  for (size_t k = 0; k < methods.size(); ++k) {
    if (seconds[k].empty()) {
      fmt::print("  {:>31}", "-");
      continue;
    }
    const double time = Median(seconds[k]);
    fmt::print("  {:>11.4f} {:>8.2f} {:>9.1e}", 1e3 * time, time / ours,
               CalcComplementarityResidual(problem.view(), *methods[k].z, w));
  }
  fmt::print("\n");
}

void CompareOn(const OwnedComplementarity& problem, const std::string& label, bool can_pivot,
               bool is_symmetric) {
  std::vector<VecX> z(4, VecX::Zero(problem.size()));
  Lemke lemke;
  LemkeStats lemke_stats;
  LemkeSettings guess;
  lemke.Solve(problem.view(), {}, z[0], &lemke_stats);
  const std::vector<char> set = lemke.set();
  guess.set = &set;
  BoxedPivoting pivoting;
  BoxedPivotingStats pivoting_stats;
  BoxedPivotingSettings pivoting_settings;
  pivoting_settings.is_symmetric = is_symmetric;
  std::vector<Method> methods;
  methods.push_back(
      {"Lemke", [&] { lemke.Solve(problem.view(), {}, z[0], &lemke_stats); }, 5000, &z[0]});
  methods.push_back({"Lemke, guess",
                     [&] { lemke.Solve(problem.view(), guess, z[1], &lemke_stats); }, 5000, &z[1]});
  methods.push_back(
      {"block pivoting",
       [&] { pivoting.Solve(problem.view(), pivoting_settings, z[2], &pivoting_stats); },
       can_pivot ? 5000 : 0, &z[2]});
#ifdef VOIGT_BENCH_SICONOS
  // Its other pivoting method (SICONOS_LCP_PIVOT) is slower and ends at rays of these problems.
  SiconosSolver siconos(problem, SICONOS_LCP_LEMKE);
  methods.push_back({"Siconos lexico Lemke", [&] { siconos.Solve(&z[3]); }, 1000, &z[3]});
#endif
  Compare(problem, methods, label);
}

}  // namespace
}  // namespace voigt::bench

int main() {
  using voigt::bench::CompareOn;
#ifdef VOIGT_BENCH_SICONOS
  const int methods = 4;
#else
  const int methods = 3;
  fmt::print("Siconos is not installed (libsiconos-numerics-dev): skipped.\n");
#endif
  const char* names[] = {"Lemke", "Lemke, guess right", "block pivoting", "Siconos lexico Lemke"};
  fmt::print("{:<22}{:>6}", "", "size");
  for (int k = 0; k < methods; ++k) fmt::print("  {:>30}", names[k]);
  fmt::print("\n{:<28}", "");
  for (int k = 0; k < methods; ++k) fmt::print("  {:>11} {:>8} {:>9}", "ms", "/Lemke", "residual");
  fmt::print("\n");
  voigt::testing::ComplementarityMaker make(1);
  // Contacts with a pyramid of four edges: six variables each.
  for (const int contacts : {2, 4, 8, 16, 33, 66, 166, 333}) {
    CompareOn(make.FrictionPyramid(1 + contacts / 2, contacts, 4, 0.5), "friction pyramid", false,
              false);
  }
  for (const int size : {10, 20, 50, 100, 200, 400, 1000, 2000}) {
    voigt::testing::OwnedComplementarity problem = make.WithSolution(
        make.Semidefinite(size, size, 0.1, 1), {voigt::testing::BoundKind::kLower}, 0);
    problem.q += problem.N * problem.lower;
    problem.lower.setZero();
    CompareOn(problem, "random P", true, false);
  }
  // Frictionless contacts, more than degrees of freedom: N is singular.
  for (const int size : {10, 20, 50, 100, 200, 400, 1000, 2000}) {
    const voigt::MatX D = make.Matrix(size, size / 2 + 1);
    voigt::testing::OwnedComplementarity problem;
    problem.N = D * D.transpose();
    problem.q = D * make.Matrix(size / 2 + 1, 1);
    problem.lower = voigt::VecX::Zero(size);
    problem.upper = voigt::VecX::Constant(size, voigt::kInfinity);
    CompareOn(problem, "contacts, singular", true, true);
  }
}
