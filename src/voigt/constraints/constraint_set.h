#pragma once

#include <memory>
#include <vector>

#include "voigt/constraints/constraint.h"
#include "voigt/constraints/reaction_friction.h"
#include "voigt/constraints/row_writer.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// All constraints of a model: loop joints, limits, joint friction, and those that the scene or the
// user adds; contact is not among them. The order is that of the model, so that row numbers are the
// same from step to step: joints of the tree, loops, loads and drives, tendons and actuators,
// constraints of the scene, those of the user.
class ConstraintSet {
 public:
  explicit ConstraintSet(const Model& model);

  const std::vector<std::shared_ptr<const Constraint>>& list() const { return list_; }
  bool empty() const { return list_.empty(); }

  // The loop joint that a constraint of list() is or belongs to, −1 if none.
  int loop_of(int constraint) const { return loop_of_[constraint]; }

  // Appends the rows of all constraints; RowGroup::constraint is the place in list(). Their
  // wrenches are listed too where somebody asks for them.
  void AddRows(const ConstraintContext& at, VelocityProblem* problem,
               std::vector<RowWrench>* wrenches = nullptr) const;

  // Appends the rows of friction that comes from reactions, groups of Law::kBounded without bounds,
  // and tells in *out where their normal forces come from. Their ids have kFrictionId.
  void AddFriction(const ConstraintContext& at, VelocityProblem* problem,
                   std::vector<RowWrench>* wrenches, std::vector<FrictionRows>* out) const;
  bool has_reaction_friction() const { return has_reaction_friction_; }
  static constexpr std::uint64_t kFrictionId = std::uint64_t{1} << 31;

 private:
  std::vector<std::shared_ptr<const Constraint>> list_;
  std::vector<int> loop_of_;
  bool has_reaction_friction_ = false;
};

}  // namespace voigt
