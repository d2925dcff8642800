#pragma once

#include <vector>

#include "voigt/formulations/impulse_space/impulse_island.h"

namespace voigt {

// Force laws γ(φ̇₁) of an island (problem/force_law.h) as linear rows γ = (b − φ̇₁)/R: the tangents
// at the rates of the last solution. Solving with them and taking new ones is Newton's method,
// which ends because γ falls with φ̇₁ and bends one way.
class LawTangents {
 public:
  // At the rates that the impulses γ of the island's rows make.
  void Start(const ImpulseIsland& island, const VecX& gamma);

  bool is_empty() const { return entries_.empty(); }

  // Puts the tangents into A and q.
  void Apply(ImpulseIsland* island);

  // Takes new ones from a solution; true if the old ones were good enough: there are no force laws,
  // or no impulse is off by more than rounding. `may_exceed`: impulses larger than their laws are
  // no fault, as long as the tangent's place stays.
  bool Update(const ImpulseIsland& island, const VecX& gamma, bool may_exceed = false);

 private:
  struct Entry {
    int row = 0;    // of the island
    int group = 0;  // of the island
    double w = 0;   // velocity per impulse of the row alone, without R
    double free_rate = 0;
    double rate = 0;      // φ̇₁ where the tangent touches
    double R = 0, b = 0;  // in A and q
  };
  double CalcRate(const ImpulseIsland& island, const VecX& gamma, const Entry& entry) const;

  std::vector<Entry> entries_;
};

}  // namespace voigt
