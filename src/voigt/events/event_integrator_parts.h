#pragma once

// Inside of event_integrator.h: its source files share this.

#include <algorithm>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "voigt/events/event_integrator.h"
#include "voigt/steppers/driving_functions.h"
#include "voigt/steppers/integrate.h"

namespace voigt {
namespace odeint = boost::numeric::odeint;

inline constexpr int kEventSamples = 8;          // moments of a step at which gaps are looked at
inline constexpr double kShortestPiece = 1e-14;  // of a step, s
// Motion that is prescribed and constraints that it alone moves: m or rad of gaps, which rounding
// does not make.
inline constexpr double kContradicts = 1e-7;

// What an element of friction does; open ones are in no list of these.
struct ElementMode {
  std::uint64_t id = 0;
  Stiction mode = Stiction::kOpen;
  double normal_force = 0;
  Vec3 direction = Vec3::Zero();
};

// What the stages of a step have seen of the force n whose size is the normal force of friction
// that slides.
struct NormalChange {
  Vec3 start = Vec3::Zero();
  double moved = 0, grown = 0;  // the most of ‖n − n_start‖² and of |‖n‖² − ‖n_start‖²|
};

// The integrated vector is [q; v; work; work of contacts].
struct EventIntegrator::Implementation {
  using Vector = std::vector<double>;
  using Method = odeint::runge_kutta_fehlberg78<Vector>;

  Implementation(const Model& model_, const FormulationSettings& formulation, bool with_audit,
                 const Settings& settings_)
      : model(model_),
        settings(settings_),
        motion(model_, formulation.kind == FormulationKind::kWorking, formulation.working),
        look(model_),
        driving(model_),
        modes(formulation, settings_.reach, settings_.least_hop),
        impact(formulation, with_audit),
        controlled(odeint::make_controlled(settings_.absolute_tolerance,
                                           settings_.relative_tolerance, Method())),
        y(model_.nq() + model_.nv() + 2, 0.0),
        y_part(y),
        y_dot_before(y),
        y_dot_after(y),
        prescribed_force(VecX::Zero(model_.nv())) {
    impact.SetDriven(motion.is_driven());
    if (motion.prescribed().any()) look.SetPrescribed(motion.prescribed().flags());
  }

  void operator()(const Vector& y_in, Vector& y_dot, double at) {
    if (!has_forces) return y_dot.assign(y.size(), 0);  // the step is lost
    const int nq = model.nq(), nv = model.nv();
    q = Eigen::Map<const VecX>(y_in.data(), nq);
    v = Eigen::Map<const VecX>(y_in.data() + nq, nv);
    motion.prescribed().SetMotion(at, &q, &v);
    q_dot.resize(nq);
    CalcPositionRates(model, q, v, &q_dot);
    NormalizePositions(model, &q);
    stage_holds = holds;
    const double moment = at == t_before ? driving.CalcStart(at) : at;
    has_forces &= motion.CalcAcceleration(moment, q, v, &stage_holds, &v_dot);
    keeps_sight &= IsAllInSight();
    if (watches_stages) {
      NoteStage(at);
      NoteNormals();
    }
    std::copy_n(q_dot.data(), nq, y_dot.begin());
    std::copy_n(v_dot.data(), nv, y_dot.begin() + nq);
    y_dot[nq + nv] = motion.power();
    y_dot[nq + nv + 1] = motion.friction_power();
  }

  void Load(const State& state);
  void Take(const Vector& from);
  void TakeAt(const Vector& from, double at);
  void Store(State* state);
  bool IsFinite(const Vector& x) const {
    return std::all_of(x.begin(), x.end(), [](double e) { return std::isfinite(e); });
  }
  double CalcKineticEnergy();

