#pragma once

#include <vector>

#include "voigt/collision/contact.h"
#include "voigt/constraints/constraint.h"
#include "voigt/constraints/row_writer.h"
#include "voigt/model/state.h"
#include "voigt/model/surface.h"
#include "voigt/problem/velocity_problem.h"

// Contacts as rows. Each contact with friction is a group: three to six rows of Law::kContact.
// Without friction it is one row of Law::kUnilateral, and the contacts of two shapes are one group,
// of as many rows as there are contacts, unless a force law or a damper needs a group for each.
//
//   normal    φ is the gap, φ̇ = n · (v_B − v_A) at p. Rigid and linear laws are in the row; those
//             of Hertz and of Hunt & Crossley are in the group's force_law, and the row is then
//             that of a rigid contact, which is where the law ends for K = ∞.
//   tangents  φ̇ = t · (v_B − v_A + s) with t the first two columns of RotationWithZ(n) and s what
//             surfaces that run along their bodies add, as φ_t: the slip of B's surface on A's, and
//             not of the bodies, so that a belt's work is that of any moving constraint. Without
//             tangential stiffness, rows about velocity: R = 1/(h B_t), 0 where rigid. With it, a
//             spring and damper whose deformation φ is remembered from step to step.
//   spin      φ̇ = n · (ω_B − ω_A), if there is torsional friction
//   rolling   φ̇ = t · (ω_B − ω_A), if there is rolling friction
//
// Viscous friction acts beside all that, without limit: two more rows along the tangents, a group
// of Law::kBilateral with R = 1/(h B) behind the contact's own, in steps that begin with the
// contact closed. It is closed if it carried load in the last step, or if φ ≤ 0: known before the
// step, so that its problem stays as convex as it is without. With `viscous_in_cone` it has no
// rows, and RowGroup::viscous instead.
//
// Restitution, of rigid pairs only: if the gap closes within the step faster than
// ContactSettings::restitution_speed, v̂ = −e φ̇₀; that is Newton's law (impacts.h has another).
namespace voigt {

// RowGroup::constraint of contacts.
inline constexpr int kContactGroup = -1;
// That of their viscous friction.
inline constexpr int kViscousGroup = -2;

// What the two surfaces of a contact do together.
SurfacePair CombineSides(const Model& model, const Contact& contact);

// s of a contact: how fast B's surface runs past A's where the bodies rest, along the plane of the
// contact, m/s in world axes (Geometry::surface_velocity). Zero where no surface runs.
Vec3 CalcSurfaceVelocity(const Model& model, const Kinematics& kin, const Contact& contact);

// Appends the rows of every contact, in their order. `memory` is that of State::contacts, sorted by
// id as the contacts are. RowGroup::lagged_impulse is h times the remembered normal force, NaN for
// contacts that carried none. Wrenches are listed where somebody asks for them.
void AddContactRows(const ConstraintContext& at, const std::vector<Contact>& contacts,
                    const std::vector<ContactMemory>& memory, VelocityProblem* problem,
                    std::vector<RowWrench>* wrenches = nullptr);

// Rigid shapes that overlap are pushed apart at most with the energy that their free bodies would
// need for it: where joints or other bodies hold them, so that the row's inverse inertia w is less
// than 1/m_A + 1/m_B, v̂ is less by the root of the ratio. Without this, overlaps that joints do not
// let part are answered with any speed there is. `problem` holds the groups that AddContactRows
// made of these contacts, and w.
void LimitRecovery(const Model& model, const std::vector<Contact>& contacts,
                   VelocityProblem* problem);

// After a step: what its contacts will remember. `problem` holds the groups that AddContactRows
// made of these contacts, γ and v₁ are its solution. Contacts that carry no force are forgotten.
//
// The tangential deformation follows from the force, which friction has limited:
// −γ_t/h = K φ₁ + B (φ₁ − φ)/h, so that a contact that slips does not stretch any further. The slip
// direction is that against which friction acts, or the slip's own where friction is zero.
void UpdateContactMemory(const VelocityProblem& problem, const VecX& gamma, const VecX& v1,
                         const std::vector<Contact>& contacts, State* state);

}  // namespace voigt
