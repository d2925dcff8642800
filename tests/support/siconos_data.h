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

}  // namespace voigt::testing
