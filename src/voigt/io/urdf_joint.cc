#include <fmt/format.h>

#include "voigt/io/urdf_parts.h"

namespace voigt {
namespace {

enum class UrdfJointType { kRevolute, kContinuous, kPrismatic, kFixed, kFloating, kPlanar };

JointType ToJointType(UrdfJointType type) {
  switch (type) {
    case UrdfJointType::kRevolute:
    case UrdfJointType::kContinuous:
      return JointType::kRevolute;
    case UrdfJointType::kPrismatic:
      return JointType::kPrismatic;
    case UrdfJointType::kFloating:
      return JointType::kFree;
    case UrdfJointType::kPlanar:
      return JointType::kPlanar;
    case UrdfJointType::kFixed:
      break;
  }
  return JointType::kFixed;
}

// Reads one joint and keeps what its parts need of each other.
class UrdfJointReader {
 public:
  UrdfJointReader(const XmlElement& element, UrdfContext* context)
      : reader_(element, &context->problems), context_(context) {}

  UrdfJoint Read() {
    JointSpec& joint = out_.spec;
    joint.where = reader_.where();
    joint.name = reader_.RequiredText("name");
    if (reader_.RequiredText("type").empty()) {
      type_ = std::nullopt;
    } else {
      type_ = reader_.Choice<UrdfJointType>("type", {{"revolute", UrdfJointType::kRevolute},
                                                     {"continuous", UrdfJointType::kContinuous},
                                                     {"prismatic", UrdfJointType::kPrismatic},
                                                     {"fixed", UrdfJointType::kFixed},
                                                     {"floating", UrdfJointType::kFloating},
                                                     {"planar", UrdfJointType::kPlanar}});
    }
    joint.type = ToJointType(type_.value_or(UrdfJointType::kFixed));
    joint.parent = ReadLinkName("parent", &out_.parent_where);
    joint.child = ReadLinkName("child", &out_.child_where);
    joint.X_PF = ReadUrdfOrigin(reader_);
    ReadAxis();
    ReadLimit();
    ReadDynamics();
    ReadMimic();
    ReadSafety();
    NoteWhatControllersUse();
    return std::move(out_);
  }

 private:
  std::string Element(const char* part) const {
    return fmt::format("joint '{}': {}", out_.spec.name, part);
  }
  bool IsScalar() const { return type_ && DofCount(out_.spec.type) == 1; }

  std::string ReadLinkName(const char* role, SourceLocation* where) {
    const XmlElement* element = reader_.Child(role);
    if (element == nullptr) {
      reader_.Fail(fmt::format("'{0}' is missing, expected <{0} link=\"...\"/>", role));
      return "";
    }
    *where = element->where;
    return XmlReader(*element, &context_->problems).RequiredText("link");
  }

  // In the joint's frame; x where the file says nothing. Fixed and floating joints have none, and
  // files that give them one mean nothing by it.
  void ReadAxis() {
    const XmlElement* element = reader_.Child("axis");
    Vec3 axis = Vec3::UnitX();
    if (element != nullptr) {
      const XmlReader reader(*element, &context_->problems);
      reader.RequiredText("xyz");
      axis = reader.Vector("xyz", axis);
      if (axis == Vec3::Zero() && (IsScalar() || type_ == UrdfJointType::kPlanar)) {
        reader.Fail(*reader.Find("xyz"),
                    fmt::format("'{}', expected a direction that is not zero", reader.Text("xyz")));
        axis = Vec3::UnitX();
      }
    }
    if (DofCount(out_.spec.type) > 0 && !HasQuaternion(out_.spec.type)) out_.spec.axis = axis;
  }

  void ReadLimit() {
    const bool needs_limit =
        type_ == UrdfJointType::kRevolute || type_ == UrdfJointType::kPrismatic;
    const XmlElement* element = reader_.Child("limit");
    if (element == nullptr) {
      if (needs_limit) {
        reader_.Fail(fmt::format(
            "'limit' is missing, expected lower and upper of a {} joint{}", reader_.Text("type"),
            type_ == UrdfJointType::kRevolute ? " (one without limits is 'continuous')" : ""));
      }
      return;
    }
    const XmlReader reader(*element, &context_->problems);
    const double lower = reader.Number("lower", 0), upper = reader.Number("upper", 0);
    if (needs_limit) {
      TakeLimits(reader, lower, upper);
    } else if (type_ && (reader.Has("lower") || reader.Has("upper"))) {
      const bool acts_elsewhere =
          type_ == UrdfJointType::kPlanar || type_ == UrdfJointType::kFloating;
      context_->Note(acts_elsewhere ? NoteKind::kUnsupported : NoteKind::kIgnored, element->where,
                     Element("limit"),
                     fmt::format("lower and upper are left out: a {} joint has no limits",
                                 reader_.Text("type")));
    }
    ReadDriveLimits(reader);
  }

  void TakeLimits(const XmlReader& reader, double lower, double upper) {
    if (lower > upper) {
      reader.Fail(fmt::format("lower = {} and upper = {}, expected lower ≤ upper", lower, upper));
      return;
    }
    out_.spec.lower = {lower};
    out_.spec.upper = {upper};
    if (lower > 0 || upper < 0) out_.start = lower + (upper - lower) / 2;
  }

