#include "apps/voigt/model_report.h"

#include <fmt/format.h>

#include "apps/voigt/scene_notices.h"
#include "voigt/constraints/degrees_of_freedom.h"

namespace voigt {
namespace {

struct ConstraintNamer {
  const char* operator()(const DistanceSpec&) const { return "distance"; }
  const char* operator()(const PointOnLineSpec&) const { return "point-on-line"; }
  const char* operator()(const PointOnCircleSpec&) const { return "point-on-circle"; }
  const char* operator()(const PointInPlaneSpec&) const { return "point-in-plane"; }
  const char* operator()(const CouplerSpec&) const { return "coupler"; }
  const char* operator()(const JointLockSpec&) const { return "lock"; }
  const char* operator()(const RollingSpec&) const { return "rolling"; }
  const char* operator()(const KnifeEdgeSpec&) const { return "knife-edge"; }
  const char* operator()(const ConstantSpeedSpec&) const { return "constant-speed"; }
  const char* operator()(const PrescribedPointSpec&) const { return "prescribed-point"; }
};

void AddCount(const char* name, size_t count, KindCounts* counts) {
  if (count > 0) (*counts)[name] += static_cast<int>(count);
}

void CountStart(const Scene& scene, ModelReport* report) {
  const VecX zero = scene.model.NeutralCoordinates();
  const Tree& tree = scene.model.tree();
  for (int b = 1; b < tree.nb; ++b) {
    const int nq = CoordinateCount(tree.type[b]), nv = tree.dof_count[b];
    const auto at = [&](const VecX& values) { return values.segment(tree.q_start[b], nq); };
    report->placed_joints += at(scene.initial.q) != at(zero);
    report->moving_joints += !scene.initial.v.segment(tree.v_start[b], nv).isZero(0);
  }
}

}  // namespace

ModelReport MakeModelReport(const Scene& scene) {
  const Model& model = scene.model;
  const ModelSpec& spec = model.spec();
  ModelReport report;
  report.bodies = model.nb() - 1;
  report.dofs = CountDegreesOfFreedom(model, scene.initial.q);
  report.mass = model.TotalMass();
  report.loop_joints = static_cast<int>(model.loops().size());
  for (const JointSpec& joint : spec.joints) ++report.joints[std::string(ToString(joint.type))];
  for (const Geometry& shape : model.geometry())
    ++report.shapes[std::string(ShapeName(shape.shape))];
  for (const ConstraintSpec& constraint : spec.constraints) {
    ++report.constraints[std::visit(ConstraintNamer(), constraint.kind)];
  }
  AddCount("user's own", spec.user_constraints.size(), &report.constraints);
  AddCount("servo", spec.servos.size(), &report.drives);
  AddCount("motor", spec.motors.size(), &report.drives);
  AddCount("prescribed", spec.prescribed_joints.size(), &report.drives);
  report.tendons = static_cast<int>(spec.tendons.size());
  report.actuators = static_cast<int>(spec.actuators.size());
  AddCount("on bodies", spec.body_loads.size(), &report.loads);
  AddCount("on joints", spec.joint_loads.size(), &report.loads);
  for (const Material& material : spec.materials) {
    report.materials.push_back(fmt::format("{}: {}, friction {}", material.name,
                                           ToString(material.law), material.friction));
  }
  CountStart(scene, &report);
  report.notices = ListSceneNotices(scene);
  return report;
}

}  // namespace voigt
