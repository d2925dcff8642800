// Loads that are shared part by part are the least of the whole model.

#include "voigt/constraints/reaction_sharing.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <vector>

#include "tests/support/random_model.h"
#include "voigt/constraints/build_problem.h"
#include "voigt/constraints/reaction_map.h"
#include "voigt/dynamics/actuation.h"
#include "voigt/io/scene.h"

namespace voigt {
namespace {

// Two doors on one frame, a third one between the frame and the ground, so that the weld of the
// frame bears what goes round through it; a crank whose loop lies in a plane; two wheels that one
// coupler holds together and another one repeats; a pendulum that shares nothing.
constexpr const char* kScene = R"(
bodies:
  - {name: frame, mass: 5, inertia: [1, 1, 1]}
  - {name: door1, mass: 20, com: [0.45, 0, 0], inertia: [6.667, 8.017, 1.35]}
  - {name: door2, mass: 10, com: [0.4, 0, 0], inertia: [3, 4, 1]}
  - {name: door3, mass: 15, com: [0.3, 0.1, 0], inertia: [3, 4, 1]}
  - {name: crank, mass: 1, inertia: [0.01, 0.02, 0.02]}
  - {name: coupler, mass: 1, inertia: [0.01, 0.02, 0.02]}
  - {name: rocker, mass: 1, inertia: [0.01, 0.02, 0.02]}
  - {name: wheel1, mass: 1, inertia: [0.1, 0.1, 0.1]}
  - {name: wheel2, mass: 1, inertia: [0.1, 0.1, 0.1]}
  - {name: bob, mass: 1, com: [0, 0, -1], inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: weld, type: fixed, child: frame, frame: {position: [0, -1, 0]}}
  - {name: upper1, type: revolute, parent: frame, child: door1, frame: {position: [0, 0, 0.8]}, child_frame: {position: [0, 0, 0.8]}, friction: {kinetic: 0.1, radius: 0.02}}
  - {name: lower1, type: revolute, parent: frame, child: door1, frame: {position: [0, 0, -0.8]}, child_frame: {position: [0, 0, -0.8]}, friction: {kinetic: 0.1, radius: 0.03}}
  - {name: upper2, type: revolute, parent: frame, child: door2, frame: {position: [0, 2, 0.7]}, child_frame: {position: [0, 0, 0.7]}, friction: {kinetic: 0.1, radius: 0.02}}
  - {name: lower2, type: ball, parent: frame, child: door2, frame: {position: [0, 2, -0.6]}, child_frame: {position: [0, 0, -0.6]}}
  - {name: upper3, type: revolute, parent: frame, child: door3, frame: {position: [0, 4, 0.7]}, child_frame: {position: [0, 0, 0.7]}, friction: {kinetic: 0.1, radius: 0.02}}
  - {name: lower3, type: revolute, tree: loop, child: door3, frame: {position: [0, 3, -0.6]}, child_frame: {position: [0, 0, -0.6]}, friction: {kinetic: 0.1, radius: 0.05}}
  - {name: a, type: revolute, child: crank, axis: [0, 1, 0], frame: {position: [0, 3, 0]}, child_frame: {position: [0, 0, -0.5]}, friction: {kinetic: 0.1, radius: 0.02}}
  - {name: b, type: revolute, parent: crank, child: coupler, axis: [0, 1, 0], frame: {position: [0, 0, 0.5]}, child_frame: {position: [-0.5, 0, 0]}}
  - {name: c, type: revolute, child: rocker, axis: [0, 1, 0], frame: {position: [1, 3, 0]}, child_frame: {position: [0, 0, -0.5]}}
  - {name: d, type: revolute, parent: coupler, child: rocker, axis: [0, 1, 0], frame: {position: [0.5, 0, 0]}, child_frame: {position: [0, 0, 0.5]}, friction: {kinetic: 0.1, radius: 0.02}}
  - {name: axle1, type: revolute, child: wheel1, frame: {position: [5, 0, 0]}}
  - {name: axle2, type: revolute, child: wheel2, frame: {position: [6, 0, 0]}}
  - {name: pivot, type: revolute, child: bob, axis: [0, 1, 0], frame: {position: [8, 0, 0]}, friction: {kinetic: 0.1, radius: 0.02}}
constraints:
  - {name: gear, type: coupler, terms: [{joint: axle1, factor: 1}, {joint: axle2, factor: 2}]}
  - {name: second, type: coupler, terms: [{joint: axle1, factor: 2}, {joint: axle2, factor: 4}]}
initial: {upper1: {q: 0.4, v: 0.9}, upper2: {q: 0.1, v: -0.2}, upper3: {q: -0.3}, a: {q: 0.3}, b: {q: -0.3}, c: {q: 0.3}, pivot: {q: 0.5}}
simulation: {step: 1e-3}
)";

class ReactionSharingTest : public ::testing::Test {
 protected:
  ReactionSharingTest()
      : scene_(ParseScene(kScene, "text")),
        model_(scene_.model),
        constraints_(model_),
        start_(model_),
        free_(model_) {
    const State& state = scene_.initial;
    constexpr double h = 1e-3;
    start_.Update(model_, state.q);
    start_.SetRates(model_, state.v);
    Actuation actuation(model_);
    actuation.Update(model_, state.inputs, state.activation, state.t, h);
    free_.Update(model_, start_, state, actuation.drive(), h);
    BuildProblem(model_, constraints_, {}, start_, free_, state, actuation.drive(), h, {},
                 RestitutionLaw::kNewton, false, &problem_, &friction_);
    for (const RowGroup& group : problem_.groups) {
      for (int r = 0; r < group.row_count && group.law == Law::kBilateral; ++r) {
        rows_.push_back(group.first_row + r);
      }
    }
  }

