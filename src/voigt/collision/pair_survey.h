#pragma once

#include <string>
#include <vector>

#include "voigt/base/errors.h"
#include "voigt/collision/collision_filter.h"
#include "voigt/model/model.h"

namespace voigt {

// "box 'lid' of body 'crate'", "half-space of the world".
std::string DescribeShape(const Model& model, int body, int geometry);

// Two shapes that may touch, and whose contact nothing finds: the first pair of these kinds.
struct UnsupportedPair {
  std::string A, B;
};

// Looks at the pairs of shapes that a model may bring together: each pair of kinds of shapes, and
// of materials, once.
struct PairSurvey {
  std::vector<UnsupportedPair> unsupported;  // one per pair of kinds
  ProblemList problems;                      // materials that cannot act together
  std::vector<std::string> notices;          // what materials say and contacts do not use
};

PairSurvey SurveyPairs(const Model& model, const CollisionFilter& filter);

}  // namespace voigt
