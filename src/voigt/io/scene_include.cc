#include "voigt/io/scene_include.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <utility>

#include "voigt/io/robot_file.h"
#include "voigt/io/spec_merge.h"

namespace voigt {
namespace {

enum class BaseChoice { kAsIs, kFixed, kFree };

// One element of the list, as the user wrote it.
struct IncludeRequest {
  std::string file;  // as it is opened
  std::string prefix;
  Pose X;
  BaseChoice base = BaseChoice::kAsIs;
  bool convex_meshes = false, self_contact = true;
  std::string keyframe;
  RobotFileOptions options;
};

IncludeRequest ReadRequest(ObjectReader* reader) {
  const std::filesystem::path folder = std::filesystem::path(reader->where().file).parent_path();
  IncludeRequest request;
  const std::string file = reader->RequiredText("file");
  if (!file.empty()) request.file = (folder / file).string();
  request.prefix = reader->Text("prefix", "");
  request.X = reader->PoseUnder("frame");
  request.base =
      reader
          ->Choice<BaseChoice>("base", {{"fixed", BaseChoice::kFixed}, {"free", BaseChoice::kFree}})
          .value_or(BaseChoice::kAsIs);
  request.convex_meshes = reader->Flag("convex_meshes", false);
  request.self_contact = reader->Flag("self_contact", true);
  request.keyframe = reader->Text("keyframe", "");
  for (const std::string& package :
       reader->Texts("packages").value_or(std::vector<std::string>())) {
    request.options.packages.push_back(folder / package);
  }
  return request;
}

// Where joints start and how fast, by the file's own names.
struct IncludedStart {
  JointValues q, v;
  bool is_given = false;  // by a keyframe, not by the reference pose
};

class Includer {
 public:
  Includer(ObjectReader* scene, const std::string* robot_text, ModelSpec* spec)
      : scene_(scene), robot_text_(robot_text), spec_(spec) {}

  void Include(ObjectReader* reader) {
    const size_t before = reader->CountProblems();
    const IncludeRequest request = ReadRequest(reader);
    if (reader->CountProblems() > before) return;
    std::optional<ImportedModel> model = Load(request, reader);
    if (!model) return;
    IncludedStart start = ChooseStart(request, reader, &*model);
    ApplyBase(request, reader, &model->spec, &start);
    if (request.convex_meshes) UseConvexHulls(&model->spec);
    if (!request.self_contact) ExcludeSelfContact(&model->spec);
    PlaceInWorld(request.X, &model->spec);
    TakeSettings(request, *model);
    Take(request, std::move(start), std::move(*model), reader->where());
  }

  IncludedParts Finish() { return std::move(parts_); }

 private:
  std::optional<ImportedModel> Load(const IncludeRequest& request, ObjectReader* reader) {
    ProblemList* const problems = &reader->context()->problems;
    std::string text;
    try {
      text = robot_text_ != nullptr ? *robot_text_ : ReadTextFile(request.file);
    } catch (const InputError& error) {
      reader->Fail(*reader->Find("file"), "file",
                   fmt::format("'{}' {}", request.file, error.problems()[0].message));
      return std::nullopt;
    }
    if (!LooksLikeXml(text)) {
      reader->Fail(*reader->Find("file"), "file",
                   fmt::format("'{}' is no XML, expected a robot: URDF or MJCF", request.file));
      return std::nullopt;
    }
    try {
      return ParseRobot(text, request.file, request.options);
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems()) {
        problems->Add(problem.where, problem.element, problem.message);
      }
      return std::nullopt;
    }
  }

  static IncludedStart ChooseStart(const IncludeRequest& request, ObjectReader* reader,
                                   ImportedModel* model) {
    IncludedStart start;
    start.q = model->reference;
    if (request.keyframe.empty()) return start;
    std::string names;
    for (const ImportedKeyframe& keyframe : model->keyframes) {
      if (keyframe.name != request.keyframe) {
        names += (names.empty() ? "" : ", ") + keyframe.name;
        continue;
      }
      for (const auto& [joint, q] : keyframe.q) start.q[joint] = q;
      start.v = keyframe.v;
      start.is_given = true;
      ApplyKeyframeInputs(keyframe, &model->spec);
      return start;
    }
    reader->Fail(*reader->Find("keyframe"), "keyframe",
                 fmt::format("'{}', expected {}", request.keyframe,
                             names.empty() ? "none: the file has no keyframes"
                                           : "one of the file's: " + names));
    return start;
  }

  // Actuators begin with what the keyframe gives them.
  static void ApplyKeyframeInputs(const ImportedKeyframe& keyframe, ModelSpec* spec) {
    for (ActuatorSpec& actuator : spec->actuators) {
      const auto input = keyframe.inputs.find(actuator.name);
      if (input != keyframe.inputs.end()) actuator.input = input->second;
      const auto activation = keyframe.activations.find(actuator.name);
      if (activation != keyframe.activations.end()) actuator.start = activation->second;
    }
  }

