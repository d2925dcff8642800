#include <algorithm>
#include <array>
#include <utility>

#include "voigt/io/scene_sections.h"

namespace voigt {

std::array<TimeFunction, 3> ReadComponents(ObjectReader* reader, std::string_view key) {
  std::array<TimeFunction, 3> out;
  const YamlValue* value = reader->Find(key);
  if (value == nullptr) return out;
  if (!value->IsList() || value->items.size() != 3) {
    reader->Fail(*value, key, value->Describe() + ", expected three numbers or expressions of t");
    return out;
  }
  const std::vector<TimeFunction> list = reader->Functions(key);
  std::copy(list.begin(), list.end(), out.begin());
  return out;
}

std::vector<TimeFunction> ReadFunctions(ObjectReader* reader, std::string_view key,
                                        const std::string& joint, const ModelSpec& spec) {
  std::vector<TimeFunction> out =
      reader->RequiredFunctions(key, "one function of t per degree of freedom");
  if (!out.empty()) return out;
  const auto known = std::find_if(spec.joints.begin(), spec.joints.end(),
                                  [&](const JointSpec& j) { return j.name == joint; });
  if (known != spec.joints.end()) out.resize(DofCount(known->type));
  return out;
}

namespace {

void ReadJointLoad(ObjectReader* reader, const std::string& name, ModelSpec* spec) {
  for (const char* key : {"body", "torque", "point", "frame"}) {
    const YamlValue* value = reader->Find(key);
    if (value == nullptr) continue;
    reader->Fail(*value, key, "belongs to a load on a body, not on a joint: make two loads");
  }
  JointLoad load;
  load.name = name;
  load.where = reader->where();
  load.joint = reader->RequiredText("joint");
  load.force = ReadFunctions(reader, "force", load.joint, *spec);
  if (!load.joint.empty()) spec->joint_loads.push_back(std::move(load));
}

void ReadBodyLoad(ObjectReader* reader, const std::string& name, ModelSpec* spec) {
  BodyLoad load;
  load.name = name;
  load.where = reader->where();
  load.body = reader->RequiredText("body");
  load.point = reader->Vector("point", Vec3::Zero());
  load.force = ReadComponents(reader, "force");
  load.torque = ReadComponents(reader, "torque");
  load.frame =
      reader->Choice<LoadFrame>("frame", {{"world", LoadFrame::kWorld}, {"body", LoadFrame::kBody}})
          .value_or(LoadFrame::kWorld);
  if (!reader->Has("force") && !reader->Has("torque")) {
    reader->Fail("has neither force nor torque");
  }
  if (!load.body.empty()) spec->body_loads.push_back(std::move(load));
}

}  // namespace

void ReadLoad(ObjectReader* reader, ModelSpec* spec) {
  const std::string name = reader->Text("name", reader->path());
  if (reader->Has("joint")) return ReadJointLoad(reader, name, spec);
  if (reader->Has("body")) return ReadBodyLoad(reader, name, spec);
  reader->Fail("names neither a body nor a joint");
  for (const char* key : {"force", "torque", "point", "frame"}) reader->Has(key);
}

}  // namespace voigt
