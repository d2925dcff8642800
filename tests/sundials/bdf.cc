#include "tests/sundials/bdf.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <limits>
#include <memory>
#include <stdexcept>

#include "voigt/base/stopwatch.h"

namespace voigt::testing {
namespace {

void Require(int flag) {
  if (flag != CV_SUCCESS) throw std::runtime_error("CVODE refuses its settings");
}

// What CVODE hands back to the right-hand side.
struct Task {
  const OdeRate& rate;
  Deadline deadline;
};

// Any negative value ends the integration.
int CalcRate(double t, N_Vector x, N_Vector dx, void* user) {
  const Task& task = *static_cast<const Task*>(user);
  if (task.deadline.HasPassed()) return -1;
  task.rate(t, N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
  return 0;
}

void FreeMemory(void* memory) { CVodeFree(&memory); }

}  // namespace

BdfRun IntegrateByBdf(const OdeRate& rate, const std::vector<double>& x, double until,
                      const BdfSettings& settings) {
  BdfRun out;
  out.x = x;
  sundials::Context context;
  const auto count = static_cast<sunindextype>(x.size());
  const std::unique_ptr<std::remove_pointer_t<N_Vector>, decltype(&N_VDestroy)> y(
      N_VMake_Serial(count, out.x.data(), context), N_VDestroy);
  const std::unique_ptr<std::remove_pointer_t<SUNMatrix>, decltype(&SUNMatDestroy)> A(
      SUNDenseMatrix(count, count, context), SUNMatDestroy);
  const std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, decltype(&SUNLinSolFree)> solver(
      SUNLinSol_Dense(y.get(), A.get(), context), SUNLinSolFree);
  const std::unique_ptr<void, decltype(&FreeMemory)> memory(CVodeCreate(CV_BDF, context),
                                                            FreeMemory);
  Task task{rate, Deadline(settings.patience)};
  Require(CVodeInit(memory.get(), CalcRate, 0, y.get()));
  Require(CVodeSetUserData(memory.get(), &task));
  Require(CVodeSStolerances(memory.get(), settings.relative, settings.absolute));
  Require(CVodeSetLinearSolver(memory.get(), solver.get(), A.get()));
  Require(CVodeSetMaxOrd(memory.get(), settings.largest_order));
  Require(CVodeSetMaxNumSteps(memory.get(), std::numeric_limits<long>::max()));
  Require(CVodeSetMaxStep(memory.get(), settings.largest_step));
  Require(CVodeSetStopTime(memory.get(), until));
  // Where it gives up, the caller is told so; no need for messages as well.
  Require(CVodeSetErrFile(memory.get(), nullptr));

  double t = 0;
  out.finished = CVode(memory.get(), until, y.get(), &t, CV_NORMAL) >= 0;
  long for_jacobians = 0;
  CVodeGetNumSteps(memory.get(), &out.steps);
  CVodeGetNumRhsEvals(memory.get(), &out.evaluations);
  CVodeGetNumLinRhsEvals(memory.get(), &for_jacobians);
  out.evaluations += for_jacobians;
  return out;
}

}  // namespace voigt::testing