  static void ApplyBase(const IncludeRequest& request, ObjectReader* reader, ModelSpec* spec,
                        IncludedStart* start) {
    if (request.base == BaseChoice::kAsIs) return;
    const bool is_free = request.base == BaseChoice::kFree;
    const JointType wanted = is_free ? JointType::kFree : JointType::kFixed;
    for (const JointSpec& joint : spec->joints) {
      if (joint.parent == "world" && joint.type == wanted) return;  // as it is already
    }
    const int count = is_free ? FreeBase(spec) : FixBase(spec, &start->q, &start->v);
    if (count > 0) return;
    reader->Fail(*reader->Find("base"), "base",
                 is_free ? "free, but no fixed joint holds a body to the world"
                         : "fixed, but no body is free");
  }

  // Gravity and rules of contact are one for all: those that the scene gives, or the first model's.
  void TakeSettings(const IncludeRequest& request, const ImportedModel& model) {
    const ModelSpec& part = model.spec;
    const YamlValue* const contact = scene_->Find("contact");
    const auto is_given = [&](const char* key) {
      return contact != nullptr && contact->IsMap() && contact->Find(key) != nullptr;
    };
    const auto merge = [&](bool given, const auto& theirs, auto* ours, const char* element,
                           const char* consequence) {
      if (!given && is_first_) *ours = theirs;
      if (*ours != theirs) AddNote(request, element, consequence);
    };
    if (!scene_->Has("gravity") && is_first_) spec_->gravity = part.gravity;
    if (spec_->gravity != part.gravity && part.gravity != ModelSpec().gravity) {
      AddNote(request, "gravity", "that of the scene acts instead");
    }
    merge(is_given("filter_rule"), part.contact.filter_rule, &spec_->contact.filter_rule,
          "rule for groups of shapes", "that of the scene decides which shapes may touch");
    merge(is_given("friction_rule"), part.contact.friction_rule, &spec_->contact.friction_rule,
          "rule for friction of pairs", "that of the scene combines materials");
    if (!parts_.step) parts_.step = model.step;
    if (robot_text_ != nullptr && !scene_->Has("name")) spec_->name = part.name;
    is_first_ = false;
  }

  void AddNote(const IncludeRequest& request, const char* element, const char* consequence) {
    ImportNote& note = parts_.notes.emplace_back();
    note.kind = ImportNote::Kind::kApproximated;
    note.where.file = request.file;
    note.element = element;
    note.consequence = consequence;
  }

  void Take(const IncludeRequest& request, IncludedStart start, ImportedModel model,
            const SourceLocation& where) {
    // A file that is included twice has its notes once.
    if (files_.insert(request.file).second) {
      for (ImportNote& note : model.notes) {
        if (note.where.file.empty()) note.where.file = request.file;
        parts_.notes.push_back(std::move(note));
      }
    }
    for (auto& [joint, q] : start.q) {
      InitialJoint initial{request.prefix + joint, std::move(q), {}, where};
      initial.keep = start.is_given;
      const auto v = start.v.find(joint);
      if (v != start.v.end()) initial.v = v->second;
      start.v.erase(joint);
      parts_.initial.push_back(std::move(initial));
    }
    for (auto& [joint, v] : start.v) {
      parts_.initial.push_back({request.prefix + joint, {}, std::move(v), where});
    }
    const bool is_whole_scene = robot_text_ != nullptr && request.prefix.empty();
    const std::string part_name = request.prefix.empty() ? model.spec.name + "." : request.prefix;
    AddPrefix(request.prefix, is_whole_scene ? kDefaultMaterial : part_name + kDefaultMaterial,
              &model.spec);
    AppendSpec(std::move(model.spec), spec_);
  }

  ObjectReader* scene_;
  const std::string* robot_text_;
  ModelSpec* spec_;
  bool is_first_ = true;
  std::set<std::string> files_;
  IncludedParts parts_;
};

}  // namespace

YamlValue MakeSceneOfRobot(const std::string& file) {
  const SourceLocation where{file, 0, 0};
  const auto scalar = [&](const std::string& text) {
    YamlValue value;
    value.kind = YamlValue::Kind::kScalar;
    value.text = text;
    value.where = where;
    return value;
  };
  YamlValue robot, list, scene;
  robot.kind = YamlValue::Kind::kMap;
  robot.where = where;
  robot.entries.push_back({"file", where, scalar(std::filesystem::path(file).filename().string())});
  list.kind = YamlValue::Kind::kList;
  list.where = where;
  list.items.push_back(std::move(robot));
  scene.kind = YamlValue::Kind::kMap;
  scene.where = where;
  scene.entries.push_back({"include", where, std::move(list)});
  return scene;
}

IncludedParts ReadIncludes(ObjectReader* scene, const std::string* robot_text, ModelSpec* spec) {
  Includer includer(scene, robot_text, spec);
  const size_t before = scene->CountProblems();
  ReadList(scene, "include", [&](ObjectReader& reader) { includer.Include(&reader); });
  if (scene->CountProblems() > before) scene->context()->problems.ThrowIfAny();
  return includer.Finish();
}

}  // namespace voigt
