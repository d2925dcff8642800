#include "voigt/dynamics/joint_springs.h"

#include <array>

#include "voigt/model/joint_motion.h"

namespace voigt {
namespace {

using JointVector = std::array<double, kMaxJointDofs>;

// Calls visit(body, first dof, e) for every joint with a spring.
template <typename Visit>
void ForEachSpring(const Model& model, const VecX& q, Visit visit) {
  const Tree& tree = model.tree();
  if (!tree.has_springs) return;
  for (int b = 1; b < tree.nb; ++b) {
    const int first = tree.v_start[b], count = tree.nv_of(b);
    if (count == 0 || (tree.stiffness.segment(first, count).array() == 0).all()) continue;
    JointVector e;
    CalcDeflection(tree.type[b], q.data() + tree.q_start[b], tree.rest.data() + tree.q_start[b],
                   e.data());
    visit(b, first, e);
  }
}

}  // namespace

double CalcSpringEnergy(const Model& model, const VecX& q) {
  const Tree& tree = model.tree();
  double twice = 0;
  ForEachSpring(model, q, [&](int b, int first, const JointVector& e) {
    for (int k = 0; k < tree.nv_of(b); ++k) twice += tree.stiffness[first + k] * e[k] * e[k];
  });
  return 0.5 * twice;
}

void AddSpringForces(const Model& model, const VecX& q, VecX* tau) {
  const Tree& tree = model.tree();
  ForEachSpring(model, q, [&](int b, int first, const JointVector& e) {
    JointVector force;
    for (int k = 0; k < tree.nv_of(b); ++k) force[k] = -tree.stiffness[first + k] * e[k];
    DeflectionForceToJointForce(tree.type[b], e.data(), force.data());
    for (int k = 0; k < tree.nv_of(b); ++k) (*tau)[first + k] += force[k];
  });
}

}  // namespace voigt
