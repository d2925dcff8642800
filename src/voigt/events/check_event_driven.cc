// What event-driven integration does not know, by name.

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "voigt/constraints/constraint_set.h"
#include "voigt/constraints/prescribed_joint.h"
#include "voigt/dynamics/prescribed_rates.h"
#include "voigt/events/event_integrator.h"
#include "voigt/events/touch_finder.h"

namespace voigt {
namespace {

constexpr const char* kOther = "the integrator event-driven {}; semi-implicit-euler does";

std::string DoesNotKnow(const char* what) {
  return fmt::format(fmt::runtime(kOther), fmt::format("knows no {}", what));
}

// The rows that a constraint writes at a time.
class RowsOfConstraint {
 public:
  RowsOfConstraint(const Model& model, const State& state)
      : model_(model), state_(state), kin_(model), still_(VecX::Zero(model.nv())) {
    UpdatePositions(model, state.q, &kin_);
    UpdateVelocities(model, still_, &kin_);
    drive_.setZero(model.actuator_count());
  }

  bool MovesByItself(const Constraint& constraint) const {
    return MovingRows::MovesByItself(constraint, MakeContext(0));
  }

  VelocityProblem Write(const Constraint& constraint, double t) const {
    VelocityProblem problem;
    problem.pattern = &model_.tree().pattern;
    const ConstraintContext at = MakeContext(t);
    RowWriter rows(model_, kin_, &problem);
    rows.SetConstraint(0);
    constraint.AddRows(at, &rows);
    return problem;
  }

 private:
  ConstraintContext MakeContext(double t) const {
    ConstraintContext at{model_, kin_, state_.q, still_, t, 1};
    at.drive = &drive_;
    return at;
  }

