#include "voigt/dynamics/momentum_transport.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/check.h"
#include "voigt/dynamics/free_body.h"
#include "voigt/dynamics/spin.h"
#include "voigt/dynamics/tree_dofs.h"

namespace voigt {
namespace {

// A body's momentum at its link's origin: spin momentum L in principal axes, linear momentum p in
// world axes.
Vec6 MomentumAtLink(const Tree& tree, const Kinematics& kin, int b, const Vec3& L, const Vec3& p) {
  Vec6 out;
  out.head<3>() = kin.X_WL[b].R * (tree.R_LP[b] * L) + kin.I[b].h.cross(p) / kin.I[b].mass;
  out.tail<3>() = p;
  return out;
}

// Velocity of the centre of mass in world axes, spin in principal axes.
void ReadVelocity(const Tree& tree, const Kinematics& kin, int b, Vec3* v_com, Vec3* omega) {
  const Vec3 w = kin.V[b].head<3>();
  *v_com = kin.V[b].tail<3>() + w.cross(kin.I[b].h) / kin.I[b].mass;
  *omega = tree.R_LP[b].transpose() * (kin.X_WL[b].R.transpose() * w);
}

// Most of the correction: what it needs to conserve energy is 1 + O(h), and where more is asked for
// the step is too long for its direction to be trusted.
constexpr double kMost = 1.25;

// The largest θ in [0, kMost] for which c + b θ + a θ² ≤ 0, given c ≤ 0 (up to rounding) and a ≥ 0.
double LargestFraction(double a, double b, double c) {
  if ((a * kMost + b) * kMost + c <= 0) return kMost;
  if (c >= 0) return 0;
  // The positive root, in the form that does not cancel.
  const double root = std::sqrt(b * b - 4 * a * c);
  return std::clamp(b >= 0 ? -2 * c / (b + root) : (-b + root) / (2 * a), 0.0, kMost);
}

}  // namespace

MomentumTransport::MomentumTransport(const Model& model)
    : flight_(model.nb()),
      momentum_(model.nb(), Vec6::Zero()),
      momentum_end_(model.nb(), Vec6::Zero()),
      energy_(model.nb(), 0.0),
      p_(VecX::Zero(model.nv())),
      v_(VecX::Zero(model.nv())),
      delta_(VecX::Zero(model.nv())),
      r_(VecX::Zero(model.nv())) {
  const Tree& tree = model.tree();
  for (int b = 1; b < tree.nb; ++b) {
    const bool is_free =
        tree.is_free_body[b] && tree.armature.segment<6>(tree.v_start[b]).isZero(0);
    if (is_free) {
      free_bodies_.push_back(b);
    } else {
      has_joints_ = true;
    }
  }
}

void MomentumTransport::FlyFreely(const Model& model, const Kinematics& kin, double h) {
  const Tree& tree = model.tree();
  spin_failures_ = 0;
  for (int b = 1; b < tree.nb; ++b) {
    if (!(kin.I[b].mass > 0)) continue;
    Flight& flight = flight_[b];
    ReadVelocity(tree, kin, b, &flight.v_com, &flight.omega);
    const Vec3& I = tree.principal_moments[b];
    energy_[tree.root[b]] +=
        0.5 * (kin.I[b].mass * flight.v_com.squaredNorm() + I.dot(flight.omega.cwiseAbs2()));
    bool gave_up = false;
    flight.omega_free = AdvanceSpin(I, flight.omega, h, &gave_up);
    spin_failures_ += gave_up;
  }
}

void MomentumTransport::Update(const Model& model, const VecX& v1, double h,
                               const Configuration& start, Configuration* end) {
  const Tree& tree = model.tree();
  VOIGT_DCHECK(v1.size() == tree.nv);

  // Each body's velocity at q₀, its energy, and where free flight takes it.
  std::fill(energy_.begin(), energy_.end(), 0.0);
  FlyFreely(model, start.kin(), h);
  for (int k = 0; k < tree.nv; ++k) {
    energy_[tree.root[tree.dof_body[k]]] += 0.5 * tree.armature[k] * v1[k] * v1[k];
  }

  // Free bodies are there already; the energy of the others is what their joints may not exceed.
  if (has_joints_) PullTogether(model, v1, h, start, end);
  for (int b : free_bodies_) {
    SetFreeRates(tree, end->kin(), b, flight_[b].v_com, flight_[b].omega_free, &v_);
  }
}

void MomentumTransport::PullTogether(const Model& model, const VecX& v1, double h,
                                     const Configuration& start, Configuration* end) {
  const Tree& tree = model.tree();
  // The projection: M₁ a = J₁ᵀ 𝓜 V*.
  for (int b = 1; b < tree.nb; ++b) {
    const double mass = end->kin().I[b].mass;
    momentum_[b].setZero();
    if (!(mass > 0)) continue;
    const Flight& flight = flight_[b];
    momentum_[b] = MomentumAtLink(tree, end->kin(), b,
                                  tree.principal_moments[b].cwiseProduct(flight.omega_free),
                                  mass * flight.v_com);
  }
  GatherForces(model, end->kin(), &momentum_, &p_);
  p_.array() += tree.armature.array() * v1.array();
  v_ = p_;
  end->factor().Solve(tree.pattern, v_);
  AddCorrection(model, v1, h, start, end);
}

void MomentumTransport::AddCorrection(const Model& model, const VecX& v1, double h,
                                      const Configuration& start, Configuration* end) {
  const Tree& tree = model.tree();

  // What the midpoint equations leave at a, per body: in all for the joints at q₀, and for those at
  // q₁ what they have not seen yet, the gyroscopic torque of the mean spin instead of the free one.
  end->SetRates(model, v_);
  for (int b = 1; b < tree.nb; ++b) {
    const double mass = start.kin().I[b].mass;
    momentum_[b].setZero();
    momentum_end_[b].setZero();
    if (!(mass > 0)) continue;
    const Flight& flight = flight_[b];
    const Vec3& I = tree.principal_moments[b];
    Vec3 v_com, omega;
    ReadVelocity(tree, end->kin(), b, &v_com, &omega);
    const auto gyroscopic = [&](const Vec3& omega_end) {
      const Vec3 mean = 0.5 * (flight.omega + omega_end);
      return Vec3(h * mean.cross(I.cwiseProduct(mean)));
    };
    const Vec3 L_unseen = gyroscopic(flight.omega_free) - gyroscopic(omega);
    const Vec3 L = I.cwiseProduct(flight.omega_free - omega) + L_unseen;
    momentum_[b] = MomentumAtLink(tree, start.kin(), b, L, mass * (flight.v_com - v_com));
    momentum_end_[b] = MomentumAtLink(tree, end->kin(), b, L_unseen, Vec3::Zero());
  }
  GatherForces(model, start.kin(), &momentum_, &r_);
  GatherForces(model, end->kin(), &momentum_end_, &delta_);
  r_ = 0.5 * (r_ + delta_);
  r_.array() += 0.5 * tree.armature.array() * (v1 - v_).array();
  delta_ = r_;
  end->factor().Solve(tree.pattern, delta_);

  // Per tree: T(a + θδ) = ½ aᵀp + θ aᵀr + θ² ½ δᵀr is the energy before, or less.
  ForEachTree(tree, [&](int root, int first, int count) {
    auto a = v_.segment(first, count);
    const auto d = delta_.segment(first, count), r = r_.segment(first, count);
    const double excess = 0.5 * a.dot(p_.segment(first, count)) - energy_[root];
    a += LargestFraction(0.5 * d.dot(r), a.dot(r), excess) * d;
  });
}

}  // namespace voigt
