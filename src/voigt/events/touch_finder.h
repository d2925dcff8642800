#pragma once

#include <cstdint>
#include <vector>

#include "voigt/collision/contact_finder.h"
#include "voigt/constraints/constraint_set.h"
#include "voigt/events/moving_rows.h"
#include "voigt/events/soft_normal.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// A contact point or a joint's limit: what may close.
struct Touch {
  std::uint64_t id = 0;   // Contact::id, or RowGroup::id of a limit
  double phi = 0;         // m, rad
  double phi_dot = 0;     // m/s, rad/s
  int normal = 0;         // its row
  int tangent = -1;       // the first of two rows; −1 where there is no friction
  int group = 0;          // of these rows
  double mu = 0;          // of Coulomb's friction, while it slides as fast as it does,
  double mu_kinetic = 0;  // and as it does far above
  double drop_speed = 0;  // this speed, m/s; 0: whatever the speed is
  double mu_static = 0;   // while it is at rest, at least as much
  double viscous = 0;     // N s/m
  double restitution = 0;
  Vec3 t1 = Vec3::Zero(), t2 = Vec3::Zero();  // the tangents, in world axes
  Vec3 slip = Vec3::Zero();                   // velocity along them, in world axes, m/s
  SoftNormal soft;                            // of one that yields
  double push = 0;                            // its force there by that law, N

  bool is_soft() const { return soft.is_soft(); }
  bool has_friction() const { return tangent >= 0 && mu_static > 0; }
  bool is_known = false;  // all that it moves is prescribed
  // Of one that yields: whether it presses.
  bool presses() const { return push > 0; }
};

// Friction that comes from a reaction: that of a joint or of a guided point.
struct Guide {
  std::uint64_t id = 0;            // RowGroup::id
  FrictionRows rows;               // of the finder's problem
  std::uint64_t normal_touch = 0;  // the touch without which there is no friction, if one-sided,
  bool is_of_row = false;          // and its force is N
  Vec3 rate = Vec3::Zero();        // of its rows, as many entries as it has
  double mu_static = 0;            // times the radius of a bearing, as
  double mu_sliding = 0;           // that at its speed is
};

// All constraints of a model at one moment as rows φ, G: rigid bilateral ones, touches and guides.
class TouchFinder {
 public:
  explicit TouchFinder(const Model& model);

  // How far ahead to look, as the length of a step, where only what is closed matters, s.
  static constexpr double kLook = 1e-3;

  // At (t, q, v), with the touches that a step of length h may close. With `only`, sorted, just
  // those contacts, however many more there are.
  void Update(double t, const VecX& q, const VecX& v, double h,
              const std::vector<std::uint64_t>* only = nullptr);

  const std::vector<Touch>& touches() const { return touches_; }  // limits, then contacts by id
  const Touch* Find(std::uint64_t id) const;
  const std::vector<Guide>& guides() const { return guides_; }  // by id
  const Guide* FindGuide(std::uint64_t id) const;
  const std::vector<int>& bilateral_rows() const { return bilateral_; }
  // The wrenches of all rows, where there are guides, or where they are asked for: what reactions
  // come from.
  const std::vector<RowWrench>& wrenches() const { return wrenches_; }
  void AskForWrenches() { has_wrenches_ = true; }
  // The contacts among the touches, in the order of their rows.
  void ListContacts(std::vector<Contact>* out) const;
  const ConstraintSet& constraints() const { return constraints_; }

  // Rows that only move rates whose motion is prescribed take no part from here on: no force could
  // change them. What is prescribed has to agree with them, and friction on them is for those who
  // move it to bear.
  void SetPrescribed(const std::vector<char>& flags) { prescribed_ = flags; }
  // How far what is prescribed is from such rows: gaps of bilateral ones, and how far beyond
  // limits, m or rad. `id`: of the constraint or limit that is off most; left alone if none is.
  // With `of_all`, gaps of bilateral rows that move something count, too.
  double CalcContradiction(std::uint64_t* id, bool of_all = false) const;
  const std::vector<Guide>& known_guides() const { return known_guides_; }
  // What rates that are prescribed do to rows becomes φ_t, and no impulse moves them.
  void TakePrescribed(const VecX& v);

  // Rows of all that; without M and v*.
  const VelocityProblem& problem() const { return problem_; }
  VelocityProblem* mutable_problem() { return &problem_; }
  // G v + φ_t per row.
  const VecX& rates() const { return rates_; }
  // φ_t and φ_tt of rows that are functions of time; the former is part of rates(). A finder that
  // only compares rates along a motion at one time may leave them out.
  bool has_moving_rows() const { return moving_.any(); }
  void SetStill() { is_still_ = true; }
  double phi_t(int row) const { return has_moving_rows() ? problem_.rows[row].phi_t : 0; }
  // The rows of a constraint whose rates the last Update has not found (MovingRows), or zero.
  std::uint64_t unclear() const { return moving_.unclear(); }
  double phi_tt(int row) const { return has_moving_rows() ? phi_tt_[row] : 0; }

  const Kinematics& kin() const { return kin_; }
  const Model& model() const { return *model_; }
  // Pairs of shapes, over all calls, whose gaps are certain to half of their digits only.
  long inexact() const { return inexact_; }

 private:
  std::vector<RowWrench>* wrench_list() {
    return has_wrenches_ || constraints_.has_reaction_friction() ? &wrenches_ : nullptr;
  }
  bool IsPrescribed(const RowGroup& group) const;
  void AddGuides(const ConstraintContext& at);
  void AddContacts();
  void ListConstraints();
  void SetRates(const VecX& v);
  void SetGuideRates(std::vector<Guide>* guides) const;

  const Model* model_;
  Kinematics kin_;
  ContactFinder contacts_;
  ConstraintSet constraints_;
  MovingRows moving_;
  bool is_still_ = false, has_wrenches_ = false;
  VecX phi_tt_;
  VelocityProblem problem_;
  VecX rates_;
  std::vector<int> bilateral_;
  std::vector<Touch> touches_;
  std::vector<Guide> guides_, known_guides_;
  std::vector<int> known_, known_limits_;
  std::vector<FrictionRows> friction_;
  std::vector<RowWrench> wrenches_;
  std::vector<char> prescribed_;
  long inexact_ = 0;
};

}  // namespace voigt
