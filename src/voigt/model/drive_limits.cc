#include "voigt/model/drive_limits.h"

#include <cmath>
#include <string_view>
#include <unordered_map>

namespace voigt {

void ApplyDriveLimits(ModelSpec* spec) {
  std::unordered_map<std::string_view, double> limits;
  std::unordered_map<std::string_view, DriveSafety> safeties;
  for (const JointSpec& joint : spec->joints) {
    if (joint.drive_limit < kInfinity) limits.emplace(joint.name, joint.drive_limit);
    if (joint.drive_safety) safeties.emplace(joint.name, *joint.drive_safety);
  }
  if (limits.empty() && safeties.empty()) return;
  const auto bound = [&](auto* drives) {
    for (auto& drive : *drives) {
      const auto limit = limits.find(drive.joint);
      if (limit != limits.end() && drive.force_limit.empty()) drive.force_limit = {limit->second};
      const auto safety = safeties.find(drive.joint);
      if (safety == safeties.end()) continue;
      drive.safety = safety->second;
      // Without a bound of its own it has one of infinity, which safety narrows.
      if (drive.force_limit.empty()) drive.force_limit = {kInfinity};
    }
  };
  bound(&spec->servos);
  bound(&spec->motors);
  for (ActuatorSpec& actuator : spec->actuators) {
    const auto limit = limits.find(actuator.joint);
    if (limit == limits.end() || actuator.force_range.is_bounded()) continue;
    if (actuator.gear.size() != 1 || actuator.gear[0] == 0) continue;
    const double force = limit->second / std::abs(actuator.gear[0]);
    actuator.force_range = {-force, force};
  }
}

}  // namespace voigt
