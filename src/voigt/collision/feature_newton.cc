#include "voigt/collision/feature_newton.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

using Kind = SurfaceFeature::Kind;

constexpr int kMaxNewtonSteps = 16;
constexpr int kMaxUnknowns = 8;
constexpr double kResidual = 1e-13;  // of lengths divided by the size

// A feature with lengths divided by the size, and where on it we are.
struct Side {
  const SurfaceFeature* feature;
  Vec3 p;
  double radius;
  double s[2] = {0, 0};
  Vec3 x = Vec3::Zero();
  Vec3 tangents[2] = {Vec3::Zero(), Vec3::Zero()};
  Vec3 second = Vec3::Zero();    // ∂²x/∂s² of a circle, the only one that is not zero
  Mat3 gradient = Mat3::Zero();  // ∂x/∂n of an ellipsoid

  Side(const SurfaceFeature& f, const FeatureGuess& guess, double size)
      : feature(&f), p(f.p / size), radius(f.radius / size) {
    const Vec3 from_p = guess.x / size - p;
    if (f.kind == Kind::kCircle) {
      // From the point where it tells the angle, else from the normal.
      const Vec2 at(from_p.dot(f.u), from_p.dot(f.v)), lean(guess.n.dot(f.u), guess.n.dot(f.v));
      const Vec2& which = at.norm() > 0.5 * radius ? at : lean;
      s[0] = std::atan2(which[1], which[0]);
    } else {
      s[0] = from_p.dot(f.u);
      s[1] = from_p.dot(f.v);
    }
  }

  // With the outward normal n of this side.
  void Update(const Vec3& n, double size) {
    const SurfaceFeature& f = *feature;
    switch (f.kind) {
      case Kind::kPoint:
        x = p;
        break;
      case Kind::kLine:
        x = p + s[0] * f.u;
        tangents[0] = f.u;
        break;
      case Kind::kPlane:
        x = p + s[0] * f.u + s[1] * f.v;
        tangents[0] = f.u;
        tangents[1] = f.v;
        break;
      case Kind::kCircle: {
        const double cosine = std::cos(s[0]), sine = std::sin(s[0]);
        const Vec3 outwards = radius * (cosine * f.u + sine * f.v);
        x = p + outwards;
        tangents[0] = radius * (cosine * f.v - sine * f.u);
        second = -outwards;
        break;
      }
      case Kind::kEllipsoid: {
        const Vec3 Mn = f.square * n / (size * size);
        const double h = std::sqrt(n.dot(Mn));
        x = p + Mn / h;
        gradient = (f.square / (size * size) - Mn * Mn.transpose() / (h * h)) / h;
        break;
      }
    }
  }
};

// A square system, solved by elimination with the largest pivot anywhere. Where pivots vanish, the
// unknowns that are left are zero.
struct DenseSystem {
  int count = 0;
  double J[kMaxUnknowns][kMaxUnknowns + 1];  // the last column is the right-hand side

  void Solve(double* x) {
    int column[kMaxUnknowns];
    for (int k = 0; k < count; ++k) column[k] = k, x[k] = 0;
    int rank = 0;
    for (; rank < count; ++rank) {
      int row = rank, col = rank;
      double largest = 0;
      for (int i = rank; i < count; ++i) {
        for (int j = rank; j < count; ++j) {
          if (std::abs(J[i][j]) > largest) largest = std::abs(J[i][j]), row = i, col = j;
        }
      }
      if (!(largest > 2e-15)) break;
      if (row != rank) std::swap_ranges(J[row], J[row] + count + 1, J[rank]);
      if (col != rank) {
        for (int i = 0; i < count; ++i) std::swap(J[i][col], J[i][rank]);
        std::swap(column[col], column[rank]);
      }
      for (int i = rank + 1; i < count; ++i) {
        const double factor = J[i][rank] / J[rank][rank];
        if (factor == 0) continue;
        for (int j = rank; j <= count; ++j) J[i][j] -= factor * J[rank][j];
      }
    }
    for (int i = rank - 1; i >= 0; --i) {
      double sum = J[i][count];
      for (int j = i + 1; j < rank; ++j) sum -= J[i][j] * x[column[j]];
      x[column[i]] = sum / J[i][i];
    }
  }
};

