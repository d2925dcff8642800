// Complementarity problems of growing size beside Siconos, where it is installed, on the same
// matrices: linear ones by Lemke's method and block pivoting, beside its Lemke's method, projected
// Gauss–Seidel and nonsmooth Newton methods; friction with exact cones by implicit complementarity,
// beside its nonsmooth Gauss–Seidel and Newton methods. Residuals of all are judged alike.

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "bench/side_by_side.h"
#include "tests/support/complementarity_problems.h"
#include "voigt/base/stopwatch.h"
#include "voigt/kernels/boxed_pivoting.h"
#include "voigt/kernels/implicit_ncp.h"
#include "voigt/kernels/lemke.h"

#ifdef VOIGT_BENCH_SICONOS
extern "C" {
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
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
  SiconosSolver(const OwnedComplementarity& problem, int solver, int max_iterations = 0)
      : problem_(problem), N_(problem.N), q_(problem.q), w_(problem.size()) {
    options_ = solver_options_create(solver);
    options_->iparam[SICONOS_IPARAM_MAX_ITER] =
        max_iterations > 0 ? max_iterations : 1000 + 50 * problem.size();
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
void Compare(int size, const std::vector<Method>& methods, const std::string& label,
             const std::function<double(const VecX&)>& calc_residual) {
  std::vector<std::vector<double>> seconds(methods.size());
  const int rounds = size <= 100 ? 51 : size <= 400 ? 5 : 1;
  for (int round = -1; round < rounds; ++round) {
    for (size_t k = 0; k < methods.size(); ++k) {
      if (size > methods[k].max_size) continue;
      if (round < 0 && rounds == 1) continue;
      const Stopwatch stopwatch;
      methods[k].solve();
      if (round >= 0) seconds[k].push_back(stopwatch.Seconds());
    }
  }
  fmt::print("{:<22}{:>6}", label, size);
  const double ours = Median(seconds[0]);
  for (size_t k = 0; k < methods.size(); ++k) {
    if (seconds[k].empty()) {
      fmt::print("  {:>31}", "-");
      continue;
    }
    const double time = Median(seconds[k]);
    fmt::print("  {:>11.4f} {:>8.2f} {:>9.1e}", 1e3 * time, time / ours,
               calc_residual(*methods[k].z));
  }
  fmt::print("\n");
}

void CompareOn(const OwnedComplementarity& problem, const std::string& label, bool can_pivot,
               bool is_symmetric) {
  std::vector<VecX> z(6, VecX::Zero(problem.size()));
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
       can_pivot ? (is_symmetric ? 200 : 5000) : 0, &z[2]});  // larger singular ones take minutes
#ifdef VOIGT_BENCH_SICONOS
  // Its other pivoting method (SICONOS_LCP_PIVOT) is slower and ends at rays of these problems.
  SiconosSolver siconos(problem, SICONOS_LCP_LEMKE);
  methods.push_back({"Siconos lexico Lemke", [&] { siconos.Solve(&z[3]); }, 1000, &z[3]});
  SiconosSolver sweeps(problem, SICONOS_LCP_PGS);
  methods.push_back({"Siconos PGS", [&] { sweeps.Solve(&z[4]); }, can_pivot ? 200 : 0, &z[4]});
  // Where it stalls, more steps do not help it.
  SiconosSolver newton(problem, SICONOS_LCP_NEWTON_FB_FBLSA, 100);
  methods.push_back({"Siconos Newton FB", [&] { newton.Solve(&z[5]); }, 400, &z[5]});
#endif
  VecX w(problem.size());
  Compare(problem.size(), methods, label,
          [&](const VecX& point) { return CalcComplementarityResidual(problem.view(), point, w); });
}

// Contacts of three rows each on half as many bodies, W = G Gᵀ, q = G v.
struct FrictionProblem {
  FrictionProblem(ComplementarityMaker* make, int count, double coefficient)
      : contacts(count), mu(VecX::Constant(count, coefficient)) {
    const int dofs = 6 * (1 + count / 2);
    const MatX G = make->Matrix(3 * count, dofs) / std::sqrt(dofs);
    W = G * G.transpose();
    q = G * make->Matrix(dofs, 1);
    for (int c = 0; c < count; ++c) blocks.push_back(MakeNcpContact(3 * c, 2, coefficient));
  }
  ImplicitNcpProblem view() const { return {W, q, blocks}; }

  int contacts;
  MatX W;
  VecX q, mu;
  std::vector<NcpBlock> blocks;
};

