#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "voigt/audit/audit.h"
#include "voigt/constraints/reaction_map.h"
#include "voigt/constraints/reaction_sharing.h"
#include "voigt/dynamics/configuration.h"
#include "voigt/dynamics/equations_of_motion.h"
#include "voigt/dynamics/prescribed_rates.h"
#include "voigt/events/boxed_forces.h"
#include "voigt/events/regular_mass.h"
#include "voigt/events/touch_finder.h"
#include "voigt/formulations/working/working.h"
#include "voigt/model/stiction.h"

namespace voigt {

// A contact or limit that is closed, or the friction of a joint, and what it does until the next
// event.
struct Hold {
  std::uint64_t id = 0;
  bool is_guide = false;             // friction of a joint: it has no normal of its own
  bool is_soft = false;              // a contact that yields: its normal force is known
  Stiction state = Stiction::kSlip;  // only a soft one creeps
  Vec3 direction = Vec3::Zero();     // of its slip, in world axes, or on the rows of a guide; zero
                                     // where it has no friction
  bool shares = false;               // sticks by a distribution of forces other than the even one
  // Slides, in a plane or in space, too slowly for its slip to say where to: friction is against
  // the acceleration that goes with it, found in every stage. By `working`.
  bool begins = false;
  double slip = 0;  // speed along the surface when this piece of motion began, m/s; rad/s of rows
                    // that are angles
  bool is_in_sight = false;  // its shapes had it then

  // Of the last acceleration:
  double force = 0;              // λ_n, N; of a guide N, which is the size of
  Vec3 normal = Vec3::Zero();    // this, or zero where it is λ of a row
  double part_speed = 0;         // φ̈, m/s²
  double w = 0;                  // G M⁻¹ Gᵀ of its normal, 1/kg
  Vec3 friction = Vec3::Zero();  // that holds it where it sticks, as the direction is given
  double limit = kInfinity;      // how much that may be, N or N m
  double gain = 0;               // of one that slides: its acceleration along the direction
  double turning = 0;  // and in a plane or in space: what friction may turn its slip by, m/s²
  // Of a soft one that creeps, by CalcStickExcess: the force that would hold it less what friction
  // has for that, N, and whether its end is watched: it has been positive at the last event.
  double excess = 0;
  bool watches_excess = false;

  bool sticks() const { return state == Stiction::kStick; }  // friction holds it
  bool creeps() const { return state == Stiction::kCreep; }
};

// That of a contact, limit or guide, or null.
template <typename Holds>
auto FindHold(Holds& holds, std::uint64_t id) -> decltype(holds.data()) {
  const auto at =
      std::find_if(holds.begin(), holds.end(), [id](const Hold& hold) { return hold.id == id; });
  return at == holds.end() ? nullptr : &*at;
}

// The smooth motion between two events: bilateral constraints hold, closed contacts push or part,
// those that stick do not slip and those that slide have Coulomb's friction against it:
//
//   M v̇ = f + τ + Gᵀλ,   G v̇ + Ġ v = 0 of bilateral rows and of friction that sticks,
//   0 ≤ λ_n ⟂ φ̈ = G_n v̇ + Ġ_n v ≥ 0,   λ_t = −μ N d of friction that slides along d.
//
// An AccelerationProblem, solved by the formulation `working` or, for all others, as a boxed linear
// complementarity problem. Viscous friction acts beside it, −B v_t. Ġ v is by differences along v,
// which know the curvature of all shapes, but for constraints that say it (AddCurvature).
//
// Contacts that yield have no normal row: their force N(φ, φ̇) is one of those in f. Their friction
// is a block under that N, of μ(v) where they creep: from μ_s at rest to μ at the creep speed, or
// as drop_speed says.
class HeldMotion {
 public:
  HeldMotion(const Model& model, bool by_working, const WorkingSettings& settings = {});

  void SetInputs(const Inputs& inputs, const VecX& activation) {
    equations_.SetInputs(inputs, activation);
  }
  // Forgets what earlier solutions would be a start for: bits depend on states alone.
  void Forget();

  // Fills v̇ and the forces of the holds. False if there is no solution, or none was found: v̇ is
  // then NaN. With `decides`, which needs the formulation `working`, friction that is said to stick
  // may begin to slip instead, and the holds are told.
  bool CalcAcceleration(double t, const VecX& q, const VecX& v, std::vector<Hold>* holds,
                        VecX* v_dot, bool decides = false);
  bool by_working() const { return by_working_; }
  // Why the last call of `working` found nothing.
  WorkingStatus working_status() const { return working_status_; }
  // And where: the contact, limit, joint or guided point (RowGroup::id); zero if that is not known.
  std::uint64_t trouble() const { return trouble_; }
  // Whether friction has come to grow nearly as fast as what it comes from.
  bool is_nearly_singular() const { return by_working_ && pivot_ <= kNearlySingular; }
  // And which does (RowGroup::id).
  std::uint64_t nearly_singular() const { return pivot_row_ < 0 ? 0 : IdOfRow(pivot_row_); }
  // Of the searches for what sticks.
  const WorkingStats& working_stats() const { return working_.stats(); }

