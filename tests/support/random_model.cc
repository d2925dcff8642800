#include "tests/support/random_model.h"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "voigt/math/rotation.h"
#include "voigt/model/model_builder.h"

namespace voigt::testing {
namespace {

JointSpec RandomJoint(Random* random, JointType type, bool with_springs) {
  JointSpec joint;
  joint.type = type;
  joint.X_PF = RandomPose(random);
  joint.X_CM = RandomPose(random);
  const bool has_axis = type != JointType::kFixed && type != JointType::kBall &&
                        type != JointType::kFree && type != JointType::kUniversal;
  if (has_axis && Uniform(random, 0, 1) < 0.5) joint.axis = RandomVector(random);
  if (type == JointType::kScrew) joint.pitch = Uniform(random, -1, 1);
  if (!with_springs || type == JointType::kFixed) return joint;
  const auto list = [&](double high) {
    std::vector<double> values;
    for (int k = 0; k < DofCount(type); ++k) values.push_back(Uniform(random, 0, high));
    return values;
  };
  joint.stiffness = list(10);
  joint.damping = list(1);
  joint.armature = list(0.5);
  return joint;
}

}  // namespace

double Uniform(Random* random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(*random);
}

Vec3 RandomVector(Random* random, double scale) {
  return {Uniform(random, -scale, scale), Uniform(random, -scale, scale),
          Uniform(random, -scale, scale)};
}

Vec6 RandomSpatial(Random* random) {
  Vec6 out;
  out << RandomVector(random), RandomVector(random);
  return out;
}

Mat3 RandomRotation(Random* random) {
  std::normal_distribution<double> normal;
  const Vec4 q{normal(*random), normal(*random), normal(*random), normal(*random)};
  return QuaternionToMatrix(q);
}

Pose RandomPose(Random* random, double scale) {
  return {RandomRotation(random), RandomVector(random, scale)};
}

MassProperties RandomMass(Random* random) {
  std::vector<MassProperties> points;
  for (int i = 0; i < 6; ++i) {
    points.push_back({Uniform(random, 0.1, 1), RandomVector(random, 0.5), Mat3::Zero()});
  }
  return Combine(points);
}

Model MakeRandomTree(Random* random, const RandomTreeOptions& options) {
  ModelBuilder builder;
  builder.spec().gravity = RandomVector(random, 10);
  std::vector<std::string> bodies = {"world"};
  const int target = 1 + static_cast<int>(Uniform(random, 0, options.max_dofs));
  int dofs = 0;
  while (dofs < target) {
    const int i = static_cast<int>(bodies.size());
    auto type = static_cast<JointType>((*random)() % kJointTypeCount);
    if (options.floating_base) {
      if (i == 1) type = JointType::kFree;
    }
    if (dofs + DofCount(type) > options.max_dofs) type = JointType::kRevolute;
    dofs += DofCount(type);

    BodySpec body;
    body.name = fmt::format("b{}", i);
    body.mass_source = MassSource::kExplicit;
    body.mass = RandomMass(random);
    builder.AddBody(body);

    JointSpec joint = RandomJoint(random, type, options.with_springs);
    joint.name = fmt::format("j{}", i);
    int parent = i - 1;
    if (Uniform(random, 0, 1) < options.branching) parent = static_cast<int>((*random)() % i);
    if (options.floating_base && i > 1 && parent == 0) parent = 1;
    joint.parent = bodies[parent];
    joint.child = body.name;
    if (options.allow_reversed && Uniform(random, 0, 1) < 0.3) std::swap(joint.parent, joint.child);
    builder.AddJoint(joint);
    bodies.push_back(body.name);
  }
  return builder.Build();
}

State MakeRandomState(const Model& model, Random* random) {
  State state;
  state.q.resize(model.nq());
  for (double& value : state.q) value = Uniform(random, -2, 2);
  for (int b = 1; b < model.nb(); ++b) {
    const JointType type = model.tree().type[b];
    if (type != JointType::kBall && type != JointType::kFree) continue;
    const int at = model.tree().q_start[b] + (type == JointType::kFree ? 3 : 0);
    state.q.segment<4>(at) = MatrixToQuaternion(RandomRotation(random));
  }
  state.v = RandomRates(model, random, 2);
  return state;
}

VecX RandomRates(const Model& model, Random* random, double scale) {
  VecX v(model.nv());
  for (double& value : v) value = Uniform(random, -scale, scale);
  return v;
}

}  // namespace voigt::testing
