#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "voigt/base/source_location.h"
#include "voigt/math/types.h"
#include "voigt/model/constraint_spec.h"
#include "voigt/model/joint.h"
#include "voigt/model/time_function.h"

// Tendons and actuators as a user describes them: plain data, checked by ModelBuilder.
namespace voigt {

struct ValueRange {
  double lower = -kInfinity, upper = kInfinity;

  double Clamp(double x) const { return std::min(std::max(x, lower), upper); }
  bool is_bounded() const { return lower > -kInfinity || upper < kInfinity; }
};

// A length l = Σ factor q over scalar coordinates of joints, as of a cable over pulleys, and what
// acts along it. A force f along l is the force factor · f on each coordinate. Angles of joints
// that close loops are those within half a turn of zero.
struct TendonSpec {
  std::string name;
  std::vector<JointTerm> terms;
  ValueRange range;                    // of l: m or rad
  double limit_stiffness = kInfinity;  // of its ends: N/m or N m/rad; infinite is rigid
  double limit_damping = 0;            // N s/m or N m s/rad
  double stiffness = 0;                // of a spring, N/m or N m/rad
  double rest = 0;                     // where the spring is relaxed, m or rad
  double slack = 0;                    // and by how much further it is slack, m or rad
  double damping = 0;                  // N s/m or N m s/rad
  double dry_friction = 0;             // largest friction force, N or N m
  SourceLocation where;
};

// The state a that some actuators have, driven by the input u:
//   none        a = u
//   integrator  ȧ = u
//   filter      τ ȧ = u − a, followed exactly while u is constant over a step
enum class ActivationLaw { kNone, kIntegrator, kFilter };

// constant + length · l + velocity · l̇.
struct AffineLaw {
  double constant = 0, length = 0, velocity = 0;

  double operator()(double l, double l_dot) const {
    return constant + length * l + velocity * l_dot;
  }
  bool is_constant() const { return length == 0 && velocity == 0; }
};

// A force along a length l with rate l̇ = Σ gear v:
//   f = gain(l, l̇) a + bias(l, l̇), within force_range,
// where a follows from the input u, which is kept within input_range. The length is that of a
// tendon times gear, or Σ gear q of one joint, with the rotation vector for the coordinates of ball
// and free joints.
struct ActuatorSpec {
  std::string name;
  std::string joint, tendon;       // one of them
  std::vector<double> gear = {1};  // one value; for a joint, one for each of its rates
  TimeFunction input = 0;          // u, wherever Inputs::actuators says nothing else
  ValueRange input_range, force_range;

  ActivationLaw activation = ActivationLaw::kNone;
  double time_constant = 0;  // τ of a filter, s
  double start = 0;          // a at the start of a run
  ValueRange activation_range;

  AffineLaw gain = {1, 0, 0};
  AffineLaw bias;
  SourceLocation where;

  bool has_state() const { return activation != ActivationLaw::kNone; }
  // Whether its force depends on where the joints are and how they move.
  bool has_feedback() const { return !gain.is_constant() || !bias.is_constant(); }
};

// f = kp (u − l) − kv l̇, and f = kv (u − l̇).
void MakePositionActuator(double kp, double kv, ActuatorSpec* actuator);
void MakeVelocityActuator(double kv, ActuatorSpec* actuator);

// A force f = offset − stiffness l − damping l̇.
struct SpringForce {
  double offset = 0, stiffness = 0, damping = 0;

  double operator()(double l, double l_dot) const {
    return offset - stiffness * l - damping * l_dot;
  }
  bool is_constant() const { return stiffness == 0 && damping == 0; }

  // The same at (l, l̇) with no negative stiffness or damping: what pushes away from equilibrium, or
  // along with the motion, is taken as the constant force that it is there. The rest can be taken
  // at the end of a step and is stable at any size; the part that was moved is explicit.
  SpringForce MakeStable(double l, double l_dot) const;
};

// What an actuator does when its activation is a, but for the limits of its force.
SpringForce CalcActuatorForce(const ActuatorSpec& actuator, double a);

// ȧ for an input within its range.
double CalcActivationRate(const ActuatorSpec& actuator, double a, double u);
// a after a time h with a constant input within its range; u where there is no state.
double AdvanceActivation(const ActuatorSpec& actuator, double a, double u, double h);

// The rates that an actuator moves, with l̇ = Σ factor v: those of its joint, which is of this type,
// or of its tendon.
std::vector<JointTerm> ListTransmission(const ActuatorSpec& actuator, JointType joint_type);
std::vector<JointTerm> ListTransmission(const ActuatorSpec& actuator, const TendonSpec& tendon);

}  // namespace voigt
