#include "voigt/model/element_check.h"

namespace voigt {

void CheckTerms(const ElementCheck& check, const ElementNames& names,
                const std::vector<JointTerm>& terms, bool scalar_only) {
  if (terms.empty()) check.Fail("has no terms");
  for (size_t i = 0; i < terms.size(); ++i) {
    const JointTerm& term = terms[i];
    check.Finite(term.factor, "factor");
    if (term.factor == 0) check.Fail(fmt::format("joint '{}' has the factor 0", term.joint));
    const JointType* const type =
        scalar_only ? names.ScalarJoint(check, term.joint) : names.Joint(check, term.joint);
    if (type == nullptr) continue;
    const int nv = DofCount(*type);
    if (term.dof < 0 || term.dof >= nv) {
      check.Fail(nv == 0 ? fmt::format("joint '{}' is fixed and has no rates", term.joint)
                         : fmt::format("dof = {} of joint '{}', expected {}", term.dof, term.joint,
                                       nv == 1 ? "0" : fmt::format("0 to {}", nv - 1)));
    }
    for (size_t j = 0; j < i; ++j) {
      if (terms[j].joint != term.joint || terms[j].dof != term.dof) continue;
      check.Fail(fmt::format("joint '{}' has two terms for the same coordinate", term.joint));
    }
  }
}

}  // namespace voigt
