#include "voigt/io/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "voigt/collision/pair_survey.h"
#include "voigt/constraints/assembly.h"
#include "voigt/io/object_reader.h"
#include "voigt/io/repeated_problems.h"
#include "voigt/io/robot_file.h"
#include "voigt/io/scene_include.h"
#include "voigt/io/scene_sections.h"
#include "voigt/model/joint_motion.h"
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

// A section that is still to be filled in counts as missing.
const YamlValue* FindSection(ObjectReader* scene, std::string_view key) {
  const YamlValue* value = scene->Find(key);
  return value != nullptr && value->kind == YamlValue::Kind::kNull ? nullptr : value;
}

Integrator ReadIntegrator(ObjectReader* reader, Integrator fallback) {
  const std::string name = reader->Text("integrator", std::string(ToString(fallback)));
  if (const auto known = IntegratorFromString(name)) return *known;
  const std::string choices =
      ListChoices({ToString(Integrator::kSemiImplicitEuler), ToString(Integrator::kRungeKutta4),
                   ToString(Integrator::kAdaptive)});
  reader->Fail(*reader->Find("integrator"), "integrator",
               fmt::format("'{}', expected {}", name, choices));
  return fallback;
}

void ReadSolverSettings(ObjectReader* reader, CompliantSettings* out) {
  out->friction = reader
                      ->Choice<FrictionMode>("friction", {{"coulomb", FrictionMode::kCoulomb},
                                                          {"lagged", FrictionMode::kLagged},
                                                          {"cone", FrictionMode::kCone}})
                      .value_or(out->friction);
  out->inner =
      reader
          ->Choice<InnerSolver>("linear_solver", {{"auto", InnerSolver::kAuto},
                                                  {"dense", InnerSolver::kDense},
                                                  {"tree-sparse", InnerSolver::kTreeSparse},
                                                  {"block-sparse", InnerSolver::kBlockSparse},
                                                  {"iterative", InnerSolver::kIterative}})
          .value_or(out->inner);
  out->tolerance = reader->Number("tolerance", out->tolerance);
  const double iterations = reader->Number("max_iterations", out->max_iterations);
  out->time_limit = reader->Number("time_limit", out->time_limit);
  const auto check = [&](const char* key, double number, bool ok, const char* expected) {
    if (!ok) {
      reader->Fail(*reader->Find(key), key, fmt::format("{}, expected {}", number, expected));
    }
  };
  check("tolerance", out->tolerance, out->tolerance > 0 && out->tolerance < 1,
        "a number between 0 and 1");
  const bool is_count =
      iterations >= 1 && iterations <= 1e9 && iterations == std::floor(iterations);
  check("max_iterations", iterations, is_count, "a whole number from 1 to 1e9");
  if (is_count) out->max_iterations = static_cast<int>(iterations);
  check("time_limit", out->time_limit, std::isfinite(out->time_limit) && out->time_limit >= 0,
        "a time ≥ 0 in s");
}

CurvatureTerm ReadCurvature(ObjectReader* reader, CurvatureTerm fallback) {
  const std::string name = reader->Text("curvature", std::string(ToString(fallback)));
  if (const auto known = CurvatureTermFromString(name)) return *known;
  const std::string choices =
      ListChoices({ToString(CurvatureTerm::kNone), ToString(CurvatureTerm::kPredictor),
                   ToString(CurvatureTerm::kPrinted)});
  reader->Fail(*reader->Find("curvature"), "curvature",
               fmt::format("'{}', expected {}", name, choices));
  return fallback;
}

SimulationSettings ReadSettings(ObjectReader* scene, std::optional<double> included_step) {
  SimulationSettings settings;
  settings.step = included_step.value_or(settings.step);
  const YamlValue* value = FindSection(scene, "simulation");
  if (value == nullptr) return settings;
  ObjectReader reader(*value, "simulation", scene->context());
  settings.step = reader.Number("step", settings.step);
  settings.until = reader.Number("until", settings.until);
  settings.record_interval = reader.Number("record_interval", settings.record_interval);
  settings.integrator = ReadIntegrator(&reader, settings.integrator);
  settings.audit = reader.Flag("audit", settings.audit);
  ReadSolverSettings(&reader, &settings.compliant);
  settings.curvature = ReadCurvature(&reader, settings.curvature);
  const auto check = [&](const char* key, double number, bool ok, const char* expected) {
    if (!ok) reader.Fail(*reader.Find(key), key, fmt::format("{}, expected {}", number, expected));
  };
  check("step", settings.step, std::isfinite(settings.step) && settings.step > 0,
        "a positive time in s");
  check("until", settings.until, std::isfinite(settings.until) && settings.until >= 0,
        "a time ≥ 0 in s");
  check("record_interval", settings.record_interval,
        std::isfinite(settings.record_interval) && settings.record_interval >= 0,
        "a time ≥ 0 in s");
  reader.Finish();
  return settings;
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
  const size_t count = included.size();
  for (const InitialJoint& start : own) {
    const auto is_same = [&](const InitialJoint& other) { return other.joint == start.joint; };
    const auto end = included.begin() + count;
    const auto earlier = std::find_if(included.begin(), end, is_same);
    if (earlier == end) {
      included.push_back(start);
      continue;
    }
    if (!start.q.empty()) earlier->q = start.q;
    if (!start.v.empty()) earlier->v = start.v;
    earlier->where = start.where;
    earlier->keep = true;
  }
  return included;
}

// Locks that do not say where hold their joints where these start.
void LockJointsWhereTheyStart(const std::vector<InitialJoint>& initial, ModelSpec* spec) {
  for (ConstraintSpec& constraint : spec->constraints) {
    auto* const lock = std::get_if<JointLockSpec>(&constraint.kind);
    if (lock == nullptr || !lock->at.empty()) continue;
    for (const InitialJoint& start : initial) {
      if (start.joint == lock->joint) lock->at = start.q;
    }
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

Scene ParseScene(const std::string& text, const std::string& name,
                 const std::vector<Override>& overrides) {
  // Parse and expand, then read section by section, collecting problems all the way.
  ReadContext context;
  const bool is_robot = LooksLikeXml(text);
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
  const SimulationSettings settings = ReadSettings(&reader, included.step);
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
