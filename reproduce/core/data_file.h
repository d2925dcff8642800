#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace voigt::reproduce {

// What a paper or an independent calculation says of a quantity: a value with a tolerance, or
// bounds.
struct Claim {
  std::optional<double> value;
  double absolute = 0, relative = 0;   // tolerances of the value; the larger one counts
  std::optional<double> above, below;  // strict
  std::string says;                    // as it is printed; empty: as the numbers above
  std::string from;                    // place in the paper, or how it was computed

  bool Holds(double ours) const;
  std::string ToString() const;
};

// One number of a table or figure. At least one of the claims is there.
struct Quantity {
  std::string name, label, unit;
  std::optional<Claim> paper, reference;
  // Why the paper's value cannot be had. It needs a reference: an excuse alone proves nothing.
  std::string why_not;
  bool is_slow = false;  // left out by --quick
};

// A data file of reproduce/data: all that is said of one table or figure. Code only computes.
struct ExperimentData {
  std::string name;   // of the file, such as 000-table-2
  std::string paper;  // key of REFERENCES.md
  std::string place;  // in the paper, such as table 2
  std::string title, set_up;
  std::string remark;      // what the comparison taught; may be empty
  std::string missing;     // what the program lacks for it; empty: nothing
  bool is_timing = false;  // runs alone
  std::vector<Quantity> quantities;
  // Numbers that quantities are computed with, such as an exact state that errors are measured
  // from.
  std::map<std::string, std::vector<double>> constants;
  std::string constants_from;  // how they were computed
};

// Throws InputError with all problems.
ExperimentData ParseExperimentData(const std::string& text, const std::string& file,
                                   const std::string& name);

}  // namespace voigt::reproduce
