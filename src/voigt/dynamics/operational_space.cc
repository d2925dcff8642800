#include "voigt/dynamics/operational_space.h"

#include <algorithm>

#include "voigt/base/check.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

// A ← X A for the shift X of motions by r: linear rows gain ω × r.
template <typename Matrix>
void ShiftRows(const Vec3& r, Matrix* A) {
  A->template bottomRows<3>() -= CrossMatrix(r) * A->template topRows<3>();
}

}  // namespace

void OperationalSpaceByFactor::Calc(const Model& model, const Kinematics& kin,
                                    const TreeFactor& factor, const std::vector<Node>& nodes,
                                    Eigen::Ref<MatX> inverse_inertia) {
  const Tree& tree = model.tree();
  const TreePattern& pattern = tree.pattern;
  const int count = static_cast<int>(nodes.size());
  VOIGT_DCHECK(inverse_inertia.rows() == 6 * count && inverse_inertia.cols() == 6 * count);
  const auto path_length = [&](int i) {
    const int last = tree.last_dof[nodes[i].body];
    return last < 0 ? 0 : pattern.depth(last) + 1;
  };
  start_.assign(1, 0);
  for (int i = 0; i < count; ++i) start_.push_back(start_.back() + path_length(i));
  if (Y_.size() < static_cast<size_t>(start_.back())) Y_.resize(start_.back());

  // Y = L⁻ᵀ Jᵀ, where Jᵀ is non-zero on the node's path only, and L⁻ᵀ stays on it.
  for (int i = 0; i < count; ++i) {
    const int length = path_length(i);
    if (length == 0) continue;
    Vec6* const y = Y_.data() + start_[i];
    const int* const path = pattern.path(tree.last_dof[nodes[i].body]);
    for (int d = 0; d < length; ++d) {
      y[d] = ShiftMotion(kin.S[path[d]], nodes[i].p_W - kin.X_WL[tree.dof_body[path[d]]].p);
    }
    for (int d = length - 1; d > 0; --d) {
      const double* const row = factor.row(pattern, path[d]);
      for (int a = 0; a < d; ++a) y[a] -= row[a] * y[d];
    }
  }

  // Λ⁻¹(i, j) = Σ over the common part of the two paths.
  for (int i = 0; i < count; ++i) {
    const int length = path_length(i);
    const int last_i = tree.last_dof[nodes[i].body];
    if (Y_over_D_.size() < static_cast<size_t>(length)) Y_over_D_.resize(length);
    for (int d = 0; d < length; ++d) {
      Y_over_D_[d] = Y_[start_[i] + d] * factor.D_inverse()[pattern.path(last_i)[d]];
    }
    for (int j = 0; j <= i; ++j) {
      Mat6 block = Mat6::Zero();
      const int common = pattern.CommonPathLength(last_i, tree.last_dof[nodes[j].body]);
      const Vec6* const y_j = Y_.data() + start_[j];
      for (int d = 0; d < common; ++d) block.noalias() += Y_over_D_[d] * y_j[d].transpose();
      inverse_inertia.block<6, 6>(6 * i, 6 * j) = block;
      if (i != j) inverse_inertia.block<6, 6>(6 * j, 6 * i) = block.transpose();
    }
  }
}

