#pragma once

#include <array>
#include <string_view>

namespace voigt {

// The lines of the books: what brings energy into a model or takes it away (sim/energy_books.h).
enum class EnergyLine {
  kLoads,
  kMotors,
  kServos,
  kActuators,
  kPrescribed,       // motion of joints and points as a function of time
  kDampers,          // viscous damping of joints
  kJoints,           // what is held rigidly: closing impulses, and how far gaps are restored
  kLimits,           // impacts on stops, and what their dampers take
  kSprings,          // dampers of soft constraints, and what implicit steps take from all springs
  kArmatures,        // rotors at joints that close loops: what steps make of their inertia
  kJointFriction,    // dry
  kContacts,         // impacts, and what dampers of contacts take
  kContactFriction,  // slip, spin and rolling; surfaces that move
  kRecovery,         // shapes that overlap are let out
  kOverlap,          // what soft contacts held where the run began
};
inline constexpr int kEnergyLineCount = 15;

// "friction of contacts"
std::string_view ToString(EnergyLine line);

// J, of each line.
using EnergyLines = std::array<double, kEnergyLineCount>;

}  // namespace voigt
