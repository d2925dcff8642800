#include "tests/support/random_mechanism.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tests/support/random_joint_rows.h"
#include "tests/support/random_model.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/model/maximal.h"
#include "voigt/model/model_builder.h"

namespace voigt::testing {
namespace {

enum class Kind { kLoopJoints, kRods, kFreeBodies, kBallsOnGround, kDriven, kDrivenWithRods };
constexpr std::array<const char*, 6> kKindNames = {"loop joints", "rods",   "free bodies",
                                                   "balls",       "driven", "driven, with rods"};

struct Hold {
  double stiffness = kInfinity, damping = 0;
};

template <typename T, size_t n>
T ChooseFrom(const std::array<T, n>& list, Random* random) {
  return list[(*random)() % n];
}

constexpr std::array<double, 7> kStiffness = {1, 1e3, 1e6, 1e9, 1e12, 1e15, kInfinity};
constexpr std::array<double, 4> kDamping = {0, 1, 1e6, 1e12};
constexpr std::array<double, 7> kSteps = {1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1};

Hold RandomHold(Random* random) {
  Hold hold;
  hold.stiffness = ChooseFrom(kStiffness, random);
  if (hold.stiffness < kInfinity) hold.damping = ChooseFrom(kDamping, random);
  return hold;
}

// Poses of the bodies of the tree, by number.
std::vector<Pose> BodyPoses(const Model& tree, const State& state) {
  Kinematics kin(tree);
  UpdatePositions(tree, state.q, &kin);
  std::vector<Pose> poses;
  for (int b = 0; b < tree.nb(); ++b) poses.push_back(CalcBodyPose(tree, kin, b));
  return poses;
}

std::pair<int, int> TwoBodies(const Model& tree, Random* random) {
  const int a = static_cast<int>((*random)() % tree.nb());
  const int b = static_cast<int>((*random)() % (tree.nb() - 1));
  return {a, b + (b >= a)};
}

void AddLoopJoints(const Model& tree, const State& state, const Hold& hold, Random* random,
                   ModelSpec* spec) {
  const std::vector<Pose> poses = BodyPoses(tree, state);
  const int count = 1 + static_cast<int>((*random)() % 2);
  for (int i = 0; i < count; ++i) {
    const auto [a, b] = TwoBodies(tree, random);
    JointSpec joint;
    joint.name = fmt::format("loop{}", i);
    joint.type = static_cast<JointType>((*random)() % (kJointTypeCount - 1));  // none is free
    if (joint.type == JointType::kScrew) joint.pitch = Uniform(random, -1, 1);
    joint.parent = tree.body(a).name;
    joint.child = tree.body(b).name;
    joint.X_PF = RandomPose(random);
    joint.X_CM = poses[b].Inverse() * (poses[a] * joint.X_PF);
    joint.tree = TreeChoice::kLoop;
    joint.loop_stiffness = hold.stiffness;
    joint.loop_damping = hold.damping;
    spec->joints.push_back(joint);
  }
}

void AddRods(const Model& tree, const State& state, const Hold& hold, Random* random,
             ModelSpec* spec) {
  const std::vector<Pose> poses = BodyPoses(tree, state);
  const int count = 1 + static_cast<int>((*random)() % 4);
  for (int i = 0; i < count; ++i) {
    const auto [a, b] = TwoBodies(tree, random);
    DistanceSpec rod;
    rod.A = {tree.body(a).name, RandomVector(random)};
    rod.B = {tree.body(b).name, RandomVector(random)};
    rod.length = (poses[a] * rod.A.point - poses[b] * rod.B.point).norm();
    ConstraintSpec constraint;
    constraint.name = fmt::format("rod{}", i);
    constraint.kind = rod;
    constraint.stiffness = hold.stiffness;
    constraint.damping = hold.damping;
    spec->constraints.push_back(constraint);
  }
}

// A ball in each body where it does not overlap others; the lowest one touches the ground.
void AddBallsOnGround(const Model& tree, const State& state, const Hold& hold, Random* random,
                      ModelSpec* spec) {
  const std::vector<Pose> poses = BodyPoses(tree, state);
  const double radius = 0.2;
  double lowest = kInfinity;
  std::vector<Vec3> centres;
  for (BodySpec& body : spec->bodies) {
    Geometry ball;
    ball.name = "ball of " + body.name;
    ball.shape = Sphere{radius};
    ball.X_BG.p = RandomVector(random, 0.5);
    const Vec3 centre = poses[*tree.FindBody(body.name)] * ball.X_BG.p;
    if (std::any_of(centres.begin(), centres.end(),
                    [&](const Vec3& other) { return (centre - other).norm() < 2 * radius; })) {
      continue;
    }
    centres.push_back(centre);
    lowest = std::min(lowest, centre.z() - radius);
    body.geometry.push_back(ball);
  }
  Geometry ground;
  ground.name = "ground";
  ground.shape = HalfSpace{};
  ground.X_BG.p = Vec3(0, 0, lowest);
  spec->world_geometry.push_back(ground);
  spec->gravity = Vec3(0, 0, -9.81);
  Material material;
  material.name = kDefaultMaterial;
  material.friction = Uniform(random, 0, 1);
  if (hold.stiffness < kInfinity) {
    material.law = NormalLaw::kLinear;
    material.stiffness = hold.stiffness;
    material.damping = hold.damping;
  }
  spec->materials = {material};
}

RandomMechanism Make(int seed, Kind kind, const std::optional<HoldAndStep>& given) {
  Random random(seed);
  Hold hold = RandomHold(&random);
  double h = ChooseFrom(kSteps, &random);
  if (given) {
    hold = {given->stiffness, given->damping};
    h = given->h;
  }
  RandomTreeOptions options;
  options.max_dofs = 12;
  const Model tree = MakeRandomTree(&random, options);
  State state = MakeRandomState(tree, &random);
  ModelSpec spec = tree.spec();
  if (kind == Kind::kLoopJoints) AddLoopJoints(tree, state, hold, &random, &spec);
  if (kind == Kind::kRods || kind == Kind::kDrivenWithRods) {
    AddRods(tree, state, hold, &random, &spec);
  }
  if (kind == Kind::kDriven || kind == Kind::kDrivenWithRods) {
    AddJointRows(tree, state, {hold.stiffness, hold.damping, kind == Kind::kDriven}, &random,
                 &spec);
  }
  if (kind == Kind::kBallsOnGround) AddBallsOnGround(tree, state, hold, &random, &spec);
  for (JointSpec& joint : spec.joints) {
    joint.loop_stiffness = hold.stiffness;
    joint.loop_damping = hold.damping;
  }
  Model model = ModelBuilder(spec).Build();
  if (kind == Kind::kFreeBodies) {
    Model maximal = ToMaximal(model);
    state = ToMaximalState(model, state, maximal);
    model = std::move(maximal);
  }
  const std::string description = fmt::format(
      "seed {}: {}, {} bodies, K = {:g}, B = {:g}, h = {:g}", seed,
      kKindNames[static_cast<int>(kind)], tree.nb() - 1, hold.stiffness, hold.damping, h);
  return {std::move(model),
          state,
          h,
          hold.stiffness == kInfinity,
          kind == Kind::kBallsOnGround,
          kind == Kind::kDriven || kind == Kind::kDrivenWithRods,
          description};
}

}  // namespace

std::vector<HoldAndStep> ListHoldsAndSteps() {
  std::vector<HoldAndStep> out;
  for (double h : kSteps) {
    for (double stiffness : kStiffness) {
      for (double damping : kDamping) {
        if (stiffness == kInfinity && damping > 0) continue;
        out.push_back({stiffness, damping, h});
      }
    }
  }
  return out;
}

RandomMechanism MakeRandomMechanism(int seed, const std::optional<HoldAndStep>& hold) {
  return Make(seed, static_cast<Kind>(seed % 4), hold);
}

RandomMechanism MakeDrivenMechanism(int seed, const std::optional<HoldAndStep>& hold) {
  return Make(seed, seed % 2 == 0 ? Kind::kDriven : Kind::kDrivenWithRods, hold);
}

}  // namespace voigt::testing
