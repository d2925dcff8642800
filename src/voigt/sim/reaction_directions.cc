#include <algorithm>
#include <cmath>

#include "voigt/kernels/opposing_force.h"
#include "voigt/math/rotation.h"
#include "voigt/sim/reaction_passes.h"

// Directions of friction with several rows.
namespace voigt {

// The row along `direction` first: Q' = Q R with R's first column the direction in terms of Q.
void ReactionPasses::Turn(const Vec3& direction, Element* element, VelocityProblem* problem) const {
  const int count = problem->groups[element->group].row_count;
  if (count == 1) return;
  Mat3 R = Mat3::Identity();
  const Vec3 d = direction.normalized();
  if (count == 2) {
    R << d[0], -d[1], 0, d[1], d[0], 0, 0, 0, 1;
  } else {
    const Mat3 frame = RotationWithZ(d);
    R << frame.col(2), frame.col(0), frame.col(1);
  }
  TurnRows(R, *element, problem);
  element->Q = element->Q * R;
  problem->w.clear();
}

// G ← Rᵀ G.
void ReactionPasses::TurnRows(const Mat3& R, const Element& element,
                              VelocityProblem* problem) const {
  const RowGroup& group = problem->groups[element.group];
  const int count = group.row_count;
  for (int c = 0; c < group.col_count; ++c) {
    double* const entry = problem->G.data() + group.first_entry + c;
    Vec3 column = Vec3::Zero();
    for (int r = 0; r < count; ++r) column[r] = entry[r * group.col_count];
    const Vec3 turned = R.transpose() * column;
    for (int r = 0; r < count; ++r) entry[r * group.col_count] = turned[r];
  }
}

Vec3 ReactionPasses::CalcRates(const VelocityProblem& problem, const Element& element,
                               const VecX& v) {
  const RowGroup& group = problem.groups[element.group];
  const auto cols = problem.cols_of(group);
  Vec3 out = Vec3::Zero();
  for (int r = 0; r < group.row_count; ++r) {
    for (int c = 0; c < group.col_count; ++c) out[r] += problem.entries(group, r)[c] * v[cols[c]];
  }
  return out;
}

// W = G M⁻¹ Gᵀ of rows as they were written.
void ReactionPasses::CalcResponse(const VelocityProblem& problem, Element* element) {
  const RowGroup& group = problem.groups[element->group];
  const auto cols = problem.cols_of(group);
  for (int r = 0; r < group.row_count; ++r) {
    column_.setZero(problem.nv());
    for (int c = 0; c < group.col_count; ++c) column_[cols[c]] += problem.entries(group, r)[c];
    problem.factor->Solve(*problem.pattern, column_);
    element->W.col(r) = CalcRates(problem, *element, column_);
  }
}

// Its rows are as they were written.
void ReactionPasses::BeginSlip(const Vec3& direction, Element* element, VelocityProblem* problem) {
  const bool has_direction = problem->groups[element->group].row_count > 1;
  if (has_direction) CalcResponse(*problem, element);
  Turn(direction, element, problem);
}

void ReactionPasses::TurnToSlip(VelocityProblem* problem) {
  for (Element& element : elements_) {
    if (!element.sticks) BeginSlip(element.direction, &element, problem);
  }
}

// Impulses of rows that may have been turned are no start.
void ReactionPasses::ForgetTurned(const VelocityProblem& problem) {
  for (const Element& element : elements_) {
    const RowGroup& group = problem.groups[element.group];
    if (group.row_count > 1) start_.segment(group.first_row, group.row_count).setZero();
  }
}

// The direction of slip where the step ends, of an element that slides: friction within its bound
// opposes what slip it leaves, as far as its own rows can tell.
Vec3 ReactionPasses::FindEndDirection(const VelocityProblem& problem, const Element& element,
                                      const Solution& solution, double bound) const {
  const Vec3 impulse = element.Q * TakeImpulse(problem, element, solution.gamma);
  const Vec3 slip = element.Q * CalcRates(problem, element, solution.v1);
  bool stops = false;
  const Vec3 opposing = FindOpposing(0.5 * (element.W + element.W.transpose()),
                                     slip - element.W * impulse, bound, &stops);
  const double size = opposing.norm();
  return size > 0 ? Vec3(-opposing / size) : Vec3(element.Q.col(0));
}

void ReactionPasses::ListDirected(const VelocityProblem& problem) {
  directed_.clear();
  for (int k = 0; k < static_cast<int>(elements_.size()); ++k) {
    const Element& element = elements_[k];
    const bool is_directed = !element.sticks && problem.groups[element.group].row_count > 1;
    if (is_directed) directed_.push_back(k);
  }
}

void ReactionPasses::FindEndDirections(const VelocityProblem& problem, const Solution& solution) {
  next_directions_.clear();
  for (int k : directed_) {
    const Element& element = elements_[k];
    const double bound = problem.h * element.mu * N_next_[k];
    next_directions_.push_back(FindEndDirection(problem, element, solution, bound));
  }
}

bool ReactionPasses::DirectionsStay(const VelocityProblem& problem,
                                    const Solution& solution) const {
  const double rates = RatesOf(problem, solution);
  for (size_t i = 0; i < directed_.size(); ++i) {
    const Element& element = elements_[directed_[i]];
    const double change = (next_directions_[i] - element.Q.col(0)).norm();
    const double w = problem.w[problem.groups[element.group].first_row];
    const double across = w * problem.h * element.mu * N_next_[directed_[i]] * change;
    if (change > kSettled && across > kRoundingOfRates * rates) return false;
  }
  return true;
}

}  // namespace voigt
