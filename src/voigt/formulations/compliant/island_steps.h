#pragma once

#include <algorithm>
#include <cmath>

#include "voigt/formulations/compliant/friction_radii.h"
#include "voigt/formulations/compliant/island_scales.h"
#include "voigt/formulations/compliant/island_solver.h"
#include "voigt/kernels/convex_newton.h"
#include "voigt/kernels/convex_set.h"

// The class behind SolveIsland: what it tries in which order is in island_plan.cc, convex programs
// in island_solver.cc, those without contacts and dense methods in island_boxes.cc, the Coulomb law
// in island_coulomb.cc, what the last step's impulses lead to in island_last_impulses.cc, Newton's
// method on the natural map in island_polish.cc.
namespace voigt::internal {

class IslandSolver;

// What may be tried on an island: when, and how; true if that has solved it.
struct PlannedAttempt {
  Attempt attempt;
  bool (IslandSolver::*applies)();
  bool (IslandSolver::*run)(IslandResult* result);
};

// Of what is accepted: others measure velocities a little differently.
inline constexpr double kMargin = 0.5;
inline constexpr double kGapMargin = 0.25;  // of small gaps, which add to the residual
inline constexpr int kPatience = 10;        // steps without progress
inline constexpr int kImpatient = 4;        // the same, where others follow
// Degrees of freedom from which contacts alone are a bed, and one for which a factor costs more
// than many sweeps.
inline constexpr int kBed = 60, kLargeBed = 600;

class IslandSolver {
 public:
  IslandSolver(const IslandSettings& settings, const VelocityProblem& problem,
               std::span<const double> lagged, ConvexProgram* program, const IslandView& island,
               IslandStructure* structure, VecX* v, VecX* gamma, IslandWorkspace* ws,
               NewtonStats* stats)
      : settings_(settings),
        problem_(problem),
        lagged_(lagged),
        program_(*program),
        island_(island),
        structure_(*structure),
        v_(*v),
        gamma_(*gamma),
        island_ws_(*ws),
        redundancy_(ws->redundancy),
        ws_(ws->newton),
        stats_(*stats) {}

  IslandResult Solve();

 private:
  template <typename Visit>
  void ForEachRow(Visit visit) const {
    voigt::ForEachRow(program_, island_.blocks, visit);
  }
  template <typename Visit>
  void ForEachContact(Visit visit) const {
    for (int i : island_.blocks) {
      ConvexBlock& block = program_.blocks[i];
      if (IsCoupled(block.set)) visit(block, lagged_[i]);
    }
  }

  // Before anything that has a factor, or asks whether there is one.
  void Prepare() {
    structure_.Prepare(program_, island_.blocks, island_.ranges, settings_.matrix_kind);
  }
  bool IsBed() const { return is_bed_; }
  // Stacks have no more contacts than bodies, and a factor that costs next to nothing.
  bool IsLargeBed() const {
    return is_bed_ && dofs_ >= kLargeBed && island_.blocks.size() > island_.ranges.size();
  }
  void UpdateScale() {
    velocity_scale_ = scales_.CalcVelocity(program_, island_.blocks, gamma_, ws_.S);
    scale_ = velocity_scale_.value();
  }
  // After UpdateScale.
  double CalcResidual() {
    const double residual = CalcNaturalResidual(island_, &v_, gamma_, &ws_);
    return std::max(residual, velocity_scale_.hidden());
  }
  // After UpdateScale, velocities. Those that impulses make where they cancel one another count up
  // to a point; to the last digits they count whole, for nothing is better known.
  double Accepted() const {
    constexpr double kMost = 10, kAllDigits = 1e-12;
    const double scale = std::min(scale_, kMost * velocity_scale_.without_impulses);
    return std::max(settings_.tolerance * scale,
                    std::min(settings_.tolerance, kAllDigits) * scale_);
  }
  double Aim() const { return std::min(settings_.aim * scale_, Accepted()); }
  bool IsAccepted(double residual) const {
    // Of impulses that are too large for their rounding, others see another residual.
    return residual <= (velocity_scale_.is_sane() ? 1 : kMargin) * Accepted();
  }
  // Impulses are put aside in a list of the workspace.
  void KeepIn(std::vector<double>* list) const {
    ForEachRow([&](int r) { (*list)[r] = gamma_[r]; });
  }
  void TakeFrom(const std::vector<double>& list) {
    ForEachRow([&](int r) { gamma_[r] = list[r]; });
  }
  void Keep() { KeepIn(&island_ws_.pass); }
  void GoBack() { TakeFrom(island_ws_.pass); }
  void SetFloor(double floor) { scales_.SetFloor(program_, island_.blocks, floor, &ws_.R); }
  void SetProximalTerm(double floor, bool about_gamma);
  bool MinimizeWithFloor(double floor, bool about_gamma, int iterations);
  bool MinimizeFromHere(double floor, int iterations);
  bool Minimize();
  NaturalNewtonResult Polish(int patience = kPatience, bool careful = false);
  NaturalNewtonResult PolishWith(NaturalNewtonSettings settings, bool all_the_way = false);
  NaturalNewtonSettings MakePolishSettings() const;
  void UpdateTolerance(NaturalNewtonSettings* newton) const;
  void KeepBest(double residual);
  void TakeBest() {
    if (!std::isfinite(best_residual_)) return;
    TakeFrom(island_ws_.best);
  }

