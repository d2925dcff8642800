#include "voigt/kernels/local_coulomb.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "voigt/math/types.h"

namespace voigt {
namespace {

// γ = −W⁻¹ q, if it is inside the cone.
template <int n>
bool Stick(const double* W_, const double* q_, double mu, double* gamma) {
  using Mat = Eigen::Matrix<double, n, n, Eigen::RowMajor>;
  using Vec = Eigen::Matrix<double, n, 1>;
  Mat inverse;
  bool is_invertible = false;
  Eigen::Map<const Mat>(W_).computeInverseWithCheck(inverse, is_invertible, 0.0);
  if (!is_invertible) return false;
  const Vec x = -(inverse * Eigen::Map<const Vec>(q_));
  const double most = mu * x[0];
  if (!(x[0] >= 0 && x.template tail<n - 1>().squaredNorm() <= most * most)) return false;
  Eigen::Map<Vec>{gamma} = x;
  return true;
}

// Sliding of a contact with two tangents along e = (cos θ, sin θ).
class Sliding {
 public:
  Sliding(const double* W, const double* q, double mu) : W_(W), q_(q), mu_(mu) {}

  // e⊥ · u_t, times the positive denominator of γ₀: zero where slip and friction are in line.
  double Mismatch(double angle) const {
    const double c = std::cos(angle), s = std::sin(angle);
    const double denominator = Denominator(c, s);
    const double u1 = denominator * q_[1] - q_[0] * (W_[3] - mu_ * (W_[4] * c + W_[5] * s));
    const double u2 = denominator * q_[2] - q_[0] * (W_[6] - mu_ * (W_[7] * c + W_[8] * s));
    return c * u2 - s * u1;
  }

  // The impulse at an angle, if it pushes and opposes the slip.
  bool Accept(double angle, double* gamma) const {
    return AcceptAlong(std::cos(angle), std::sin(angle), gamma);
  }
  bool AcceptAlong(double c, double s, double* gamma) const {
    const double denominator = Denominator(c, s);
    if (!(denominator > 0)) return false;
    const double n = -q_[0] / denominator;
    const double x[3] = {n, -mu_ * n * c, -mu_ * n * s};
    double u[3];
    for (int i = 1; i < 3; ++i) {
      u[i] = q_[i];
      for (int j = 0; j < 3; ++j) u[i] += W_[3 * i + j] * x[j];
    }
    if (!(c * u[1] + s * u[2] >= 0) || !std::isfinite(n)) return false;
    std::copy(x, x + 3, gamma);
    return true;
  }

  // The root between two angles with opposite signs; bisection with secants (Illinois).
  double FindRoot(double low, double f_low, double high, double f_high) const {
    int side = 0;
    for (int i = 0; i < 100 && std::fabs(high - low) > 1e-16 * (1 + std::fabs(low)); ++i) {
      double middle = (low * f_high - high * f_low) / (f_high - f_low);
      if (!(middle > std::min(low, high) && middle < std::max(low, high))) {
        middle = 0.5 * (low + high);
        if (middle == low || middle == high) break;
      }
      const double f = Mismatch(middle);
      if (f == 0) return middle;
      if ((f > 0) == (f_high > 0)) {
        high = middle, f_high = f;
        if (side == 1) f_low *= 0.5;
        side = 1;
      } else {
        low = middle, f_low = f;
        if (side == -1) f_high *= 0.5;
        side = -1;
      }
    }
    return std::fabs(f_low) < std::fabs(f_high) ? low : high;
  }

 private:
  double Denominator(double c, double s) const { return W_[0] - mu_ * (W_[1] * c + W_[2] * s); }

