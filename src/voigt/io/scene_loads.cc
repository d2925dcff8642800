#include <fmt/format.h>

#include <algorithm>

#include "voigt/io/scene_sections.h"

namespace voigt {
namespace {

std::array<TimeFunction, 3> ReadComponents(ObjectReader* reader, std::string_view key) {
  std::array<TimeFunction, 3> out;
  const std::vector<TimeFunction> list = reader->Functions(key);
  if (list.size() == 3) {
    std::copy(list.begin(), list.end(), out.begin());
  } else if (!list.empty()) {
    reader->Fail(*reader->Find(key), key, fmt::format("{} values, expected three", list.size()));
  }
  return out;
}

}  // namespace

void ReadLoad(ObjectReader* reader, ModelSpec* spec) {
  const std::string name = reader->Text("name", reader->path());
  if (reader->Has("joint")) {
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