  const Model& model_;
  const State& state_;
  Kinematics kin_;
  VecX still_, drive_;
};

// Whether rows differ in time by more than their gaps do.
bool TurnsByItself(const VelocityProblem& now, const VelocityProblem& later) {
  return now.row_count() != later.row_count() || now.G != later.G;
}

std::string NeedsWorking(const char* what) {
  return fmt::format("{} needs the formulation 'working'", what);
}

void CheckConstraint(const Model& model, const Constraint& constraint,
                     const RowsOfConstraint& writer, bool by_working, ProblemList* problems) {
  if (constraint.HasReactionFriction() && !by_working) {
    problems->Add(constraint.where(), constraint.name(), NeedsWorking("friction by the reaction"));
  }
  if (IsPrescribedInTree(model, constraint)) {
    if (!by_working) {
      problems->Add(constraint.where(), constraint.name(),
                    NeedsWorking("motion that is prescribed"));
    }
    return;
  }
  const VelocityProblem problem = writer.Write(constraint, 0);
  const char* unknown = nullptr;
  for (const RowGroup& group : problem.groups) {
    if (group.law == Law::kBounded) unknown = "forces within bounds, as friction of joints is one";
    const bool is_on_rates = group.law == Law::kBilateral && !constraint.IsHolonomic();
    for (int i = group.first_row; i < group.first_row + group.row_count; ++i) {
      if (is_on_rates && problem.rows[i].phi != 0) {
        unknown = "gaps of constraints that are no functions of positions (IsHolonomic)";
      }
      if (problem.rows[i].R > 0) unknown = "soft constraints and limits";
    }
    if (!group.force_law.is_linear()) unknown = "soft constraints and limits";
  }
  // Rows of a rotation that is prescribed turn with it, but where it is met, G stays 1.
  const bool is_known = IsPrescribedJoint(model, constraint);
  for (double t : {0.37, 1.71}) {
    if (!is_known && TurnsByItself(problem, writer.Write(constraint, t))) {
      unknown = "constraints whose directions depend on time";
    }
  }
  if (unknown == nullptr && !by_working && writer.MovesByItself(constraint)) {
    problems->Add(constraint.where(), constraint.name(), NeedsWorking("motion that is prescribed"));
  }
  if (unknown != nullptr) {
    problems->Add(constraint.where(), constraint.name(), DoesNotKnow(unknown));
  }
}

constexpr const char* kNoTangents = "springs and dampers along the surface of a contact";

void CheckMaterials(const Model& model, bool by_working, ProblemList* problems) {
  std::vector<const Material*> seen;
  for (int g = 0; g < static_cast<int>(model.geometry().size()); ++g) {
    const Geometry& geometry = model.geometry()[g];
    if (std::holds_alternative<Foundation>(geometry.shape) || geometry.foundation) {
      problems->Add(geometry.where, "geometry", DoesNotKnow("elastic foundations and layers"));
    }
    if (geometry.surface_velocity != Vec3::Zero()) {
      problems->Add(geometry.where, "geometry",
                    DoesNotKnow("surfaces that run along their bodies (surface_velocity)"));
    }
    const Material* const material = &model.material(g);
    if (std::find(seen.begin(), seen.end(), material) != seen.end()) continue;
    seen.push_back(material);
    const std::string name = fmt::format("material '{}'", material->name);
    if (material->tangential_stiffness || material->tangential_damping) {
      problems->Add(material->where, name, DoesNotKnow(kNoTangents));
    }
    if (material->law != NormalLaw::kRigid && !by_working) {
      problems->Add(material->where, name, NeedsWorking("soft contact"));
    }
    if (material->torsional_friction > 0 || material->rolling_friction > 0) {
      problems->Add(material->where, name, DoesNotKnow("torsional and rolling friction"));
    }
  }
  for (const MaterialPair& pair : model.spec().contact.pairs) {
    const std::string name = fmt::format("materials '{}' and '{}'", pair.first, pair.second);
    if (pair.tangential_stiffness || pair.tangential_damping) {
      problems->Add(pair.where, name, DoesNotKnow(kNoTangents));
    }
    const bool is_soft = (pair.stiffness && *pair.stiffness < kInfinity) || pair.hertz_stiffness;
    if (is_soft && !by_working) problems->Add(pair.where, name, NeedsWorking("soft contact"));
    if (pair.torsional_friction.value_or(0) > 0 || pair.rolling_friction.value_or(0) > 0) {
      problems->Add(pair.where, name, DoesNotKnow("torsional and rolling friction"));
    }
  }
}

// Where all that a loop or a guide holds is prescribed, its reaction may be anything.
void CheckPrescribedFriction(const Model& model, const State& initial, ProblemList* problems) {
  const PrescribedRates prescribed(model);
  if (!prescribed.any()) return;
  TouchFinder finder(model);
  finder.SetPrescribed(prescribed.flags());
  finder.Update(initial.t, initial.q, initial.v, TouchFinder::kLook);
  for (const Guide& guide : finder.known_guides()) {
    if (guide.rows.body >= 0) continue;
    const auto& constraint = finder.constraints().list()[(guide.id >> 32) - 1];
    problems->Add(
        constraint->where(), constraint->name(),
        "all that it moves is prescribed: its reaction, which its friction comes from, is "
        "not determined");
  }
}

}  // namespace

void CheckEventDriven(const Model& model, const State& initial, FormulationKind formulation,
                      ProblemList* problems) {
  const ConstraintSet constraints(model);
  const RowsOfConstraint writer(model, initial);
  const bool by_working = formulation == FormulationKind::kWorking;
  for (const auto& constraint : constraints.list()) {
    CheckConstraint(model, *constraint, writer, by_working, problems);
  }
  CheckMaterials(model, by_working, problems);
  CheckPrescribedFriction(model, initial, problems);
  for (const ActuatorSpec& actuator : model.actuators()) {
    if (!actuator.has_state()) continue;
    problems->Add(actuator.where, fmt::format("actuator '{}'", actuator.name),
                  DoesNotKnow("activations"));
  }
}

}  // namespace voigt
