#include "voigt/dynamics/mass_matrix.h"

#include "voigt/base/check.h"

namespace voigt {

void CalcMassMatrix(const Model& model, const Kinematics& kin, CompositeInertia* composite,
                    VecX* M) {
  const Tree& tree = model.tree();
  const TreePattern& pattern = tree.pattern;
  VOIGT_DCHECK(M->size() == pattern.nonzeros());
  std::vector<SpatialInertia>& I = composite->I;
  std::vector<Vec6>& S_root = composite->S_root;

  // Composite inertias, from the tips inwards.
  I = kin.I;
  for (int b = tree.nb - 1; b >= 1; --b) {
    if (tree.parent[b] > 0) I[tree.parent[b]] += I[b].ShiftedBy(kin.r[b]);
  }

  // Row k: the momentum of the outer part for unit rate k, seen by every rate on its path. The
  // momentum is formed at the link, where no lever arm spoils it, and carried once to the root of
  // the tree, where all axes of the path are kept too: the entries of a row then do not wait for
  // one another, as they do when the momentum is carried from joint to joint.
  for (int b = 1; b < tree.nb; ++b) {
    const Vec3 arm = kin.X_WL[b].p - kin.X_WL[tree.root[b]].p;
    const int first = tree.v_start[b], end = first + tree.nv_of(b);
    for (int k = first; k < end; ++k) S_root[k] = ShiftMotion(kin.S[k], -arm);
    for (int k = first; k < end; ++k) {
      const Vec6 P = I[b] * kin.S[k];
      const Vec6 P_root = ShiftForce(P, arm);
      double* const row = M->data() + pattern.row_start(k);
      const int* const path = pattern.path(k);
      const int own = pattern.depth(first);
      for (int d = 0; d < own; ++d) row[d] = S_root[path[d]].dot(P_root);
      for (int j = first; j <= k; ++j) row[own + j - first] = kin.S[j].dot(P);
      row[pattern.depth(k)] += tree.armature[k];
    }
  }
}

}  // namespace voigt
