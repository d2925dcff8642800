#pragma once

#include <string_view>

namespace voigt {

// What dry friction does [Sherman]: discrete states of contacts and joints (State::modes).
enum class Stiction {
  kSlip = 0,   // it slides, and friction is that of sliding
  kStick = 1,  // it is held, by as much force as that takes
  kCreep = 2,  // slower than what counts as sliding, but no longer held or not so far
  kOpen = 3,   // nothing presses, and nothing rubs
};

inline std::string_view ToString(Stiction state) {
  switch (state) {
    case Stiction::kSlip:
      return "slip";
    case Stiction::kStick:
      return "stick";
    case Stiction::kCreep:
      return "creep";
    case Stiction::kOpen:
      return "open";
  }
  return "";
}

}  // namespace voigt
