#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "voigt/io/mjcf_context.h"
#include "voigt/io/mjcf_weights.h"

namespace voigt {
namespace {

// Tells what takes the place of a soft constraint whose weight is known.
class MjcfSoftening {
 public:
  MjcfSoftening(const MjcfWeights& weights, MjcfContext* context)
      : weights_(weights), context_(*context) {}

  void SoftenLimit(const MjcfJoint& joint) {
    JointSpec& spec = context_.out.spec.joints[joint.spec];
    const auto found = Map(*joint.soft_limit, weights_.OfJoint(spec.name));
    if (Tell(found, spec.where, fmt::format("joint '{}'", spec.name), "solreflimit: the limit")) {
      spec.limit_stiffness = found->stiffness;
      spec.limit_damping = found->damping;
    }
  }

  void SoftenTendon(const MjcfSolver& solver, TendonSpec* spec) {
    const auto found = Map(solver, weights_.OfLength(spec->terms));
    if (Tell(found, spec->where, fmt::format("tendon '{}'", spec->name),
             "solreflimit: the limit")) {
      spec->limit_stiffness = found->stiffness;
      spec->limit_damping = found->damping;
    }
  }

  void SoftenCoupler(const MjcfSoftCoupler& coupler) {
    ConstraintSpec& spec = context_.out.spec.constraints[coupler.spec];
    double weight = 0;
    for (const auto& length : coupler.lengths) weight += weights_.OfLength(length);
    const auto found = Map(coupler.solver, weight);
    if (Tell(found, spec.where, fmt::format("equality '{}'", spec.name),
             "solref: the constraint")) {
      spec.stiffness = found->stiffness;
      spec.damping = found->damping;
    }
  }

  void SoftenLoop(const MjcfSoftLoop& loop) {
    JointSpec& spec = context_.out.spec.joints[loop.spec];
    const MjcfWeights::Body A = weights_.OfBody(spec.parent), B = weights_.OfBody(spec.child);
    const auto moved = Map(loop.solver, A.translation + B.translation);
    const auto turned =
        spec.type == JointType::kBall ? std::nullopt : Map(loop.solver, A.rotation + B.rotation);
    if (!Tell(moved ? moved : turned, spec.where, fmt::format("equality '{}'", spec.name),
              "solref: the constraint")) {
      return;
    }
    if (moved) {
      spec.loop_stiffness = moved->stiffness;
      spec.loop_damping = moved->damping;
    }
    if (!turned) return;
    // MuJoCo's residual of a rotation by the angle θ is the scale times sin θ/2.
    const double scale = loop.torque_scale * loop.torque_scale / 4;
    spec.loop_angular_stiffness = scale * turned->stiffness;
    spec.loop_angular_damping = scale * turned->damping;
  }

 private:
  static std::optional<SpringDamper> Map(const MjcfSolver& solver, double weight) {
    if (!(weight > 0)) return std::nullopt;
    const SpringDamper found = MapMjcfSolver(solver, 1 / weight);
    if (!std::isfinite(found.stiffness) || !std::isfinite(found.damping)) return std::nullopt;
    return found;
  }

  // True if there is something to take.
  bool Tell(const std::optional<SpringDamper>& found, const SourceLocation& where,
            std::string element, std::string_view what) {
    context_.Note(
        ImportNote::Kind::kApproximated, where, std::move(element),
        found ? fmt::format("{} is a spring of {:.4g} and a damper of {:.4g}, for the mass that it "
                            "moves in the reference pose",
                            what, found->stiffness, found->damping)
              : fmt::format("{} is rigid: nothing that has mass gives way to it", what));
    return found.has_value();
  }

  const MjcfWeights& weights_;
  MjcfContext& context_;
};

}  // namespace

void SetMjcfSoftness(MjcfContext* context) {
  const auto has_limit = [](const MjcfJoint& joint) { return joint.soft_limit.has_value(); };
  const bool any_limit = std::any_of(context->joints.begin(), context->joints.end(), has_limit);
  if (!any_limit && context->soft_tendons.empty() && context->soft_loops.empty() &&
      context->soft_couplers.empty()) {
    return;
  }
  if (!context->problems.empty()) return;
  const MjcfWeights weights(*context);
  MjcfSoftening softening(weights, context);
  for (const MjcfJoint& joint : context->joints) {
    if (has_limit(joint)) softening.SoftenLimit(joint);
  }
  for (TendonSpec& tendon : context->out.spec.tendons) {
    const auto solver = context->soft_tendons.find(tendon.name);
    if (solver != context->soft_tendons.end()) softening.SoftenTendon(solver->second, &tendon);
  }
  for (const MjcfSoftLoop& loop : context->soft_loops) softening.SoftenLoop(loop);
  for (const MjcfSoftCoupler& coupler : context->soft_couplers) softening.SoftenCoupler(coupler);
}

}  // namespace voigt
