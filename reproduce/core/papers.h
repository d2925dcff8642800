#pragma once

#include <string>
#include <string_view>

namespace voigt::reproduce {

// The paper of a key of REFERENCES.md in full; the key itself where it is none of these.
inline std::string CiteInFull(const std::string& key) {
  struct Paper {
    std::string_view key, citation;
  };
  for (const Paper& paper :
       {Paper{"Drumwright 2019",
              "E. M. Drumwright. An unconditionally stable first-order constraint solver for "
              "multibody systems. arXiv:1905.10828, 2019."},
        Paper{"Drumwright & Shell 2010",
              "E. Drumwright, D. A. Shell. Modeling contact friction and joint friction in dynamic "
              "robotic simulation using the principle of maximum dissipation. WAFR 2010."},
        Paper{"Mylapilli & Jain 2014",
              "H. Mylapilli, A. Jain. Evaluation of complementarity techniques for minimal "
              "coordinate contact dynamics. ASME DETC2014-34322, 2014."},
        Paper{"Sherman",
              "M. Sherman. Constraint- and reaction-dependent friction in Simbody. Working note."},
        Paper{"Anitescu, Miller & Hart 2003",
              "M. Anitescu, A. Miller, G. D. Hart. Constraint stabilization for time-stepping "
              "approaches for rigid multibody dynamics with joints, contact, and friction. ASME "
              "DETC03/VIB48432, 2003."}}) {
    if (paper.key == key) return std::string(paper.citation);
  }
  return key;
}

}  // namespace voigt::reproduce
