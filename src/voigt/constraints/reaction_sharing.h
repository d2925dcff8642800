#pragma once

#include <Eigen/QR>
#include <vector>

#include "voigt/constraints/idle_forces.h"
#include "voigt/constraints/reaction_map.h"

namespace voigt {

// Loads that rigid bodies leave open: forces that move nothing go round through joints that close
// loops and joints of the tree, and how much each bears is a question of elasticity. Here it is one
// of least squares, of all forces and moments that joints bear; a bearing with friction bears
// moments by forces at its radius, other joints count N and N m alike.
class ReactionSharing {
 public:
  explicit ReactionSharing(const Model& model) : reactions_(model) {}

  // The rows that may share, rigid and bilateral, in ascending order, with the wrenches of all rows
  // and the friction of bearings. `is_known`: IdleForces.
  void Update(const Model& model, const ConstraintSet& constraints, const Kinematics& kin,
              const VelocityProblem& problem, const std::vector<int>& rows,
              const std::vector<char>& is_known, const std::vector<FrictionRows>& bearings,
              const std::vector<RowWrench>& wrenches);
  bool any() const { return Z_ != nullptr && Z_->cols() > 0; }
  // Whether joints of the tree have a part in it: otherwise it is least squares of rows alone.
  bool reaches_tree() const { return reaches_tree_; }

  // What is to be added to forces λ of these rows, where tree joints bear F per body, moment first;
  // and what that adds to the latter.
  const VecX& CalcChange(const VecX& lambda, const std::vector<Vec6>& F);
  void AddTreeChange(std::vector<Vec6>* F) const;

 private:
  void SetLevers(const ConstraintSet& constraints, const std::vector<int>& rows,
                 const std::vector<FrictionRows>& bearings, const std::vector<RowWrench>& wrenches);

  IdleForces idle_;
  const MatX* Z_ = nullptr;  // of idle_
  bool reaches_tree_ = false;
  std::vector<double> row_lever_, joint_lever_;  // m; per row, per body but the world
  MatX of_rows_, tree_;  // forces of tree joints by those of rows, and by those of idle directions
  MatX loads_;           // of rows and tree joints, as forces
  VecX load_, z_, change_, still_;
  Eigen::HouseholderQR<MatX> least_;
  ReactionMap reactions_;
};

}  // namespace voigt
