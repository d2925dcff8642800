#pragma once

#include <vector>

#include "voigt/model/joint.h"
#include "voigt/model/time_function.h"

namespace voigt {

// Coordinates of a joint as functions s(t) of time, one for each degree of freedom. Those of a
// rotation of a ball or free joint are its rotation vector θ, R_FM = exp θ.
//
// Derivatives are those of the expressions; at a kink, those of the piece that begins there.
class PrescribedMotion {
 public:
  PrescribedMotion(JointType type, const std::vector<TimeFunction>& position);

  JointType type() const { return type_; }
  bool is_constant() const { return AreConstant(position_); }

  // As joint.h lists them: nq coordinates, nv rates and accelerations.
  void CalcCoordinates(double t, double* q) const;
  void CalcRates(double t, double* v) const;
  void CalcAccelerations(double t, double* v_dot) const;

  // What the motion takes away from a deflection (joint_motion.h) in a step from t to t + h, one
  // number for each degree of freedom, where the joint is at q: rates v that lead from there to
  // s(t + h), kept for h, are those with e + h A v − out = 0, e and A at q. Rotations go the way
  // from θ(t) to θ(t + h), round full turns, too.
  void CalcStep(double t, double h, const double* q, double* out) const;

  // How far q and v are from the motion, over what it is: differences of coordinates over their
  // size, of rates over theirs. Sizes have at least `small`.
  double CalcMiss(double t, const double* q, const double* v, double small) const;

 private:
  // Coordinates and rates before those of a rotation.
  int scalar_count() const;
  Vec3 CalcRotationVector(double t) const;

  JointType type_;
  std::vector<CompiledTimeFunction> position_;
};

}  // namespace voigt
