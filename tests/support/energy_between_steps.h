#pragma once

#include "voigt/sim/simulator.h"

namespace voigt::testing {

// The rates of a step are those of its middle: half a step later, weights have done half of what
// they do in a step more.
class EnergyBetweenSteps {
 public:
  explicit EnergyBetweenSteps(Simulator* simulator) : now_(simulator->CalcEnergy()) {}
  void Note(Simulator* simulator) {
    const Energy next = simulator->CalcEnergy();
    const double half = 0.5 * (next.gravity - now_.gravity);
    if (!is_begun_) first_ = now_.Total() - half;
    is_begun_ = true;
    now_ = next;
    gain_ = now_.Total() - half - first_;
  }
  double gain() const { return gain_; }

 private:
  Energy now_;
  double first_ = 0, gain_ = 0;
  bool is_begun_ = false;
};

}  // namespace voigt::testing
