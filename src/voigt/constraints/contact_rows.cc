#include "voigt/constraints/contact_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "voigt/base/check.h"
#include "voigt/constraints/paid_depth.h"
#include "voigt/constraints/row_writer.h"
#include "voigt/math/rotation.h"
#include "voigt/math/sparse_rows.h"
#include "voigt/model/hertz_ellipse.h"

namespace voigt {
namespace {

bool HasLinearLaw(const SurfacePair& pair) {
  return pair.law == NormalLaw::kRigid || pair.law == NormalLaw::kLinear;
}

// The law of the first row where it is not linear.
ForceLaw MakeForceLaw(const SurfacePair& pair) {
  ForceLaw law;
  if (HasLinearLaw(pair)) return law;
  law.kind = pair.law == NormalLaw::kHertz ? ForceLaw::Kind::kHertz : ForceLaw::Kind::kHuntCrossley;
  law.stiffness = pair.stiffness;
  law.dissipation = pair.dissipation;
  return law;
}

// Whether the geometry is the same to a pair of surfaces. Elements of a foundation have an area,
// other contacts none.
bool IsSamePatch(const Contact& a, const Contact& b) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  return a.radius == b.radius && a.ratio == b.ratio && bits(a.area) == bits(b.area);
}

// Whether the same materials meet, and no foundation, which has springs of its own.
bool HaveSameSurfaces(const Model& model, const Contact& a, const Contact& b) {
  const auto is_foundation = [&](int g) {
    return std::holds_alternative<Foundation>(model.geometry()[g].shape);
  };
  return &model.material(a.geometry_A) == &model.material(b.geometry_A) &&
         &model.material(a.geometry_B) == &model.material(b.geometry_B) &&
         !is_foundation(a.geometry_A) && !is_foundation(a.geometry_B) &&
         !is_foundation(b.geometry_A) && !is_foundation(b.geometry_B);
}

// Contacts that differ in place and gap alone.
bool AreOnOneFace(const Contact& a, const Contact& b) {
  return IsSamePair(a.id, b.id) && std::memcmp(a.n_W.data(), b.n_W.data(), sizeof a.n_W) == 0 &&
         IsSamePatch(a, b);
}

// A normal row and nothing else, whose law its gap alone decides.
bool IsPlain(const SurfacePair& pair) {
  return pair.static_friction == 0 && !pair.resists_turning() && pair.viscous_friction == 0 &&
         HasLinearLaw(pair) && pair.restitution == 0;
}

bool HasRunningSurface(const Model& model, const Contact& contact) {
  return model.geometry()[contact.geometry_A].surface_velocity != Vec3::Zero() ||
         model.geometry()[contact.geometry_B].surface_velocity != Vec3::Zero();
}

// What contacts remember, for those who ask in the order of ids.
class MemoryReader {
 public:
  explicit MemoryReader(const std::vector<ContactMemory>& memory)
      : next_(memory.data()), end_(memory.data() + memory.size()) {}

  const ContactMemory* Find(std::uint64_t id) {
    while (next_ != end_ && next_->id < id) ++next_;
    return next_ != end_ && next_->id == id ? next_ : nullptr;
  }

