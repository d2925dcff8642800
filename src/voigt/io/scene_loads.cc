#include <fmt/format.h>

#include <algorithm>

#include "voigt/io/scene_sections.h"

namespace voigt {
namespace {

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

}  // namespace

void ReadLoad(ObjectReader* reader, ModelSpec* spec) {
  const std::string name = reader->Text("name", reader->path());
  if (reader->Has("joint")) {
    for (const char* key : {"body", "torque", "point", "frame"}) {
      const YamlValue* value = reader->Find(key);
      if (value == nullptr) continue;
      reader->Fail(*value, key, "belongs to a load on a body, not on a joint: make two loads");
    }
    JointLoad load;
    load.name = name;
    load.where = reader->where();
    load.joint = reader->RequiredText("joint");
    load.force = reader->Functions("force");
    spec->joint_loads.push_back(std::move(load));
    return;
  }
  if (!reader->Has("body")) {
    reader->Fail("names neither a body nor a joint");
    for (const char* key : {"force", "torque", "point", "frame"}) reader->Has(key);
    return;
  }
  BodyLoad load;
  load.name = name;
  load.where = reader->where();
  load.body = reader->RequiredText("body");
  load.point = reader->Vector("point", Vec3::Zero());
  load.force = ReadComponents(reader, "force");
  load.torque = ReadComponents(reader, "torque");
  const std::string frame = reader->Text("frame", "world");
  if (frame == "body") {
    load.frame = LoadFrame::kBody;
  } else if (frame != "world") {
    reader->Fail(*reader->Find("frame"), "frame",
                 fmt::format("'{}', expected world or body", frame));
  }
  if (!reader->Has("force") && !reader->Has("torque")) {
    reader->Fail("has neither force nor torque");
  }
  spec->body_loads.push_back(std::move(load));
}

void ReadDrive(ObjectReader* reader, ModelSpec* spec) {
  const std::string type = reader->RequiredText("type");
  if (!type.empty() && type != "servo") {
    reader->Fail(*reader->Find("type"), "type", fmt::format("'{}', expected servo", type));
  }
  Servo servo;
  servo.name = reader->Text("name", reader->path());
  servo.where = reader->where();
  servo.joint = reader->RequiredText("joint");
  servo.stiffness = reader->Numbers("stiffness");
  servo.damping = reader->Numbers("damping");
  servo.target = reader->Functions("target");
  servo.target_rate = reader->Functions("rate");
  spec->servos.push_back(std::move(servo));
}

}  // namespace voigt
