#pragma once

#include <vector>

#include "reproduce/core/trial.h"

namespace voigt::reproduce {

// A hand that closes on a glass [Anitescu, Miller & Hart 2003, figures 3 to 12], in maximal
// coordinates as there, where joints are rows.
struct HandRun {
  std::vector<Vec2> joints, contacts, total;  // infeasibility over time, m or rad
  std::vector<Vec2> glass;                    // way of the glass over time, m
  bool used_up = false;                       // it ended where the protective layer was used up
  double end = 0;                             // s
  long not_solved = 0;
};

HandRun RunHand(const Trial& trial, double stabilization);

double LargestOf(const std::vector<Vec2>& curve);

}  // namespace voigt::reproduce
