#include "voigt/io/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "voigt/collision/pair_survey.h"
#include "voigt/constraints/assembly.h"
#include "voigt/io/object_reader.h"
#include "voigt/io/repeated_problems.h"
#include "voigt/io/robot_file.h"
#include "voigt/io/scene_include.h"
#include "voigt/io/scene_sections.h"
#include "voigt/model/joint_motion.h"
#include "voigt/model/maximal.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

Vec3 ReadGravity(ObjectReader* scene) {
  const Vec3 standard = ModelSpec().gravity;
  const Vec3 gravity = scene->Vector("gravity", standard);
  if (gravity.allFinite()) return gravity;
  scene->Fail(*scene->Find("gravity"), "gravity", "is not finite");
  return standard;
}

std::vector<Geometry> ReadWorld(ObjectReader* scene) {
  const YamlValue* world = FindSection(scene, "world");
  if (world == nullptr) return {};
  ObjectReader reader(*world, "world", scene->context());
  std::vector<Geometry> out = ReadGeometry(&reader);
  for (const Geometry& geometry : out) {
    if (!geometry.density) continue;
    scene->context()->problems.Add(geometry.where, "world",
                                   "the world has no mass: leave out 'density'");
  }
  reader.Finish();
  return out;
}

// Robots say where their joints start, and the scene may say something else: one entry per joint.
std::vector<InitialJoint> MergeInitial(std::vector<InitialJoint> included,
                                       const std::vector<InitialJoint>& own) {
  std::unordered_map<std::string, size_t> places;
  for (size_t i = 0; i < included.size(); ++i) places.emplace(included[i].joint, i);
  for (const InitialJoint& start : own) {
    const auto place = places.find(start.joint);
    if (place == places.end()) {
      included.push_back(start);
      continue;
    }
    InitialJoint* const earlier = &included[place->second];
    if (!start.q.empty()) earlier->q = start.q;
    if (!start.v.empty()) earlier->v = start.v;
    earlier->where = start.where;
    earlier->keep = true;
  }
  return included;
}

// Locks that do not say where hold their joints where these start.
void LockJointsWhereTheyStart(const std::vector<InitialJoint>& initial, ModelSpec* spec) {
  std::unordered_map<std::string_view, const InitialJoint*> starts;
  for (const InitialJoint& start : initial) starts[start.joint] = &start;
  for (ConstraintSpec& constraint : spec->constraints) {
    auto* const lock = std::get_if<JointLockSpec>(&constraint.kind);
    if (lock == nullptr || !lock->at.empty()) continue;
    const auto start = starts.find(lock->joint);
    if (start != starts.end()) lock->at = start->second->q;
  }
}

State MakeInitialState(const std::vector<InitialJoint>& initial, const Model& model) {
  State state;
  state.q = model.NeutralCoordinates();
  state.v = VecX::Zero(model.nv());
  state.activation = model.StartingActivation();
  ProblemList problems;
  for (const InitialJoint& start : initial) {
    const auto body = model.FindJoint(start.joint);
    if (!body) {
      problems.Add(
          start.where, "initial",
          fmt::format("joint '{}' closes a loop and has no coordinates of its own", start.joint));
      continue;
    }
    const Tree& tree = model.tree();
    std::copy(start.q.begin(), start.q.end(), state.q.begin() + tree.q_start[*body]);
    std::copy(start.v.begin(), start.v.end(), state.v.begin() + tree.v_start[*body]);
    NormalizeCoordinates(tree.type[*body], state.q.data() + tree.q_start[*body]);
  }
  problems.ThrowIfAny();
  return state;
}

// Moves the start onto the constraints; what the scene gives is kept if possible. True if it was
// not.
bool AssembleStart(const std::vector<InitialJoint>& initial, const Model& model, State* state) {
  AssemblyOptions options;
  options.keep_q.assign(model.nv(), 0);
  options.keep_v.assign(model.nv(), 0);
  for (const InitialJoint& start : initial) {
    const int b = *model.FindJoint(start.joint);
    const Tree& tree = model.tree();
    // A pose without velocities reads like one at rest.
    const bool is_at_rest =
        std::all_of(start.v.begin(), start.v.end(), [](double v) { return v == 0; });
    const bool has_v = !start.v.empty() && !(HasQuaternion(tree.type[b]) && is_at_rest);
    std::fill_n(options.keep_q.begin() + tree.v_start[b], tree.dof_count[b],
                start.keep && !start.q.empty());
    std::fill_n(options.keep_v.begin() + tree.v_start[b], tree.dof_count[b], start.keep && has_v);
  }
  const AssemblyResult result = Assemble(model, options, state);
  if (!result.ok()) throw InputError({*result.problem});
  return result.moved_kept;
}

}  // namespace