  const double* W_;
  const double* q_;
  double mu_;
};

// All directions, sampled finely enough for a polynomial with four roots at most.
bool SlideInSpace(const double* W, const double* q, double mu, double* gamma) {
  constexpr int kSamples = 32;
  const Sliding sliding(W, q, mu);
  const double start = std::hypot(gamma[1], gamma[2]) > 0 ? std::atan2(-gamma[2], -gamma[1])
                                                          : std::atan2(q[2], q[1]);
  double best_distance = kInfinity, best[3] = {};
  const auto consider = [&](double angle) {
    double x[3];
    if (!sliding.Accept(angle, x)) return;
    double distance = 0;
    for (int i = 0; i < 3; ++i) distance = std::hypot(distance, x[i] - gamma[i]);
    if (distance >= best_distance) return;
    best_distance = distance;
    std::copy(x, x + 3, best);
  };
  // Half a sample off the start, so that a root there lies inside an interval.
  const double step = 2 * kPi / kSamples;
  double angle = start - 0.5 * step, f = sliding.Mismatch(angle);
  for (int i = 0; i < kSamples; ++i) {
    const double next = angle + step, f_next = sliding.Mismatch(next);
    if ((f > 0) != (f_next > 0)) consider(sliding.FindRoot(angle, f, next, f_next));
    angle = next;
    f = f_next;
  }
  if (best_distance == kInfinity) return false;
  std::copy(best, best + 3, gamma);
  return true;
}

// From the direction of gamma by Newton's method on the mismatch, which takes three or four steps
// where a contact slides about as it did. False if they lead nowhere.
bool SlideAsBefore(const double* W, const double* q, double mu, double* gamma) {
  constexpr int kSteps = 6;
  constexpr double kMostTurn = 0.5, kSettled = 1e-10;  // the next step would be its square
  const double length = std::sqrt(gamma[1] * gamma[1] + gamma[2] * gamma[2]);
  if (!(length > 0)) return false;
  double c = -gamma[1] / length, s = -gamma[2] / length, turn = 1;
  for (int step = 0; step < kSteps && std::fabs(turn) > kSettled; ++step) {
    const double D = W[0] - mu * (W[1] * c + W[2] * s), D_turn = mu * (W[1] * s - W[2] * c);
    const double u1 = D * q[1] - q[0] * (W[3] - mu * (W[4] * c + W[5] * s));
    const double u2 = D * q[2] - q[0] * (W[6] - mu * (W[7] * c + W[8] * s));
    const double u1_turn = D_turn * q[1] + q[0] * mu * (W[5] * c - W[4] * s);
    const double u2_turn = D_turn * q[2] + q[0] * mu * (W[8] * c - W[7] * s);
    const double f = c * u2 - s * u1, slope = -s * u2 - c * u1 + c * u2_turn - s * u1_turn;
    // In line, and not against one another: f falls with the angle.
    if (!(D > 0) || !(slope < 0)) return false;
    turn = std::clamp(-f / slope, -kMostTurn, kMostTurn);
    const double c_next = c - s * turn, s_next = s + c * turn;
    const double norm = std::sqrt(1 + turn * turn);
    c = c_next / norm;
    s = s_next / norm;
  }
  return std::fabs(turn) <= kSettled && Sliding(W, q, mu).AcceptAlong(c, s, gamma);
}

bool SlideInThePlane(const double* W, const double* q, double mu, double* gamma) {
  double best_distance = kInfinity, best[2] = {};
  for (const double e : {1.0, -1.0}) {
    const double denominator = W[0] - mu * W[1] * e;
    const double n = -q[0] / denominator, slip = q[1] + n * (W[2] - mu * W[3] * e);
    if (!(denominator > 0) || !(e * slip >= 0) || !std::isfinite(n)) continue;
    const double distance = std::hypot(n - gamma[0], -mu * n * e - gamma[1]);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best[0] = n;
    best[1] = -mu * n * e;
  }
  if (best_distance == kInfinity) return false;
  std::copy(best, best + 2, gamma);
  return true;
}

// In mechanisms that move in a plane one tangent of every contact moves nothing, and nothing moves
// along it: then the law is one of the other tangent e alone. False where both are moved.
bool FindOnlyTangent(const double* W, const double* q, Vec2* e) {
  constexpr double kNone = 1e-14, kStill = 1e-14;
  const double trace = W[4] + W[8], determinant = W[4] * W[8] - W[5] * W[7];
  if (!(determinant <= kNone * trace * trace) || !(trace > 0)) return false;
  *e = W[4] >= W[8] ? Vec2(W[4], W[7]) : Vec2(W[5], W[8]);
  e->normalize();
  const double along = e->dot(Vec2(q[1], q[2])), across = (*e)[0] * q[2] - (*e)[1] * q[1];
  return std::fabs(across) <= kStill * (std::fabs(along) + std::fabs(q[0]));
}

bool SolveOnTangent(const Vec2& e, const double* W, const double* q, double mu, double* gamma) {
  const Vec2 W_nt(W[1], W[2]), W_tn(W[3], W[6]), q_t(q[1], q[2]);
  const Vec2 W_e(W[4] * e[0] + W[5] * e[1], W[7] * e[0] + W[8] * e[1]);
  const double plane_W[4] = {W[0], W_nt.dot(e), W_tn.dot(e), W_e.dot(e)};
  const double plane_q[2] = {q[0], q_t.dot(e)};
  double x[2] = {gamma[0], e[0] * gamma[1] + e[1] * gamma[2]};
  if (!Stick<2>(plane_W, plane_q, mu, x) && !SlideInThePlane(plane_W, plane_q, mu, x)) return false;
  gamma[0] = x[0];
  gamma[1] = x[1] * e[0];
  gamma[2] = x[1] * e[1];
  return true;
}

}  // namespace

bool SolveLocalCoulomb(int row_count, const double* W, const double* q, double mu, double* gamma) {
  if (q[0] >= 0) {
    std::fill(gamma, gamma + row_count, 0.0);
    return true;
  }
  if (row_count == 1 || mu == 0) {
    if (!(W[0] > 0)) return false;
    std::fill(gamma, gamma + row_count, 0.0);
    gamma[0] = -q[0] / W[0];
    return true;
  }
  if (row_count == 2) return Stick<2>(W, q, mu, gamma) || SlideInThePlane(W, q, mu, gamma);
  Vec2 e;
  if (FindOnlyTangent(W, q, &e)) return SolveOnTangent(e, W, q, mu, gamma);
  return Stick<3>(W, q, mu, gamma) || SlideLocalCoulomb(W, q, mu, gamma);
}

bool SlideLocalCoulomb(const double* W, const double* q, double mu, double* gamma) {
  return SlideAsBefore(W, q, mu, gamma) || SlideInSpace(W, q, mu, gamma);
}

}  // namespace voigt
