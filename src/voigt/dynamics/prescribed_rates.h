#pragma once

#include <vector>

#include "voigt/model/model.h"

namespace voigt {

// Joints of the tree whose motion is prescribed and rigid: their coordinates s(t), rates ṡ and
// accelerations s̈ are known, and hybrid dynamics leaves their forces to be found.
//
// Derivatives are those of the expressions; at a kink, those of the piece that begins there.
class PrescribedRates {
 public:
  explicit PrescribedRates(const Model& model);

  bool any() const { return !motions_.empty(); }
  const std::vector<char>& flags() const { return flags_; }  // per rate

  // v̇ of these rates at t; the others stay.
  void SetAccelerations(double t, VecX* v_dot) const;
  // q and v of these joints at t; the others stay.
  void SetMotion(double t, VecX* q, VecX* v) const;

 private:
  struct Motion {
    int q = 0, v = 0;  // places of its coordinate and rate
    CompiledTimeFunction position;
  };

  std::vector<Motion> motions_;
  std::vector<char> flags_;
};

}  // namespace voigt
