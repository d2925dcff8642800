#include "voigt/kernels/opposing_force.h"
#include "voigt/kernels/working_set.h"

// Directions of creep where Newton's method has found a wrong one.
namespace voigt {

// B and c of an element: what a force on its rows does to their accelerations while all that is
// held stays held, and what is left of these without one. Then its direction. Whether it has one.
bool WorkingSet::TurnAgainst(int k) {
  const FrictionElement& element = problem_->elements[k];
  const int first = element.first_row, count = element.row_count;
  Mat3 B = Mat3::Zero();
  Vec3 c = Vec3::Zero();
  VecX response(problem_->rows());
  for (int i = 0; i < count; ++i) {
    CalcResponse(k, -Vec3::Unit(i), response);
    B.col(i).head(count) = problem_->A.middleRows(first, count) * response;
  }
  c.head(count) =
      a_.segment(first, count) - B.topLeftCorner(count, count) * lambda_.segment(first, count);
  bool stops = false;
  const Vec3 x = FindOpposing(0.5 * (B + B.transpose()), c, LimitOf(k), &stops);
  if (stops || !(x.norm() > 0)) return false;
  d_[k] = -x.normalized();
  Evaluate();
  return true;
}

// Newton's equations ask for accelerations along d, and do not say which way: where inertia differs
// a lot from one direction to another they have roots with friction that drives, and ways that lead
// nowhere. Elements that have come to such a root, or all of them, are turned to where friction
// opposes, unless they can stick. Whether there are any.
bool WorkingSet::TurnToOppose(bool all) {
  constexpr int kSweeps = 3;  // friction of one element bears on that of others
  bool any = false;
  for (int k = 0; k < static_cast<int>(states_.size()); ++k) {
    const FrictionElement& element = problem_->elements[k];
    if (states_[k] != FrictionState::kCreeps || element.row_count == 1) continue;
    if (!all && AlongOf(k) >= -settings_.tolerance * a_scale_) continue;
    any |= TurnAgainst(k);
  }
  for (int sweep = 1; any && sweep < kSweeps; ++sweep) {
    for (int k = 0; k < static_cast<int>(states_.size()); ++k) {
      const bool turns =
          states_[k] == FrictionState::kCreeps && problem_->elements[k].row_count > 1;
      if (turns) TurnAgainst(k);
    }
  }
  return any;
}

}  // namespace voigt