  // After an acceleration by `working`: fills `excess` of those that creep, as if all of them
  // stuck [Sherman]: infinite where nothing can hold them.
  void CalcStickExcess(std::vector<Hold>* holds);

  // Removes what is left of slip from soft contacts that stick, by impulses on both bodies of each:
  // momentum is kept. Bilateral rows, contacts that press and friction that holds take part. False
  // where that has no solution; v is then as before.
  bool StopSlip(double t, const VecX& q, const std::vector<Hold>& holds, VecX* v);

  // Where the last acceleration has failed at (q, v) or is nearly singular: v after impulses that
  // stop sliding within friction, if there are any (Working::SolveLock). On the verge of that
  // they are beyond friction by as much, relative, as it is from there; so much is granted.
  // `stopped`: what slid and sticks now, by the largest impulse of friction (RowGroup::id).
  bool Lock(VecX* v, std::uint64_t* stopped);

  // By `working`: the impact of all rigid contacts and limits with φ ≤ reach, together, with the
  // friction of joints and guided points (Working::SolveImpact). Restitution is cut where it would
  // add energy that nothing that is prescribed brings in. False where no impulses are found; v is
  // then as before.
  bool Strike(double t, const VecX& q, double reach, VecX* v);
  int struck_count() const { return struck_count_; }  // contacts and limits of the last one
  bool was_limited() const { return was_limited_; }   // its restitution was cut

  // Of the last acceleration: the power of loads, dampers, drives and prescribed motion, and that
  // of friction; forces of prescribed rates, zero elsewhere.
  double power() const { return power_; }
  double friction_power() const { return friction_power_; }
  const VecX& prescribed_force() const { return prescribed_force_; }
  // Friction on joints whose motion is prescribed, per known guide of the finder.
  struct KnownFriction {
    double normal_force = 0;       // N
    Vec3 friction = Vec3::Zero();  // on its rows; none where they rest
  };
  const std::vector<KnownFriction>& known_friction() const { return known_friction_; }
  // And all forces on rows of the finder, N or N m: multipliers, normal forces of contacts that
  // yield, viscous friction; and loads per body.
  const VecX& row_force() const { return row_force_; }
  const std::vector<Vec6>& loads() const { return equations_.external_forces(); }
  // Per rate, of drives that are no rows.
  const VecX& drive_force() const { return equations_.drive_force(); }
  // How far it is from its laws, judged from λ and v̇ alone (held_audit.cc).
  Audit Judge(const VecX& v_dot, const std::vector<Hold>& holds);
  // The free v̇, with viscous friction, and Ġ v per row of the finder.
  const VecX& free_acceleration() const { return problem_.v_dot_free; }
  const VecX& curvature() const { return curvature_; }

  // Brings gaps of bilateral rows and of contacts that press to zero, then their rates and those of
  // friction that sticks: what the integrator leaves of them. Prescribed motion comes first.
  bool Project(double t, const std::vector<Hold>& holds, VecX* q, VecX* v);

  // Gives rates that are prescribed their values at t, and others what impulses that do so without
  // resistance make of theirs: at a kink of the motion that is prescribed, before other impulses.
  void TakeKink(double t, const VecX& q, VecX* v);
  // The largest rate of bilateral rows at (t, q, v).
  double CalcRowRates(double t, const VecX& q, const VecX& v);

  // Contacts, rows and M of the last call.
  TouchFinder* finder() { return &finder_; }
  const TouchFinder& finder() const { return finder_; }
  const Configuration& configuration() const { return configuration_; }
  bool UpdateConfiguration(const VecX& q) { return configuration_.Update(model_, q); }
  // That of the configuration.
  const RegularMass& UpdateMass() {
    mass_.Update(model_, configuration_, prescribed_.flags(), prescribed_.any());
    return mass_;
  }
  const PrescribedRates& prescribed() const { return prescribed_; }
  // Whether motion that is prescribed may bring energy in.
  bool is_driven() const { return prescribed_.any() || finder_.has_moving_rows(); }
  long evaluations() const { return evaluations_; }

