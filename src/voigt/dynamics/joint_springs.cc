#include "voigt/dynamics/joint_springs.h"

#include "voigt/model/joint_motion.h"

namespace voigt {
namespace {

using JointVector = Eigen::Matrix<double, kMaxJointDofs, 1>;

// Calls visit(body, first dof, e) for every joint with a spring.
template <typename Visit>
void ForEachSpring(const Model& model, const VecX& q, Visit visit) {
  const Tree& tree = model.tree();
  if (!tree.has_springs) return;
  for (int b = 1; b < tree.nb; ++b) {
    const int first = tree.v_start[b], count = tree.dof_count[b];
    if (count == 0 || (tree.stiffness.segment(first, count).array() == 0).all()) continue;
    JointVector e = JointVector::Zero();
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
    for (int k = 0; k < tree.dof_count[b]; ++k) twice += tree.stiffness[first + k] * e[k] * e[k];
  });
  return 0.5 * twice;
}

void AddSpringForces(const Model& model, const VecX& q, VecX* tau) {
  const Tree& tree = model.tree();
  ForEachSpring(model, q, [&](int b, int first, const JointVector& e) {
    JointVector force = JointVector::Zero();
    const int count = tree.dof_count[b];
    force.head(count) = tree.stiffness.segment(first, count).cwiseProduct(e.head(count));
    if (HasQuaternion(tree.type[b])) {
      force = CalcDeflectionRateMatrix(tree.type[b], e.data()).transpose() * force;
    }
    tau->segment(first, count) -= force.head(count);
  });
}

void AddImplicitSprings(const Model& model, const VecX& q, const VecX& v0, double h, VecX* tau,
                        VecX* M) {
  const Tree& tree = model.tree();
  const TreePattern& pattern = tree.pattern;
  ForEachSpring(model, q, [&](int b, int first, const JointVector& e) {
    const int count = tree.dof_count[b];
    if (!HasQuaternion(tree.type[b])) {  // A is the identity
      for (int i = 0; i < count; ++i) {
        const int k = first + i;
        (*tau)[k] -= tree.stiffness[k] * (e[i] + h * v0[k]);
        (*M)[pattern.row_start(k) + pattern.depth(k)] += h * h * tree.stiffness[k];
      }
      return;
    }
    const DeflectionRateMatrix A = CalcDeflectionRateMatrix(tree.type[b], e.data());
    JointVector K = JointVector::Zero(), v = JointVector::Zero();
    K.head(count) = tree.stiffness.segment(first, count);
    v.head(count) = v0.segment(first, count);
    const JointVector force = A.transpose() * K.cwiseProduct(e + h * (A * v));
    const DeflectionRateMatrix stiffness = A.transpose() * K.asDiagonal() * A;
    tau->segment(first, count) -= force.head(count);
    for (int i = 0; i < count; ++i) {
      // A joint's dofs follow one another on every path through them.
      const int row = pattern.row_start(first + i) + pattern.depth(first);
      for (int j = 0; j <= i; ++j) (*M)[row + j] += h * h * stiffness(i, j);
    }
  });
}

void AddSpringSurplus(const Model& model, const VecX& q0, const VecX& q1, const VecX& v1,
                      const VecX& v, double h, std::vector<double>* energy) {
  const Tree& tree = model.tree();
  ForEachSpring(model, q0, [&](int b, int first, const JointVector& e) {
    const int count = tree.dof_count[b];
    const auto rate = [&](const VecX& rates) {
      JointVector out = JointVector::Zero();
      out.head(count) = rates.segment(first, count);
      if (!HasQuaternion(tree.type[b])) return out;
      return JointVector(CalcDeflectionRateMatrix(tree.type[b], e.data()) * out);
    };
    const JointVector e_dot_1 = rate(v1), e_dot = rate(v);
    JointVector end = JointVector::Zero();
    CalcDeflection(tree.type[b], q1.data() + tree.q_start[b], tree.rest.data() + tree.q_start[b],
                   end.data());
    for (int k = 0; k < count; ++k) {
      const double change = 0.5 * (end[k] - e[k]) * (end[k] + e[k]);
      const double work = h * e_dot[k] * (e[k] + h * e_dot_1[k]);
      (*energy)[tree.root[b]] += tree.stiffness[first + k] * (change - work);
    }
  });
}

}  // namespace voigt
