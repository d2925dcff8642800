#include "voigt/sim/energy_balance.h"

#include <algorithm>
#include <cmath>

#include "voigt/math/tree_product.h"

namespace voigt {
namespace {

constexpr auto kJoints = static_cast<size_t>(EnergyLine::kJoints);
// What never brings in energy by its law.
constexpr size_t kHolding[] = {kJoints, static_cast<size_t>(EnergyLine::kSprings),
                               static_cast<size_t>(EnergyLine::kArmatures)};

}  // namespace

EnergyBalanceWatch::EnergyBalanceWatch(Simulator* simulator)
    : start_(simulator->CalcEnergy()),
      work_at_start_(simulator->work() + simulator->constraint_work()),
      peak_kinetic_(start_.kinetic),
      lines_at_start_(simulator->CalcEnergyLines()),
      unexplained_at_start_(simulator->unexplained()),
      euler_at_start_(CalcEulerError(simulator)) {}

// ½ h g · p of what is not free (sim/free_trees.h).
double EnergyBalanceWatch::CalcEulerError(Simulator* simulator) const {
  const SimulationSettings& settings = simulator->settings();
  if (settings.integrator != Integrator::kSemiImplicitEuler) return 0;
  const Model& model = simulator->model();
  const Kinematics& kin = simulator->CalcKinematics();
  const std::vector<char>& synchronous = simulator->state().synchronous;
  Vec3 p = Vec3::Zero();
  for (int b = 1; b < model.nb(); ++b) {
    const bool is_free = !synchronous.empty() && synchronous[model.tree().root[b]] != 0;
    if (!is_free) p += (kin.I[b] * kin.V[b]).tail<3>();
  }
  return 0.5 * settings.step * model.gravity().dot(p);
}

// What the forces of the last step would have made of kinetic energy if nothing had held them, J.
double EnergyBalanceWatch::CalcHeldEnergy(const Simulator& simulator) {
  const VelocityProblem& problem = simulator.problem();
  const VecX& v1 = simulator.solution().v1;
  if (simulator.steps() == 0 || v1.size() == 0) return 0;  // of other integrators: none
  const VecX held = problem.v_star - v1;
  VecX momentum;
  MultiplyPacked(*problem.pattern, *problem.M, held, &momentum);
  return 0.5 * held.dot(momentum);
}

void EnergyBalanceWatch::Look(Simulator* simulator) {
  const Energy energy = simulator->CalcEnergy();
  peak_kinetic_ = std::max(peak_kinetic_, energy.kinetic);
  const auto of_bodies = [](const Energy& e) { return e.Total() - e.InRows(); };
  balance_.integrator = of_bodies(energy) - of_bodies(start_) -
                        (simulator->work() + simulator->constraint_work() - work_at_start_);
  // What joints take across them is what motion along straight lines has made just before.
  const EnergyLines lines = simulator->CalcEnergyLines();
  const double joints = lines[kJoints] - lines_at_start_[kJoints];
  const double by_motion = balance_.integrator + CalcEulerError(simulator) - euler_at_start_;
  const double made = by_motion + std::min(0.0, joints);
  double together = by_motion;
  for (size_t i : kHolding) together += lines[i] - lines_at_start_[i];
  largest_together_ = std::max(largest_together_, together);
  balance_.integrator_gain = std::max(balance_.integrator_gain, made);
  if (made - last_ > largest_rise_) {
    largest_rise_ = made - last_;
    balance_.t_integrator_gain = simulator->state().t;
  }
  last_ = made;
}

EnergyBalance EnergyBalanceWatch::Close(Simulator* simulator) {
  balance_.lines = simulator->CalcEnergyLines();
  balance_.scale = peak_kinetic_;
  for (size_t i = 0; i < kEnergyLineCount; ++i) {
    balance_.lines[i] -= lines_at_start_[i];
    if (i != kJoints) balance_.scale += std::abs(balance_.lines[i]);
  }
  // Joints that hold make nothing: what closing their gaps has brought in, steps of finite length
  // have made by opening them. What is taken again later was there all the same.
  balance_.integrator_gain += std::max(0.0, balance_.lines[kJoints]);
  balance_.integrator_gain = std::max(balance_.integrator_gain, largest_together_);
  balance_.beyond_laws = simulator->unexplained();
  balance_.beyond_laws.sum -= unexplained_at_start_.sum;
  // Rounding of energies and of forces that are large beside what moves.
  balance_.scale += 1e-9 * (std::abs(start_.Total()) + std::abs(simulator->CalcEnergy().Total()) +
                            CalcHeldEnergy(*simulator));
  return balance_;
}

}  // namespace voigt