#ifdef VOIGT_BENCH_SICONOS
class SiconosFriction {
 public:
  SiconosFriction(const FrictionProblem& problem, int solver)
      : problem_(problem), W_(problem.W), q_(problem.q), mu_(problem.mu), u_(problem.q.size()) {
    options_ = solver_options_create(solver);
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
    options_->dparam[SICONOS_DPARAM_TOL] = 1e-10;
    const int size = static_cast<int>(q_.size());
    matrix_ = NM_create_from_data(NM_DENSE, size, size, W_.data());
  }
  ~SiconosFriction() {
    solver_options_delete(options_);
    matrix_->matrix0 = nullptr;
    NM_clear(matrix_);
    free(matrix_);
  }
  SiconosFriction(const SiconosFriction&) = delete;

  void Solve(VecX* gamma) {
    W_ = problem_.W;
    q_ = problem_.q;
    gamma->setZero();
    u_.setZero();
    FrictionContactProblem own{};
    own.dimension = 3;
    own.numberOfContacts = problem_.contacts;
    own.M = matrix_;
    own.q = q_.data();
    own.mu = mu_.data();
    fc3d_driver(&own, gamma->data(), u_.data(), options_);
  }

 private:
  const FrictionProblem& problem_;
  MatX W_;
  VecX q_, mu_, u_;
  SolverOptions* options_ = nullptr;
  NumericsMatrix* matrix_ = nullptr;
};
#endif

void CompareFriction(const FrictionProblem& problem) {
  const int size = static_cast<int>(problem.q.size());
  std::vector<VecX> gamma(4, VecX::Zero(size));
  ImplicitNcp kernel;
  ImplicitNcpSettings settings[2];
  settings[1].variant = LevenbergMarquardtVariant::kProjected;
  std::vector<Method> methods;
  for (int k = 0; k < 2; ++k) {
    methods.push_back({k == 0 ? "RLM" : "PLM",
                       [&, k] {
                         gamma[k].setZero();
                         ImplicitNcpStats stats;
                         kernel.Solve(problem.view(), settings[k], gamma[k], &stats);
                       },
                       5000, &gamma[k]});
  }
#ifdef VOIGT_BENCH_SICONOS
  SiconosFriction sweeps(problem, SICONOS_FRICTION_3D_NSGS);
  methods.push_back({"Siconos NSGS", [&] { sweeps.Solve(&gamma[2]); }, 5000, &gamma[2]});
  SiconosFriction newton(problem, SICONOS_FRICTION_3D_NSN_AC);
  methods.push_back({"Siconos NSN_AC", [&] { newton.Solve(&gamma[3]); }, 5000, &gamma[3]});
#endif
  VecX u(size);
  Compare(size, methods, "friction, exact cones", [&](const VecX& point) {
    const double residual = CalcNcpNaturalResidual(problem.view(), point, u);
    return residual / problem.q.cwiseAbs().maxCoeff();
  });
}

void PrintHeader(const std::vector<const char*>& names) {
  fmt::print("{:<22}{:>6}", "", "size");
  for (const char* name : names) fmt::print("  {:>30}", name);
  fmt::print("\n{:<28}", "");
  for (size_t k = 0; k < names.size(); ++k) {
    fmt::print("  {:>11} {:>8} {:>9}", "ms", "/first", "residual");
  }
  fmt::print("\n");
}

}  // namespace
}  // namespace voigt::bench

int main() {
  using voigt::bench::CompareOn;
  std::vector<const char*> linear = {"Lemke", "Lemke, guess right", "block pivoting"};
  std::vector<const char*> friction = {"implicit NCP, RLM", "implicit NCP, PLM"};
#ifdef VOIGT_BENCH_SICONOS
  linear.insert(linear.end(), {"Siconos lexico Lemke", "Siconos PGS", "Siconos Newton FB"});
  friction.insert(friction.end(), {"Siconos NSGS", "Siconos NSN_AC"});
#else
  fmt::print("Siconos is not installed (libsiconos-numerics-dev): skipped.\n");
#endif
  voigt::testing::ComplementarityMaker make(1);
  voigt::bench::PrintHeader(friction);
  for (const int contacts : {3, 7, 17, 33, 67, 133, 333}) {
    voigt::bench::CompareFriction(voigt::bench::FrictionProblem(&make, contacts, 0.5));
  }
  fmt::print("\n");
  voigt::bench::PrintHeader(linear);
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
