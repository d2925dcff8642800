#include <fmt/format.h>

#include <cmath>

#include "voigt/io/mjcf_context.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

bool IsMjcfLimited(const XmlReader& reader, const std::array<double, 2>& range,
                   const MjcfCompiler& compiler) {
  const int limited =
      reader.Choice<int>("limited", {{"false", 0}, {"true", 1}, {"auto", 2}}).value_or(2);
  if (limited != 2) return limited == 1;
  const bool has_range = range[0] != 0 || range[1] != 0;
  if (has_range && !compiler.auto_limits) {
    reader.Fail(
        "has a range, but neither 'limited' nor the compiler's 'autolimits' says whether "
        "it counts");
  }
  return has_range;
}

void ReadMjcfLimits(const XmlReader& reader, MjcfContext* context, JointSpec* joint,
                    MjcfJoint* record) {
  std::array<double, 2> range = {0, 0};
  reader.Overwrite("range", 2, range);
  const MjcfSolver solver = ReadMjcfSolver(reader, "solreflimit", "solimplimit");
  const double margin = reader.Number("margin", 0);
  const bool limited = IsMjcfLimited(reader, range, context->compiler);
  if (joint->type == JointType::kFree || !limited) return;
  if (joint->type != JointType::kPrismatic && context->compiler.degrees) {
    for (double& bound : range) bound *= kPi / 180;
  }
  if (range[0] >= range[1]) {
    reader.Fail(
        fmt::format("range [{}, {}], expected the first to be smaller", range[0], range[1]));
    return;
  }
  if (!context->flags.limits) return;
  if (joint->type == JointType::kBall) {
    joint->cone_limit = range[1];
    context->Note(ImportNote::Kind::kApproximated, reader.where(), reader.element().Describe(),
                  "the limit holds for the tilt of the joint's z axis; in MuJoCo for the whole "
                  "angle, twist included");
  } else {
    joint->lower = {range[0]};
    joint->upper = {range[1]};
  }
  if (margin != 0) {
    context->Note(ImportNote::Kind::kApproximated, reader.where(), reader.element().Describe(),
                  "margin: the limit acts at its end, not before");
  }
  if (IsSoftMjcf(solver)) record->soft_limit = solver;
}

void ReadMjcfPassiveForces(const XmlReader& reader, MjcfContext* context, JointSpec* joint,
                           MjcfJoint* record) {
  const auto add = [](double value, std::vector<double>* list) {
    if (value != 0) *list = {value};
  };
  const double stiffness = reader.Number("stiffness", 0), damping = reader.Number("damping", 0);
  double rest = reader.Number("springref", 0);
  reader.Overwrite("springdamper", 2, record->spring_damper);
  add(reader.Number("armature", 0), &joint->armature);
  const double friction = reader.Number("frictionloss", 0);
  if (context->flags.friction_loss) add(friction, &joint->dry_friction);
  if (!context->flags.passive) {
    record->spring_damper = {0, 0};
    return;
  }
  add(stiffness, &joint->stiffness);
  add(damping, &joint->damping);
  if (joint->type == JointType::kRevolute && context->compiler.degrees) rest *= kPi / 180;
  record->spring_reference = rest;
  const bool has_spring = stiffness != 0 || record->spring_damper[0] > 0;
  if (has_spring && rest != 0 && joint->axis) joint->rest = {rest};
}