  // The plan.
  struct Plans;
  bool Run(std::span<const PlannedAttempt> plan, IslandResult* result);
  void SolveConvex(IslandResult* result);
  void SolveLagged(IslandResult* result);
  void SolveCoulomb(IslandResult* result);

  // When its attempts apply.
  bool Always() { return true; }
  bool HasGuess();
  bool HasNoGuess() { return !HasGuess(); }
  bool HasUniqueGuess();
  bool HasSharesToKeep();
  bool IsBedToSweepFirst() { return IsLargeBed() && MaySweep(); }
  bool IsBedFarOff();
  bool MaySweep();
  bool NeedsPasses();
  bool KnowsInterior();
  bool HasSingleDiscs();
  bool HasFewSingleDiscs();
  bool HasManySingleDiscs();
  int CountRows() const;
  bool HasNoRedundancy() { return !redundancy_.is_found(); }
  bool IsLinear();
  bool IsNotLinear() { return !IsLinear(); }
  bool HasDiscs();
  bool HasBoundsAlone();

  // The attempts themselves.
  bool TryNothing(IslandResult* result);
  bool SweepBed(IslandResult* result);
  bool TryGuess(IslandResult* result);
  bool TryLastImpulses(IslandResult* result);
  bool SweepLocally(IslandResult* result);
  bool SolveConvexProgram(IslandResult* result);
  bool RunPasses(IslandResult* result);
  bool SolveInterior(IslandResult* result);
  bool SolveImplicit(IslandResult* result);
  bool TakeCarefulSteps(IslandResult* result);
  bool SolveByPivots(IslandResult* result);
  bool TakeProximalSteps(IslandResult* result);
  bool RunProximalPasses(IslandResult* result);
  bool SolveByCones(IslandResult* result);

  // What they are made of.
  void SetContacts(ConvexSet set);
  void SetLaggedRadii();
  bool PolishConvex(IslandResult* result, int patience = kPatience, bool careful = false);
  bool PolishCoulomb(bool careful = false);
  void AddDigits();
  bool ShareEvenly(bool is_near, IslandResult* result);
  bool FinishSweeps(IslandResult* result);
  bool PolishBriefly();
  bool RunProximalPass(double floor, double weight);
  double CalcCoulombResidual();
  bool PolishProximalPass();
  void OpenContacts();
  bool AssembleImpulses();
  void SetBoxes(int rows);
  void RunSweeps(int most, double tolerance);
  void TakeConvexCones(IslandResult* result);
  void StayWithinSets(IslandResult* result);
  void SolveWithoutSmallGaps(IslandResult* result);
  void SolveProgram(IslandResult* result);
  void ShareInconsistency(IslandResult* result);
  void TakeSoft(IslandResult* result);
  bool LookForRedundancy(double residual) {
    return redundancy_.Look(problem_, island_, residual <= margin_ * Aim(), scale_, &gamma_, &ws_);
  }
  void ReportRedundancy(IslandResult* result);
  bool MayGoOn() const { return IterationsLeft() > 0 && !settings_.deadline.HasPassed(); }
  SolveStatus StatusOfLimit() const {
    return settings_.deadline.HasPassed() ? SolveStatus::kTimeLimit : SolveStatus::kIterationLimit;
  }
  // What is tried last has iterations and time of its own: whatever it leaves undone would be
  // taken.
  void BeginRescue() {
    start_ = stats_.iterations;
    is_rescue_ = true;
  }
  int IterationsLeft() const { return settings_.max_iterations - stats_.iterations + start_; }

  const IslandSettings& settings_;
  const VelocityProblem& problem_;
  std::span<const double> lagged_;
  ConvexProgram& program_;
  const IslandView& island_;
  IslandStructure& structure_;
  VecX& v_;
  VecX& gamma_;
  IslandWorkspace& island_ws_;
  Redundancy& redundancy_;
  NewtonWorkspace& ws_;
  NewtonStats& stats_;
  int start_ = 0;
  bool is_rescue_ = false;
  IslandScales scales_;
  VelocityScale velocity_scale_;
  double scale_ = 1;  // its value
  double best_residual_ = kInfinity;
  bool has_swept_ = false;     // the bed, by this solve
  bool is_minimized_ = false;  // the last convex program
  double margin_ = kMargin;    // less where discs ask for it
  int dofs_ = 0;
  bool has_friction_ = false, is_bed_ = false;
};

}  // namespace voigt::internal
