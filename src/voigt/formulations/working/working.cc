#include "voigt/formulations/working/working.h"

namespace voigt {

void Working::Reduce(const AccelerationProblem& problem) {
  reduced_.A = problem.A;
  reduced_.a0 = problem.a0;
  reduced_.is_one_sided.resize(problem.rows());
  for (int r = 0; r < problem.rows(); ++r) {
    reduced_.is_one_sided[r] = problem.laws[r] == AccelerationLaw::kOneSided;
  }
  reduced_.elements.resize(problem.friction.size());
  for (size_t k = 0; k < problem.friction.size(); ++k) {
    const FrictionBlock& block = problem.friction[k];
    FrictionElement& element = reduced_.elements[k];
    element.first_row = block.first_row;
    element.row_count = block.row_count;
    element.mu = block.mu;
    element.slides = block.task == FrictionTask::kSlides;
    element.holds = block.task == FrictionTask::kHolds;
    element.direction = block.direction;
    element.normal_row = block.normal_row;
    element.C = block.C;
    element.n0 = block.n0;
  }
}

WorkingResult Working::Solve(const AccelerationProblem& problem, VecX* lambda) {
  Reduce(problem);
  const WorkingResult result = set_.Solve(reduced_, {}, &stats_);
  *lambda = set_.lambda();
  if (result.status == WorkingStatus::kSolved) return result;
  lambda->setConstant(kNaN);
  Forget();
  return result;
}

bool Working::SolveLock(const AccelerationProblem& problem, const VecX& u, VecX* gamma) {
  Reduce(problem);
  reduced_.a0 = u;
  for (FrictionElement& element : reduced_.elements) {
    element.slides = element.holds = false;
    element.n0.setZero();
  }
  // From friction that sticks: without impulses all sliding goes on, and that is a solution, too.
  Forget();
  const WorkingResult result = set_.Solve(reduced_, {}, &stats_);
  *gamma = set_.lambda();
  bool stops = false;
  for (size_t k = 0; k < problem.friction.size(); ++k) {
    stops |= problem.friction[k].task == FrictionTask::kSlides && sticks(static_cast<int>(k));
  }
  Forget();
  return result.status == WorkingStatus::kSolved && stops && gamma->allFinite();
}

}  // namespace voigt
