#pragma once

#include <Eigen/QR>
#include <vector>

#include "voigt/constraints/build_problem.h"
#include "voigt/constraints/idle_forces.h"

namespace voigt {

// Least squares of what joints bear, where rigid bodies leave that open (idle_forces.h), of a step:
// formulations find one of many λ, each another one, and friction is to come from the same.
class ReactionSharing {
 public:
  explicit ReactionSharing(const Model& model) : reactions_(model) {}

  // At the start of a step.
  void Update(const Model& model, const ConstraintSet& constraints, const Kinematics& kin,
              const VelocityProblem& problem, const ReactionFrictionRows& friction);
  bool any() const { return Z_ != nullptr && Z_->cols() > 0; }

  // Forces on rows, and those of tree joints per body, moment first: both become the least ones.
  void Share(VecX* lambda, std::vector<Vec6>* F);

 private:
  void ListRows(const Model& model, const VelocityProblem& problem);
  double FindLever(const ConstraintSet& constraints, const ReactionFrictionRows& friction, int body,
                   const RowWrench* wrench) const;

  std::vector<int> rows_;  // of the problem: rigid and bilateral
  std::vector<double> row_lever_, joint_lever_;
  MatX G_T_;
  IdleForces idle_;
  const MatX* Z_ = nullptr;  // of idle_
  MatX tree_;  // forces and moments of joints in the tree, by those of idle directions
  MatX loads_, of_rows_;
  VecX load_, z_, still_;
  Eigen::HouseholderQR<MatX> least_;
  ReactionMap reactions_;
};

}  // namespace voigt