// One joint without its place between bodies.
JointSpec ReadMjcfJoint(const MjcfPlacedElement& placed, const std::string& body_name,
                        MjcfContext* context, MjcfJoint* record) {
  const XmlElement& element = *placed.element;
  const bool is_freejoint = element.name == "freejoint";
  const XmlReader reader = is_freejoint ? XmlReader(element, &context->problems)
                                        : context->ReaderOf(element, {"joint"}, placed.inherited);
  JointSpec joint;
  joint.where = element.where;
  joint.bodies_touch = !context->flags.filter_parent;
  reader.Ignore({"class", "group", "user", "solreffriction", "solimpfriction"});
  const std::string name = reader.Text("name");
  if (!name.empty() && context->joint_names.contains(name)) {
    reader.Fail(fmt::format("name '{}' is taken by another joint", name));
  }
  joint.name = TakeName(name.empty() ? body_name + "_joint" : name, &context->joint_names);
  joint.type = JointType::kFree;
  if (is_freejoint) {
    if (reader.Choice<int>("align", {{"true", 1}, {"false", 0}, {"auto", 0}}).value_or(0) == 1) {
      context->Note(ImportNote::Kind::kApproximated, element.where, element.Describe(),
                    "align: the body's frame stays where the file has it");
    }
    return joint;
  }
  joint.type = reader
                   .Choice<JointType>("type", {{"hinge", JointType::kRevolute},
                                               {"slide", JointType::kPrismatic},
                                               {"ball", JointType::kBall},
                                               {"free", JointType::kFree}})
                   .value_or(JointType::kRevolute);
  const Vec3 axis = reader.Vector("axis", Vec3::UnitZ());
  const Vec3 place = reader.Vector("pos", Vec3::Zero());
  record->reference = reader.Number("ref", 0);
  if (joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic) {
    joint.axis = placed.X_BE.R * axis;
    if (axis.stableNorm() < 1e-10) reader.Fail("'axis' is zero, expected a direction");
  }
  if (joint.type == JointType::kRevolute && context->compiler.degrees) {
    record->reference *= kPi / 180;
  }
  if (joint.type != JointType::kFree) joint.X_PF.p = joint.X_CM.p = placed.X_BE * place;
  ReadMjcfLimits(reader, context, &joint, record);
  ReadMjcfPassiveForces(reader, context, &joint, record);
  return joint;
}

// Where a joint stands in the file's pose. Coordinates are MuJoCo's, so that a hinge or slide whose
// reference is not zero has its zero elsewhere.
void PlaceMjcfJoint(const Pose& X_PB, const MjcfJoint& record, ImportedModel* out,
                    JointSpec* joint) {
  if (joint->type == JointType::kFree) {
    const Vec4 q = MatrixToQuaternion(X_PB.R);
    const std::vector<double> pose = {X_PB.p.x(), X_PB.p.y(), X_PB.p.z(), q[0], q[1], q[2], q[3]};
    out->reference[joint->name] = pose;
    if (!joint->stiffness.empty()) joint->rest = pose;
    return;
  }
  joint->X_PF = X_PB * joint->X_PF;
  if (!joint->axis || record.reference == 0) return;
  const Vec3 unit = joint->axis->stableNormalized();
  Pose back;
  if (joint->type == JointType::kRevolute) {
    back.R = RotationAbout(unit, -record.reference);
  } else {
    back.p = -record.reference * unit;
  }
  joint->X_PF = joint->X_PF * back;
  out->reference[joint->name] = {record.reference};
}

void AddMjcfWeld(int body, const Pose& X_PB, const std::string& parent, MjcfContext* context) {
  const BodySpec& spec = context->out.spec.bodies[body];
  JointSpec weld;
  weld.name = TakeName(spec.name + "_fixed", &context->joint_names);
  weld.parent = parent;
  weld.child = spec.name;
  weld.X_PF = X_PB;
  weld.where = spec.where;
  context->out.spec.joints.push_back(weld);
}

}  // namespace

void ReadMjcfJoints(const std::vector<MjcfPlacedElement>& joints, int body, const Pose& X_PB,
                    MjcfContext* context) {
  ModelSpec& spec = context->out.spec;
  const MjcfBody& record = context->bodies[body];
  const MjcfBody& parent_record = context->bodies[record.parent];
  const std::string body_name = record.name;
  std::string parent = parent_record.name;
  if (joints.empty()) return AddMjcfWeld(record.spec, X_PB, parent, context);
  Pose X = X_PB;
  for (size_t i = 0; i < joints.size(); ++i) {
    MjcfJoint added;
    JointSpec joint = ReadMjcfJoint(joints[i], body_name, context, &added);
    if (joint.type == JointType::kFree && (record.parent != 0 || joints.size() > 1)) {
      context->problems.Add(joint.where, joints[i].element->Describe(),
                            "a free joint belongs to a body of the world, which has no other");
    }
    joint.parent = parent;
    joint.child = body_name;
    PlaceMjcfJoint(X, added, &context->out, &joint);
    if (i + 1 < joints.size()) {
      // Between two joints of a body there is a link without mass, called after the joint that
      // moves it.
      BodySpec link;
      link.name = TakeName(body_name + "/" + joint.name, &context->body_names);
      link.mass_source = MassSource::kMassless;
      link.where = joint.where;
      joint.child = parent = link.name;
      spec.bodies.push_back(link);
    }
    X = Pose{};
    added.spec = static_cast<int>(spec.joints.size());
    spec.joints.push_back(std::move(joint));
    context->joints.push_back(added);
  }
}

}  // namespace voigt
