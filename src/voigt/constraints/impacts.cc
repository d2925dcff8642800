#include "voigt/constraints/impacts.h"

#include "voigt/constraints/contact_rows.h"
#include "voigt/math/sparse_rows.h"

namespace voigt {

std::string_view ToString(RestitutionLaw law) {
  switch (law) {
    case RestitutionLaw::kNewton:
      return "newton";
    case RestitutionLaw::kPoisson:
      return "poisson";
    case RestitutionLaw::kSequence:
      return "sequence";
  }
  return "";
}

void ListImpacts(const Model& model, const std::vector<Contact>& contacts,
                 const VelocityProblem& problem, const VecX& v0, std::vector<double>* rates,
                 std::vector<ImpactRow>* out) {
  out->clear();
  const double least = model.spec().contact.restitution_speed;
  int contact = 0;
  for (const RowGroup& group : problem.groups) {
    if (group.constraint != kContactGroup) continue;
    const int count = group.law == Law::kContact ? 1 : group.row_count;
    // One pair of surfaces made the group: its contacts are rigid together.
    const bool is_rigid = problem.rows[group.first_row].c == 0 && group.force_law.is_linear();
    if (!is_rigid) {
      contact += count;
      continue;
    }
    rates->resize(count);
    MultiplyRows(problem.entries(group, 0), count, problem.cols.data() + group.first_col,
                 group.col_count, v0.data(), rates->data());
    for (int k = 0; k < count; ++k, ++contact) {
      const Row& row = problem.rows[group.first_row + k];
      const double rate = (*rates)[k] + row.phi_t;
      if (!(rate < -least) || row.phi + problem.h * rate > 0) continue;
      out->push_back(
          {contact, group.first_row + k, rate, CombineSides(model, contacts[contact]).restitution});
    }
  }
}

}  // namespace voigt