  // The effort bounds whatever drives the joint; what a file writes where it does not know, zero,
  // bounds nothing. A speed is for those who command one: nothing here keeps a joint from being
  // moved faster by what pushes it.
  void ReadDriveLimits(const XmlReader& reader) {
    const double effort = ReadNonNegative(reader, "effort");
    const double velocity = ReadNonNegative(reader, "velocity");
    if (IsScalar() && effort > 0) {
      out_.spec.drive_limit = effort;
    } else if (reader.Has("effort")) {
      context_->Note(NoteKind::kIgnored, reader.where(), Element("limit"),
                     fmt::format("effort {} bounds no drive: {}", effort,
                                 effort > 0 ? "the joint has no motor of its own"
                                            : "zero stands for an unknown limit"));
    }
    if (velocity > 0) speed_ = velocity;
    if (!reader.Has("velocity") || reader_.Child("safety_controller") != nullptr) return;
    context_->Note(
        NoteKind::kIgnored, reader.where(), Element("limit"),
        fmt::format("velocity {} is for controllers: the joint may move faster", velocity));
  }

  void ReadDynamics() {
    const XmlElement* element = reader_.Child("dynamics");
    if (element == nullptr) return;
    const XmlReader reader(*element, &context_->problems);
    const double damping = ReadNonNegative(reader, "damping");
    const double friction = ReadNonNegative(reader, "friction");
    if (damping == 0 && friction == 0) return;
    if (IsScalar()) {
      if (damping > 0) out_.spec.damping = {damping};
      if (friction > 0) out_.spec.dry_friction = {friction};
    } else if (type_) {
      const bool is_fixed = type_ == UrdfJointType::kFixed;
      context_->Note(is_fixed ? NoteKind::kIgnored : NoteKind::kUnsupported, element->where,
                     Element("dynamics"),
                     is_fixed ? "has no effect: a fixed joint does not move"
                              : "is left out: one number cannot be N s/m and N m s/rad");
    }
  }

  double ReadNonNegative(const XmlReader& reader, const char* name) {
    const double value = reader.Number(name, 0);
    if (value >= 0) return value;
    reader.Fail(*reader.Find(name), fmt::format("{}, expected a number ≥ 0", value));
    return 0;
  }

  void ReadMimic() {
    const XmlElement* element = reader_.Child("mimic");
    if (element == nullptr) return;
    const XmlReader reader(*element, &context_->problems);
    UrdfMimic mimic;
    mimic.joint = out_.spec.name;
    mimic.where = element->where;
    mimic.of = reader.RequiredText("joint");
    mimic.multiplier = reader.Number("multiplier", 1);
    mimic.offset = reader.Number("offset", 0);
    if (IsScalar()) {
      if (!mimic.of.empty()) out_.mimic = mimic;
    } else if (type_) {
      reader.Fail(fmt::format("on a {} joint, expected a revolute, continuous or prismatic one",
                              reader_.Text("type")));
    }
  }

  // After ReadLimit: the speed of `limit` is that of the controller.
  void ReadSafety() {
    const XmlElement* element = reader_.Child("safety_controller");
    if (element == nullptr) return;
    const XmlReader reader(*element, &context_->problems);
    DriveSafety safety;
    reader.RequiredNumber("k_velocity", 0);
    safety.k_velocity = ReadNonNegative(reader, "k_velocity");
    safety.k_position = ReadNonNegative(reader, "k_position");
    safety.lower = reader.Number("soft_lower_limit", 0);
    safety.upper = reader.Number("soft_upper_limit", 0);
    safety.speed = speed_;
    if (type_ == UrdfJointType::kContinuous) safety.lower = -kInfinity, safety.upper = kInfinity;
    if (safety.lower > safety.upper) {
      reader.Fail(
          fmt::format("soft_lower_limit = {} and soft_upper_limit = {}, expected lower ≤ upper",
                      safety.lower, safety.upper));
    }
    const bool has_speed = safety.k_position > 0 || safety.speed < kInfinity;
    const bool acts = safety.k_velocity > 0 && has_speed;
    if (IsScalar() && acts) {
      out_.spec.drive_safety = safety;
    } else if (type_) {
      context_->Note(NoteKind::kIgnored, element->where, Element("safety_controller"),
                     IsScalar()
                         ? "bounds nothing: it takes k_velocity, and k_position or a velocity limit"
                         : "bounds no drive: the joint has no motor of its own");
    }
  }

  void NoteWhatControllersUse() {
    if (const XmlElement* calibration = reader_.Child("calibration")) {
      calibration->MarkAllAsRead();
      context_->Note(NoteKind::kIgnored, calibration->where, Element("calibration"),
                     "belongs to a sensor: no effect on the motion");
    }
  }

  XmlReader reader_;
  UrdfContext* context_;
  std::optional<UrdfJointType> type_;
  double speed_ = kInfinity;  // of `limit`
  UrdfJoint out_;
};

}  // namespace

UrdfJoint ReadUrdfJoint(const XmlElement& element, UrdfContext* context) {
  return UrdfJointReader(element, context).Read();
}

}  // namespace voigt
