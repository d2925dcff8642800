#include "voigt/kernels/contact_sweeps.h"

#include <algorithm>
#include <cmath>

#include "voigt/kernels/local_coulomb.h"

namespace voigt {
namespace {

// Into ‖γ_d‖ ≤ most; false if it was there.
bool PutIntoDisc(double most, int count, double* gamma) {
  double squared = 0;
  for (int r = 0; r < count; ++r) squared += gamma[r] * gamma[r];
  if (squared <= most * most) return false;
  const double factor = most / std::sqrt(squared);
  for (int r = 0; r < count; ++r) gamma[r] *= factor;
  return true;
}

}  // namespace

// Into ‖γ_d‖ ≤ μ_d γ₀ for every disc; false if it was there.
bool ContactSweeps::PutIntoCone(const Cone& cone, double* gamma) {
  const bool pulls = gamma[0] < 0;
  if (pulls) gamma[0] = 0;
  if (cone.row_count == 1) return pulls;
  if (cone.row_count == 3) return PutIntoDisc(cone.mu * gamma[0], 2, gamma + 1) || pulls;
  bool moves = pulls;
  for (const Disc& disc : cone.block->discs()) {
    moves = PutIntoDisc(disc.mu * gamma[0], disc.count, gamma + disc.first) || moves;
  }
  return moves;
}

void ContactSweeps::AddImpulse(const Contact& contact, const double* impulse) {
  for (int side = 0; side < 2 && contact.bodies[side] >= 0; ++side) {
    auto v = velocity_of(contact.bodies[side]);
    const Mat6x3& J = contact.J[side];
    if (contact.has_friction()) {
      v += J.col(0) * impulse[0] + J.col(1) * impulse[1] + J.col(2) * impulse[2];
    } else {
      v += J.col(0) * impulse[0];
    }
    for (int r = 3; r < contact.row_count; ++r) {
      v += more_[contact.more].J[side].col(r - 3) * impulse[r];
    }
  }
}

void ContactSweeps::CalcVelocities() {
  x_.tail(v_star_.size()) = v_star_;
  for (const Contact& contact : contacts_) {
    const double* const gamma = impulses_of(contact);
    if (gamma[0] != 0) AddImpulse(contact, gamma);
  }
}

// u of a row; of one with a force law, its velocity.
double ContactSweeps::CalcU(const Contact& contact, int r) const {
  double u = contact.R[r] * x_[contact.first + r] - contact.b[r];
  for (int side = 0; side < 2 && contact.bodies[side] >= 0; ++side) {
    const Mat6x3& J = r < 3 ? contact.J[side] : more_[contact.more].J[side];
    u += J.col(r % 3).dot(velocity_of(contact.bodies[side]));
  }
  return u;
}

// From u at γ to the γ that meets the law while all others stay. False if none is found.
bool ContactSweeps::SolveOne(const Contact& contact, double* u, double* gamma) const {
  if (!contact.is_plain()) return SolveAny(contact, u, gamma);
  if (!contact.has_friction()) {
    gamma[0] = std::max(0.0, gamma[0] - u[0] / contact.W(0, 0));
    return std::isfinite(gamma[0]);
  }
  Eigen::Map<Vec3> gamma_now(gamma), u_now(u);
  if (contact.may_stick) {
    const Vec3 stuck = gamma_now - contact.inverse * u_now;
    const double most = contact.mu * stuck[0];
    if (stuck[0] >= 0 && stuck.tail<2>().squaredNorm() <= most * most) {
      gamma_now = stuck;
      return true;
    }
  }
  u_now -= contact.W * gamma_now;
  if (u[0] < 0) return SlideLocalCoulomb(contact.W.data(), u, contact.mu, gamma);
  gamma_now.setZero();
  return true;
}

// The same with force laws and further discs. A law is followed along its tangent, γ̂ − k (y − ŷ),
// which is R = 1/k: at the velocity that there is or, where that is one of no force, at that
// without the normal impulse.
bool ContactSweeps::SolveAny(const Contact& contact, const double* u, double* gamma) const {
  const int n = contact.row_count;
  double W[kMaxDiscRows * kMaxDiscRows], q[kMaxDiscRows];
  std::copy_n(contact.more < 0 ? contact.W.data() : more_[contact.more].W, n == 1 ? 1 : n * n, W);
  for (int r = 0; r < n; ++r) {
    q[r] = u[r];
    for (int s = 0; s < n; ++s) q[r] -= W[r * n + s] * gamma[s];
  }
  if (contact.is_smooth()) {
    double y = u[0];
    ScalarLaws::Value law = laws_->Calc(contact.block->first_row, y);
    if (!(law.slope > 0)) {
      y -= W[0] * gamma[0];
      law = laws_->Calc(contact.block->first_row, y);
    }
    if (!(law.slope > 0)) {
      std::fill_n(gamma, n, 0.0);
      return true;
    }
    W[0] += 1 / law.slope;
    q[0] -= y + law.gamma / law.slope;
  }
  if (n == 1) {
    gamma[0] = std::max(0.0, -q[0] / W[0]);
  } else {
    SweepLocalDiscs(*contact.block, W, q, gamma, 1);  // the whole is repeated
  }
  return std::all_of(gamma, gamma + n, [](double g) { return std::isfinite(g); });
}

ContactSweeps::Change ContactSweeps::Sweep() {
  Change out;
  for (const Contact& contact : contacts_) {
    double* const gamma = impulses_of(contact);
    const int n = contact.row_count;
    double u[kMaxDiscRows] = {CalcU(contact, 0)};
    if (gamma[0] == 0 && u[0] >= 0 && !contact.is_smooth()) continue;
    for (int r = 1; r < n; ++r) u[r] = CalcU(contact, r);
    double next[kMaxDiscRows], change[kMaxDiscRows];
    std::copy(gamma, gamma + n, next);
    if (!SolveOne(contact, u, next)) continue;
    for (int r = 0; r < n; ++r) {
      const double scale = scale_[contact.first + r];
      change[r] = next[r] - gamma[r];
      gamma[r] = next[r];
      out.largest = std::max(out.largest, scale * std::fabs(change[r]));
      out.energy += scale * change[r] * change[r];
    }
    AddImpulse(contact, change);
  }
  return out;
}

// After CalcVelocities. The error of a force law is the change of velocity that mends it.
double ContactSweeps::CalcResidual() const {
  double residual = 0;
  for (size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    const int first = contact.first, n = contact.row_count;
    double z[kMaxDiscRows], share = 1;
    for (int r = 0; r < n; ++r) z[r] = x_[first + r] - CalcU(contact, r) / scale_[first + r];
    if (contact.is_smooth()) {
      const ScalarLaws::Value law = laws_->Calc(contact.block->first_row, CalcU(contact, 0));
      z[0] = law.gamma;
      share = 1 / (1 + scale_[first] * law.slope);
    }
    PutIntoCone(cones_[i], z);
    for (int r = 0; r < n; ++r) {
      const double error = scale_[first + r] * std::fabs(x_[first + r] - z[r]);
      residual = error >= 0 ? std::max(residual, r == 0 ? share * error : error) : kInfinity;
    }
  }
  return residual;
}

// Velocities follow.
void ContactSweeps::KeepInCones() {
  for (size_t i = 0; i < cones_.size(); ++i) {
    const Cone& cone = cones_[i];
    double* const gamma = x_.data() + cone.first;
    const int n = cone.row_count;
    double before[kMaxDiscRows], change[kMaxDiscRows];
    std::copy(gamma, gamma + n, before);
    if (!PutIntoCone(cone, gamma)) continue;
    for (int r = 0; r < n; ++r) change[r] = gamma[r] - before[r];
    AddImpulse(contacts_[i], change);
  }
}

// From the point before a sweep (point_) and after it to the accelerated one. Velocities are linear
// in impulses, so that they are combined in the same way.
void ContactSweeps::Extrapolate() {
  anderson_.AdvanceFrom(point_, scale_, &x_);
  KeepInCones();
}

// An extrapolation is taken back if the sweep from it changes more than the sweep before, and as
// many as 8 sweeps without one follow, where it happens again and again: while contacts begin to
// stick, slide and part, what the last sweeps have in common says little about the next.
ContactSweepsResult ContactSweeps::Solve(const ConvexProgram& program, std::span<const int> blocks,
                                         std::span<const DofRange> ranges,
                                         const ContactSweepsSettings& settings, VecX* gamma) {
  constexpr int kMostPlain = 8;
  Prepare(program, blocks, ranges, *gamma);
  ContactSweepsResult result;
  bool is_extrapolated = false;
  int plain_left = 0, plain = 1;
  double last = kInfinity;
  best_change_ = kInfinity;
  while (result.sweeps < settings.max_sweeps && !settings.deadline.HasPassed()) {
    point_ = x_;
    const Change change = Sweep();
    ++result.sweeps;
    KeepBest(change.largest);
    if (change.largest <= settings.tolerance) {
      CalcVelocities();
      result.residual = CalcResidual();
      result.converged = result.residual <= settings.tolerance;
      if (result.converged) break;
    }
    if (is_extrapolated && !(change.energy <= last)) {
      x_ = anderson_.last();
      anderson_.Forget();
      is_extrapolated = false;
      plain_left = plain;
      plain = std::min(2 * plain, kMostPlain);
      continue;
    }
    last = change.energy;
    if (is_extrapolated) plain = std::max(plain / 2, 1);
    is_extrapolated = plain_left == 0;
    if (is_extrapolated) {
      Extrapolate();
    } else {
      --plain_left;
    }
  }
  if (!result.converged) {
    TakeBest();
    result.residual = CalcResidual();
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    const ConvexBlock& block = program.blocks[blocks[i]];
    const int n = contacts_[i].row_count;
    gamma->segment(block.first_row, n) = x_.segment(contacts_[i].first, n);
    gamma->segment(block.first_row + n, block.row_count - n).setZero();
  }
  return result;
}

void ContactSweeps::KeepBest(double change) {
  if (!(change < best_change_)) return;
  best_change_ = change;
  best_ = x_.head(row_count_);
}

void ContactSweeps::TakeBest() {
  if (std::isfinite(best_change_)) x_.head(row_count_) = best_;
  CalcVelocities();
}

}  // namespace voigt