  bool IsHeld(std::uint64_t id) const;
  double CalcGap();
  void ListGrazing();
  double CalcHolds(bool with_excess = true);
  bool IsAllInSight() const;
  void WatchSight();
  std::optional<double> StopShort(double part);
  void NoteStage(double at);
  double FindLost();
  void NoteNormals();
  double CalcNormalChange() const;
  double CalcSteadyStep(double change) const;
  double CalcFriction(size_t k, const Vec3& slip) const;
  double CalcBegin(size_t k, const Vec3& slip) const;
  double CalcSoft(size_t k, const Touch* touch) const;
  double CalcAt(double part);
  double CalcSample(double s);
  bool FindEvent(double* low, double* high, bool* is_early);
  double FindRoot(double low, double high);
  enum class Sharing { kHolds, kEnds, kUnknown };
  bool HasShared() const;
  Sharing DecideSharing(double part);
  double FindClearEnd(double end, double part);
  std::optional<double> FindSharedEnd(double part);

  EventStatus Settle();
  EventStatus DecideModes();
  EventStatus DecideWithoutBounces();
  bool DecideWithLockup();
  bool DecideAt();
  void ListMoving(std::vector<std::uint64_t>* out);
  EventStatus FailedStatus();
  bool HasSliding() const;
  bool HasUnclearRates();
  const Touch* FindClosing();
  bool ResolveImpact(std::uint64_t id);
  EventStatus ResolveImpacts(bool* has_impact);
  void DropIdleHolds();
  void CountChanges();
  void CountSoftChange(const Hold* old, const Hold* now);
  void RecordModes();
  void RestoreModes(const State& state);
  void StoreModes(State* state) const;
  EventStatus Finish();
  bool HasNewContacts();
  double CalcTurningTime() const;
  EventStatus Shorten(double next, double left, double* h_allowed);
  EventStatus GoOnFromHere();
  EventStatus LockHere(EventStatus otherwise);
  double CalcMissedMotion(double at);
  EventStatus TakeKink(double at);
  bool IsGettingOn();
  void TakeEndForces();
  EventStatus TakePart(double part, double t_end, double* h_allowed);
  EventStatus Advance(double t_end, double* h_allowed);
  void Report(EventKind kind, double at, std::uint64_t id);

  const Model& model;
  Settings settings;
  HeldMotion motion;
  TouchFinder look;  // for gaps
  DrivingFunctions driving;
  ContactModes modes;
  Impact impact;
  odeint::result_of::make_controlled<Method>::type controlled;
  Method method;
  Vector y, y_before, y_part, y_dot_before, y_dot_after;
  double t = 0, t_before = 0, h = 0;  // h: of the step from y_before
  VecX q, v, q_dot, v_dot;
  std::vector<Hold> holds, stage_holds, end_holds, old_holds, trial_holds;
  std::vector<NormalChange> normals;  // per hold, of the step that is tried
  bool watches_stages = false;        // of that step
  bool keeps_sight = true;            // no stage has missed a contact that is held
  bool watches_sight = true;          // one that is missed is an event
  double blinked_at = 0;              // where there was one last, and
  int blinks = 0;                     // how often next to there
  std::vector<double> lost_at;        // moments of its stages at which a hold seems lost
  bool has_forces = true;
  bool is_start = false;  // the first decision of a call: what presses may have done so before
  std::vector<Event> events, rests, trial_rests;
  std::vector<ElementMode> element_modes, next_modes;  // by id
  std::vector<Transition> transitions;
  std::uint64_t trouble = 0;  // where a call has failed
  std::vector<std::uint64_t> unstoppable;
  std::vector<std::uint64_t> grazing;  // by id; see ListGrazing
  bool only_grazes = false;            // of the last CalcGap: nothing else is closed
  EventTotals totals;
  std::function<void(const Impact&)> listener;
  double counts_from = 0;  // events, and
  long at_once = 0;        // how many there have been since
  double stalled_at = 0;   // where steps have last become too short, and
  int stalls = 0;          // how often next to there
  double work = 0, contact_work = 0;
  VecX prescribed_force;
  bool is_at_end = false;  // the last call has got there, and this is its state
  Inputs inputs;           // of the last call, with
  VecX activation;
  std::unique_ptr<HeldForces> present;  // of CalcForces
  bool is_present_known = false;
};

}  // namespace voigt