// Fills the system for a Newton step and returns the largest residual.
double Assemble(const Side& A, const Side& B, const Vec3& n, double delta, DenseSystem* system) {
  const int dof_A = A.feature->dof(), dof_B = B.feature->dof();
  const int count = system->count = 4 + dof_A + dof_B;
  for (int i = 0; i < count; ++i) std::fill_n(system->J[i], count + 1, 0.0);
  auto& J = system->J;
  const Vec3 residual = B.x - A.x - delta * n;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) J[i][j] = -B.gradient(i, j) - A.gradient(i, j);
    J[i][i] -= delta;
    J[i][3] = -n[i];
    for (int k = 0; k < dof_A; ++k) J[i][4 + k] = -A.tangents[k][i];
    for (int k = 0; k < dof_B; ++k) J[i][4 + dof_A + k] = B.tangents[k][i];
    J[i][count] = -residual[i];
    J[3][i] = n[i];
  }
  J[3][count] = -0.5 * (n.squaredNorm() - 1);
  const auto add_tangency = [&](const Side& side, int dof, int first) {
    for (int k = 0; k < dof; ++k) {
      for (int j = 0; j < 3; ++j) J[first + k][j] = side.tangents[k][j];
      if (side.feature->kind == Kind::kCircle) J[first + k][first + k] = n.dot(side.second);
      J[first + k][count] = -n.dot(side.tangents[k]);
    }
  };
  add_tangency(A, dof_A, 4);
  add_tangency(B, dof_B, 4 + dof_A);
  double largest = 0;
  for (int i = 0; i < count; ++i) largest = std::max(largest, std::abs(J[i][count]));
  return largest;
}

}  // namespace

bool SolveMeeting(const SurfaceFeature& A, const FeatureGuess& guess_A, const SurfaceFeature& B,
                  const FeatureGuess& guess_B, double size, Meeting* out) {
  Side side_A(A, guess_A, size), side_B(B, guess_B, size);
  Vec3 n = guess_A.n;
  side_A.Update(n, size);
  side_B.Update(-n, size);
  double delta = n.dot(side_B.x - side_A.x);
  DenseSystem system;
  double step[kMaxUnknowns];
  double before = kInfinity;
  for (int iteration = 0; iteration < kMaxNewtonSteps; ++iteration) {
    const double residual = Assemble(side_A, side_B, n, delta, &system);
    if (!std::isfinite(residual)) return false;
    // As far as rounding allows, which is where it gets no better.
    if (residual <= kResidual && (residual < 1e-15 || residual >= 0.5 * before)) {
      out->n = n.normalized();
      out->feature_A = A;
      out->feature_B = B;
      out->a = size * side_A.x + A.offset * out->n;
      out->b = size * side_B.x - B.offset * out->n;
      out->phi = size * delta - A.offset - B.offset;
      return true;
    }
    before = residual;
    system.Solve(step);
    const double turn = std::hypot(step[0], step[1], step[2]);
    if (!(turn < 1e3)) return false;
    const double damping = turn > 0.5 ? 0.5 / turn : 1;
    n += damping * Vec3(step[0], step[1], step[2]);
    delta += damping * step[3];
    const int dof_A = A.dof(), dof_B = B.dof();
    for (int k = 0; k < dof_A; ++k) side_A.s[k] += damping * step[4 + k];
    for (int k = 0; k < dof_B; ++k) side_B.s[k] += damping * step[4 + dof_A + k];
    side_A.Update(n, size);
    side_B.Update(-n, size);
  }
  return false;
}

}  // namespace voigt
