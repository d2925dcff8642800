#include <fmt/format.h>

#include "voigt/io/mjcf_context.h"

namespace voigt {
namespace {

// What stands in a body, in the order of the file; frames are resolved.
struct BodyParts {
  std::vector<MjcfPlacedElement> joints, geoms, sites, bodies;
  const XmlElement* inertial = nullptr;
};

void CollectMjcfParts(const XmlElement& parent, const Pose& X_BE, const std::string& inherited,
                      MjcfContext* context, BodyParts* parts) {
  for (const XmlElement& child : parent.children) {
    const MjcfPlacedElement placed{&child, X_BE, inherited};
    if (child.name == "joint" || child.name == "freejoint") {
      parts->joints.push_back(placed);
    } else if (child.name == "geom") {
      parts->geoms.push_back(placed);
    } else if (child.name == "body") {
      parts->bodies.push_back(placed);
    } else if (child.name == "inertial") {
      if (parts->inertial != nullptr) {
        context->problems.Add(child.where, "inertial", "is given twice in " + parent.Describe());
      }
      parts->inertial = &child;
    } else if (child.name == "camera" || child.name == "light") {
      context->IgnoreElement(child, "has no effect on the motion");
    } else if (child.name == "site") {
      parts->sites.push_back(placed);
    } else if (child.name == "frame") {
      const XmlReader reader(child, &context->problems);
      reader.Ignore({"name"});
      const std::string inner = reader.Text("childclass", inherited);
      CollectMjcfParts(child, X_BE * ReadMjcfPose(reader, context->compiler), inner, context,
                       parts);
    }
  }
}

void ReadMjcfSites(const BodyParts& parts, int body, MjcfContext* context) {
  for (const MjcfPlacedElement& placed : parts.sites) {
    const XmlReader reader = context->ReaderOf(*placed.element, {"site"}, placed.inherited);
    double length = 0;
    const auto ends = ReadMjcfEnds(reader, &length);
    const Pose X_ES = ends ? *ends : ReadMjcfPose(reader, context->compiler);
    reader.Ignore({"class", "type", "group", "material", "size", "rgba", "user"});
    const std::string name = reader.Text("name");
    if (!name.empty()) context->sites[name] = {body, placed.X_BE * X_ES};
    context->NoteTogether(ImportNote::Kind::kIgnored, placed.element->where, "site",
                          "a place without effect of its own");
  }
}

bool NeedsGeomMass(const BodyParts& parts, const MjcfCompiler& compiler) {
  using Source = MjcfCompiler::InertiaSource;
  return compiler.inertia_source == Source::kGeoms ||
         (compiler.inertia_source == Source::kAuto && parts.inertial == nullptr);
}

void ReadMjcfBody(const MjcfPlacedElement& placed, int parent, MjcfContext* context);

void ReadMjcfChildren(const BodyParts& parts, int body, MjcfContext* context) {
  for (const MjcfPlacedElement& child : parts.bodies) ReadMjcfBody(child, body, context);
}

void ReadMjcfBody(const MjcfPlacedElement& placed, int parent, MjcfContext* context) {
  const XmlElement& element = *placed.element;
  const XmlReader reader(element, &context->problems);
  reader.Ignore({"user"});
  const std::string given = reader.Text("name");
  const int index = static_cast<int>(context->bodies.size());
  if (!given.empty() && context->body_names.contains(given)) {
    reader.Fail(fmt::format("name '{}' is taken by another body", given));
  }
  BodySpec body;
  body.name = TakeName(given.empty() ? fmt::format("body{}", index) : given, &context->body_names);
  body.where = element.where;
  const std::string inherited = reader.Text("childclass", placed.inherited);
  if (!inherited.empty() && !context->defaults.Has(inherited)) {
    reader.Fail(fmt::format("default class '{}' is not described", inherited));
  }
  if (reader.Flag("mocap", false)) {
    context->Note(ImportNote::Kind::kUnsupported, element.where, element.Describe(),
                  "mocap: the body stays where the file has it");
  }
  const Pose X_PB = placed.X_BE * ReadMjcfPose(reader, context->compiler);
  BodyParts parts;
  CollectMjcfParts(element, Pose{}, inherited, context, &parts);

  ModelSpec& spec = context->out.spec;
  MjcfBody record{body.name, static_cast<int>(spec.bodies.size()), parent, index,
                  context->bodies[parent].X_WB * X_PB};
  if (parts.joints.empty()) record.weld = context->bodies[parent].weld;
  context->bodies.push_back(record);
  spec.bodies.push_back(body);
  ReadMjcfJoints(parts.joints, index, X_PB, context);
  std::vector<MassProperties> masses;
  for (const MjcfPlacedElement& geom : parts.geoms) {
    ReadMjcfGeom(geom, index, NeedsGeomMass(parts, context->compiler), &masses, context);
  }
  ReadMjcfSites(parts, index, context);
  SetMjcfBodyMass(parts.inertial, masses, &spec.bodies[record.spec], context);
  ReadMjcfChildren(parts, index, context);
}

}  // namespace

void ReadMjcfWorld(const XmlElement& section, MjcfContext* context) {
  const XmlReader reader(section, &context->problems);
  reader.Ignore({"name", "pos", "quat"});
  BodyParts parts;
  CollectMjcfParts(section, Pose{}, reader.Text("childclass"), context, &parts);
  for (const MjcfPlacedElement& joint : parts.joints) {
    context->problems.Add(joint.element->where, joint.element->Describe(),
                          "stands in the world, which does not move");
  }
  for (const MjcfPlacedElement& geom : parts.geoms) {
    ReadMjcfGeom(geom, 0, false, nullptr, context);
  }
  ReadMjcfSites(parts, 0, context);
  if (parts.inertial != nullptr) parts.inertial->MarkAllAsRead();
  ReadMjcfChildren(parts, 0, context);
}

}  // namespace voigt