const YamlValue* FindSection(ObjectReader* scene, std::string_view key) {
  const YamlValue* value = scene->Find(key);
  return value != nullptr && value->kind == YamlValue::Kind::kNull ? nullptr : value;
}

Scene ParseScene(const std::string& text, const std::string& name,
                 const std::vector<Override>& overrides) {
  // Parse and expand, then read section by section, collecting problems all the way.
  ReadContext context;
  const bool is_robot = LooksLikeXml(text);
  if (!is_robot && IsNamedLikeXml(name)) {
    throw InputError({name, 1, 1}, "", "is no XML, expected a robot: URDF or MJCF");
  }
  YamlValue document = is_robot ? MakeSceneOfRobot(name) : ParseYaml(text, name, &context.problems);
  if (document.kind == YamlValue::Kind::kNull) {
    context.problems.Add({name, 0, 0}, "", "is empty, expected a scene");
  }
  context.constants = ExpandScene(overrides, &document, &context.problems);

  ObjectReader reader(document, "", &context);
  ModelSpec spec;
  spec.name = reader.Text("name", name);
  const std::string description = reader.Text("description", "");
  reader.Find("parameters");
  spec.gravity = ReadGravity(&reader);
  spec.materials = ReadMaterials(&reader);
  spec.contact = ReadContactSettings(&reader);
  spec.world_geometry = ReadWorld(&reader);
  IncludedParts included = ReadIncludes(&reader, is_robot ? &text : nullptr, &spec);
  ReadList(&reader, "bodies", [&](ObjectReader& r) { spec.bodies.push_back(ReadBody(&r)); });
  ReadList(&reader, "joints", [&](ObjectReader& r) { spec.joints.push_back(ReadJoint(&r)); });
  ReadList(&reader, "loads", [&](ObjectReader& r) { ReadLoad(&r, &spec); });
  ReadList(&reader, "drives", [&](ObjectReader& r) { ReadDrive(&r, &spec); });
  ReadList(&reader, "tendons", [&](ObjectReader& r) { ReadTendon(&r, &spec); });
  ReadList(&reader, "actuators", [&](ObjectReader& r) { ReadActuator(&r, &spec); });
  ReadList(&reader, "constraints", [&](ObjectReader& r) { ReadConstraint(&r, &spec); });
  const std::vector<InitialJoint> initial =
      MergeInitial(std::move(included.initial), ReadInitial(&reader, spec));
  LockJointsWhereTheyStart(initial, &spec);
  const SimulationSettings settings = ReadSimulation(&reader, included.step);
  reader.Finish();

  ModelBuilder builder(std::move(spec));
  context.problems.Append(builder.Check());
  MergeRepeats(context.problems).ThrowIfAny();
  Model model = builder.Build();
  const PairSurvey pairs = SurveyPairs(model, CollisionFilter(model));
  pairs.problems.ThrowIfAny();
  context.notices.insert(context.notices.end(), pairs.notices.begin(), pairs.notices.end());
  State state = MakeInitialState(initial, model);
  const bool moved_start = AssembleStart(initial, model, &state);
  if (settings.coordinates == Coordinates::kMaximal) {
    Model maximal = ToMaximal(model);
    state = ToMaximalState(model, state, maximal);
    model = std::move(maximal);
  }
  return {name,
          description,
          std::move(model),
          settings,
          std::move(state),
          moved_start,
          std::move(context.notices),
          std::move(included.notes)};
}

std::string SummarizeNotes(const Scene& scene) {
  std::string counts;
  for (const auto kind : {ImportNote::Kind::kIgnored, ImportNote::Kind::kApproximated,
                          ImportNote::Kind::kUnsupported}) {
    const auto count = std::count_if(scene.notes.begin(), scene.notes.end(),
                                     [&](const ImportNote& note) { return note.kind == kind; });
    if (count > 0) {
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, ToString(kind));
    }
  }
  if (counts.empty()) return "";
  return fmt::format("not taken over as it stands: {}; voigt check {} tells which", counts,
                     scene.file);
}

Scene LoadScene(const std::string& path, const std::vector<Override>& overrides) {
  return ParseScene(ReadTextFile(path), path, overrides);
}

}  // namespace voigt
