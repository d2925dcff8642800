#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "voigt/math/types.h"
#include "voigt/model/inputs.h"

namespace voigt {

// What a contact remembers from one step to the next.
struct ContactMemory {
  std::uint64_t id = 0;                        // stable name of the contact
  double normal_force = 0;                     // N
  Vec3 friction_force = Vec3::Zero();          // N, in world axes
  Vec3 tangential_deformation = Vec3::Zero();  // m, in world axes
  Vec3 slip_direction = Vec3::Zero();          // impending slip, a unit vector or zero
  Vec3 friction_torque = Vec3::Zero();         // N m, against spin and rolling, in world axes
  double energy = 0;                           // J, of the spring or force law along the normal
};

// Everything that affects the next step: copy it, and the simulation goes on from there in the
// same way, bit for bit.
struct State {
  double t = 0;            // s
  VecX q, v;               // joint coordinates and rates, as joint.h lists them
  VecX activation;         // of actuators with a state of their own; none: as they start
  Inputs inputs;           // what a controller does, held until it is changed
  std::vector<int> modes;  // discrete states (stick, slip, …)
  std::vector<ContactMemory> contacts;
  VecX warm_start;  // the last step's constraint forces, without those of contacts
  // s: over what time rigid constraints take their gaps back, if the next step is shorter than the
  // one in which these gaps have opened.
  double recovery_time = 0;
  VecX carried;  // N s, N m s: per rate, what friction that holds has yet to take
                 // (sim/stuck_joints.h)
  // Per body at the root of a tree: whether its rates are those of the time t, and not of the
  // middle of the last step (sim/free_trees.h). Empty: not known so far; clear it where q and v are
  // set by hand.
  std::vector<char> synchronous;
  VecX surplus;  // J, of mechanisms: what the integrator has made of nothing (sim/surplus_limit.h)

  // True if t, q and v are free of NaN and infinity.
  bool IsFinite() const;

  // A byte string that holds the state exactly, and back. Restore throws InputError if the bytes
  // are not a state.
  std::vector<std::uint8_t> Serialize() const;
  static State Restore(std::span<const std::uint8_t> bytes);

  bool operator==(const State& other) const;
};

}  // namespace voigt
