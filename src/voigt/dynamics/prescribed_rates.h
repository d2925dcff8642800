#pragma once

#include <vector>

#include "voigt/model/model.h"
#include "voigt/model/prescribed_motion.h"

namespace voigt {

// Joints of the tree whose motion is prescribed and rigid: their coordinates, rates and
// accelerations are known, and hybrid dynamics leaves their forces to be found.
class PrescribedRates {
 public:
  explicit PrescribedRates(const Model& model);

  bool any() const { return !motions_.empty(); }
  const std::vector<char>& flags() const { return flags_; }  // per rate

  // v̇ of these rates at t; the others stay.
  void SetAccelerations(double t, VecX* v_dot) const;
  // q and v of these joints at t; the others stay. Of the two quaternions of a rotation, the one
  // closer to what *q has.
  void SetMotion(double t, VecX* q, VecX* v) const;
  // The largest of PrescribedMotion::CalcMiss.
  double CalcMiss(double t, const VecX& q, const VecX& v, double small) const;

 private:
  struct Motion {
    int q = 0, v = 0;  // where its coordinates and rates start
    PrescribedMotion of_joint;
  };

  std::vector<Motion> motions_;
  std::vector<char> flags_;
};

}  // namespace voigt
