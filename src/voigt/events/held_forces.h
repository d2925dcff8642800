#pragma once

#include <vector>

#include "voigt/events/held_motion.h"

namespace voigt {

// Forces and accelerations at one moment of event-driven motion, worked out anew: those who ask for
// them change nothing that comes after.
class HeldForces {
 public:
  HeldForces(const Model& model, bool by_working) : motion_(model, by_working) {
    motion_.finder()->AskForWrenches();
  }

  // With what holds do there. False where nothing was found.
  bool Calc(double t, const VecX& q, const VecX& v, const std::vector<Hold>& holds,
            const Inputs& inputs, const VecX& activation);
  bool is_found() const { return is_found_; }

  const std::vector<Hold>& holds() const { return holds_; }  // with forces
  const VecX& v_dot() const { return v_dot_; }
  const Audit& audit() const { return audit_; }  // ListMomentItems
  // Rows, forces on them, and loads.
  const HeldMotion& motion() const { return motion_; }

 private:
  HeldMotion motion_;
  std::vector<Hold> holds_;
  VecX v_dot_;
  Audit audit_;
  bool is_found_ = false;
};

}  // namespace voigt
