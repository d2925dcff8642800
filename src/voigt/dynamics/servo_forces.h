#pragma once

#include <vector>

#include "voigt/model/model.h"

namespace voigt {

// The servos of a model's tree joints, but for those whose force is limited. Per degree of freedom
// their forces add up to
//   force = offset(t) − stiffness q − damping v,   offset = Σ (stiffness target + damping rate).
class ServoForces {
 public:
  ServoForces() = default;
  explicit ServoForces(const Model& model);

  bool empty() const { return entries_.empty(); }

  // Evaluates the targets at time t.
  void Update(double t);

  // tau += force at (q, v).
  void AddForces(const VecX& q, const VecX& v, VecX* tau) const;

  const VecX& stiffness() const { return stiffness_; }
  const VecX& damping() const { return damping_; }

 private:
  struct Entry {
    int dof;
    double stiffness, damping;
    CompiledTimeFunction target, rate;
  };
  std::vector<Entry> entries_;
  std::vector<int> dofs_, coordinates_;  // each driven dof once
  VecX stiffness_, damping_, offset_;
};

}  // namespace voigt
