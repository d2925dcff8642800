#include <Eigen/LU>
#include <algorithm>

#include "voigt/dynamics/mass_matrix.h"
#include "voigt/io/mjcf_context.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

// What a joint moves in the reference pose while all others are free to follow: 1/(M⁻¹)ᵢᵢ, from
// the mean over its rates.
std::map<std::string, double> CalcReferenceInertias(const MjcfContext& context) {
  const Model model = ModelBuilder(context.out.spec).Build();
  VecX q = model.NeutralCoordinates();
  for (const auto& [name, values] : context.out.reference) {
    const auto body = model.FindJoint(name);
    if (!body) continue;
    std::copy(values.begin(), values.end(), q.begin() + model.tree().q_start[*body]);
  }
  Kinematics kin(model);
  CompositeInertia composite(model);
  VecX packed(model.tree().pattern.nonzeros());
  UpdatePositions(model, q, &kin);
  CalcMassMatrix(model, kin, &composite, &packed);
  const MatX inverse = model.tree().pattern.ToDense(packed).inverse();
  std::map<std::string, double> inertias;
  for (int b = 1; b < model.nb(); ++b) {
    const int start = model.tree().v_start[b], count = model.tree().dof_count[b];
    if (count > 0)
      inertias[model.joint(b).name] = 1 / inverse.diagonal().segment(start, count).mean();
  }
  return inertias;
}

}  // namespace

void SetMjcfSpringDampers(MjcfContext* context) {
  const auto has_one = [](const MjcfJoint& joint) { return joint.spring_damper[0] > 0; };
  if (!std::any_of(context->joints.begin(), context->joints.end(), has_one)) return;
  if (!context->problems.empty()) return;
  const std::map<std::string, double> inertias = CalcReferenceInertias(*context);
  for (const MjcfJoint& joint : context->joints) {
    const auto [time, ratio] = joint.spring_damper;
    if (!has_one(joint) || !(ratio > 0)) continue;
    JointSpec& spec = context->out.spec.joints[joint.spec];
    const double inertia = inertias.at(spec.name);
    spec.stiffness = {inertia / (time * time * ratio * ratio)};
    spec.damping = {2 * inertia / time};
  }
}

}  // namespace voigt
