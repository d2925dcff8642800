#include "voigt/io/mjcf.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "voigt/io/mjcf_context.h"

namespace voigt {
namespace {

// Calls read(section) for all sections of a name.
template <typename Read>
void ForEachSection(const XmlElement& root, std::string_view name, Read read) {
  for (const XmlElement* section : root.Children(name)) read(*section);
}

void ReadMjcfPreamble(const XmlElement& root, MjcfContext* context) {
  ForEachSection(root, "compiler", [&](const auto& s) { ReadMjcfCompiler(s, context); });
  ForEachSection(root, "option", [&](const auto& s) { ReadMjcfOption(s, context); });
  if (!context->flags.gravity) context->out.spec.gravity = Vec3::Zero();
  ForEachSection(root, "default",
                 [&](const auto& s) { context->defaults.Add(s, &context->problems); });
  for (const char* name : {"visual", "statistic", "size", "custom", "sensor"}) {
    ForEachSection(root, name, [&](const auto& s) {
      context->IgnoreElement(s, "has no effect on the motion");
    });
  }
  ForEachSection(root, "asset", [&](const auto& s) { ReadMjcfAssets(s, context); });
  ForEachSection(root, "contact", [&](const XmlElement& section) {
    for (const XmlElement* pair : section.Children("pair")) {
      context->paired_geoms.insert(std::string(pair->Peek("geom1")));
      context->paired_geoms.insert(std::string(pair->Peek("geom2")));
    }
  });
  context->paired_geoms.erase("");
}

void ReadMjcfMechanism(const XmlElement& root, MjcfContext* context) {
  context->bodies.push_back({"world", -1, 0, 0, Pose{}});
  context->body_names.insert("world");
  ForEachSection(root, "worldbody", [&](const auto& s) { ReadMjcfWorld(s, context); });
  ScaleMjcfTotalMass(context);
  ReadMjcfContact(root.Children("contact"), context);
  // Tendons come before the equalities that name them.
  ForEachSection(root, "tendon", [&](const auto& s) { ReadMjcfTendons(s, context); });
  ForEachSection(root, "equality", [&](const auto& s) { ReadMjcfEquality(s, context); });
  ForEachSection(root, "actuator", [&](const auto& s) { ReadMjcfActuators(s, context); });
  ForEachSection(root, "keyframe", [&](const auto& s) { ReadMjcfKeyframes(s, context); });
  SetMjcfSpringDampers(context);
  SetMjcfSoftness(context);
}

// Whatever nobody asked for may matter.
void NoteUnreadMjcf(const XmlElement& root, MjcfContext* context) {
  context->defaults.MarkUnused();
  for (const UnreadXml& unread : ListUnread(root)) {
    const std::string element =
        unread.is_attribute ? fmt::format("{} {}", unread.element, unread.name) : unread.element;
    context->Note(ImportNote::Kind::kUnsupported, unread.where, element,
                  "is not understood and left out");
  }
}

}  // namespace

ImportedModel ParseMjcf(const std::string& text, const std::string& name) {
  MjcfContext context;
  context.folder = std::filesystem::path(name).parent_path();
  const XmlElement root = LoadMjcfDocument(text, name, &context.problems);
  if (root.name != "mujoco") {
    throw InputError(root.where, root.name, "expected <mujoco>, the outermost element of MJCF");
  }
  const XmlReader reader(root, &context.problems);
  context.out.spec.name = reader.Text("model", std::filesystem::path(name).stem().string());
  ReadMjcfPreamble(root, &context);
  ReadMjcfMechanism(root, &context);
  NoteUnreadMjcf(root, &context);
  context.AddTogetherNotes();
  context.problems.ThrowIfAny();
  const auto by_place = [](const ImportNote& a, const ImportNote& b) {
    return std::tie(a.where.file, a.where.line, a.where.column) <
           std::tie(b.where.file, b.where.line, b.where.column);
  };
  std::stable_sort(context.out.notes.begin(), context.out.notes.end(), by_place);
  return std::move(context.out);
}

ImportedModel LoadMjcf(const std::string& path) { return ParseMjcf(ReadTextFile(path), path); }

}  // namespace voigt
