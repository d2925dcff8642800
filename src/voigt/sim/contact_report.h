#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "voigt/collision/contact.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/model/material.h"
#include "voigt/model/model.h"
#include "voigt/problem/solution.h"
#include "voigt/problem/velocity_problem.h"

namespace voigt {

enum class ContactState {
  kOpen,   // foreseen, but no force came of it
  kStick,  // friction holds
  kSlip,   // friction is at its limit, or there is none
};

std::string_view ToString(ContactState state);

// One contact point of a step, as an engineer asks for it. Forces are means over the step; those of
// impacts are as large as the step is short.
struct ContactReport {
  std::uint64_t id = 0;
  int body_A = 0, body_B = 0;
  int geometry_A = 0, geometry_B = 0;  // in Model::geometry()
  Vec3 p_W = Vec3::Zero();             // m, at the start of the step
  Vec3 n_W = Vec3::UnitZ();            // from A to B
  double depth = 0;                    // m, at the end of the step; negative for a gap
  // Of B's surface relative to A's at p, at the end of the step, m/s: that of the bodies, and what
  // surfaces run along them (Geometry::surface_velocity).
  Vec3 velocity_W = Vec3::Zero();
  double normal_force = 0;                // N
  Vec3 friction_force_W = Vec3::Zero();   // on B, N, with its viscous part
  Vec3 friction_torque_W = Vec3::Zero();  // on B, against spin and rolling, N m
  ContactState state = ContactState::kOpen;
  // What the surfaces do together here: the law, K in N/m (N/m^{3/2} for the laws of Hertz), the
  // effective radius (infinite where there is none), the friction coefficient.
  NormalLaw law = NormalLaw::kRigid;
  double stiffness = kInfinity, radius = kInfinity, friction = 0;
  // Of an element of a foundation, Pa and m²; NaN for other contacts.
  double pressure = kNaN, area = kNaN;

  // Dampers of surfaces also act where these do not press.
  bool carries_force() const { return state != ContactState::kOpen || !friction_force_W.isZero(0); }
};

// Tells contacts that press from those whose impulse is rounding: it changes velocities by no more
// than the part of them that solvers aim at.
class PressingContacts {
 public:
  explicit PressingContacts(const VelocityProblem& problem)
      : problem_(&problem), least_(kAim * problem.v_star.lpNorm<Eigen::Infinity>()) {}

  // By the impulse of a normal row.
  bool Has(int row, double gamma) const {
    if (!(gamma > 0)) return false;
    return problem_->w.empty() || gamma * problem_->w[row] > least_;
  }

 private:
  static constexpr double kAim = 1e-12;
  const VelocityProblem* problem_;
  double least_;
};

// Of the contacts of a step whose problem has this solution; `kin` has the poses of its start and
// the velocities of its end. Replaces what is in *out, whose memory is kept.
void ListContacts(const Model& model, const std::vector<Contact>& contacts,
                  const VelocityProblem& problem, const VecX& gamma, const Kinematics& kin,
                  std::vector<ContactReport>* out);

// Sums over the contacts of a body or a shape.
struct ContactSum {
  Vec3 force_W = Vec3::Zero();  // on it, N
  int contacts = 0;             // that carry force
};
struct ContactSums {
  std::vector<ContactSum> bodies, shapes;  // of the model
};
ContactSums SumContacts(const Model& model, const std::vector<ContactReport>& contacts);

}  // namespace voigt
