#pragma once

#include <vector>

#include "voigt/constraints/constraint_set.h"
#include "voigt/constraints/idle_forces.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/math/disjoint_sets.h"

namespace voigt {

// Loads that rigid bodies leave open: forces that move nothing go round through joints that close
// loops and joints of the tree, and how much each bears is a question of elasticity. Here it is one
// of least squares, of all forces and moments that joints bear; a bearing with friction bears
// moments by forces at its radius, other joints count N and N m alike.
//
// Each part of a model that such forces may go round in is a problem of its own: mechanisms side by
// side cost as much as one by one.
class ReactionSharing {
 public:
  explicit ReactionSharing(const Model& model);

  // The rows that may share, rigid and bilateral, in ascending order, with the wrenches of all rows
  // and the friction of bearings. `is_known`: IdleForces.
  void Update(const ConstraintSet& constraints, const Kinematics& kin,
              const VelocityProblem& problem, const std::vector<int>& rows,
              const std::vector<char>& is_known, const std::vector<FrictionRows>& bearings,
              const std::vector<RowWrench>& wrenches);
  bool any() const { return any_; }
  // Whether joints of the tree have a part in it: otherwise it is least squares of rows alone.
  bool reaches_tree() const { return reaches_tree_; }

  // What is to be added to forces λ of these rows, where tree joints bear F per body, moment first;
  // and what that adds to the latter.
  const VecX& CalcChange(const VecX& lambda, const std::vector<Vec6>& F);
  void AddTreeChange(std::vector<Vec6>* F) const;

 private:
  // Rows and bodies with their tree joints that forces which move nothing may connect.
  struct Part {
    std::vector<int> rows, places;  // of the problem, and where they are in the list
    std::vector<int> bodies;
    IdleForces idle;
    MatX loads;  // of rows, then of tree joints, that move nothing; an orthonormal basis of forces
    VecX along;  // how much of each there is in a load
    VecX load;   // at first the load, then what is to be added to it
  };

  void FindParts(const VelocityProblem& problem, const std::vector<int>& rows,
                 const std::vector<RowWrench>& wrenches);
  void SortIntoParts(const std::vector<int>& rows);
  void AddTreeLoads(const Kinematics& kin, const std::vector<RowWrench>& wrenches);
  void SetLevers(const ConstraintSet& constraints, const std::vector<FrictionRows>& bearings,
                 const std::vector<RowWrench>& wrenches);
  void CountAsForces(Part* part);
  template <typename Visit>
  void ForEachBodyBetween(const RowWrench& wrench, Visit visit) const;

  const Tree& tree_;
  std::vector<int> body_of_rate_;
  std::vector<Part> parts_;  // the first part_count_ of them: the others keep their memory
  int part_count_ = 0;
  bool any_ = false, reaches_tree_ = false;
  DisjointSets joined_;            // bodies
  std::vector<int> place_of_row_;  // of the problem; −1: not in the list
  std::vector<int> body_of_row_;   // of the list: one of the bodies it connects; 0: none
  std::vector<int> part_of_body_, place_in_part_;
  std::vector<double> row_lever_, joint_lever_, constraint_lever_, loop_lever_;  // m
  VecX change_;
};

}  // namespace voigt
