#include "voigt/io/mjcf_weights.h"

#include <Eigen/LU>
#include <algorithm>

#include "voigt/dynamics/jacobian.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/model/model_builder.h"

namespace voigt {

MjcfWeights::MjcfWeights(const MjcfContext& context)
    : model_(ModelBuilder(context.out.spec).Build()), kin_(model_) {
  VecX q = model_.NeutralCoordinates();
  for (const auto& [name, values] : context.out.reference) {
    const auto body = model_.FindJoint(name);
    if (!body) continue;
    std::copy(values.begin(), values.end(), q.begin() + model_.tree().q_start[*body]);
  }
  CompositeInertia composite(model_);
  VecX packed(model_.tree().pattern.nonzeros());
  UpdatePositions(model_, q, &kin_);
  CalcMassMatrix(model_, kin_, &composite, &packed);
  inverse_ = model_.tree().pattern.ToDense(packed).inverse();
}

double MjcfWeights::OfJoint(const std::string& name) const {
  const auto body = model_.FindJoint(name);
  if (!body || model_.tree().dof_count[*body] == 0) return 0;
  return inverse_.diagonal()
      .segment(model_.tree().v_start[*body], model_.tree().dof_count[*body])
      .mean();
}

double MjcfWeights::OfLength(const std::vector<JointTerm>& terms) const {
  VecX j = VecX::Zero(model_.nv());
  for (const JointTerm& term : terms) {
    const auto body = model_.FindJoint(term.joint);
    if (body) j[model_.tree().v_start[*body] + term.dof] += term.factor;
  }
  return j.dot(inverse_ * j);
}

MjcfWeights::Body MjcfWeights::OfBody(const std::string& name) const {
  const auto body = model_.FindBody(name);
  if (!body || *body == 0) return {};
  Mat6X J = Mat6X::Zero(6, model_.nv());
  const Vec3 com = CalcBodyPose(model_, kin_, *body) * model_.body(*body).mass.com;
  CalcPointJacobian(model_, kin_, *body, com, J);
  const Vec6 diagonal = (J * inverse_ * J.transpose()).diagonal();
  return {diagonal.tail<3>().mean(), diagonal.head<3>().mean()};
}

}  // namespace voigt
