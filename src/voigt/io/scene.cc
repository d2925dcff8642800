#include "voigt/io/scene.h"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <utility>

#include "voigt/io/object_reader.h"
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

SimulationSettings ReadSettings(ObjectReader* scene) {
  SimulationSettings settings;
  const YamlValue* value = scene->Find("simulation");
  if (value == nullptr) return settings;
  ObjectReader reader(*value, "simulation", scene->context());
  settings.step = reader.Number("step", settings.step);
  settings.until = reader.Number("until", settings.until);
  settings.record_interval = reader.Number("record_interval", settings.record_interval);
  const std::string integrator =
      reader.Text("integrator", std::string(ToString(settings.integrator)));
  if (const auto known = IntegratorFromString(integrator)) {
    settings.integrator = *known;
  } else {
    reader.Fail(*reader.Find("integrator"), "integrator",
                fmt::format("'{}', expected semi-implicit-euler, rk4 or adaptive", integrator));
  }
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

// One slip in a repeated element is one problem, not one per copy.
ProblemList WithoutRepeats(const ProblemList& all) {
  ProblemList out;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Problem& problem : all.problems()) {
    const bool located = problem.where.line > 0;
    if (located && !seen.emplace(problem.where.ToString(), problem.message).second) continue;
    out.Add(problem.where, problem.element, problem.message);
  }
  return out;
}

State MakeInitialState(const std::vector<InitialJoint>& initial, const Model& model) {
  State state;
  state.q = model.NeutralCoordinates();
  state.v = VecX::Zero(model.nv());
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

}  // namespace

Scene ParseScene(const std::string& text, const std::string& name,
                 const std::vector<Override>& overrides) {
  // Parse and expand, then read section by section, collecting problems all the way.
  ReadContext context;
  YamlValue document = ParseYaml(text, name, &context.problems);
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
  if (const YamlValue* world = reader.Find("world")) {
    ObjectReader world_reader(*world, "world", &context);
    spec.world_geometry = ReadGeometry(&world_reader);
    for (const Geometry& geometry : spec.world_geometry) {
      if (!geometry.density) continue;
      context.problems.Add(geometry.where, "world", "the world has no mass: leave out 'density'");
    }
    world_reader.Finish();
  }
  ReadList(&reader, "bodies", [&](ObjectReader& r) { spec.bodies.push_back(ReadBody(&r)); });
  ReadList(&reader, "joints", [&](ObjectReader& r) { spec.joints.push_back(ReadJoint(&r)); });
  ReadList(&reader, "loads", [&](ObjectReader& r) { ReadLoad(&r, &spec); });
  ReadList(&reader, "drives", [&](ObjectReader& r) { ReadDrive(&r, &spec); });
  const std::vector<InitialJoint> initial = ReadInitial(&reader, spec);
  const SimulationSettings settings = ReadSettings(&reader);
  reader.Finish();

  ModelBuilder builder(std::move(spec));
  context.problems.Append(builder.Check());
  WithoutRepeats(context.problems).ThrowIfAny();
  Model model = builder.Build();
  State state = MakeInitialState(initial, model);
  return {name, description, std::move(model), settings, std::move(state)};
}

Scene LoadScene(const std::string& path, const std::vector<Override>& overrides) {
  return ParseScene(ReadTextFile(path), path, overrides);
}

}  // namespace voigt
