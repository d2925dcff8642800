#pragma once

#include <string>
#include <vector>

#include "reproduce/core/trial.h"

namespace voigt::reproduce {

// A row of tables 1 and 2 [Drumwright 2019, §5.5].
struct FoundationCase {
  int per_side;  // elements: its square
  const char *E, *load;

  // Such as 5N_100_1e7, of quantities and constants.
  std::string name() const;
};

const std::vector<FoundationCase>& ListFoundationCases();

struct FoundationRun {
  VecX pose;             // after 1 s: x, y, z and the quaternion
  double wall_time = 0;  // s
};

FoundationRun RunFoundation(const Trial& trial, const FoundationCase& c, double h,
                            const std::string& formulation = "compliant");

}  // namespace voigt::reproduce
