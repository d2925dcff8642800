#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "voigt/io/scene_sections.h"

namespace voigt {
namespace {

using Kind = decltype(ConstraintSpec::kind);

// The point that a constraint holds or moves: on `body`, at `point`.
PointOnBody ReadPoint(ObjectReader* reader) {
  return {reader->RequiredText("body"), reader->Vector("point", Vec3::Zero())};
}

// A constraint between that point and what it is held to: on the body `on`, at `on_point`.
template <class Spec>
Spec ReadPoints(ObjectReader* reader) {
  Spec kind;
  kind.B = ReadPoint(reader);
  kind.A = {reader->Text("on", "world"), reader->Vector("on_point", Vec3::Zero())};
  return kind;
}

// One between that point and the body `on`.
template <class Spec>
Spec ReadPointOn(ObjectReader* reader) {
  Spec kind;
  kind.B = ReadPoint(reader);
  kind.on = reader->Text("on", "world");
  return kind;
}

Side ReadSide(ObjectReader* reader) {
  return reader
      ->Choice<Side>("side",
                     {{"both", Side::kBoth}, {"above", Side::kAbove}, {"below", Side::kBelow}})
      .value_or(Side::kBoth);
}

Kind ReadDistance(ObjectReader* reader, const ModelSpec&) {
  auto kind = ReadPoints<DistanceSpec>(reader);
  kind.length = reader->RequiredNumber("length", 1);
  kind.side = ReadSide(reader);
  return kind;
}

Kind ReadPointOnLine(ObjectReader* reader, const ModelSpec&) {
  auto kind = ReadPoints<PointOnLineSpec>(reader);
  kind.direction = reader->RequiredVector("direction", Vec3::UnitZ());
  return kind;
}

Kind ReadPointOnCircle(ObjectReader* reader, const ModelSpec&) {
  auto kind = ReadPoints<PointOnCircleSpec>(reader);
  kind.normal = reader->Vector("normal", Vec3::UnitZ());
  kind.radius = reader->RequiredNumber("radius", 1);
  return kind;
}

Kind ReadPointInPlane(ObjectReader* reader, const ModelSpec&) {
  auto kind = ReadPoints<PointInPlaneSpec>(reader);
  kind.normal = reader->Vector("normal", Vec3::UnitZ());
  kind.side = ReadSide(reader);
  return kind;
}

Kind ReadCoupler(ObjectReader* reader, const ModelSpec&) {
  return CouplerSpec{ReadTerms(reader), reader->Number("offset", 0)};
}

Kind ReadLock(ObjectReader* reader, const ModelSpec& spec) {
  JointLockSpec kind;
  kind.joint = reader->RequiredText("joint");
  const auto joint = std::find_if(spec.joints.begin(), spec.joints.end(),
                                  [&](const JointSpec& j) { return j.name == kind.joint; });
  if (joint == spec.joints.end()) {
    reader->Find("at");  // the joint is reported, and nobody can say what its coordinates are
  } else {
    kind.at = ReadCoordinates(reader, "at", joint->type);
  }
  return kind;
}

Kind ReadRolling(ObjectReader* reader, const ModelSpec&) {
  auto kind = ReadPoints<RollingSpec>(reader);
  kind.normal = reader->Vector("normal", Vec3::UnitZ());
  kind.radius = reader->RequiredNumber("radius", 1);
  kind.axis = reader->OptionalVector("axis");
  kind.touch = reader->Flag("touch", true);
  return kind;
}

Kind ReadKnifeEdge(ObjectReader* reader, const ModelSpec&) {
  auto kind = ReadPointOn<KnifeEdgeSpec>(reader);
  kind.direction = reader->RequiredVector("direction", Vec3::UnitY());
  return kind;
}

Kind ReadConstantSpeed(ObjectReader* reader, const ModelSpec&) {
  ConstantSpeedSpec kind;
  kind.terms = ReadTerms(reader);
  const std::vector<TimeFunction> speed = reader->RequiredFunctions("speed", "a function of t");
  if (speed.size() > 1) {
    reader->Fail(*reader->Find("speed"), "speed",
                 fmt::format("{} values, expected one function of t", speed.size()));
  }
  if (speed.size() == 1) kind.speed = speed[0];
  return kind;
}

Kind ReadPrescribedPoint(ObjectReader* reader, const ModelSpec&) {
  auto kind = ReadPointOn<PrescribedPointSpec>(reader);
  reader->Require("position", "three functions of t");
  kind.position = ReadComponents(reader, "position");
  return kind;
}

struct KindReader {
  Kind (*read)(ObjectReader*, const ModelSpec&);
  bool is_about_velocities;
  bool guides_a_point = false;
};

std::vector<std::pair<std::string_view, KindReader>> KindReaders() {
  return {{"distance", {ReadDistance, false}},
          {"point-on-line", {ReadPointOnLine, false, true}},
          {"point-on-circle", {ReadPointOnCircle, false, true}},
          {"point-in-plane", {ReadPointInPlane, false, true}},
          {"coupler", {ReadCoupler, false}},
          {"lock", {ReadLock, false}},
          {"rolling", {ReadRolling, true}},
          {"knife-edge", {ReadKnifeEdge, true}},
          {"constant-speed", {ReadConstantSpeed, true}},
          {"prescribed-point", {ReadPrescribedPoint, false}}};
}

}  // namespace

std::vector<JointTerm> ReadTerms(ObjectReader* reader) {
  std::vector<JointTerm> terms;
  reader->Require("terms", "a list of joints with factors");
  ReadList(reader, "terms", [&](ObjectReader& term) {
    const double dof = term.Number("dof", 0);
    if (!(dof >= 0 && dof < kMaxJointDofs && dof == std::round(dof))) {
      term.Fail(*term.Find("dof"), "dof",
                fmt::format("{}, expected a whole number that counts rates from 0", dof));
    }
    terms.push_back(
        {term.RequiredText("joint"), static_cast<int>(dof), term.RequiredNumber("factor", 1)});
  });
  return terms;
}

void ReadConstraint(ObjectReader* reader, ModelSpec* spec) {
  const size_t before = reader->CountProblems();
  ConstraintSpec constraint;
  const bool has_type = !reader->RequiredText("type").empty();
  constraint.name = reader->Text("name", reader->path());
  constraint.where = reader->where();
  const auto kind = has_type ? reader->Choice("type", KindReaders()) : std::nullopt;
  if (!kind) {
    // Which of these are meant is unknown now; calling them unknown would only confuse.
    for (const char* key :
         {"body",   "point", "on",       "on_point",  "length",  "side",    "direction",
          "normal", "terms", "offset",   "joint",     "at",      "radius",  "axis",
          "touch",  "speed", "position", "stiffness", "damping", "friction"}) {
      reader->Find(key);
    }
    return;
  }
  constraint.kind = kind->read(reader, *spec);
  if (const YamlValue* value = kind->guides_a_point ? reader->Find("friction") : nullptr) {
    ObjectReader friction(*value, reader->path() + ".friction", reader->context());
    constraint.friction = ReadReactionFriction(&friction, false);
    friction.Finish();
  }
  constraint.damping = reader->Number("damping", 0);
  if (!kind->is_about_velocities) {
    constraint.stiffness = reader->Number("stiffness", constraint.stiffness);
  } else if (reader->Has("damping")) {
    constraint.stiffness = 0;
  }
  if (reader->CountProblems() == before) spec->constraints.push_back(std::move(constraint));
}

}  // namespace voigt
