#pragma once

#include <vector>

#include "voigt/dynamics/articulated_body.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/math/tree_factor.h"

namespace voigt {

// A point of a body at which a mechanism is touched.
struct Node {
  int body = 0;
  Vec3 p_W = Vec3::Zero();
};

// The inverse operational-space inertia Λ⁻¹ = J M⁻¹ Jᵀ of n nodes: 6n × 6n, block (i, j) is the
// acceleration of node i for a unit force at node j. Two ways to the same matrix.

// Through the factor of M: M⁻¹ = L⁻¹ D⁻¹ L⁻ᵀ, Y = L⁻ᵀ Jᵀ along each node's path, Λ⁻¹ = Yᵀ D⁻¹ Y.
// O(n d² + n² d) for paths of d degrees of freedom.
class OperationalSpaceByFactor {
 public:
  void Calc(const Model& model, const Kinematics& kin, const TreeFactor& factor,
            const std::vector<Node>& nodes, Eigen::Ref<MatX> inverse_inertia);

 private:
  std::vector<Vec6> Y_;         // per node: its path from the root, one 6-vector a dof
  std::vector<Vec6> Y_over_D_;  // one node's, scaled
  std::vector<int> start_;
};

// By recursion from the base to the tips, O(N) + O(n²) [Kreutz-Delgado, Jain & Rodriguez 1992;
// Mylapilli & Jain 2014]: with the articulated factors of ArticulatedBody, a link answers a force
// on another link outside its own subtree through its parent alone,
//   Φ(x, y) = T_x Φ(parent x, y),   T_x = Π (1 − S Uᵀ / D) · shift,
//   Φ(x, x) = T_x Φ(parent x, parent x) T_xᵀ + Σ S Sᵀ / D  (carried through the factors).
// Only links with nodes and the branching points between them enter the table of pairs.
class OperationalSpaceByRecursion {
 public:
  void Calc(const Model& model, const Kinematics& kin, const ArticulatedBody& articulated,
            const std::vector<Node>& nodes, Eigen::Ref<MatX> inverse_inertia);

 private:
  void ChooseLinks(const Model& model, const std::vector<Node>& nodes);

  std::vector<int> links_;     // the links of the table, in the order of the tree
  std::vector<int> above_;     // per entry: the nearest link of the table above it, or -1
  std::vector<int> entry_of_;  // per body: its place in links_, or -1
  std::vector<int> marks_;     // per body: scratch for finding branching points
  std::vector<int> path_;      // scratch: the segment between two links of the table
  std::vector<Mat6> pairs_;    // Φ(x, y) at x * count + y
};

}  // namespace voigt