 private:
  const ContactMemory *next_, *end_;
};

UnilateralSpring MakeSpring(const ConstraintContext& at, const SurfacePair& pair) {
  Compliance compliance;
  if (pair.law == NormalLaw::kLinear) compliance = {pair.stiffness, pair.damping};
  return {compliance, at.h, at.model.spec().contact.recovery_speed, at.stabilization.contacts};
}

void AddNormalRow(const ConstraintContext& at, const Contact& contact, const SurfacePair& pair,
                  const UnilateralSpring& spring, const ContactMemory* memory, RowWriter* rows) {
  const ContactSettings& settings = at.model.spec().contact;
  Row* const row = rows->AddWrench(contact.phi, contact.p_W, Vec3::Zero(), contact.n_W);
  spring.Set(row);
  if (memory != nullptr) row->guess = at.h * memory->normal_force;

  if (pair.restitution == 0 || !at.rebounds) return;
  const Vec6 V = CalcPointVelocity(at.kin, contact.body_B, contact.p_W) -
                 CalcPointVelocity(at.kin, contact.body_A, contact.p_W);
  const double phi_dot = contact.n_W.dot(V.tail<3>());
  if (phi_dot < -settings.restitution_speed && contact.phi + at.h * phi_dot <= 0) {
    const double rebound = -pair.restitution * phi_dot;
    if (rebound > row->v_hat) {
      row->v_hat = rebound;
      row->v_hat_slope = 0;
    }
  }
}

// The normals of contacts on one face, of which foundations have thousands.
void AddNormalRows(const ConstraintContext& at, const Contact* contacts, int count,
                   UnilateralSpring spring, MemoryReader* memory, RowWriter* rows) {
  Row* row =
      rows->AddForces(count, contacts->n_W, [&](int k) -> const Vec3& { return contacts[k].p_W; });
  MemoryReader reader = *memory;  // in registers, as the spring is
  const double h = at.h;
  for (const Contact* contact = contacts; contact < contacts + count; ++contact, ++row) {
    row->phi = contact->phi;
    spring.Set(row);
    const ContactMemory* const old = reader.Find(contact->id);
    if (old != nullptr) row->guess = h * old->normal_force;
  }
  *memory = reader;
}

void AddTangentRows(const ConstraintContext& at, const Contact& contact, const SurfacePair& pair,
                    const ContactMemory* memory, RowWriter* rows) {
  const Mat3 frame = RotationWithZ(contact.n_W);
  const Vec3 s = CalcSurfaceVelocity(at.model, at.kin, contact);
  const SpringDamper& side = pair.tangential;
  const bool has_spring = !side.is_rigid() && side.stiffness > 0;
  for (int k = 0; k < 2; ++k) {
    const Vec3 t = frame.col(k);
    const double phi =
        has_spring && memory != nullptr ? t.dot(memory->tangential_deformation) : 0.0;
    Row* const row = rows->AddWrench(phi, contact.p_W, Vec3::Zero(), t);
    row->phi_t = t.dot(s);
    if (memory != nullptr) row->guess = at.h * t.dot(memory->friction_force);
    if (has_spring) {
      SetSpring({side.stiffness, side.damping}, at.h, row);
    } else {
      SetVelocityRow(0, side.is_rigid() ? kInfinity : side.damping, at.h, row);
    }
  }
}

// Against spin and rolling.
void AddTurningRows(const ConstraintContext& at, const Contact& contact, const SurfacePair& pair,
                    const ContactMemory* memory, RowWriter* rows) {
  const auto add = [&](const Vec3& axis) {
    Row* const row = rows->AddWrench(0, contact.p_W, axis, Vec3::Zero());
    row->angular = true;
    SetVelocityRow(0, kInfinity, at.h, row);
    if (memory != nullptr) row->guess = at.h * axis.dot(memory->friction_torque);
  };
  if (pair.torsional_friction > 0) add(contact.n_W);
  if (pair.rolling_friction == 0) return;
  const Mat3 frame = RotationWithZ(contact.n_W);
  for (int k = 0; k < 2; ++k) add(frame.col(k));
}

void AddViscousRows(const ConstraintContext& at, const Contact& contact, double damping,
                    RowWriter* rows) {
  rows->SetConstraint(kViscousGroup);
  rows->BeginOnBodies(Law::kBilateral, contact.body_A, contact.body_B).id = contact.id;
  const Mat3 frame = RotationWithZ(contact.n_W);
  const Vec3 s = CalcSurfaceVelocity(at.model, at.kin, contact);
  for (int k = 0; k < 2; ++k) {
    Row* const row = rows->AddWrench(0, contact.p_W, Vec3::Zero(), frame.col(k));
    SetVelocityRow(0, damping, at.h, row);
    row->phi_t = frame.col(k).dot(s);
    row->guess = -at.h * damping * (rows->CalcRate(at.v) + row->phi_t);
  }
  rows->SetConstraint(kContactGroup);
}

// −γ_t/‖γ_t‖, or where the contact slips to without friction.
Vec3 CalcSlipDirection(const Vec3& gamma_t, const Vec3& slip) {
  if (gamma_t != Vec3::Zero()) return -gamma_t.stableNormalized();
  return slip == Vec3::Zero() ? slip : Vec3(slip.stableNormalized());
}

// All else is zero. Field by field: of an assignment of the whole, compilers make an instruction
// that takes long to start.
void Remember(std::uint64_t id, double normal_force, ContactMemory* memory) {
  memory->id = id;
  memory->normal_force = normal_force;
  memory->friction_force.setZero();
  memory->tangential_deformation.setZero();
  memory->slip_direction.setZero();
  memory->friction_torque.setZero();
  memory->energy = 0;
}

// J, of the spring along the normal at the end of the step: no more than it had, and what the
// bodies have put into it.
double CalcEndEnergy(const VelocityProblem& problem, const RowGroup& group, int r, double gamma,
                     const VecX& v1) {
  const Row& row = problem.rows[group.first_row + r];
  if (row.c == 0 && group.force_law.is_linear()) return 0;
  double rate = 0;
  MultiplyRows(problem.entries(group, r), 1, problem.cols.data() + group.first_col, group.col_count,
               v1.data(), &rate);
  rate += row.phi_t;
  const double paid = CalcStoredEnergy(group, row, row.phi) - gamma * rate;
  return std::min(CalcStoredEnergy(group, row, row.phi + problem.h * rate), std::max(paid, 0.0));
}

void RememberFriction(const VelocityProblem& problem, const RowGroup& group, const Vec3& n,
                      const VecX& gamma, const VecX& v1, ContactMemory* memory) {
  const double h = problem.h;
  const Mat3 frame = RotationWithZ(n);
  Vec3 gamma_t = Vec3::Zero(), slip = Vec3::Zero();
  const int tangents = std::min(group.row_count, 3) - 1;
  double rates[2];
  MultiplyRows(problem.entries(group, 1), tangents, problem.cols.data() + group.first_col,
               group.col_count, v1.data(), rates);
  for (int r = 1; r <= tangents; ++r) {
    const Row& row = problem.rows[group.first_row + r];
    const double gamma_r = gamma[group.first_row + r];
    const Vec3 t = frame.col(r - 1);
    gamma_t += gamma_r * t;
    slip += (rates[r - 1] + row.phi_t) * t;
    if (row.c > 0) {
      memory->tangential_deformation += (row.tau * row.phi - row.c * gamma_r) / (h + row.tau) * t;
    }
  }
  memory->friction_force = gamma_t / h;
  Vec3 torque = Vec3::Zero();
  if (group.has_torsion()) torque += gamma[group.first_row + 3] * n;
  if (group.has_rolling()) {
    const int last = group.first_row + group.row_count - 1;
    torque += gamma[last - 1] * frame.col(0) + gamma[last] * frame.col(1);
  }
  memory->friction_torque = torque / h;
  memory->slip_direction = CalcSlipDirection(gamma_t, slip);
}

}  // namespace

