#include <fmt/format.h>

#include <algorithm>

#include "voigt/io/mjcf_context.h"

namespace voigt {
namespace {

// Attributes that differ from what they are by default, told in one note.
void NoteOthers(const XmlReader& reader, ImportNote::Kind kind,
                std::initializer_list<std::string_view> names, const std::string& consequence,
                MjcfContext* context) {
  std::string found;
  const XmlAttribute* first = nullptr;
  for (std::string_view name : names) {
    const XmlAttribute* attribute = reader.Find(name);
    if (attribute == nullptr) continue;
    if (first == nullptr) first = attribute;
    found += (found.empty() ? "" : ", ") + attribute->name;
  }
  if (first == nullptr) return;
  context->Note(kind, first->where, fmt::format("{} {}", reader.element().name, found),
                consequence);
}

std::string FindMeshFolder(const XmlReader& reader, std::string present) {
  // assetdir stands for both folders; the more special one prevails.
  if (const XmlAttribute* folder = reader.Find("assetdir")) present = folder->value;
  if (const XmlAttribute* folder = reader.Find("meshdir")) present = folder->value;
  return present;
}

void ReadEulerSequence(const XmlReader& reader, std::string* sequence) {
  const XmlAttribute* attribute = reader.Find("eulerseq");
  if (attribute == nullptr) return;
  const std::string& value = attribute->value;
  if (value.size() != 3 || value.find_first_not_of("xyzXYZ") != std::string::npos) {
    reader.Fail(*attribute, fmt::format("'{}', expected three of x, y, z, X, Y, Z", value));
    return;
  }
  *sequence = value;
}

void ReadFluid(const XmlReader& reader, MjcfContext* context) {
  std::array<double, 3> wind = {0, 0, 0};
  reader.Overwrite("wind", 3, wind);
  if (reader.Number("density", 0) == 0 && reader.Number("viscosity", 0) == 0) return;
  context->Note(ImportNote::Kind::kUnsupported, reader.where(), "option density, viscosity, wind",
                "the medium around the bodies exerts no forces");
}

void ReadMjcfFlagSection(const XmlElement& element, MjcfContext* context) {
  const XmlReader reader(element, &context->problems);
  const auto flag = [&](std::string_view name, bool fallback) {
    return reader.Choice<bool>(name, {{"enable", true}, {"disable", false}}).value_or(fallback);
  };
  MjcfFlags& flags = context->flags;
  const bool constraint = flag("constraint", true);
  flags.equality = flag("equality", flags.equality) && constraint;
  flags.friction_loss = flag("frictionloss", flags.friction_loss) && constraint;
  flags.limits = flag("limit", flags.limits) && constraint;
  flags.contact = flag("contact", flags.contact) && constraint;
  flags.passive = flag("passive", flags.passive);
  flags.gravity = flag("gravity", flags.gravity);
  flags.filter_parent = flag("filterparent", flags.filter_parent);
  flags.actuation = flag("actuation", flags.actuation);
  if (flag("override", false)) {
    context->Note(ImportNote::Kind::kUnsupported, element.where, "flag override",
                  "o_margin, o_solref and o_solimp change no contact");
  }
  reader.Ignore({"clampctrl", "warmstart", "refsafe", "sensor", "energy", "fwdinv", "invdiscrete",
                 "sensornoise", "multiccd", "island", "nativeccd", "midphase", "eulerdamp",
                 "autoreset"});
}

}  // namespace

void ReadMjcfCompiler(const XmlElement& section, MjcfContext* context) {
  using Source = MjcfCompiler::InertiaSource;
  MjcfCompiler& compiler = context->compiler;
  const XmlReader reader(section, &context->problems);
  compiler.degrees = reader.Choice<bool>("angle", {{"degree", true}, {"radian", false}})
                         .value_or(compiler.degrees);
  if (reader.Choice<bool>("coordinate", {{"local", false}, {"global", true}}).value_or(false)) {
    reader.Fail(*reader.Find("coordinate"),
                "'global', expected 'local': poses are read relative to the parent body only");
  }
  ReadEulerSequence(reader, &compiler.euler_sequence);
  compiler.auto_limits = reader.Flag("autolimits", compiler.auto_limits);
  compiler.mesh_folder = FindMeshFolder(reader, compiler.mesh_folder);
  compiler.strip_path = reader.Flag("strippath", compiler.strip_path);
  compiler.inertia_source = reader
                                .Choice<Source>("inertiafromgeom", {{"auto", Source::kAuto},
                                                                    {"true", Source::kGeoms},
                                                                    {"false", Source::kGiven}})
                                .value_or(compiler.inertia_source);
  std::array<double, 2> groups = {double(compiler.first_inertia_group),
                                  double(compiler.last_inertia_group)};
  if (reader.Overwrite("inertiagrouprange", 2, groups)) {
    compiler.first_inertia_group = static_cast<int>(std::clamp(groups[0], -1e6, 1e6));
    compiler.last_inertia_group = static_cast<int>(std::clamp(groups[1], -1e6, 1e6));
  }
  compiler.balance_inertia = reader.Flag("balanceinertia", compiler.balance_inertia);
  compiler.least_mass = reader.Number("boundmass", compiler.least_mass);
  compiler.least_inertia = reader.Number("boundinertia", compiler.least_inertia);
  const double total = reader.Number("settotalmass", -1);
  if (total > 0) compiler.total_mass = total;
  compiler.exact_mesh_inertia = reader.Flag("exactmeshinertia", compiler.exact_mesh_inertia);
  compiler.fit_box = reader.Flag("fitaabb", compiler.fit_box);
  // Fused bodies move alike; hulls are made where contacts need them.
  reader.Ignore({"texturedir", "discardvisual", "convexhull", "usethread", "fusestatic",
                 "saveinertial", "inertiagrouprange"});
  for (const XmlElement* child : section.Children("lengthrange")) child->MarkAllAsRead();
}

void ReadMjcfOption(const XmlElement& section, MjcfContext* context) {
  const XmlReader reader(section, &context->problems);
  if (reader.Has("timestep")) {
    const double step = reader.Number("timestep", 0.002);
    if (step > 0) {
      context->out.step = step;
    } else {
      reader.Fail(*reader.Find("timestep"), fmt::format("'{}', expected a positive number", step));
    }
  }
  context->out.spec.gravity = reader.Vector("gravity", context->out.spec.gravity);
  ReadFluid(reader, context);
  const auto collision =
      reader.Choice<int>("collision", {{"all", 0}, {"predefined", 1}, {"dynamic", 2}});
  if (collision) {
    context->flags.all_pairs = *collision != 1;
    context->flags.listed_pairs = *collision != 2;
  }
  NoteOthers(reader, ImportNote::Kind::kIgnored,
             {"integrator", "solver", "iterations", "tolerance", "ls_iterations", "ls_tolerance",
              "noslip_iterations", "noslip_tolerance", "mpr_iterations", "mpr_tolerance",
              "ccd_iterations", "ccd_tolerance", "sdf_iterations", "sdf_initpoints", "jacobian",
              "apirate", "magnetic", "actuatorgroupdisable"},
             "settings of MuJoCo's own algorithms", context);
  NoteOthers(reader, ImportNote::Kind::kApproximated, {"cone", "impratio"},
             "friction has its round cone and no ratio of impedances", context);
  reader.Ignore({"o_margin", "o_solref", "o_solimp", "o_friction"});
  if (const XmlElement* flag = reader.Child("flag")) ReadMjcfFlagSection(*flag, context);
}

}  // namespace voigt
