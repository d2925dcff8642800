#include <algorithm>

#include "voigt/io/mjcf_context.h"
#include "voigt/io/mjcf_weights.h"

namespace voigt {

void SetMjcfSpringDampers(MjcfContext* context) {
  const auto has_one = [](const MjcfJoint& joint) { return joint.spring_damper[0] > 0; };
  if (!std::any_of(context->joints.begin(), context->joints.end(), has_one)) return;
  if (!context->problems.empty()) return;
  const MjcfWeights weights(*context);
  for (const MjcfJoint& joint : context->joints) {
    const auto [time, ratio] = joint.spring_damper;
    if (!has_one(joint) || !(ratio > 0)) continue;
    JointSpec& spec = context->out.spec.joints[joint.spec];
    const double inertia = 1 / weights.OfJoint(spec.name);
    spec.stiffness = {inertia / (time * time * ratio * ratio)};
    spec.damping = {2 * inertia / time};
  }
}

}  // namespace voigt
