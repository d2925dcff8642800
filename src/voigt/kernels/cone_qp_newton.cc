#include "voigt/kernels/cone_qp_newton.h"

#include <cmath>

#include "voigt/kernels/dense_lu.h"
#include "voigt/math/extremes.h"

namespace voigt {
namespace {

// Proximal terms, relative to H of unit size: what is left of an error along directions without
// curvature or among equations that repeat each other falls by as much in every step.
constexpr double kProximalPoint = 1e-10, kProximalMultiplier = 1e-10;

}  // namespace

// Which equations hold at the solution, by the point's word.
void ConeQpNewton::ListActive(const ConeQuadraticProgram& program, const ConeQpPoint& point) {
  s_ = program.d;
  s_.noalias() += program.C * point.x;
  active_.clear();
  int row = 0, count = program.equations();
  for (int size : program.cones) {
    const double x0 = s_[row] - point.z[row];
    double length = 0;
    for (int i = 1; i < size; ++i) length = std::hypot(length, s_[row + i] - point.z[row + i]);
    if (x0 < length || (x0 == length && x0 < 0)) {
      Active active{row, size, count};
      active.place = x0 <= -length ? Place::kCorner : Place::kEdge;
      if (active.place == Place::kEdge) {
        active.length = size == 1 ? 0 : s_.segment(row + 1, size - 1).norm();
        // Without length of its own s takes the direction in which it would go.
        for (int i = 1; i < size; ++i) {
          active.normal[i - 1] = active.length > 0 ? s_[row + i] / active.length
                                                   : (s_[row + i] - point.z[row + i]) / length;
        }
      }
      count += active.place == Place::kEdge ? 1 : size;
      active_.push_back(active);
    }
    row += size;
  }
  multipliers_.resize(count);
  values_.resize(count);
  gradients_.resize(program.size(), count);
  for (int k = 0; k < program.equations(); ++k) {
    multipliers_[k] = point.y[k];
    gradients_.col(k) = program.E.row(k).transpose();
    values_[k] = program.E.row(k).dot(point.x) + program.e[k];
  }
  for (const Active& active : active_) {
    const int first = active.first, at = active.cone_row;
    if (active.place == Place::kCorner) {
      for (int i = 0; i < active.size; ++i) {
        multipliers_[first + i] = point.z[at + i];
        gradients_.col(first + i) = program.C.row(at + i).transpose();
        values_[first + i] = s_[at + i];
      }
      continue;
    }
    multipliers_[first] = Larger(0, point.z[at]);
    values_[first] = s_[at] - active.length;
    gradients_.col(first) = program.C.row(at).transpose();
    for (int i = 1; i < active.size; ++i) {
      gradients_.col(first) -= active.normal[i - 1] * program.C.row(at + i).transpose();
    }
  }
}

void ConeQpNewton::AddBend(const ConeQuadraticProgram& program, const Active& active) {
  if (active.size != 3 || !(active.length > 0)) return;
  // 1 − n nᵀ = t tᵀ across n.
  const double factor = multipliers_[active.first] / active.length;
  if (factor == 0) return;
  right_.head(program.size()) = active.normal[0] * program.C.row(active.cone_row + 2).transpose() -
                                active.normal[1] * program.C.row(active.cone_row + 1).transpose();
  // Cones have few variables: only their places are touched.
  for (int j = 0; j < program.size(); ++j) {
    if (right_[j] == 0) continue;
    for (int i = 0; i < program.size(); ++i) matrix_(i, j) += factor * right_[i] * right_[j];
  }
}

void ConeQpNewton::SetMatrix(const ConeQuadraticProgram& program) {
  const int n = program.size(), count = static_cast<int>(multipliers_.size());
  matrix_.setZero(n + count, n + count);
  right_.resize(n + count);
  matrix_.topLeftCorner(n, n) = program.H;
  for (const Active& active : active_) {
    if (active.place == Place::kEdge) AddBend(program, active);
  }
  matrix_.topRightCorner(n, count) = -gradients_;
  matrix_.bottomLeftCorner(count, n) = gradients_.transpose();
  matrix_.diagonal().head(n).array() += kProximalPoint;
  matrix_.diagonal().tail(count).array() += kProximalMultiplier;
}

void ConeQpNewton::TakeMultipliers(const ConeQuadraticProgram& program, ConeQpPoint* point) const {
  point->y = multipliers_.head(program.equations());
  point->z.setZero();
  for (const Active& active : active_) {
    const int first = active.first, at = active.cone_row;
    if (active.place == Place::kCorner) {
      point->z.segment(at, active.size) = multipliers_.segment(first, active.size);
      continue;
    }
    point->z[at] = multipliers_[first];
    // With the direction of the new point.
    double s[2] = {active.normal[0], active.normal[1]}, length = 0;
    for (int i = 1; i < active.size; ++i) {
      const double value = program.C.row(at + i).dot(point->x) + program.d[at + i];
      s[i - 1] = value;
      length = std::hypot(length, value);
    }
    for (int i = 1; i < active.size; ++i) {
      const double direction = length > 0 ? s[i - 1] / length : active.normal[i - 1];
      point->z[at + i] = -multipliers_[first] * direction;
    }
  }
}

bool ConeQpNewton::Step(const ConeQuadraticProgram& program, ConeQpPoint* point) {
  const int n = program.size();
  ListActive(program, *point);
  const int count = static_cast<int>(multipliers_.size());
  SetMatrix(program);
  right_.head(n).noalias() = -(program.H * point->x);
  right_.head(n) -= program.g;
  right_.head(n).noalias() += gradients_ * multipliers_;
  right_.tail(count) = -values_;
  swaps_.resize(n + count);
  DenseBlock block(matrix_.data(), n + count, n + count, Eigen::OuterStride<>(n + count));
  if (!(FactorLu(block, swaps_.data()) > 0)) return false;
  SolveLu(block, swaps_.data(), right_.data());
  if (!right_.allFinite()) return false;
  point->x += right_.head(n);
  multipliers_ += right_.tail(count);
  TakeMultipliers(program, point);
  return true;
}

}  // namespace voigt
