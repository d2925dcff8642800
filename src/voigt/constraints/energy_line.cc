#include "voigt/constraints/energy_line.h"

namespace voigt {

std::string_view ToString(EnergyLine line) {
  static constexpr std::array<std::string_view, kEnergyLineCount> kNames = {
      "loads",
      "motors",
      "servos",
      "actuators",
      "prescribed motion",
      "dampers of joints",
      "joints and stabilization",
      "limits",
      "damping of springs",
      "rotors of loop joints",
      "friction of joints",
      "impacts and dampers of contacts",
      "friction of contacts",
      "recovery of overlaps",
      "overlap at the start"};
  return kNames[static_cast<size_t>(line)];
}

}  // namespace voigt
