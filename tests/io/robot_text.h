#pragma once

#include <string>

#include "voigt/base/errors.h"
#include "voigt/io/urdf.h"

namespace voigt::testing {

// A robot of these elements. The first of them stands in line 2.
inline std::string RobotText(const std::string& elements) {
  return "<robot name=\"r\">\n" + elements + "</robot>\n";
}

// Two links of 1 kg and a joint of these attributes and elements between them, in lines 4 and 5.
inline std::string TwoLinks(const std::string& type, const std::string& elements) {
  const std::string inertial =
      "<inertial><mass value='1'/>"
      "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";
  return RobotText("<link name='a'>" + inertial + "</link>\n<link name='b'>" + inertial +
                   "</link>\n<joint name='j' type='" + type +
                   "'><parent link='a'/><child link='b'/>\n" + elements + "</joint>\n");
}

inline ImportedModel ReadRobot(const std::string& elements) {
  return ParseUrdf(RobotText(elements), "r.urdf");
}

}  // namespace voigt::testing
