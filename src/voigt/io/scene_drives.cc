#include <utility>

#include "voigt/io/scene_sections.h"

namespace voigt {
namespace {

void ReadServo(ObjectReader* reader, const std::string& name, ModelSpec* spec) {
  Servo servo;
  servo.name = name;
  servo.where = reader->where();
  servo.joint = reader->RequiredText("joint");
  servo.stiffness = reader->RequiredNumbers("stiffness", "N/m or N m/rad");
  if (servo.stiffness.empty()) servo.stiffness = {0};  // reported already
  servo.damping = reader->Numbers("damping");
  servo.target = ReadFunctions(reader, "target", servo.joint, *spec);
  servo.target_rate = reader->Functions("rate");
  servo.force_limit = reader->Numbers("force_limit");
  if (!servo.joint.empty()) spec->servos.push_back(std::move(servo));
}

void ReadMotor(ObjectReader* reader, const std::string& name, ModelSpec* spec) {
  Motor motor;
  motor.name = name;
  motor.where = reader->where();
  motor.joint = reader->RequiredText("joint");
  motor.rate = ReadFunctions(reader, "rate", motor.joint, *spec);
  motor.force_limit = reader->Numbers("force_limit");
  motor.gain = reader->Numbers("gain");
  if (!motor.joint.empty()) spec->motors.push_back(std::move(motor));
}

void ReadPrescribed(ObjectReader* reader, const std::string& name, ModelSpec* spec) {
  PrescribedJoint motion;
  motion.name = name;
  motion.where = reader->where();
  motion.joint = reader->RequiredText("joint");
  motion.position = ReadFunctions(reader, "position", motion.joint, *spec);
  motion.stiffness = reader->Number("stiffness", motion.stiffness);
  motion.damping = reader->Number("damping", motion.damping);
  if (!motion.joint.empty()) spec->prescribed_joints.push_back(std::move(motion));
}

}  // namespace

void ReadDrive(ObjectReader* reader, ModelSpec* spec) {
  using Read = void (*)(ObjectReader*, const std::string&, ModelSpec*);
  const bool has_type = !reader->RequiredText("type").empty();
  const std::string name = reader->Text("name", reader->path());
  const auto read = has_type ? reader->Choice<Read>("type", {{"servo", ReadServo},
                                                             {"motor", ReadMotor},
                                                             {"prescribed", ReadPrescribed}})
                             : std::nullopt;
  if (read) return (*read)(reader, name, spec);
  // Which of these are meant is unknown now; calling them unknown would only confuse.
  for (const char* key :
       {"joint", "stiffness", "damping", "target", "rate", "force_limit", "gain", "position"}) {
    reader->Find(key);
  }
}

}  // namespace voigt