SurfacePair CombineSides(const Model& model, const Contact& contact) {
  const int A = contact.geometry_A, B = contact.geometry_B;
  const Surface a = MakeSurface(model.geometry()[A], model.material(A), contact.area);
  const Surface b = MakeSurface(model.geometry()[B], model.material(B), contact.area);
  const bool is_elastic = a.plane_modulus < kInfinity || b.plane_modulus < kInfinity;
  const double radius =
      is_elastic ? CalcRoundRadius(contact.radius, contact.ratio) : contact.radius;
  return CombineSurfaces(a, b, radius, model.pair_rules(A, B));
}

Vec3 CalcSurfaceVelocity(const Model& model, const Kinematics& kin, const Contact& contact) {
  if (!HasRunningSurface(model, contact)) return Vec3::Zero();
  const auto in_world = [&](int g, int body) -> Vec3 {
    const Geometry& geometry = model.geometry()[g];
    return CalcBodyPose(model, kin, body).R * (geometry.X_BG.R * geometry.surface_velocity);
  };
  const Vec3 s =
      in_world(contact.geometry_B, contact.body_B) - in_world(contact.geometry_A, contact.body_A);
  return s - contact.n_W.dot(s) * contact.n_W;
}

void AddContactRows(const ConstraintContext& at, const std::vector<Contact>& contacts,
                    const std::vector<ContactMemory>& memory, VelocityProblem* problem,
                    std::vector<RowWrench>* wrenches) {
  RowWriter rows(at.model, at.kin, problem, wrenches);
  rows.SetConstraint(kContactGroup);
  MemoryReader remembered(memory);
  const Contact* last = nullptr;
  SurfacePair pair;
  UnilateralSpring spring;
  const Contact* const end = contacts.data() + contacts.size();
  for (const Contact* next = contacts.data(); next < end;) {
    const Contact& contact = *next++;
    const ContactMemory* const old = remembered.Find(contact.id);
    const bool same_pair = last != nullptr && IsSamePair(last->id, contact.id);
    if (last == nullptr || !IsSamePatch(*last, contact) ||
        !(same_pair || HaveSameSurfaces(at.model, *last, contact))) {
      pair = CombineSides(at.model, contact);
      spring = MakeSpring(at, pair);
    }
    last = &contact;
    const bool has_viscous = pair.viscous_friction > 0;
    const bool is_in_cone = has_viscous && at.viscous_in_cone;
    const bool has_damper = has_viscous && !is_in_cone;
    const bool has_friction = pair.static_friction > 0 || pair.resists_turning() || is_in_cone;
    if (has_friction || has_damper || !same_pair || !HasLinearLaw(pair)) {
      RowGroup& group = rows.BeginOnBodies(has_friction ? Law::kContact : Law::kUnilateral,
                                           contact.body_A, contact.body_B);
      group.id = contact.id;
      group.mu = pair.friction;
      group.torsion = pair.torsional_friction;
      group.rolling = pair.rolling_friction;
      group.viscous = is_in_cone ? pair.viscous_friction : 0;
      group.lagged_impulse =
          old == nullptr || old->normal_force == 0 ? kNaN : at.h * old->normal_force;
      group.force_law = MakeForceLaw(pair);
    }
    if (IsPlain(pair)) {
      while (next < end && AreOnOneFace(contact, *next)) ++next;
      AddNormalRows(at, &contact, static_cast<int>(next - &contact), spring, &remembered, &rows);
      last = next - 1;
      continue;
    }
    AddNormalRow(at, contact, pair, spring, old, &rows);
    if (has_friction) AddTangentRows(at, contact, pair, old, &rows);
    if (pair.resists_turning()) AddTurningRows(at, contact, pair, old, &rows);
    const bool is_closed = old != nullptr || contact.phi <= 0;
    if (has_damper && is_closed) AddViscousRows(at, contact, pair.viscous_friction, &rows);
  }
}

