#include "voigt/sim/contact_report.h"

#include "voigt/base/check.h"
#include "voigt/constraints/contact_rows.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

// Along the tangents.
void AddForce(int first_row, const VecX& gamma, double h, ContactReport* report) {
  const Mat3 frame = RotationWithZ(report->n_W);
  for (int r = 0; r < 2; ++r) {
    report->friction_force_W += gamma[first_row + r] / h * frame.col(r);
  }
}

// Along the tangents; about the normal and the tangents where the group has such rows.
void AddFriction(const RowGroup& group, const VecX& gamma, double h, ContactReport* report) {
  AddForce(group.first_row + 1, gamma, h, report);
  const Mat3 frame = RotationWithZ(report->n_W);
  if (group.has_torsion()) {
    report->friction_torque_W += gamma[group.first_row + 3] / h * report->n_W;
  }
  if (!group.has_rolling()) return;
  const int first = group.first_row + group.row_count - 2;
  for (int r = 0; r < 2; ++r) report->friction_torque_W += gamma[first + r] / h * frame.col(r);
}

// Friction that has a limit and is below it, or that holds the surfaces although it is at it.
ContactState FindState(const ContactReport& report, double mu) {
  constexpr double kBelow = 1 - 1e-9, kAtRest = 1e-10;
  if (!(report.normal_force > 0)) return ContactState::kOpen;
  const bool is_below = report.friction_force_W.norm() < kBelow * mu * report.normal_force;
  const Vec3 slip = report.velocity_W - report.n_W.dot(report.velocity_W) * report.n_W;
  return mu > 0 && (is_below || slip.norm() < kAtRest) ? ContactState::kStick : ContactState::kSlip;
}

}  // namespace

std::string_view ToString(ContactState state) {
  switch (state) {
    case ContactState::kOpen:
      return "open";
    case ContactState::kStick:
      return "stick";
    case ContactState::kSlip:
      return "slip";
  }
  return "";
}

void ListContacts(const Model& model, const std::vector<Contact>& contacts,
                  const VelocityProblem& problem, const VecX& gamma, const Kinematics& kin,
                  std::vector<ContactReport>* out) {
  out->clear();
  const PressingContacts pressing(problem);
  auto contact = contacts.begin();
  for (const RowGroup& group : problem.groups) {
    // The rows of a viscous damper come behind those of their contact, whose state they leave
    // alone.
    if (group.constraint == kViscousGroup && !out->empty()) {
      AddForce(group.first_row, gamma, problem.h, &out->back());
    }
    if (group.constraint != kContactGroup) continue;
    const int count = group.law == Law::kContact ? 1 : group.row_count;
    for (int k = 0; k < count; ++k, ++contact) {
      VOIGT_CHECK(contact != contacts.end());
      const SurfacePair pair = CombineSides(model, *contact);
      ContactReport& report = out->emplace_back();
      report.id = contact->id;
      report.body_A = contact->body_A;
      report.body_B = contact->body_B;
      report.geometry_A = contact->geometry_A;
      report.geometry_B = contact->geometry_B;
      report.p_W = contact->p_W;
      report.n_W = contact->n_W;
      report.velocity_W = (CalcPointVelocity(kin, contact->body_B, contact->p_W) -
                           CalcPointVelocity(kin, contact->body_A, contact->p_W))
                              .tail<3>() +
                          CalcSurfaceVelocity(model, kin, *contact);
      report.depth = -(contact->phi + problem.h * contact->n_W.dot(report.velocity_W));
      const int row = group.first_row + k;
      if (pressing.Has(row, gamma[row])) {
        report.normal_force = gamma[row] / problem.h;
        if (group.law == Law::kContact) AddFriction(group, gamma, problem.h, &report);
      }
      report.law = pair.law;
      report.stiffness = pair.stiffness;
      report.radius = contact->radius;
      report.friction = pair.friction;
      report.state = FindState(report, group.law == Law::kContact ? group.mu : 0);
      report.pressure = report.normal_force / contact->area;
      report.area = contact->area;
    }
  }
}

ContactSums SumContacts(const Model& model, const std::vector<ContactReport>& contacts) {
  ContactSums out;
  out.bodies.resize(model.nb());
  out.shapes.resize(model.geometry().size());
  const auto add = [](const Vec3& force, ContactSum* sum) {
    sum->force_W += force;
    ++sum->contacts;
  };
  for (const ContactReport& contact : contacts) {
    if (!contact.carries_force()) continue;
    const Vec3 force = contact.normal_force * contact.n_W + contact.friction_force_W;
    add(force, &out.bodies[contact.body_B]);
    add(-force, &out.bodies[contact.body_A]);
    add(force, &out.shapes[contact.geometry_B]);
    add(-force, &out.shapes[contact.geometry_A]);
  }
  return out;
}

}  // namespace voigt
