#include "voigt/events/undetermined_friction.h"

#include "voigt/constraints/idle_forces.h"
#include "voigt/constraints/reaction_map.h"
#include "voigt/dynamics/prescribed_rates.h"
#include "voigt/events/touch_finder.h"

namespace voigt {
namespace {

constexpr double kRank = 1e-9;
constexpr int kMostRows = 1000;  // of dense matrices

// C: what a force of one on each bilateral row does to n of a guide. Such forces are taken together
// so that nothing moves: accelerations have no part in it.
MatX CalcNormals(const TouchFinder& finder, const Guide& guide) {
  const std::vector<int>& rows = finder.bilateral_rows();
  const Model& model = finder.model();
  MatX C(3, static_cast<int>(rows.size()));
  ReactionMap reactions(model);
  const VecX still = VecX::Zero(model.nv());
  for (int j = 0; j < C.cols(); ++j) {
    C.col(j) = CalcOwnNormal(finder.constraints(), guide.rows, rows[j], finder.wrenches());
    if (guide.rows.body < 0) continue;
    reactions.AddRow(model, finder.kin(), still, rows[j], finder.wrenches());
    C.col(j) += guide.rows.P * reactions.CalcTreeForce(guide.rows.body) +
                guide.rows.P_m * reactions.CalcTreeMoment(guide.rows.body);
  }
  return C;
}

}  // namespace

std::vector<std::string> ListUndeterminedFriction(const Model& model, const State& state) {
  std::vector<std::string> out;
  TouchFinder finder(model);
  if (!finder.constraints().has_reaction_friction()) return out;
  const PrescribedRates prescribed(model);
  if (prescribed.any()) finder.SetPrescribed(prescribed.flags());
  finder.Update(state.t, state.q, state.v, TouchFinder::kLook);
  if (finder.bilateral_rows().empty() || finder.bilateral_rows().size() > kMostRows) return out;
  IdleForces forces;
  const MatX& idle = forces.Calc(finder.problem(), finder.bilateral_rows(), prescribed.flags());
  if (idle.cols() == 0) return out;
  for (const Guide& guide : finder.guides()) {
    const MatX change = CalcNormals(finder, guide) * idle;
    if (change.cwiseAbs().maxCoeff() <= kRank) continue;
    const std::string& name = finder.constraints().list()[(guide.id >> 32) - 1]->name();
    // That of a joint is a constraint of its own.
    out.push_back(name.starts_with("friction of ") ? name : "friction of " + name);
  }
  return out;
}

}  // namespace voigt
