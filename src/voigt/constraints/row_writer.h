#pragma once

#include <cmath>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "voigt/constraints/constraint.h"
#include "voigt/math/number_pair.h"
#include "voigt/problem/row_law.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

// A row of two bodies as it was written: for an impulse γ of the row, `force` · γ and `torque` · γ
// act on B at p, and their opposites on A.
struct RowWrench {
  int constraint = -1, row = 0;
  int body_A = 0, body_B = 0;
  Vec3 p, torque, force;
};

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
//
// The numbers of G may be written a few rows later, several rows at a time: the problem is complete
// once the writer has gone.
class RowWriter {
 public:
  // Lists the wrenches of its rows behind those in *wrenches, unless that is null.
  RowWriter(const Model& model, const Kinematics& kin, VelocityProblem* problem,
            std::vector<RowWrench>* wrenches = nullptr)
      : model_(model), kin_(kin), problem_(*problem), wrenches_(wrenches) {}
  ~RowWriter() { Flush(); }
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;

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
  Row* AddWrench(double phi, const Vec3& p, const Vec3& torque, const Vec3& force) {
    if (waiting_count_ == kLanes) Flush();
    waiting_.Set(waiting_count_++, p, torque, force);
    if (wrenches_ != nullptr) {
      wrenches_->push_back({constraint_, problem_.row_count(), body_A_, body_B_, p, torque, force});
    }
    return AddRow(phi);
  }
  Row* AddRates(double phi, std::span<const double> coefficients);
  // As many rows at once for forces of one direction, the k-th at point(k): as AddWrench writes
  // them, but what they share is worked out once. Returns the first; the gaps are for the caller to
  // set as well.
  template <typename Point>
  Row* AddForces(int count, const Vec3& force, Point point);

  // A row that starts as zero, and what may be added to it: rates, or the relative motion of two
  // bodies as in AddWrench. All its degrees of freedom must be columns of the group
  // (AppendColumns).
  Row* AddZeroRow(double phi);
  void AddRateToRow(int dof, double coefficient);
  void AddWrenchToRow(int body_A, int body_B, const Vec3& p, const Vec3& torque, const Vec3& force);

  // φ̇ − φ_t = G v of the last row.
  double CalcRate(const VecX& v);

 private:
  // Wrenches at points p, number k of each in place k.
  static constexpr int kLanes = 4;
  struct Wrenches {
    double p[3][kLanes] = {}, torque[3][kLanes] = {}, force[3][kLanes] = {};

    void Set(int k, const Vec3& point, const Vec3& torque_, const Vec3& force_) {
      for (int i = 0; i < 3; ++i) {
        p[i][k] = point[i];
        torque[i][k] = torque_[i];
        force[i][k] = force_[i];
      }
    }
  };

  RowGroup& Begin(Law law);
  Row* AddRow(double phi) {
    ++problem_.groups.back().row_count;
    Row& row = problem_.rows.emplace_back();
    row.phi = phi;
    return &row;
  }
  // Rows of a force on a free body, at points p: the columns of its rates.
  class ForceOnFreeBody {
   public:
    ForceOnFreeBody(const Kinematics& kin, int body, const int* cols, const Vec3& force,
                    double sign);
    // Of the points p and q at once.
    void Write(const Vec3& p, const Vec3& q, double* G_p, double* G_q) const {
      NumberPair at[3], size{};
      for (int i = 0; i < 3; ++i) {
        at[i] = NumberPair{p[i], q[i]};
        size += Size(at[i]);
        at[i] -= origin_[i];
      }
      const NumberPair noise = noise_ * (size + origin_size_);
      for (int k = 0; k < 3; ++k) G_p[k] = G_q[k] = moving_[k];
      for (int k = 0; k < 3; ++k) {
        const Vec3& turn = turning_[k];
        const NumberPair rate = turn[0] * at[0] + turn[1] * at[1] + turn[2] * at[2];
        const NumberPair kept = Size(rate) > noise ? rate : NumberPair{};
        G_p[3 + k] = kept[0];
        G_q[3 + k] = kept[1];
      }
    }

   private:
    Vec3 origin_, moving_, turning_[3];
    double origin_size_ = 0, noise_ = 0;
  };
  // Those of the group's columns, if all are rates of free bodies: one or two, or none.
  int ListForces(const Vec3& force, std::optional<ForceOnFreeBody> out[2]) const;
  double SignOf(int column) const { return column >= first_of_B_ && column < end_of_B_ ? 1 : -1; }
  void Flush();
  template <typename Lanes, int count>
  void WriteEntries(const RowGroup& group, double* G);

  const Model& model_;
  const Kinematics& kin_;
  VelocityProblem& problem_;
  std::vector<RowWrench>* wrenches_;
  int constraint_ = -1, group_in_constraint_ = 0;
  int body_A_ = 0, body_B_ = 0;        // of the group
  int first_of_B_ = 0, end_of_B_ = 0;  // which columns of the group move B
  Wrenches waiting_;  // those of the last rows, whose entries are still to be written
  int waiting_count_ = 0;
};

template <typename Point>
Row* RowWriter::AddForces(int count, const Vec3& force, Point point) {
  Flush();
  const size_t first = problem_.rows.size();
  std::optional<ForceOnFreeBody> forces[2];
  const int bodies = wrenches_ == nullptr ? ListForces(force, forces) : 0;
  if (bodies == 0) {
    for (int k = 0; k < count; ++k) AddWrench(0, point(k), Vec3::Zero(), force);
    return &problem_.rows[first];
  }
  problem_.groups.back().row_count += count;
  problem_.rows.resize(first + count);
  const size_t start = problem_.G.size();
  const int nc = 6 * bodies;
  problem_.G.resize(start + static_cast<size_t>(count) * nc);
  for (int b = 0; b < bodies; ++b) {
    const ForceOnFreeBody on_body = *forces[b];
    double* G = problem_.G.data() + start + 6 * b;
    int k = 0;
    for (; k + 1 < count; k += 2, G += 2 * nc) on_body.Write(point(k), point(k + 1), G, G + nc);
    if (k < count) on_body.Write(point(k), point(k), G, G);
  }
  return &problem_.rows[first];
}

// The degrees of freedom that move A and B differently, in ascending order, behind those in *cols.
void AppendColumns(const Tree& tree, int body_A, int body_B, std::vector<int>* cols);

}  // namespace voigt