void LimitRecovery(const Model& model, const std::vector<Contact>& contacts,
                   VelocityProblem* problem) {
  const auto inverse_mass = [&](int body) {
    const double mass = body == 0 ? 0 : model.body(body).mass.mass;
    return mass > 0 ? 1 / mass : 0;
  };
  auto contact = contacts.begin();
  for (const RowGroup& group : problem->groups) {
    if (group.constraint != kContactGroup) continue;
    const int count = group.law == Law::kContact ? 1 : group.row_count;
    // One pair of surfaces made the group: its contacts are rigid together.
    if (problem->rows[group.first_row].c > 0) {
      contact += count;
      continue;
    }
    for (int i = group.first_row; i < group.first_row + count; ++i, ++contact) {
      Row& row = problem->rows[i];
      if (row.phi >= 0 || row.v_hat <= 0) continue;
      const double free = inverse_mass(contact->body_A) + inverse_mass(contact->body_B);
      if (problem->w[i] >= free) continue;
      const double factor = std::sqrt(problem->w[i] / free);
      row.v_hat *= factor;
      row.v_hat_slope *= factor;
      row.tau = factor > 0 ? -row.phi / row.v_hat - problem->h : 0;
    }
  }
}

void UpdateContactMemory(const VelocityProblem& problem, const VecX& gamma, const VecX& v1,
                         const std::vector<Contact>& contacts, State* state) {
  const double h = problem.h;
  state->contacts.resize(contacts.size());
  ContactMemory* memory = state->contacts.data();
  auto contact = contacts.begin();
  for (const RowGroup& group : problem.groups) {
    if (group.constraint != kContactGroup) continue;
    VOIGT_CHECK(contact != contacts.end() && contact->id == group.id);
    const int count = group.law == Law::kContact ? 1 : group.row_count;
    const double* const gamma_n = gamma.data() + group.first_row;
    for (int k = 0; k < count; ++k, ++contact) {
      const bool presses = gamma_n[k] > 0;
      // A damper may leave a spring behind that is still pressed together.
      const bool may_hold = presses || problem.rows[group.first_row + k].phi < 0;
      const double energy = may_hold ? CalcEndEnergy(problem, group, k, gamma_n[k], v1) : 0;
      if (!presses && energy == 0) continue;
      Remember(contact->id, gamma_n[k] / h, memory);
      memory->energy = energy;
      if (group.law == Law::kContact) {
        RememberFriction(problem, group, contact->n_W, gamma, v1, memory);
      }
      ++memory;
    }
  }
  state->contacts.resize(memory - state->contacts.data());
}

}  // namespace voigt
