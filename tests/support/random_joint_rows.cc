#include "tests/support/random_joint_rows.h"

#include <fmt/format.h>

#include <numbers>
#include <optional>
#include <string>
#include <vector>

namespace voigt::testing {
namespace {

// A degree of freedom whose coordinate is a number.
struct Coordinate {
  int joint = 0;  // of the spec
  int dof = 0;
  double q = 0;
};

class JointRows {
 public:
  JointRows(const Model& tree, const State& state, const JointRowOptions& options, Random* random,
            ModelSpec* spec)
      : options_(options), random_(*random), spec_(*spec) {
    for (int j = 0; j < static_cast<int>(spec_.joints.size()); ++j) AddJoint(tree, state, j);
    for (const Coordinate& x : coordinates_) {
      AddHold(x);
      AddDrive(x);
    }
  }

 private:
  int Choose(int count) { return static_cast<int>(random_() % count); }
  std::string Name(const char* what, const Coordinate& x) const {
    return fmt::format("{} {} of {}", what, x.dof, spec_.joints[x.joint].name);
  }

  void AddJoint(const Model& tree, const State& state, int j) {
    JointSpec& joint = spec_.joints[j];
    joint.limit_stiffness = options_.stiffness;
    joint.limit_damping = options_.damping;
    if (joint.type == JointType::kBall && Choose(2) == 0) {
      joint.cone_limit = Uniform(&random_, 0.9, 1) * std::numbers::pi;
    }
    if (HasQuaternion(joint.type)) return;
    for (int b = 1; b < tree.nb(); ++b) {
      if (tree.joint(b).name != joint.name) continue;
      const int count = DofCount(joint.type);
      joint.lower.assign(count, -kInfinity);
      joint.upper.assign(count, kInfinity);
      joint.dry_friction.assign(count, 0.0);
      for (int d = 0; d < count; ++d) {
        coordinates_.push_back({j, d, state.q[tree.tree().q_start[b] + d]});
      }
    }
  }

  void AddHold(const Coordinate& x) {
    JointSpec& joint = spec_.joints[x.joint];
    switch (Choose(4)) {
      case 0:  // limits that some steps reach, and some begin at
        joint.lower[x.dof] = x.q - (Choose(2) == 0 ? 0 : Uniform(&random_, 0, 0.05));
        joint.upper[x.dof] = x.q + Uniform(&random_, 0, 0.05);
        return;
      case 1:
        if (!to_tie_) {
          to_tie_ = x;
        } else {
          Tie(*to_tie_, x);
          to_tie_.reset();
        }
        return;
      case 2:
        if (joint.lower.size() == 1 && options_.with_motion) Move(x);
        return;
      default:
        return;
    }
  }

  void Tie(const Coordinate& x, const Coordinate& y) {
    CouplerSpec coupler;
    const double a = Uniform(&random_, 0.5, 2), b = Uniform(&random_, -2, -0.5);
    coupler.terms = {{spec_.joints[x.joint].name, x.dof, a},
                     {spec_.joints[y.joint].name, y.dof, b}};
    coupler.offset = a * x.q + b * y.q;
    ConstraintSpec constraint;
    constraint.name = Name("coupler", y);
    constraint.kind = coupler;
    constraint.stiffness = options_.stiffness;
    constraint.damping = options_.damping;
    spec_.constraints.push_back(constraint);
  }

  void Move(const Coordinate& x) {
    PrescribedJoint moved;
    moved.name = Name("motion", x);
    moved.joint = spec_.joints[x.joint].name;
    moved.position = {
        TimeFunction::Parse(fmt::format("{} + {}*sin(3*t)", x.q, Uniform(&random_, -0.3, 0.3)))};
    moved.stiffness = options_.stiffness;
    moved.damping = options_.damping;
    spec_.prescribed_joints.push_back(moved);
  }

  // Motors and servos are of whole joints: of those with one coordinate here.
  void AddDrive(const Coordinate& x) {
    JointSpec& joint = spec_.joints[x.joint];
    const double limit = Uniform(&random_, 0.1, 20);
    const int choice = Choose(4);
    if (choice == 0) joint.dry_friction[x.dof] = limit;
    if (joint.lower.size() != 1) return;
    if (choice == 1) {
      Motor motor;
      motor.name = Name("motor", x);
      motor.joint = joint.name;
      motor.rate = {Uniform(&random_, -3, 3)};
      motor.force_limit = {limit};
      spec_.motors.push_back(motor);
    }
    if (choice == 2) {
      Servo servo;
      servo.name = Name("servo", x);
      servo.joint = joint.name;
      servo.stiffness = {100};
      servo.damping = {1};
      servo.target = {Uniform(&random_, -1, 1)};
      servo.force_limit = {limit};
      spec_.servos.push_back(servo);
    }
  }

  const JointRowOptions options_;
  Random& random_;
  ModelSpec& spec_;
  std::vector<Coordinate> coordinates_;
  std::optional<Coordinate> to_tie_;
};

}  // namespace

void AddJointRows(const Model& tree, const State& state, const JointRowOptions& options,
                  Random* random, ModelSpec* spec) {
  JointRows(tree, state, options, random, spec);
}

}  // namespace voigt::testing
