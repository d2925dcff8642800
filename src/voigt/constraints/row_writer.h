#pragma once

#include <initializer_list>
#include <span>
#include <vector>

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
  void SetConstraint(int index) {
    constraint_ = index;
    group_in_constraint_ = 0;
  }

  // Degrees of freedom that move A and B alike get no column. Returns the group, good until the
  // next one begins. Its id tells the constraint and which of its groups this is, the same from
  // step to step for constraints that always write the same groups; others set their own.
  RowGroup& BeginOnBodies(Law law, int body_A, int body_B);
  // Columns are rates; they must ascend.
  RowGroup& BeginOnRates(Law law, std::span<const int> dofs);

  // Rows of the group; the pointers are good until the next row is added. c, τ, R and v̂ are for the
  // caller to set (row_law.h).
  Row* AddWrench(double phi, const Vec3& p, const Vec3& torque, const Vec3& force);
  Row* AddRates(double phi, std::span<const double> coefficients);

  // A row that starts as zero, and what may be added to it: rates, or the relative motion of two
  // bodies as in AddWrench. All its degrees of freedom must be columns of the group
  // (AppendColumns).
  Row* AddZeroRow(double phi);
  void AddRateToRow(int dof, double coefficient);
  void AddWrenchToRow(int body_A, int body_B, const Vec3& p, const Vec3& torque, const Vec3& force);

  // φ̇ − φ_t = G v of the last row.
  double CalcRate(const VecX& v) const;

 private:
  // A wrench at p, with the sizes of its parts.
  struct WrenchAtLink {
    double F[6];  // torque, force
    double torque_noise, force_noise;
  };
  struct Wrench {
    Wrench(const Vec3& point, const Vec3& torque_, const Vec3& force_);
    WrenchAtLink At(const Vec3& origin) const;

    const Vec3 p, torque, force;
    const double p_size, torque_size, force_size;
  };
  // Two free bodies; what lies beyond is read from the model for each row.
  static constexpr int kCachedColumns = 12;

  RowGroup& Begin(Law law);
  Row* AddRow(double phi);
  double SignOf(int column) const { return column >= first_of_B_ && column < end_of_B_ ? 1 : -1; }
  void CacheColumns(const RowGroup& group);
  double CalcEntry(const Wrench& wrench, int dof) const;
  template <int fixed>
  void CalcEntries(const WrenchAtLink& at, int first, int count, double* G) const;

  const Model& model_;
  const Kinematics& kin_;
  VelocityProblem& problem_;
  int constraint_ = -1, group_in_constraint_ = 0;
  int first_of_B_ = 0, end_of_B_ = 0;  // which columns of the group move B

  // The columns of the group: motions S of links for unit rate, turned around where they move A,
  // and the sizes of their two halves. All columns of a link follow one another.
  struct Link {
    int body = 0, first = 0;
  };
  Link links_[kCachedColumns + 1];
  int link_count_ = 0;
  double S_[6][kCachedColumns], turn_[kCachedColumns], shift_[kCachedColumns];
};

// The degrees of freedom that move A and B differently, in ascending order, behind those in *cols.
void AppendColumns(const Tree& tree, int body_A, int body_B, std::vector<int>* cols);

}  // namespace voigt
