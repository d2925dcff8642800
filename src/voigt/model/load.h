#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "voigt/base/source_location.h"
#include "voigt/math/types.h"
#include "voigt/model/drive_safety.h"
#include "voigt/model/time_function.h"

namespace voigt {

// The axes in which the components of a force are given.
enum class LoadFrame { kWorld, kBody };

// A force [N] at a point of a body and a torque [N m], both functions of time.
struct BodyLoad {
  std::string name;
  std::string body;
  Vec3 point = Vec3::Zero();  // in the body's frame
  std::array<TimeFunction, 3> force;
  std::array<TimeFunction, 3> torque;
  LoadFrame frame = LoadFrame::kWorld;
  SourceLocation where;
};

// A force on the rates of a joint [N or N m], one function per degree of freedom.
struct JointLoad {
  std::string name;
  std::string joint;
  std::vector<TimeFunction> force;
  SourceLocation where;
};

// A position servo on a joint with scalar coordinates:
//   force = stiffness (target(t) − q) + damping (target_rate(t) − v),
// taken at the end of the step, so that any gain is stable, and within ± force_limit where there is
// one. Gains and limits hold one value for all degrees of freedom or one for each, targets one for
// each; damping, target_rate and force_limit may be empty.
struct Servo {
  std::string name;
  std::string joint;
  std::vector<double> stiffness;  // N/m or N m/rad
  std::vector<double> damping;    // N s/m or N m s/rad
  std::vector<TimeFunction> target;
  std::vector<TimeFunction> target_rate;
  SourceLocation where;
  std::vector<double> force_limit = {};    // N or N m
  std::optional<DriveSafety> safety = {};  // narrows ± force_limit
};

// A velocity motor on a joint: whatever force within ± force_limit brings the rates to rate(t).
// With a gain the force is gain (rate(t) − v), taken at the end of the step; without one the motor
// is as stiff as its limit allows. Lists as above; force_limit and gain may be empty: none.
struct Motor {
  std::string name;
  std::string joint;
  std::vector<TimeFunction> rate;   // m/s or rad/s
  std::vector<double> force_limit;  // N or N m
  std::vector<double> gain;         // N s/m or N m s/rad
  SourceLocation where;
  std::optional<DriveSafety> safety = {};
};

// Prescribes the coordinates of a joint as functions of time, one for each degree of freedom, a
// rotation by its rotation vector. Rigid, or by a spring and damper between joint and motion.
struct PrescribedJoint {
  std::string name;
  std::string joint;
  std::vector<TimeFunction> position;  // m or rad
  double stiffness = kInfinity;        // N/m or N m/rad
  double damping = 0;                  // N s/m or N m s/rad
  SourceLocation where;
};

}  // namespace voigt
