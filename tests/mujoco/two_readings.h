#pragma once

#include <string>
#include <vector>

#include "tests/mujoco/mujoco_model.h"
#include "voigt/io/imported_model.h"
#include "voigt/model/model.h"

namespace voigt::testing {

// An MJCF file read by us and by MuJoCo, with the places of MuJoCo's coordinates and rates in ours.
struct TwoReadings {
  ImportedModel imported;
  Model model;
  MujocoModel mujoco;
  std::vector<int> q_of, v_of;
};

TwoReadings ReadMjcfFileTwice(const std::string& path);
TwoReadings ReadMjcfTextTwice(const std::string& text);

Vec3 MujocoVector(const mjtNum* p);
Mat3 MujocoMatrix(const mjtNum* p);

// With several geoms on a body, MuJoCo turns the axes of inertia until what remains to turn has a
// cosine within 1e-12 of one: up to 1.5e-6 rad.
inline constexpr double kAxesTolerance = 2e-6;

// Masses body by body; in random states mass matrix and bias, and poses of bodies and shapes.
void ExpectSameMotion(TwoReadings* readings, double tolerance = 1e-8,
                      double mass_tolerance = 1e-12);
// Springs, dampers, armature, friction, references and limits, joint by joint.
void ExpectSameJoints(const TwoReadings& readings);
// Which named geoms may touch, and with which friction.
void ExpectSameContacts(const TwoReadings& readings);

}  // namespace voigt::testing
