#pragma once

#include <string>
#include <vector>

#include "voigt/io/scene.h"
#include "voigt/sim/run.h"

// What summaries for people and for programs have in common.
namespace voigt {

// What the scene asks for and this version does not do, and what went less than well.
std::vector<std::string> CollectNotices(const Scene& scene, const RunSummary& summary);

int CountJoints(const Model& model);

// One of the rates of a joint whose motion is prescribed.
struct PrescribedRate {
  std::string joint;
  int index = 0, count = 1;
  bool is_angle = false;
};

// Of joints of the tree: visit(rate, force).
template <typename Visit>
void ForEachPrescribed(const Model& model, const VecX& force, Visit visit) {
  for (const PrescribedJoint& motion : model.spec().prescribed_joints) {
    const auto body = model.FindJoint(motion.joint);
    if (!body || force.size() == 0) continue;
    const int first = model.tree().v_start[*body];
    for (int k = 0; k < model.tree().dof_count[*body]; ++k) {
      const bool is_angle = IsAngularDof(model.joint(*body).type, k);
      visit(PrescribedRate{motion.joint, k, model.tree().dof_count[*body], is_angle},
            force[first + k]);
    }
  }
}

}  // namespace voigt
