#pragma once

#include <string>
#include <vector>

#include "voigt/dynamics/kinematics.h"
#include "voigt/io/mjcf_context.h"

namespace voigt {

// How easily a mechanism gives way in its reference pose: the reciprocal of the mass that is felt,
// all joints free to follow. MuJoCo scales soft constraints by these numbers.
class MjcfWeights {
 public:
  // Throws InputError where the context's model cannot be built.
  explicit MjcfWeights(const MjcfContext& context);

  // (M⁻¹)ᵢᵢ, the mean over the joint's rates; zero for a joint that has none: 1/kg or 1/(kg m²).
  double OfJoint(const std::string& name) const;
  // j M⁻¹ jᵀ of a length l = Σ factor q with l̇ = j v.
  double OfLength(const std::vector<JointTerm>& terms) const;
  // J M⁻¹ Jᵀ of the centre of mass and of the orientation, the mean over three directions.
  struct Body {
    double translation = 0, rotation = 0;
  };
  Body OfBody(const std::string& name) const;

 private:
  Model model_;
  Kinematics kin_;
  MatX inverse_;  // M⁻¹
};

}  // namespace voigt
