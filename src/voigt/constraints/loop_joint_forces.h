#pragma once

#include <memory>

#include "voigt/constraints/constraint.h"

// Springs, dampers, rotors and loads of a joint that closes a loop. What is part of the mass matrix
// and of the forces for tree joints is rows here, with the same meaning at the end of the step.
namespace voigt {

// φ = e_k, the deflection from rest (joint_motion.h), angles within half a turn of it: λ = −K φ₁.
std::shared_ptr<const Constraint> MakeLoopSpring(const Model& model, int loop);

// Damping and viscous friction: λ = −B v_k.
std::shared_ptr<const Constraint> MakeLoopDamper(const Model& model, int loop);

// The inertia of a rotor: γ = −I (v_k − v_k⁰), so R = 1/I and v̂ = v_k⁰.
std::shared_ptr<const Constraint> MakeLoopArmature(const Model& model, int loop);

// A force that does not depend on the motion: γ = h τ(t), both ends of a bounded row. The load must
// be on a loop joint.
std::shared_ptr<const Constraint> MakeLoopLoad(const Model& model, const JointLoad& load);

}  // namespace voigt
