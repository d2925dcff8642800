#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "voigt/constraints/row_writer.h"
#include "voigt/model/joint_motion.h"

namespace voigt {

// The two sides of a joint in the world.
struct JointFrames {
  int parent = 0, child = 0;  // bodies
  Pose X_WF, X_WM;
};

JointFrames CalcJointFrames(const ConstraintContext& at, const Joint& joint);

// How fast the fitted angle about z changes: 2 atan(z/w) of the quaternion of R_FM has the rate
// ω · (z_F + z_M)/(1 + z_F · z_M), with ω of M in F; just ω · z where the axes agree.
Vec3 CalcAngleGradient(const Vec3& z_F, const Vec3& z_M);

// A joint of any type, of the tree or closing a loop, as something that rows can be written on: its
// coordinates, and rows of its rates. A tree joint's rates are columns; a loop joint's rates are
// motions of its child relative to its parent, with wrenches at the origin of M.
//
// A loop joint's coordinates come from where its bodies are, fitted where they are not quite where
// the joint holds them; rows of scalar coordinates are their exact derivatives even there. Angles
// are known up to full turns only, and taken within half a turn of a hint.
class JointRows {
 public:
  // The joint that moves body b, and the one in the model's list of loops.
  static JointRows OfTree(const Model& model, int b);
  static JointRows OfLoop(const Model& model, int loop);
  // Nothing if there is no joint of this name.
  static std::optional<JointRows> Find(const Model& model, std::string_view name);

  const Joint& joint(const Model& model) const {
    return is_loop_ ? model.loops()[index_] : model.joint(index_);
  }
  bool is_loop() const { return is_loop_; }
  int dof_count() const { return dof_count_; }
  // True if rate k is that of an angle.
  bool IsAngular(int k) const { return IsAngularDof(type_, k); }

  // All coordinates, as joint.h lists them; hint as many.
  void CalcCoordinates(const ConstraintContext& at, const double* hint, double* q) const;
  // One scalar coordinate, for joints that have no quaternion.
  double CalcCoordinate(const ConstraintContext& at, int k, double hint) const;

  // Rows of one rate: φ̇ = factor · v_k.
  void BeginOne(Law law, int k, RowWriter* rows) const;
  Row* AddOne(const ConstraintContext& at, int k, double factor, double phi, RowWriter* rows) const;

  // Rows of all rates of the joint: φ̇ = Σ factors[k] v_k.
  void BeginAll(Law law, RowWriter* rows) const;
  Row* AddMixed(const ConstraintContext& at, const double* factors, double phi,
                RowWriter* rows) const;

  // Rows of the joint's deflection (joint_motion.h) from coordinates `rest`, one for each degree of
  // freedom; `finish(k, row)` has the last word on each.
  template <typename Finish>
  void AddDeflection(const ConstraintContext& at, const double* rest, RowWriter* rows,
                     const Finish& finish) const {
    std::array<double, kMaxJointDofs + 1> q;
    std::array<double, kMaxJointDofs> e;
    CalcCoordinates(at, rest, q.data());
    CalcDeflection(type_, q.data(), rest, e.data());
    const DeflectionRateMatrix A = CalcDeflectionRateMatrix(type_, e.data());
    BeginAll(Law::kBilateral, rows);
    for (int k = 0; k < dof_count_; ++k) {
      const Eigen::Matrix<double, kMaxJointDofs, 1> factors = A.row(k);
      Row* const row = AddMixed(at, factors.data(), e[k], rows);
      row->angular = IsAngular(k);
      finish(k, row);
    }
  }

  // For rows of several joints: the columns that rate k needs, in any order, and factor · v_k added
  // to the last row.
  void AppendColumns(const Model& model, int k, std::vector<int>* cols) const;
  void AddToRow(const ConstraintContext& at, int k, double factor, RowWriter* rows) const;

 private:
  JointRows() = default;

  bool is_loop_ = false;
  int index_ = 0;
  int parent_ = 0, child_ = 0;
  JointType type_ = JointType::kFixed;
  int dof_count_ = 0, v_start_ = 0, q_start_ = 0;  // starts of tree joints only
};

}  // namespace voigt