// The table holds every link with a node and every link where the paths of two nodes part.
void OperationalSpaceByRecursion::ChooseLinks(const Model& model, const std::vector<Node>& nodes) {
  const Tree& tree = model.tree();
  // marks: -1 not on any node's path, otherwise the table link last seen below, or the link itself.
  marks_.assign(tree.nb, -1);
  entry_of_.assign(tree.nb, -1);
  const auto choose = [&](int b) { entry_of_[b] = 0; };
  for (const Node& node : nodes) {
    if (node.body > 0) choose(node.body);
  }
  for (int b = tree.nb - 1; b >= 1; --b) {
    if (entry_of_[b] == 0) marks_[b] = b;
    if (marks_[b] < 0) continue;
    const int up = tree.parent[b];
    if (up == 0) continue;
    if (marks_[up] >= 0 && marks_[up] != marks_[b]) choose(up);
    marks_[up] = entry_of_[up] == 0 ? up : marks_[b];
  }
  links_.clear();
  above_.clear();
  for (int b = 1; b < tree.nb; ++b) {
    if (entry_of_[b] != 0) continue;
    entry_of_[b] = static_cast<int>(links_.size());
    links_.push_back(b);
    int up = tree.parent[b];
    while (up > 0 && entry_of_[up] < 0) up = tree.parent[up];
    above_.push_back(up > 0 ? entry_of_[up] : -1);
  }
}

void OperationalSpaceByRecursion::Calc(const Model& model, const Kinematics& kin,
                                       const ArticulatedBody& articulated,
                                       const std::vector<Node>& nodes,
                                       Eigen::Ref<MatX> inverse_inertia) {
  const Tree& tree = model.tree();
  ChooseLinks(model, nodes);
  const int count = static_cast<int>(links_.size());
  const size_t stride = count;
  if (pairs_.size() < stride * stride) pairs_.resize(stride * stride);
  const auto pair = [&](int x, int y) -> Mat6& { return pairs_[x * stride + y]; };

  for (int x = 0; x < count; ++x) {
    // The segment from the link of the table above x (or the world) down to x.
    path_.clear();
    const int stop = above_[x] < 0 ? 0 : links_[above_[x]];
    for (int b = links_[x]; b != stop; b = tree.parent[b]) path_.push_back(b);

    // Carry T and Φ(x, x) along it, joint by joint and dof by dof.
    Mat6 T = Mat6::Identity();
    Mat6 Phi = above_[x] < 0 ? Mat6(Mat6::Zero()) : pair(above_[x], above_[x]);
    for (auto b = path_.rbegin(); b != path_.rend(); ++b) {
      ShiftRows(kin.r[*b], &T);
      ShiftRows(kin.r[*b], &Phi);
      Phi.transposeInPlace();
      ShiftRows(kin.r[*b], &Phi);
      const int first = tree.v_start[*b];
      for (int k = first; k < first + tree.dof_count[*b]; ++k) {
        const Vec6 s = kin.S[k] / articulated.D[k];
        T -= s * (articulated.U[k].transpose() * T).eval();
        Phi -= s * (articulated.U[k].transpose() * Phi).eval();
        Phi -= (Phi * articulated.U[k]).eval() * s.transpose();
        Phi += s * kin.S[k].transpose();
      }
    }
    pair(x, x) = Phi;
    for (int y = 0; y < x; ++y) {
      if (above_[x] < 0) {
        pair(x, y).setZero();
      } else {
        pair(x, y).noalias() = T * pair(above_[x], y);
      }
      pair(y, x) = pair(x, y).transpose();
    }
  }

  // From link origins to nodes.
  const int node_count = static_cast<int>(nodes.size());
  VOIGT_DCHECK(inverse_inertia.rows() == 6 * node_count);
  for (int i = 0; i < node_count; ++i) {
    for (int j = 0; j <= i; ++j) {
      const int x = entry_of_[nodes[i].body], y = entry_of_[nodes[j].body];
      Mat6 block = Mat6::Zero();
      if (nodes[i].body > 0 && nodes[j].body > 0) {
        block = pair(x, y);
        ShiftRows(nodes[i].p_W - kin.X_WL[nodes[i].body].p, &block);
        block.transposeInPlace();
        ShiftRows(nodes[j].p_W - kin.X_WL[nodes[j].body].p, &block);
        block.transposeInPlace();
      }
      inverse_inertia.block<6, 6>(6 * i, 6 * j) = block;
      if (i != j) inverse_inertia.block<6, 6>(6 * j, 6 * i) = block.transpose();
    }
  }
}

}  // namespace voigt
