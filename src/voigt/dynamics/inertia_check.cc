#include "voigt/dynamics/inertia_check.h"

#include <fmt/format.h>

#include "voigt/dynamics/articulated_body.h"

namespace voigt {

void CheckEveryDofMovesInertia(const Model& model, const VecX& q, ProblemList* problems) {
  const Tree& tree = model.tree();
  Kinematics kin(model);
  UpdatePositions(model, q, &kin);

  // D is what a rate moves while everything outside it gives way. It is compared with what the
  // same rate moves when nothing gives way (all dofs prescribed): zero beside that is zero.
  ArticulatedBody rigid(model), articulated(model);
  const std::vector<char> all(model.nv(), 1);
  UpdateArticulatedInertia(model, kin, &all, &rigid);

  // A rate without inertia spoils those inside it; it is held still before they are looked at.
  std::vector<char> held(model.nv(), 0);
  for (int found = 0; found < 10; ++found) {
    UpdateArticulatedInertia(model, kin, &held, &articulated);
    int k = tree.nv - 1;
    while (k >= 0 && (held[k] || articulated.D[k] > 1e-13 * rigid.D[k])) --k;
    if (k < 0) break;
    held[k] = 1;
    const int body = tree.dof_body[k];
    problems->Add(model.joint(body).where, fmt::format("joint '{}'", model.joint(body).name),
                  fmt::format("its rate {} moves no inertia: give body '{}', or a body on it, mass "
                              "and inertia, or give the joint armature",
                              k - tree.v_start[body], model.body(body).name));
  }
}

}  // namespace voigt