  // Gᵀ of the rows, and the loads that forces on them are: of themselves and of all tree joints,
  // moments as forces at the radius of their bearing.
  MatX MakeTransposed() const {
    const MatX G = problem_.ToDenseG();
    MatX out(G.cols(), rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) out.col(i) = G.row(rows_[i]).transpose();
    return out;
  }
  double LeverOfBody(int b) const {
    for (const FrictionRows& bearing : friction_.friction) {
      if (bearing.body == b) return bearing.law.radius;
    }
    return 1;
  }
  double LeverOfRow(int row) const {
    for (const RowWrench& wrench : friction_.wrenches) {
      if (wrench.row != row || !wrench.force.isZero(0)) continue;
      for (const FrictionRows& bearing : friction_.friction) {
        if (IsOwnWrench(constraints_, bearing, wrench)) return bearing.law.radius;
      }
    }
    return 1;
  }
  VecX Weigh(const VecX& lambda, const std::vector<Vec6>& F) const {
    const int count = static_cast<int>(rows_.size()), nb = model_.nb();
    VecX out(count + 6 * (nb - 1));
    for (int i = 0; i < count; ++i) out[i] = lambda[i] / LeverOfRow(rows_[i]);
    for (int b = 1; b < nb; ++b) {
      out.segment<6>(count + 6 * (b - 1)) = F[b];
      out.segment<3>(count + 6 * (b - 1)) /= LeverOfBody(b);
    }
    return out;
  }

  Scene scene_;
  const Model& model_;
  ConstraintSet constraints_;
  Configuration start_;
  FreeVelocity free_;
  VelocityProblem problem_;
  ReactionFrictionRows friction_;
  std::vector<int> rows_;
};

TEST_F(ReactionSharingTest, IsLeastSquaresOfTheWholeModel) {
  // All that moves nothing, of the whole model at once: the kernel of Gᵀ by singular values.
  const MatX G_T = MakeTransposed();
  const Eigen::JacobiSVD<MatX> svd(G_T, Eigen::ComputeFullV);
  const auto rank = (svd.singularValues().array() > 1e-9 * svd.singularValues()[0]).count();
  const MatX Z = svd.matrixV().rightCols(G_T.cols() - rank);
  ASSERT_EQ(Z.cols(), 5 + 3 + 5 + 3 + 1);  // of three doors, the crank and the couplers
  ReactionMap reactions(model_);
  const VecX still = VecX::Zero(model_.nv());
  MatX loads(rows_.size() + 6 * (model_.nb() - 1), Z.cols());
  loads.setZero();
  for (size_t i = 0; i < rows_.size(); ++i) {
    reactions.AddRow(model_, start_.kin(), still, rows_[i], friction_.wrenches);
    loads += Weigh(VecX::Unit(rows_.size(), i), reactions.forces()) * Z.row(i);
  }

  ReactionSharing sharing(model_);
  sharing.Update(constraints_, start_.kin(), problem_, rows_, {}, friction_.friction,
                 friction_.wrenches);
  EXPECT_TRUE(sharing.any());
  EXPECT_TRUE(sharing.reaches_tree());
  testing::Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    VecX lambda(rows_.size());
    for (double& force : lambda) force = testing::Uniform(&random, -1, 1);
    std::vector<Vec6> F(model_.nb());
    for (Vec6& f : F) f = testing::RandomSpatial(&random);
    const VecX least =
        Weigh(lambda, F) - loads * loads.colPivHouseholderQr().solve(Weigh(lambda, F));
    const VecX change = sharing.CalcChange(lambda, F);
    lambda += change;
    sharing.AddTreeChange(&F);
    EXPECT_LT((G_T * change).norm(), 1e-11 * change.norm());
    EXPECT_LT((Weigh(lambda, F) - least).norm(), 1e-10 * least.norm());
  }
}

}  // namespace
}  // namespace voigt
