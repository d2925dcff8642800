#include "voigt/kernels/contact_sweeps.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "voigt/kernels/local_coulomb.h"

namespace voigt {
namespace {

constexpr double kLeast = 1e-290;  // of what rows respond with

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

// What does not stick.
bool Slide(const double* W, const double* q, double mu, double* gamma) {
  return (q[0] < 0 && SlideAsBefore(W, q, mu, gamma)) || SolveLocalCoulomb(3, W, q, mu, gamma);
}

// u = W γ + q of a contact with the others held, disc after disc: slip with the normal, then spin
// and rolling with the radius that this leaves them. Once, since the whole is repeated.
bool SolveDiscs(const ConvexBlock& block, int n, const double* W, const double* q, double* gamma) {
  // The part of u that other rows make.
  const auto gather = [&](int first, int count, double* A, double* c) {
    for (int i = 0; i < count; ++i) {
      c[i] = q[first + i];
      for (int j = 0; j < n; ++j) {
        const double W_ij = W[(first + i) * n + j];
        const bool is_own = j >= first && j < first + count;
        if (is_own) A[i * count + j - first] = W_ij;
        if (!is_own) c[i] += W_ij * gamma[j];
      }
    }
  };
  double A[9], c[3];
  gather(0, 3, A, c);
  const Vec3 stuck = -(Eigen::Map<const Mat3>(A).inverse() * Eigen::Map<const Vec3>(c));
  const double most = block.mu * stuck[0];
  if (stuck[0] >= 0 && stuck.tail<2>().squaredNorm() <= most * most) {
    std::copy_n(stuck.data(), 3, gamma);
  } else if (!Slide(A, c, block.mu, gamma)) {
    return false;
  }
  for (const Disc& disc : block.discs()) {
    if (disc.first == 1) continue;
    gather(disc.first, disc.count, A, c);
    MinimizeOverDisc(disc.count, A, c, disc.mu * gamma[0], gamma + disc.first);
  }
  return true;
}

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

bool ContactSweeps::Applies(const ConvexProgram& program, std::span<const int> blocks,
                            std::span<const DofRange> ranges) {
  const auto is_free = [&](const DofRange& range) {
    return range.count == 6 && program.pattern->is_chain_of_six(range.first);
  };
  const auto is_contact = [&](int b) {
    const ConvexBlock& block = program.blocks[b];
    const bool has_slip = block.set == ConvexSet::kCoulomb && block.row_count >= 3;
    const bool pushes = block.set == ConvexSet::kHalfLines && block.row_count == 1;
    return (has_slip || pushes) && block.col_count <= 12;
  };
  return std::all_of(ranges.begin(), ranges.end(), is_free) &&
         std::all_of(blocks.begin(), blocks.end(), is_contact);
}

void ContactSweeps::PrepareBodies(const ConvexProgram& program, std::span<const DofRange> ranges) {
  factors_.resize(ranges.size());
  v_star_.resize(6 * ranges.size());
  for (size_t i = 0; i < ranges.size(); ++i) {
    const double* packed = program.M->data() + program.pattern->row_start(ranges[i].first);
    Mat6 M;
    for (int r = 0; r < 6; ++r) {
      for (int c = 0; c <= r; ++c) M(r, c) = M(c, r) = *packed++;
    }
    factors_[i] = M.llt().matrixL();
    v_star_.segment<6>(6 * i).noalias() =
        factors_[i].transpose() * program.v_star->segment<6>(ranges[i].first);
  }
}

void ContactSweeps::PrepareContact(const ConvexProgram& program, const ConvexBlock& block,
                                   std::span<const DofRange> ranges, Contact* contact) {
  const auto cols = program.cols_of(block);
  const int n = block.has_friction() ? block.row_count : 1;
  contact->block = &block;
  contact->row_count = n;
  contact->mu = block.mu;
  contact->bodies[0] = contact->bodies[1] = contact->more = -1;
  if (n > 3) {
    contact->more = static_cast<int>(more_.size());
    more_.emplace_back();
  }
  int side = -1;
  for (int k = 0; k < block.col_count; ++k) {
    const auto range =
        std::upper_bound(ranges.begin(), ranges.end(), cols[k],
                         [](int dof, const DofRange& candidate) { return dof < candidate.first; });
    const int body = static_cast<int>(range - ranges.begin()) - 1;
    if (side < 0 || contact->bodies[side] != body) {
      contact->bodies[++side] = body;
      contact->J[side].setZero();
      if (n > 3) more_.back().J[side].setZero();
    }
    for (int r = 0; r < n; ++r) {
      Mat6x3& J = r < 3 ? contact->J[side] : more_.back().J[side];
      J(cols[k] - ranges[body].first, r % 3) = program.entries(block, r)[k];
    }
  }
  for (int r = 0; r < n; ++r) {
    const bool has_law = r == 0 && block.smooth;
    contact->b[r] = has_law ? 0 : program.b[block.first_row + r];
    contact->R[r] = has_law ? 0 : program.R[block.first_row + r];
  }
  PrepareResponse(contact);
}

void ContactSweeps::PrepareResponse(Contact* contact) {
  const int n = contact->row_count;
  contact->W.setZero();
  for (int i = 0; i < 2 && contact->bodies[i] >= 0; ++i) {
    const auto L = factors_[contact->bodies[i]].triangularView<Eigen::Lower>();
    L.solveInPlace(contact->J[i]);
    contact->W.noalias() += contact->J[i].transpose() * contact->J[i];
    if (contact->more >= 0) L.solveInPlace(more_.back().J[i]);
  }
  for (int r = 0; r < std::min(n, 3); ++r) contact->W(r, r) += contact->R[r];
  contact->may_stick = false;
  if (n == 3) {
    contact->inverse = contact->W.inverse();
    contact->may_stick = contact->inverse.allFinite();
  }
  if (contact->more < 0) return;
  MoreRows& more = more_.back();
  const auto column = [&](int side, int r) {
    return r < 3 ? contact->J[side].col(r) : more.J[side].col(r - 3);
  };
  for (int r = 0; r < n; ++r) {
    for (int s = 0; s < n; ++s) {
      double sum = r == s ? contact->R[r] : 0;
      for (int i = 0; i < 2 && contact->bodies[i] >= 0; ++i) sum += column(i, r).dot(column(i, s));
      more.W[r * n + s] = sum;
    }
  }
}

// S of the rows: what they respond with, the same over each disc.
void ContactSweeps::FillScale(const Contact& contact) {
  const int n = contact.row_count;
  const auto response = [&](int r) {
    return contact.more < 0 ? contact.W(r, r) : more_[contact.more].W[r * n + r];
  };
  double* const S = scale_.data() + contact.first;
  S[0] = std::max(response(0), kLeast);
  if (n == 1) return;
  for (const Disc& disc : contact.block->discs()) {
    double largest = kLeast;
    for (int r = 0; r < disc.count; ++r) largest = std::max(largest, response(disc.first + r));
    std::fill_n(S + disc.first, disc.count, largest);
  }
}

void ContactSweeps::Prepare(const ConvexProgram& program, std::span<const int> blocks,
                            std::span<const DofRange> ranges, const VecX& gamma) {
  PrepareBodies(program, ranges);
  laws_ = program.laws;
  contacts_.resize(blocks.size());
  cones_.resize(blocks.size());
  more_.clear();
  row_count_ = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    Contact& contact = contacts_[i];
    PrepareContact(program, program.blocks[blocks[i]], ranges, &contact);
    contact.first = row_count_;
    cones_[i] = {contact.mu, contact.first, contact.row_count, contact.block};
    row_count_ += contact.row_count;
  }
  const long size = row_count_ + v_star_.size();
  for (VecX* vector : {&x_, &point_}) vector->resize(size);
  for (VecX* vector : {&best_, &scale_}) vector->resize(row_count_);
  for (size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    x_.segment(contact.first, contact.row_count) =
        gamma.segment(contact.block->first_row, contact.row_count);
    PutIntoCone(cones_[i], impulses_of(contact));
    FillScale(contact);
  }
  CalcVelocities();
  anderson_.Reset(static_cast<int>(size), row_count_);
}

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
  return Slide(contact.W.data(), u, contact.mu, gamma);
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
  } else if (!SolveDiscs(*contact.block, n, W, q, gamma)) {
    return false;
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

// What presses, and what of it sticks.
void ContactSweeps::FindHeld() {
  constexpr double kInside = 1 - 1e-9;
  held_.clear();
  for (const Contact& contact : contacts_) {
    const double* const gamma = impulses_of(contact);
    if (!(gamma[0] > 0)) continue;
    Held held;
    held.contact = &contact;
    held.R = contact.R[0];
    if (contact.is_smooth()) {
      const double slope = laws_->Calc(contact.block->first_row, CalcU(contact, 0)).slope;
      if (!(slope > 0)) continue;
      held.R = 1 / slope;
    }
    Mat3 W = contact.W;
    W(0, 0) += held.R - contact.R[0];
    held.sticks =
        contact.has_friction() && std::hypot(gamma[1], gamma[2]) < kInside * contact.mu * gamma[0];
    if (held.sticks) held.inverse = W.inverse();
    held.sticks = held.sticks && held.inverse.allFinite();
    if (!held.sticks) held.inverse(0, 0) = 1 / W(0, 0);
    held_.push_back(held);
  }
}

// Returns the largest change, as a velocity.
double ContactSweeps::SweepHeld() {
  double largest = 0;
  for (const Held& held : held_) {
    const Contact& contact = *held.contact;
    Vec3 u = Vec3::Zero(), change = Vec3::Zero();
    const int n = held.sticks ? 3 : 1;
    double* const gamma = impulses_of(contact);
    for (int r = 0; r < n; ++r) {
      u[r] = (r == 0 ? held.R : contact.R[r]) * gamma[r];
      for (int side = 0; side < 2 && contact.bodies[side] >= 0; ++side) {
        u[r] += contact.J[side].col(r).dot(velocity_of(contact.bodies[side]));
      }
    }
    if (held.sticks) {
      change = -(held.inverse * u);
    } else {
      change[0] = -held.inverse(0, 0) * u[0];
    }
    for (int r = 0; r < n; ++r) gamma[r] += change[r];
    for (int side = 0; side < 2 && contact.bodies[side] >= 0; ++side) {
      velocity_of(contact.bodies[side]).noalias() += contact.J[side].leftCols(n) * change.head(n);
    }
    largest = std::max(largest, u.lpNorm<Eigen::Infinity>());
  }
  return largest;
}

void ContactSweeps::SolveHeld(const ConvexProgram& program, std::span<const int> blocks,
                              std::span<const DofRange> ranges, const VecX& gamma, VecX* x) {
  constexpr double kDigits = 1e-6;
  constexpr int kMost = 300;
  Prepare(program, blocks, ranges, gamma);
  FindHeld();
  x_.setZero();
  double first = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    auto v = velocity_of(static_cast<int>(i));
    v = x->segment<6>(ranges[i].first);
    factors_[i].triangularView<Eigen::Lower>().solveInPlace(v);
  }
  for (int sweep = 0; sweep < kMost; ++sweep) {
    point_ = x_;
    const double change = SweepHeld();
    first = std::max(first, change);
    if (change <= kDigits * first) break;
    anderson_.AdvanceFrom(point_, scale_, &x_);
  }
  for (size_t i = 0; i < ranges.size(); ++i) {
    auto out = x->segment<6>(ranges[i].first);
    out = velocity_of(static_cast<int>(i));
    factors_[i].transpose().triangularView<Eigen::Upper>().solveInPlace(out);
  }
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
