#include "voigt/dynamics/mass_matrix.h"

#include "voigt/base/check.h"
#include "voigt/dynamics/free_body.h"

namespace voigt {

void CalcMassMatrix(const Model& model, const Kinematics& kin, CompositeInertia* composite,
                    VecX* M) {
  const Tree& tree = model.tree();
  const TreePattern& pattern = tree.pattern;
  VOIGT_DCHECK(M->size() == pattern.nonzeros());
  std::vector<SpatialInertia>& I = composite->I;

  // Composite inertias, from the tips inwards.
  I = kin.I;
  for (int b = tree.nb - 1; b >= 1; --b) {
    if (tree.parent[b] > 0) I[tree.parent[b]] += I[b].ShiftedBy(kin.r[b]);
  }

  // The momentum of the outer part for each unit rate. It is formed at the link, where no lever arm
  // spoils it, and gives the entries within the joint; then it is carried to the root of the tree,
  // together with the axis of the rate.
  for (int b = 1; b < tree.nb; ++b) {
    if (tree.is_free_body[b]) {
      WriteFreeMass(tree, kin, b, M->data() + pattern.row_start(tree.v_start[b]));
      continue;
    }
    const Vec3 arm = kin.X_WL[b].p - kin.X_WL[tree.root[b]].p;
    const int first = tree.v_start[b], end = first + tree.dof_count[b];
    for (int k = first; k < end; ++k) {
      const Vec6 P = I[b] * kin.S[k];
      composite->P_root[k] = ShiftForce(P, arm);
      composite->S_root[k] = ShiftMotion(kin.S[k], -arm);
      double* const own = M->data() + pattern.row_start(k) + pattern.depth(first);
      for (int j = first; j < k; ++j) own[j - first] = kin.S[j].dot(P);
      own[k - first] = kin.S[k].dot(P) + tree.armature[k];
    }
  }

  // What the other rates on the path see of it. Read at one common point, the entries do not wait
  // for one another, as they would if the momentum were carried from joint to joint.
  for (int b = 1; b < tree.nb; ++b) {
    const int first = tree.v_start[b], end = first + tree.dof_count[b];
    const int outer = first < end ? pattern.depth(first) : 0;
    if (outer == 0) continue;
    for (int k = first; k < end; ++k) {
      double* const row = M->data() + pattern.row_start(k);
      const int* const path = pattern.path(k);
      const CompositeInertia::PackedVec6 P = composite->P_root[k];
      for (int d = 0; d < outer; ++d) row[d] = composite->S_root[path[d]].dot(P);
    }
  }
}

}  // namespace voigt
