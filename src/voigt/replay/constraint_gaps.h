#pragma once

#include <string>
#include <vector>

#include "voigt/constraints/constraint_set.h"

namespace voigt {

// How far constraints are from being met: joints that close loops, rods, ropes, points on lines and
// in planes, limits, couplers, a user's own. Rows say it all: with unit forces f_i and gaps φ_i of
// the rows that hold places, the point that is held is off by Σ φ_i f_i; rows that hold directions
// give an angle. Rows that keep to one side count where they are violated.
//
// Rows on rates of joints hold no two bodies: their gap is shown at the joint with the largest
// entry g, as the displacement or angle φ/g of that joint which would close it alone.
class ConstraintGaps {
 public:
  struct Gap {
    Vec3 point = Vec3::Zero();    // on the second body, world, m
    Vec3 opening = Vec3::Zero();  // from where it should be to the point, m
    double turn = 0;              // size of the violated angles, rad
  };

  explicit ConstraintGaps(const Model& model);

  const std::vector<std::string>& names() const { return names_; }
  // Whether a constraint holds angles and no places.
  bool is_turn(size_t place) const { return is_turn_[place]; }

  // One for each name. `kin` has the poses and velocities of q and v.
  const std::vector<Gap>& Calc(const Model& model, const Kinematics& kin, const VecX& q,
                               const VecX& v, double t);

 private:
  void CollectRows(const ConstraintContext& at);
  const RowGroup& GroupOf(int row) const;
  bool Holds(int row) const;
  void Name(int row, bool is_turn);
  // Calls visit(row) for rows that are no wrenches.
  template <typename Visit>
  void ForEachRateRow(Visit visit) const;
  void AddRateGap(const Model& model, const Kinematics& kin, int row, Gap* gap) const;

  double weight_ = 0;  // of all bodies on Earth, N
  ConstraintSet set_;
  std::vector<int> place_of_;  // of each constraint of set_ in names_, −1 if it has none
  std::vector<std::string> names_;
  std::vector<bool> is_turn_;
  std::vector<Gap> gaps_;
  VelocityProblem problem_;
  std::vector<RowWrench> wrenches_;
};

}  // namespace voigt
