#include "voigt/events/held_forces.h"

#include <algorithm>

namespace voigt {

bool HeldForces::Calc(double t, const VecX& q, const VecX& v, const std::vector<Hold>& holds,
                      const Inputs& inputs, const VecX& activation) {
  holds_ = holds;
  motion_.SetInputs(inputs, activation);
  motion_.Forget();
  // Friction that holds by an uneven sharing has forces that only a decision finds.
  const bool shares =
      motion_.by_working() &&
      std::any_of(holds.begin(), holds.end(), [](const Hold& hold) { return hold.shares; });
  is_found_ = motion_.CalcAcceleration(t, q, v, &holds_, &v_dot_, shares);
  audit_ = is_found_ ? motion_.Judge(v_dot_, holds_) : Audit();
  return is_found_;
}

}  // namespace voigt