  // Slower slip than this has the direction of the start of its piece, m/s; that of a piece which
  // begins slowly keeps it longer. Across a slip s friction damps with the rate μ g/s, too fast to
  // be followed where sliding begins.
  static constexpr double kNoSlip = 1e-9, kSlowSlip = 1e-5;
  // Friction within this of its limit, relative, slides where that is to be decided.
  static constexpr double kAtLimit = 1e-9;
  // Pivots of friction's own matrix, one without friction, below which it is nearly singular:
  // normal forces are then a million times those that cause them.
  static constexpr double kNearlySingular = 1e-6;
  // Creep that is slower than this part of the creep speed has friction against its impending slip.
  static constexpr double kSlowCreep = 0.1;
  double creep_speed() const { return model_.spec().contact.creep_speed; }
  // From where on friction of a hold is against its slip, m/s.
  double CalcLeastSlip(const Hold& hold) const;

 private:
  struct HeldRow {
    int row = 0;    // of the finder
    int hold = -1;  // −1: bilateral
    bool is_normal = false;
  };
  enum class Tangents { kNone, kSticking, kAll };

  void ListRows(const std::vector<Hold>& holds, Tangents which);
  void ListGroups();
  void CalcCurvature(double t, const VecX& q, const VecX& v);
  void TakeRates(double t, const VecX& q, const VecX& v, double step, VecX* out);
  void AddContactForces(const std::vector<Hold>& holds, const VecX& v);
  void AddContactForce(int row, double size);
  double CalcSlidingFriction(const Hold& hold, const Touch& touch) const;
  Vec3 CalcDirection(const Hold& hold, const Vec3& slip) const;
  FrictionTask CalcTask(const Hold& hold, bool decides) const;
  void SetRows();
  void AddBlocks(const std::vector<Hold>& holds, bool decides);
  void SetUnits(const FrictionRows& bearing);
  void AddReactions();
  void ShareWithTree();
  bool SolveForces();
  void TakeForces(const VecX& v_dot, std::vector<Hold>* holds, bool decides);
  double CalcAcross(const FrictionBlock& block, const Vec3& d) const;
  Vec3 TakeBlock(const FrictionBlock& block) const;
  void TakeFriction(const VecX& v_dot, int b, bool decides, Hold* hold);
  void TakeDecision(int b, const Vec3& direction, Hold* hold);
  void JudgeFriction(const std::vector<Hold>& holds, const VecX& a, double scale,
                     double force_scale, Audit* out) const;
  double JudgeMomentum(const VecX& v_dot);
  void JudgeGaps(const std::vector<Hold>& holds, Audit* out) const;
  void TakePrescribedForces(const VecX& v, const VecX& v_dot);
  void ListStruck(double reach);
  double CalcKineticEnergy(const VecX& v);
  void AddKnownFriction(const VecX& v);
  void AddRow(int row, double factor, VecX* x) const;
  std::uint64_t IdOfRow(int j) const {
    return finder_.problem().groups[group_of_[rows_[j].row]].id;
  }
  void SolveRows(VecX* impulses);
  void DropIdle(const std::vector<Hold>& holds);

  const Model& model_;
  bool by_working_;
  EquationsOfMotion equations_;
  PrescribedRates prescribed_;
  Configuration configuration_;
  RegularMass mass_;
  TouchFinder finder_, moved_;
  std::vector<std::uint64_t> ids_;
  std::vector<HeldRow> rows_;
  std::vector<int> group_of_;              // per row of the finder
  std::vector<int> block_hold_;            // the hold of each block of friction
  std::vector<const Guide*> block_guide_;  // null for contacts
  AccelerationProblem problem_;
  ReactionMap reactions_;
  std::vector<Vec6> external_;
  // n₀ and C of friction on joints whose motion is prescribed, per known guide.
  std::vector<Vec3> known_n0_;
  std::vector<MatX> known_C_;
  std::vector<KnownFriction> known_friction_;
  bool has_shares_ = false;  // multipliers are shared with joints of the tree,
  MatX share_;               // λ ← λ + share λ + share₀
  VecX share0_;
  ReactionSharing sharing_;
  std::vector<FrictionRows> bearings_;
  std::vector<int> bilateral_;  // rows of the finder that are held
  BoxedForces boxed_;
  Working working_, sticking_;
  WorkingStatus working_status_ = WorkingStatus::kSolved;
  std::array<VecX, 4> rates_along_;  // at moments next to now, of rows_
  double pivot_ = 1;                 // of the last solution by `working`
  int pivot_row_ = -1;               // of rows_
  std::uint64_t trouble_ = 0;
  std::vector<Hold> struck_;
  int struck_count_ = 0;
  bool was_limited_ = false;
  VecX q_, curvature_, lambda_, right_, force_, target_, rest_, prescribed_force_, contact_force_;
  VecX stick_lambda_, row_force_, known_curvature_;
  std::vector<double> curvature_scratch_;
  MatX shifted_;
  NewtonEulerScratch newton_euler_;
  double power_ = 0, friction_power_ = 0;
  long evaluations_ = 0;
};

}  // namespace voigt
