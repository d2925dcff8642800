#pragma once

#include <initializer_list>
#include <span>

#include "voigt/constraints/constraint.h"
#include "voigt/problem/row_law.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// Appends rows to a problem. A group of rows begins with what it moves, two bodies or some rates,
// and goes on row by row:
//
//   rows->BeginOnBodies(Law::kBilateral, A, B);
//   for (int i = 0; i < 3; ++i) SetSpring(K_and_B, at.h, rows->AddWrench(phi[i], p, torque,
//   force));
//
// A row on two bodies is a wrench at a point p of space that acts on B, with its opposite on A:
// φ̇ = torque · (ω_B − ω_A) + force · (v_B − v_A), both velocities taken at p. Momentum then holds
// whatever the impulse is.
class RowWriter {
 public:
  RowWriter(const Model& model, const Kinematics& kin, VelocityProblem* problem)
      : model_(model), kin_(kin), problem_(*problem) {}

  // Which constraint the following groups belong to.
  void SetConstraint(int index) { constraint_ = index; }

  // Degrees of freedom that move A and B alike get no column. Returns the group, good until the
  // next one begins.
  RowGroup& BeginOnBodies(Law law, int body_A, int body_B);
  // Columns are rates; they must ascend.
  RowGroup& BeginOnRates(Law law, std::span<const int> dofs);

  // Rows of the group; the pointers are good until the next row is added. c, τ, R and v̂ are for the
  // caller to set (row_law.h).
  Row* AddWrench(double phi, const Vec3& p, const Vec3& torque, const Vec3& force);
  Row* AddRates(double phi, std::span<const double> coefficients);

 private:
  RowGroup& Begin(Law law);
  Row* AddRow(double phi);

  const Model& model_;
  const Kinematics& kin_;
  VelocityProblem& problem_;
  int constraint_ = -1;
  int body_A_ = 0, body_B_ = 0;
};

}  // namespace voigt
