#pragma once

#include <string>
#include <vector>

#include "voigt/math/types.h"

namespace voigt::testing {

// A contact problem u = W γ + q, Coulomb friction μ per contact, as Siconos writes it.
struct FrictionContactData {
  std::string name;
  int dimension = 0;  // rows of a contact: 2 or 3
  MatX W;
  VecX q, mu;

  int contacts() const { return static_cast<int>(mu.size()); }
  // Largest |W − Wᵀ| over the largest entry. Some files were not symmetric when they were written.
  double asymmetry() const;
};

// Throws std::runtime_error with the file's name where sizes do not fit or numbers are missing.
FrictionContactData ReadFrictionContact(const std::string& path);

// Every file of the folder friction_contact of the reference data, by name.
std::vector<FrictionContactData> ReadAllFrictionContact();

// A linear complementarity problem w = N z + q: w = 0 with free z where lower = −∞, and 0 ≤ z ⟂ w ≥
// 0 where it is zero. upper = ∞.
struct ComplementarityData {
  std::string name;
  MatX N;
  VecX q, lower, upper;
};

// Every file of the folders lcp and mlcp of the reference data, by name.
std::vector<ComplementarityData> ReadAllComplementarity();

}  // namespace voigt::testing
