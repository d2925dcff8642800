#include "voigt/kernels/local_contact.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "voigt/kernels/local_coulomb.h"
#include "voigt/kernels/several_discs.h"

namespace voigt {
namespace {

// A sliding contact turns the direction of its slip a little from sweep to sweep: some steps of
// Newton's method on the mismatch of slip and friction from the last direction (local_coulomb.h);
// the next sweep goes on. False if they lead nowhere; then all directions are looked at.
bool SlideAsBefore(const double* W, const double* q, double mu, double* gamma) {
  constexpr int kSteps = 3;
  const double length = std::sqrt(gamma[1] * gamma[1] + gamma[2] * gamma[2]);
  if (!(length > 0)) return false;
  double c = -gamma[1] / length, s = -gamma[2] / length;
  for (int step = 0; step < kSteps; ++step) {
    const double D = W[0] - mu * (W[1] * c + W[2] * s), D_turn = mu * (W[1] * s - W[2] * c);
    const double u1 = D * q[1] - q[0] * (W[3] - mu * (W[4] * c + W[5] * s));
    const double u2 = D * q[2] - q[0] * (W[6] - mu * (W[7] * c + W[8] * s));
    const double u1_turn = D_turn * q[1] + q[0] * mu * (W[5] * c - W[4] * s);
    const double u2_turn = D_turn * q[2] + q[0] * mu * (W[8] * c - W[7] * s);
    const double f = c * u2 - s * u1, slope = -s * u2 - c * u1 + c * u2_turn - s * u1_turn;
    // In line, and not against one another: f falls with the angle.
    if (!(D > 0) || !(slope < 0)) return false;
    const double turn = std::clamp(-f / slope, -0.5, 0.5);
    const double c_next = c - s * turn, s_next = s + c * turn;
    const double norm = std::sqrt(1 + turn * turn);
    c = c_next / norm;
    s = s_next / norm;
  }
  const double n = -q[0] / (W[0] - mu * (W[1] * c + W[2] * s));
  if (!(n > 0)) return false;
  gamma[0] = n;
  gamma[1] = -mu * n * c;
  gamma[2] = -mu * n * s;
  return true;
}

}  // namespace

bool Slide(const double* W, const double* q, double mu, double* gamma) {
  return (q[0] < 0 && SlideAsBefore(W, q, mu, gamma)) || SolveLocalCoulomb(3, W, q, mu, gamma);
}

bool SolveDiscs(const ConvexBlock& block, int n, const double* W, const double* q, double* gamma) {
  double A[9], c[3];
  GatherDisc(n, W, q, gamma, {0, 3, 0}, A, c);
  const Vec3 stuck = -(Eigen::Map<const Mat3>(A).inverse() * Eigen::Map<const Vec3>(c));
  const double most = block.mu * stuck[0];
  if (stuck[0] >= 0 && stuck.tail<2>().squaredNorm() <= most * most) {
    std::copy_n(stuck.data(), 3, gamma);
  } else if (!Slide(A, c, block.mu, gamma)) {
    return false;
  }
  for (const Disc& disc : block.discs()) {
    if (disc.first == 1) continue;
    GatherDisc(n, W, q, gamma, disc, A, c);
    MinimizeOverDisc(disc.count, A, c, disc.mu * gamma[0], gamma + disc.first);
  }
  return true;
}

}  // namespace voigt
