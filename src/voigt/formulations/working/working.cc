#include "voigt/formulations/working/working.h"

namespace voigt {

void Working::Reduce(const AccelerationProblem& problem) {
  reduced_.A = problem.A;
  reduced_.a0 = problem.a0;
  reduced_.a_scale = problem.a_scale;
  reduced_.unit = problem.unit;
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
    element.drop = block.task == FrictionTask::kDecides ? block.drop : 1;
    element.slides = block.task == FrictionTask::kSlides;
    element.begins = block.task == FrictionTask::kBegins;
    element.holds = block.task == FrictionTask::kHolds;
    element.direction = block.direction;
    element.normal_row = block.normal_row;
    element.normal_offset = 0;
    element.C = block.C;
    element.n0 = block.n0;
  }
}

WorkingResult Working::Solve(const AccelerationProblem& problem, VecX* lambda) {
  Reduce(problem);
  const WorkingResult result = set_.Solve(reduced_, settings_, &stats_);
  *lambda = set_.lambda();
  if (result.status == WorkingStatus::kSolved) return result;
  lambda->setConstant(kNaN);
  Forget();
  return result;
}

// The same problem on rates, with all friction to decide.
void Working::ReduceToImpulses(const AccelerationProblem& problem, const VecX& u) {
  Reduce(problem);
  reduced_.a0 = u;
  reduced_.a_scale = 0;
  for (FrictionElement& element : reduced_.elements) {
    element.slides = element.begins = element.holds = false;
    element.drop = 1;
    element.n0.setZero();
  }
}

bool Working::SolveImpact(const AccelerationProblem& problem, const VecX& u, const VecX& e, VecX* x,
                          VecX* gamma) {
  ReduceToImpulses(problem, u);
  Forget();
  if (set_.Solve(reduced_, settings_, &stats_).status != WorkingStatus::kSolved) return false;
  *x = *gamma = set_.lambda();
  const VecX known = e.cwiseProduct(*x).cwiseMax(0);
  if (known.isZero(0)) return gamma->allFinite();
  *gamma += known;
  reduced_.a0 = u + problem.A * *gamma;
  for (FrictionElement& element : reduced_.elements) {
    if (element.normal_row >= 0) element.normal_offset = known[element.normal_row];
    if (!element.is_of_row()) element.n0 = element.C * known;
  }
  Forget();
  const bool is_solved = set_.Solve(reduced_, settings_, &stats_).status == WorkingStatus::kSolved;
  *gamma += set_.lambda();
  Forget();
  return is_solved && gamma->allFinite();
}

bool Working::SolveLock(const AccelerationProblem& problem, const VecX& u, VecX* gamma) {
  ReduceToImpulses(problem, u);
  // From friction that sticks: without impulses all sliding goes on, and that is a solution, too.
  Forget();
  const WorkingResult result = set_.Solve(reduced_, settings_, &stats_);
  *gamma = set_.lambda();
  bool stops = false;
  for (size_t k = 0; k < problem.friction.size(); ++k) {
    stops |= problem.friction[k].is_sliding() && sticks(static_cast<int>(k));
  }
  Forget();
  return result.status == WorkingStatus::kSolved && stops && gamma->allFinite();
}

}  // namespace voigt
