#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "voigt/base/source_location.h"
#include "voigt/constraints/energy_line.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/model/model.h"

namespace voigt {

class RowWriter;
struct FrictionRows;  // reaction_friction.h

// Which part of their gaps rigid constraints restore in one step, 0 … 1 [Anitescu, Miller & Hart
// 2003, γ of eqs. 2.8 and 2.9].
struct Stabilization {
  double joints = 1;    // bilateral rows
  double contacts = 1;  // contacts and limits that are violated; those that are open close in full
  // Contacts that will close within the step count before they touch. Otherwise only those that do,
  // and bodies sink in by what they move in a step.
  bool predictive = true;
};

// Where and when rows are asked for.
struct ConstraintContext {
  const Model& model;
  const Kinematics& kin;  // poses at q; velocities belong to v
  const VecX& q;
  const VecX& v;
  double t = 0;  // s, start of the step
  double h = 0;  // s, its length
  // How fast a rigid limit that is violated may be restored, m/s or rad/s: what is inside a limit
  // at the start of a run is let out, not shot out.
  double recovery_speed = 1;
  // What actuators act with (dynamics/actuation.h); nothing where their forces play no part.
  const VecX* drive = nullptr;
  Stabilization stabilization = {};
  bool rebounds = true;  // contacts ask for Newton's rebound
  // Viscous friction of contacts is left to RowGroup::viscous, and has no rows (ViscousFriction).
  bool viscous_in_cone = false;
};

// ∂φ/∂t and ∂²φ/∂t² of a row; of one on velocities, −v̂ and its rate.
struct TimeRates {
  double first = 0, second = 0;
};

// Something that holds, limits or drives the motion: it gives rows φ, G, φ_t with stiffness,
// damping and a law, at any configuration, without knowing which formulation will solve them.
//
// To write one's own, derive from this, append rows in AddRows (row_writer.h), and put it into
// ModelSpec::user_constraints: examples/bead_on_parabola.h is one.
class Constraint {
 public:
  virtual ~Constraint() = default;

  virtual void AddRows(const ConstraintContext& at, RowWriter* rows) const = 0;

  // True if the constraint can be met by moving the bodies: assembly then projects onto its
  // bilateral rows. Velocity-level rows, limits and friction are not part of assembly.
  // Bilateral rows of all other constraints are taken to be about velocities, G v + φ_t = v̂.
  virtual bool IsHolonomic() const { return false; }

  // True if φ is a function of time besides, even if it has not begun to change: a motion that is
  // prescribed; of rows on velocities, if v̂ is not zero always. Of others, what their rows are at
  // several times tells.
  virtual bool IsPrescribed() const { return false; }

  // Appends the rates of every row that AddRows writes, in their order, at the moment at.t, or just
  // after it where it is that of a kink. A constraint that does not know them returns false, and
  // differences are taken instead: they have fewer digits, and none near a kink, which ends
  // event-driven runs.
  virtual bool AddTimeRates(const ConstraintContext&, std::vector<TimeRates>*) const {
    return false;
  }

  // Appends Ġ v of every row that AddRows writes, in their order: what velocities alone add to the
  // acceleration of its gap, φ̈ = G v̇ + Ġ v + φ_tt. at.kin has velocities, and CalcPointBias what a
  // point of a body has of it. Of a constraint that returns false differences along the motion are
  // taken, of order four: they have 12 digits, and fewer where φ bends within a millimetre.
  virtual bool AddCurvature(const ConstraintContext&, std::vector<double>*) const { return false; }

  // Further rows for assembly, zero in the right position but not in a mirrored one that meets all
  // others. Their rates vanish in the right position: they lead to it, and hold nothing.
  virtual void AddBranchRows(const ConstraintContext&, RowWriter*) const {}

  // Rows along which the constraint's reaction has friction, and where its normal force comes from
  // (reaction_friction.h). They are no part of AddRows: who solves them has to know of reactions.
  virtual bool HasReactionFriction() const { return false; }
  virtual void AddFriction(const ConstraintContext&, RowWriter*, std::vector<FrictionRows>*) const {
  }

  // Where the work of its rows stands in the books; nothing where the laws of the rows tell.
  virtual std::optional<EnergyLine> energy_line() const { return std::nullopt; }

  // What is wrong with a configuration in which all rows are met, if anything: conditions such as
  // "perpendicular" hold in a mirrored position as well.
  virtual std::optional<std::string> DescribeWrongBranch(const ConstraintContext&) const {
    return std::nullopt;
  }

  const std::string& name() const { return name_; }
  const SourceLocation& where() const { return where_; }

 protected:
  explicit Constraint(std::string name, SourceLocation where = {})
      : name_(std::move(name)), where_(std::move(where)) {}

 private:
  std::string name_;  // "joint 'hinge'", "constraint 'rod'": for messages
  SourceLocation where_;
};

}  // namespace voigt
