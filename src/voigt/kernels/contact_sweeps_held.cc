// The response of swept bodies with what presses between them.

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "voigt/kernels/contact_sweeps.h"

namespace voigt {

// What presses, and what of it sticks. Rows ask for nothing, and a force law is its tangent.
void ContactSweeps::FindHeld() {
  constexpr double kInside = 1 - 1e-9;
  held_.clear();
  for (Contact& contact : contacts_) {
    const double* const gamma = impulses_of(contact);
    std::fill(contact.b, contact.b + contact.row_count, 0.0);
    if (!(gamma[0] > 0)) continue;
    if (contact.is_smooth()) {
      const double slope = laws_->Calc(contact.block->first_row, CalcU(contact, 0)).slope;
      if (!(slope > 0)) continue;
      contact.R[0] = 1 / slope;
      contact.W(0, 0) += contact.R[0];
    }
    Held held;
    held.contact = &contact;
    held.sticks =
        contact.has_friction() && std::hypot(gamma[1], gamma[2]) < kInside * contact.mu * gamma[0];
    if (held.sticks) held.inverse = contact.W.inverse();
    held.sticks = held.sticks && held.inverse.allFinite();
    if (!held.sticks) held.inverse(0, 0) = 1 / contact.W(0, 0);
    held_.push_back(held);
  }
}

// Returns the largest change, as a velocity.
double ContactSweeps::SweepHeld() {
  double largest = 0;
  for (const Held& held : held_) {
    const Contact& contact = *held.contact;
    const int n = held.sticks ? 3 : 1;
    Vec3 u = Vec3::Zero();
    for (int r = 0; r < n; ++r) u[r] = CalcU(contact, r);
    double change[kMaxDiscRows] = {-held.inverse(0, 0) * u[0]};
    if (held.sticks) Eigen::Map<Vec3>(change).noalias() = -held.inverse * u;
    for (int r = 0; r < n; ++r) impulses_of(contact)[r] += change[r];
    AddImpulse(contact, change);
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

}  // namespace voigt
