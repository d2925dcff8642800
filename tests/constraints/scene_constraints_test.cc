// Constraints of ModelSpec::constraints: positions by finite differences on random trees, on free
// bodies and with the world, velocities against those of points, and what each kind means.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <deque>

#include "tests/constraints/row_checks.h"
#include "voigt/math/rotation.h"
#include "voigt/model/maximal.h"

namespace voigt {
namespace {

using testing::ConstraintList;
using testing::MakeRandomState;
using testing::MakeRows;
using testing::Random;
using testing::RandomBody;
using testing::RandomVector;
using testing::Rows;
using testing::Uniform;

using Kind = decltype(ConstraintSpec::kind);

ConstraintSpec MakeConstraint(Kind kind) {
  ConstraintSpec spec;
  spec.name = "c";
  spec.kind = std::move(kind);
  return spec;
}

// Two different bodies, either of which may be the world.
std::pair<PointOnBody, PointOnBody> RandomPoints(const ModelSpec& spec, Random* random) {
  PointOnBody A{RandomBody(spec, random), RandomVector(random)};
  PointOnBody B{RandomBody(spec, random), RandomVector(random)};
  while (A.body == B.body) B.body = RandomBody(spec, random);
  return {A, B};
}

Side RandomSide(Random* random) { return static_cast<Side>((*random)() % 3); }

JointTerm RandomTerm(const ModelSpec& spec, Random* random, bool scalar_only) {
  while (true) {
    const JointSpec& joint = spec.joints[(*random)() % spec.joints.size()];
    const int nv = DofCount(joint.type);
    if (nv == 0 || (scalar_only && HasQuaternion(joint.type))) continue;
    return {joint.name, static_cast<int>((*random)() % nv), Uniform(random, 0.5, 2)};
  }
}

bool HasScalarJoint(const ModelSpec& spec) {
  return std::any_of(spec.joints.begin(), spec.joints.end(), [](const JointSpec& joint) {
    return DofCount(joint.type) > 0 && !HasQuaternion(joint.type);
  });
}

std::vector<Kind> RandomPositionKinds(const ModelSpec& spec, Random* random) {
  std::vector<Kind> kinds;
  auto [A, B] = RandomPoints(spec, random);
  kinds.push_back(DistanceSpec{A, B, Uniform(random, 0.5, 2), RandomSide(random)});
  std::tie(A, B) = RandomPoints(spec, random);
  kinds.push_back(PointOnLineSpec{A, B, RandomVector(random)});
  std::tie(A, B) = RandomPoints(spec, random);
  kinds.push_back(PointOnCircleSpec{A, B, RandomVector(random), Uniform(random, 0.5, 2)});
  std::tie(A, B) = RandomPoints(spec, random);
  kinds.push_back(PointInPlaneSpec{A, B, RandomVector(random), RandomSide(random)});
  std::tie(A, B) = RandomPoints(spec, random);
  kinds.push_back(PrescribedPointSpec{B, A.body, {1, TimeFunction::Parse("t"), 2}});
  std::tie(A, B) = RandomPoints(spec, random);
  RollingSpec wheel{A, B, RandomVector(random), Uniform(random, 0.1, 1), std::nullopt, true};
  kinds.push_back(wheel);
  wheel.axis = RandomVector(random);
  kinds.push_back(wheel);
  if (HasScalarJoint(spec)) {
    CouplerSpec coupler{{RandomTerm(spec, random, true)}, 0.2};
    const JointTerm second = RandomTerm(spec, random, true);
    if (second.joint != coupler.terms[0].joint) coupler.terms.push_back(second);
    kinds.push_back(coupler);
    coupler.argument = {RandomTerm(spec, random, true)};
    coupler.zero = 0.1;
    coupler.curve = {0.3, -0.2, 0.1};
    kinds.push_back(coupler);
  }
  kinds.push_back(JointLockSpec{RandomTerm(spec, random, false).joint, {}});
  return kinds;
}

// Those of the scene; joints of free bodies are tested elsewhere.
ConstraintList OfScene(const Model& model) {
  return testing::Select(model, [](const Constraint& constraint) {
    return constraint.name().find("constraint 'c'") != std::string::npos;
  });
}

TEST(SceneConstraints, HaveRowsThatAreExactDerivatives) {
  int rows_seen = 0;
  for (int seed = 0; seed < 25; ++seed) {
    Random random(seed);
    const Model tree = testing::AddToRandomTree(&random, [&](ModelSpec* spec) {
      for (Kind& kind : RandomPositionKinds(*spec, &random)) {
        spec->constraints.push_back(MakeConstraint(kind));
      }
    });
    for (const Model& model : {tree, ToMaximal(tree)}) {
      const State state = MakeRandomState(model, &random);
      for (const auto& constraint : OfScene(model)) {
        const ConstraintList list = {constraint};
        const Rows rows = MakeRows(model, list, state);
        // Rolling is about velocities, and tested below.
        const bool is_bilateral = rows.problem.groups[0].law == Law::kBilateral;
        if (is_bilateral && !constraint->IsHolonomic()) continue;
        EXPECT_LT(testing::CalcDerivativeError(model, list, state, &random), 1e-7)
            << "seed " << seed << ", " << constraint->name();
        rows_seen += rows.size();
      }
    }
  }
  EXPECT_GT(rows_seen, 500);
}

TEST(SceneConstraints, OfVelocitiesHaveTheRatesOfTheirPoints) {
  for (int seed = 0; seed < 25; ++seed) {
    Random random(seed);
    PointOnBody plane, centre, edge;
    const Vec3 direction = RandomVector(&random).normalized();
    const Model tree = testing::AddToRandomTree(&random, [&](ModelSpec* spec) {
      std::tie(plane, centre) = RandomPoints(*spec, &random);
      const RollingSpec wheel{plane, centre, RandomVector(&random), 0.7, std::nullopt, false};
      spec->constraints.push_back(MakeConstraint(wheel));
      edge = RandomPoints(*spec, &random).first;
      while (edge.body == "world") edge = RandomPoints(*spec, &random).first;
      spec->constraints.push_back(MakeConstraint(KnifeEdgeSpec{edge, direction, "world"}));
    });
    for (const Model& model : {tree, ToMaximal(tree)}) {
      const State state = MakeRandomState(model, &random);
      const auto list =
          testing::Select(model, [](const Constraint& c) { return c.name() == "constraint 'c'"; });
      const Rows rows = MakeRows(model, list, state);
      ASSERT_EQ(rows.size(), 3);
      const VecX rates = rows.problem.ToDenseG() * state.v;

      // The wheel and the plane at the lowest point; the plane carries the directions.
      const int A = *model.FindBody(plane.body), B = *model.FindBody(centre.body);
      const auto& wheel = std::get<RollingSpec>(tree.spec().constraints[0].kind);
      const Pose X_WA = CalcBodyPose(model, rows.kin, A);
      const Vec3 normal = X_WA.R * wheel.normal.normalized();
      const Vec3 p = CalcBodyPose(model, rows.kin, B) * centre.point - 0.7 * normal;
      const Vec6 difference = CalcPointVelocity(rows.kin, B, p) - CalcPointVelocity(rows.kin, A, p);
      const Vec3 slip = difference.tail<3>() - normal.dot(difference.tail<3>()) * normal;
      EXPECT_NEAR(rates.head<2>().norm(), slip.norm(), 1e-12 * (1 + state.v.norm()) * 10);

      const int blade = *model.FindBody(edge.body);
      const Pose X_WE = CalcBodyPose(model, rows.kin, blade);
      const Vec6 V = CalcPointVelocity(rows.kin, blade, X_WE * edge.point);
      EXPECT_NEAR(rates[2], (X_WE.R * direction).dot(V.tail<3>()), 1e-12 * (1 + V.norm()));
      for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(rows[i].R, 0);
        EXPECT_EQ(rows[i].v_hat, 0);
      }
    }
  }
}

// A free body of mass 2 and inertia 1 with one constraint.
Model MakeFreeBody(Kind kind, double stiffness = kInfinity, double damping = 0) {
  ModelBuilder builder;
  BodySpec body;
  body.name = "b";
  body.mass_source = MassSource::kExplicit;
  body.mass = {2, Vec3::Zero(), Mat3::Identity()};
  JointSpec joint;
  joint.name = "j";
  joint.type = JointType::kFree;
  joint.child = "b";
  ConstraintSpec constraint = MakeConstraint(std::move(kind));
  constraint.stiffness = stiffness;
  constraint.damping = damping;
  builder.AddBody(body).AddJoint(joint).spec().constraints.push_back(constraint);
  return builder.Build();
}

State FreeState(const Vec3& p, const Vec4& quaternion = QuaternionIdentity()) {
  State state;
  state.q.resize(7);
  state.q << p, quaternion;
  state.v = VecX::Zero(6);
  return state;
}

TEST(Distance, IsARodARopeOrALeastDistance) {
  const State near = FreeState({0, 0, 1.5}), far = FreeState({0, 3, 0});
  std::deque<Model> models;  // rows point at theirs
  const auto rows = [&](Side side, const State& state) {
    models.push_back(MakeFreeBody(DistanceSpec{{}, {"b", Vec3::Zero()}, 2, side}));
    return MakeRows(models.back(), state);
  };
  EXPECT_EQ(rows(Side::kBoth, far).problem.groups[0].law, Law::kBilateral);
  EXPECT_DOUBLE_EQ(rows(Side::kBoth, far)[0].phi, 1);
  EXPECT_EQ(rows(Side::kBelow, far).problem.groups[0].law, Law::kUnilateral);
  EXPECT_DOUBLE_EQ(rows(Side::kBelow, near)[0].phi, 0.5);
  EXPECT_DOUBLE_EQ(rows(Side::kBelow, far)[0].phi, -1);
  EXPECT_DOUBLE_EQ(rows(Side::kAbove, far)[0].phi, 1);
  // Pulls inwards, pushes outwards.
  EXPECT_LT(rows(Side::kBelow, far).problem.ToDenseG()(0, 1), -0.99);
  EXPECT_GT(rows(Side::kAbove, far).problem.ToDenseG()(0, 1), 0.99);
  // Where the points coincide there is no direction, and no NaN.
  const Rows same = rows(Side::kBelow, FreeState({0, 0, 0}));
  EXPECT_DOUBLE_EQ(same[0].phi, 2);
  EXPECT_TRUE(same.problem.ToDenseG().allFinite());
}

TEST(Distance, MayBeASpringAndDamper) {
  const Model model = MakeFreeBody(DistanceSpec{{}, {"b", Vec3::Zero()}, 2, Side::kBoth}, 100, 3);
  const Rows rows = MakeRows(model, FreeState({0, 3, 0}));
  EXPECT_DOUBLE_EQ(rows[0].R, 1 / (0.01 * (0.01 * 100 + 3)));
  EXPECT_DOUBLE_EQ(rows[0].v_hat, -1 / (0.01 + 0.03));
}

TEST(PointInPlane, IsKeptOnItsSide) {
  const auto phi = [](Side side) {
    const PointInPlaneSpec plane{{"world", {0, 0, 1}}, {"b", {0.5, 0, 0}}, {0, 0, 2}, side};
    return MakeRows(MakeFreeBody(plane), FreeState({0, 0, 3}))[0].phi;
  };
  EXPECT_DOUBLE_EQ(phi(Side::kBoth), 2);
  EXPECT_DOUBLE_EQ(phi(Side::kAbove), 2);
  EXPECT_DOUBLE_EQ(phi(Side::kBelow), -2);
}

TEST(PrescribedPoint, IsWhereItShouldBeAtTheEndOfTheStep) {
  const Model model = MakeFreeBody(
      PrescribedPointSpec{{"b", {0, 1, 0}}, "world", {TimeFunction::Parse("t^2"), 1, 0}});
  State state = FreeState({0.3, 0, 0});
  state.t = 1;
  const Rows rows = MakeRows(model, state);
  ASSERT_EQ(rows.size(), 3);
  EXPECT_NEAR(rows[0].phi, 0.3 - 1, 1e-15);
  const double v = (1.01 * 1.01 - 0.3) / 0.01;
  EXPECT_NEAR(v + rows[0].phi_t - rows[0].v_hat, 0, 1e-11);
}

// v₁ of a free body with velocity rows only, M = diag(2, 2, 2, 1, 1, 1).
VecX SolveVelocityRows(const Rows& rows, const VecX& v_star) {
  const MatX G = rows.problem.ToDenseG();
  VecX inverse(6);
  inverse << 0.5, 0.5, 0.5, 1, 1, 1;
  const MatX W = G * inverse.asDiagonal() * G.transpose();
  return v_star - inverse.asDiagonal() * G.transpose() * W.ldlt().solve(G * v_star);
}

TEST(Rolling, GivesABallTheAccelerationOfRolling) {
  // A push p at the centre of a ball at rest: v = p/(m + I/r²), ω = v/r about y.
  const double r = 0.5;
  const RollingSpec ball{{}, {"b", Vec3::Zero()}, Vec3::UnitZ(), r, std::nullopt, true};
  const Model model = MakeFreeBody(ball);
  const Rows rows = MakeRows(model, FreeState({0, 0, r}));
  ASSERT_EQ(rows.size(), 3);
  EXPECT_NEAR(rows[0].phi, 0, 1e-16);
  VecX v_star(6);
  v_star << 1, 0, 0, 0, 0, 0;
  const VecX v1 = SolveVelocityRows(rows, v_star);
  const double v = 2.0 / (2 + 1 / (r * r));
  EXPECT_NEAR(v1[0], v, 1e-15);
  EXPECT_NEAR(v1[4], v / r, 1e-15);
  EXPECT_NEAR(v1.norm(), std::hypot(v, v / r), 1e-15);
}

TEST(Rolling, OfADiscTouchesAtItsLowestPoint) {
  // A coin that leans by 0.4 touches where its rim is lowest: height of the centre r cos 0.4.
  const RollingSpec coin{{}, {"b", Vec3::Zero()}, Vec3::UnitZ(), 0.3, Vec3(Vec3::UnitY()), true};
  const Model model = MakeFreeBody(coin);
  const State state = FreeState({0, 0, 1}, QuaternionExp({0.4, 0, 0}));
  const Rows rows = MakeRows(model, state);
  EXPECT_NEAR(rows[0].phi, 1 - 0.3 * std::cos(0.4), 1e-15);
  // Spinning about the axis at ω moves the centre with r ω along the rim: no slip.
  VecX v(6);
  v << 0.3 * 2, 0, 0, 0, 2, 0;
  EXPECT_LT((rows.problem.ToDenseG() * v).norm(), 1e-15);
  // Lying flat is no reason for NaN.
  const Rows flat = MakeRows(model, FreeState({0, 0, 1}, QuaternionExp({kPi / 2, 0, 0})));
  EXPECT_TRUE(flat.problem.ToDenseG().allFinite());
  EXPECT_NEAR(flat[0].phi, 1, 1e-9);
}

TEST(KnifeEdge, StopsOnlyWhatGoesAcross) {
  const Model model = MakeFreeBody(KnifeEdgeSpec{{"b", Vec3::Zero()}, Vec3::UnitY(), "world"});
  const Rows rows = MakeRows(model, FreeState({0, 0, 0}, QuaternionExp({0, 0, kPi / 4})));
  VecX v_star(6);
  v_star << 1, 0, 0, 0, 0, 3;
  const VecX v1 = SolveVelocityRows(rows, v_star);
  EXPECT_NEAR(v1[0], 0.5, 1e-15);
  EXPECT_NEAR(v1[1], 0.5, 1e-15);
  EXPECT_NEAR(v1[5], 3, 1e-15);
}

// Two wheels on pins, z up.
Model MakeGears(const ConstraintSpec& constraint) {
  ModelBuilder builder;
  for (const char* name : {"a", "b"}) {
    BodySpec body;
    body.name = name;
    body.mass_source = MassSource::kExplicit;
    body.mass = {1, Vec3::Zero(), Mat3::Identity()};
    JointSpec joint;
    joint.name = std::string("pin_") + name;
    joint.type = JointType::kRevolute;
    joint.child = name;
    builder.AddBody(body).AddJoint(joint);
  }
  builder.spec().constraints.push_back(constraint);
  return builder.Build();
}

TEST(Coupler, HoldsOverAnyNumberOfTurns) {
  const Model tree =
      MakeGears(MakeConstraint(CouplerSpec{{{"pin_a", 0, 3}, {"pin_b", 0, 2}}, 0.5}));
  const Model free = ToMaximal(tree);
  const auto list =
      testing::Select(free, [](const Constraint& c) { return c.name() == "constraint 'c'"; });
  for (double q = -40; q < 40; q += 0.7) {
    State state;
    state.q = Vec2(q, (0.5 - 3 * q) / 2 + 0.1);  // off by 0.2
    state.v = Vec2(1, 2);
    const Rows rows = MakeRows(tree, state);
    EXPECT_NEAR(rows[0].phi, 0.2, 1e-13);
    EXPECT_EQ(rows.problem.G, (std::vector<double>{3, 2}));
    EXPECT_TRUE(rows[0].angular);
    const State free_state = ToMaximalState(tree, state, free);
    const Rows on_loops = MakeRows(free, list, free_state);
    EXPECT_NEAR(on_loops[0].phi, 0.2, 1e-13);
    EXPECT_NEAR((on_loops.problem.ToDenseG() * free_state.v)[0], 7, 1e-13);
  }
}

TEST(ConstantSpeed, IsMetByTheRatesAtTheEndOfTheStep) {
  const Model tree = MakeGears(MakeConstraint(
      ConstantSpeedSpec{{{"pin_a", 0, 1}, {"pin_b", 0, -4}}, TimeFunction::Parse("5*t")}));
  State state;
  state.t = 3;
  state.q = Vec2(0.1, 0.2);
  state.v = Vec2(1, 2);
  const Rows rows = MakeRows(tree, state);
  EXPECT_DOUBLE_EQ(rows[0].v_hat, 5 * 3.01);
  EXPECT_EQ(rows[0].R, 0);
  EXPECT_EQ(rows.problem.G, (std::vector<double>{1, -4}));
}

TEST(JointLock, HoldsAJointWhereItIsTold) {
  const Vec4 place = QuaternionExp({0.3, -0.2, 0.5});
  const Model model =
      MakeFreeBody(JointLockSpec{"j", {1, 2, 3, place[0], place[1], place[2], place[3]}});
  const Rows there = MakeRows(model, FreeState({1, 2, 3}, -place));
  ASSERT_EQ(there.size(), 6);
  EXPECT_LT(there.Phi().norm(), 1e-15);
  EXPECT_FALSE(there[2].angular);
  EXPECT_TRUE(there[3].angular);
  const Rows turned =
      MakeRows(model, FreeState({1, 2, 3}, QuaternionProduct(place, QuaternionExp({0, 0.1, 0}))));
  EXPECT_NEAR(turned[4].phi, 0.1, 1e-15);
}

}  // namespace
}  // namespace voigt
