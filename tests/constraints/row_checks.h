#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tests/support/random_model.h"
#include "voigt/constraints/constraint_set.h"
#include "voigt/constraints/row_writer.h"
#include "voigt/model/model_builder.h"
#include "voigt/steppers/integrate.h"

namespace voigt::testing {

// The rows of some constraints at a state.
struct Rows {
  Kinematics kin;
  VelocityProblem problem;

  const Row& operator[](int i) const { return problem.rows[i]; }
  int size() const { return problem.row_count(); }
  VecX Phi() const {
    VecX phi(size());
    for (int i = 0; i < size(); ++i) phi[i] = problem.rows[i].phi;
    return phi;
  }
};

using ConstraintList = std::vector<std::shared_ptr<const Constraint>>;

inline Rows MakeRows(const Model& model, const ConstraintList& list, const State& state,
                     double h = 0.01) {
  Rows rows;
  rows.kin = Kinematics(model);
  UpdatePositions(model, state.q, &rows.kin);
  UpdateVelocities(model, state.v, &rows.kin);
  rows.problem.h = h;
  rows.problem.pattern = &model.tree().pattern;
  {
    RowWriter writer(model, rows.kin, &rows.problem);
    for (size_t i = 0; i < list.size(); ++i) {
      writer.SetConstraint(static_cast<int>(i));
      list[i]->AddRows({model, rows.kin, state.q, state.v, state.t, h}, &writer);
    }
  }
  return rows;
}

inline Rows MakeRows(const Model& model, const State& state, double h = 0.01) {
  return MakeRows(model, ConstraintSet(model).list(), state, h);
}

// The constraints of a set for which keep(constraint) holds.
inline ConstraintList Select(const Model& model,
                             const std::function<bool(const Constraint&)>& keep) {
  ConstraintList out;
  const ConstraintSet set(model);
  for (const auto& constraint : set.list()) {
    if (keep(*constraint)) out.push_back(constraint);
  }
  return out;
}

// The largest difference between G v and the rate of φ along v by central differences, relative to
// the size of G v, over a few random v.
inline double CalcDerivativeError(const Model& model, const ConstraintList& list,
                                  const State& state, Random* random) {
  const Rows rows = MakeRows(model, list, state);
  const MatX G = rows.problem.ToDenseG();
  double worst = 0;
  for (int i = 0; i < 3; ++i) {
    const VecX v = RandomRates(model, random);
    const auto phi_at = [&](double s) {
      State moved = state;
      IntegratePositions(model, v, s, &moved.q);
      return MakeRows(model, list, moved).Phi();
    };
    // Order four, so that the step can be long enough for ten digits.
    const double e = 1e-3;
    const VecX rate = (8 * (phi_at(e) - phi_at(-e)) - (phi_at(2 * e) - phi_at(-2 * e))) / (12 * e);
    const VecX exact = G * v;
    for (int r = 0; r < exact.size(); ++r) {
      const double scale = 1 + std::abs(exact[r]) + G.row(r).norm();
      worst = std::max(worst, std::abs(rate[r] - exact[r]) / scale);
    }
  }
  return worst;
}

// The largest difference between Ġ v that the constraints say and the rate of G v along v by
// differences, relative to the size of both, over a few random v. All of them have to say it.
inline double CalcCurvatureError(const Model& model, const ConstraintList& list, const State& state,
                                 Random* random) {
  double worst = 0;
  for (int i = 0; i < 3; ++i) {
    State at = state;
    at.v = RandomRates(model, random);
    const auto rate_at = [&](double s) -> VecX {
      State moved = at;
      IntegratePositions(model, at.v, s, &moved.q);
      return MakeRows(model, list, moved).problem.ToDenseG() * at.v;
    };
    const Rows rows = MakeRows(model, list, at);
    std::vector<double> said;
    for (const auto& constraint : list) {
      if (!constraint->AddCurvature({model, rows.kin, at.q, at.v, at.t, 0.01}, &said)) return kNaN;
    }
    const double e = 1e-3 / at.v.cwiseAbs().maxCoeff();
    const VecX taken =
        (8 * (rate_at(e) - rate_at(-e)) - (rate_at(2 * e) - rate_at(-2 * e))) / (12 * e);
    if (static_cast<int>(said.size()) != taken.size()) return kNaN;
    for (int r = 0; r < taken.size(); ++r) {
      worst = std::max(worst, std::abs(said[r] - taken[r]) / (1 + at.v.squaredNorm()));
    }
  }
  return worst;
}

// Random trees with joints between random bodies added by `add`, for all kinds of neighbours: the
// same tree, two trees, the world, and free bodies.
inline Model AddToRandomTree(Random* random, const std::function<void(ModelSpec*)>& add,
                             bool with_springs = false) {
  RandomTreeOptions options;
  options.max_dofs = 25;
  options.branching = 0.5;
  options.with_springs = with_springs;
  options.floating_base = (*random)() % 3 == 0;
  Model model = MakeRandomTree(random, options);
  while (model.nb() < 4) model = MakeRandomTree(random, options);
  ModelSpec spec = model.spec();
  add(&spec);
  return ModelBuilder(spec).Build();
}

inline std::string RandomBody(const ModelSpec& spec, Random* random) {
  const size_t i = (*random)() % (spec.bodies.size() + 1);
  return i == 0 ? "world" : spec.bodies[i - 1].name;
}

}  // namespace voigt::testing
