// How far forces and accelerations of held motion are from their laws, judged from λ and v̇ alone.

#include <algorithm>
#include <cmath>

#include "voigt/events/held_motion.h"

namespace voigt {
namespace {

constexpr double kTiny = 1e-300;

}  // namespace

Audit HeldMotion::Judge(const VecX& v_dot, const std::vector<Hold>& holds) {
  Audit out;
  out.law = out.normal = out.cone = out.antiparallel = 0;
  out.momentum = JudgeMomentum(v_dot);
  JudgeGaps(holds, &out);
  if (rows_.empty()) return out;
  const VecX a = problem_.G * v_dot + problem_.b;
  const VecX parts = problem_.A.cwiseAbs() * lambda_.cwiseAbs();
  const double scale = std::max({problem_.a_scale, parts.maxCoeff(), kTiny});
  const double force_scale = std::max(lambda_.lpNorm<Eigen::Infinity>(), kTiny);
  for (int j = 0; j < a.size(); ++j) {
    if (problem_.laws[j] == AccelerationLaw::kFriction) continue;
    const bool is_one_sided = problem_.laws[j] == AccelerationLaw::kOneSided;
    const double error = is_one_sided ? std::fmin(problem_.A(j, j) * lambda_[j], a[j]) : a[j];
    out.law = std::max(out.law, std::fabs(error) / scale);
    if (is_one_sided) out.normal = std::max(out.normal, -lambda_[j] / force_scale);
  }
  JudgeFriction(holds, a, scale, force_scale, &out);
  return out;
}

// What slides has λ_t = −μ N d, along its slip where that is fast enough to have a direction, and
// along its acceleration where it begins. What sticks has ‖s − Proj(s − a_t)‖ with s = w λ_t, where
// Proj is that on the disc of the radius w μ N: zero where a_t = 0 and ‖λ_t‖ ≤ μ N, and where
// friction is at its limit against a_t.
void HeldMotion::JudgeFriction(const std::vector<Hold>& holds, const VecX& a, double scale,
                               double force_scale, Audit* out) const {
  for (int b = 0; b < static_cast<int>(problem_.friction.size()); ++b) {
    const FrictionBlock& block = problem_.friction[b];
    const int first = block.first_row, count = block.row_count;
    const double N = block.C.size() == 0 ? std::max(lambda_[block.normal_row], 0.0)
                                         : (block.n0 + block.C * lambda_).norm();
    const double w = problem_.A.diagonal().segment(first, count).mean();
    const double limit = block.mu * N;
    const VecX force = lambda_.segment(first, count), gain = a.segment(first, count);
    VecX slip(count);
    for (int i = 0; i < count; ++i) slip[i] = finder_.rates()[rows_[first + i].row];
    out->cone = std::max(out->cone, (force.norm() - limit) / force_scale);
    if (!block.is_sliding()) {
      VecX nearest = w * force - gain;
      const double size = nearest.norm();
      if (size > w * limit) nearest *= w * limit / size;
      out->law = std::max(out->law, (w * force - nearest).norm() / scale);
      continue;
    }
    const bool begins = block.task == FrictionTask::kBegins;
    const Vec3 d = begins ? working_.direction(b) : block.direction;
    out->law = std::max(out->law, w * (force + limit * d.head(count)).norm() / scale);
    if (begins) {
      const VecX across = gain - gain.dot(d.head(count)) * d.head(count);
      out->law = std::max(out->law, across.norm() / scale);
    }
    const double least = std::max(kSlowSlip, CalcLeastSlip(holds[block_hold_[b]]));
    const double sizes = force.norm() * slip.norm();
    if (begins || slip.norm() <= least || sizes == 0) continue;
    out->antiparallel = std::max(out->antiparallel, 1 + force.dot(slip) / sizes);
  }
}

// M v̇ + c = f + Gᵀλ, by inverse dynamics, of rates that are not prescribed.
double HeldMotion::JudgeMomentum(const VecX& v_dot) {
  force_.setZero(model_.nv());
  CalcInverseDynamics(model_, finder_.kin(), &v_dot, nullptr, &newton_euler_, &force_);
  const VecX applied = equations_.applied_force() + contact_force_;
  VecX held = VecX::Zero(model_.nv());
  if (!rows_.empty()) held.noalias() += problem_.G.transpose() * lambda_;
  // Of a body that falls freely all of these are zero but for rounding, beside what it would take
  // to hold its velocities.
  right_.setZero(model_.nv());
  CalcBias(model_, finder_.kin(), &newton_euler_, &right_);
  const double scale = force_.lpNorm<Eigen::Infinity>() + applied.lpNorm<Eigen::Infinity>() +
                       held.lpNorm<Eigen::Infinity>() + right_.lpNorm<Eigen::Infinity>();
  double error = 0;
  for (int k = 0; k < model_.nv(); ++k) {
    const bool is_known = prescribed_.any() && prescribed_.flags()[k];
    if (!is_known) error = std::max(error, std::fabs(force_[k] - applied[k] - held[k]));
  }
  return scale > 0 ? error / scale : 0;
}

// Of rigid contacts and limits that are held, and of bilateral rows.
void HeldMotion::JudgeGaps(const std::vector<Hold>& holds, Audit* out) const {
  out->penetration = out->violation = 0;
  for (const Hold& hold : holds) {
    const Touch* const touch = hold.is_guide || hold.is_soft ? nullptr : finder_.Find(hold.id);
    if (touch != nullptr) out->penetration = std::max(out->penetration, -touch->phi);
  }
  for (int row : finder_.bilateral_rows()) {
    out->violation = std::max(out->violation, std::fabs(finder_.problem().rows[row].phi));
  }
  out->infeasibility = std::max(out->penetration, out->violation);
}

}  // namespace voigt
