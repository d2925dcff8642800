#include "voigt/steppers/integrate.h"

#include <array>

#include "voigt/base/check.h"
#include "voigt/model/joint_motion.h"

namespace voigt {

void IntegratePositions(const Model& model, const VecX& v, double h, VecX* q) {
  const Tree& tree = model.tree();
  VOIGT_DCHECK(v.size() == tree.nv && q->size() == tree.nq);
  for (int b = 1; b < tree.nb; ++b) {
    std::array<double, kMaxJointDofs> step;
    for (int k = 0; k < tree.dof_count[b]; ++k) step[k] = h * v[tree.v_start[b] + k];
    IntegrateCoordinates(tree.type[b], step.data(), q->data() + tree.q_start[b]);
  }
}

void CalcPositionRates(const Model& model, const VecX& q, const VecX& v, VecX* q_dot) {
  const Tree& tree = model.tree();
  for (int b = 1; b < tree.nb; ++b) {
    CalcCoordinateRates(tree.type[b], q.data() + tree.q_start[b], v.data() + tree.v_start[b],
                        q_dot->data() + tree.q_start[b]);
  }
}

void NormalizePositions(const Model& model, VecX* q) {
  const Tree& tree = model.tree();
  for (int b = 1; b < tree.nb; ++b) {
    NormalizeCoordinates(tree.type[b], q->data() + tree.q_start[b]);
  }
}

}  // namespace voigt
