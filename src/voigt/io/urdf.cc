#include "voigt/io/urdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "voigt/io/urdf_parts.h"
#include "voigt/io/yaml_value.h"

namespace voigt {
namespace {

constexpr char kWorldLink[] = "world";

bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Settings of Gazebo that change how things move.
bool ChangesMotion(const XmlElement& gazebo) {
  return std::any_of(gazebo.children.begin(), gazebo.children.end(), [](const XmlElement& child) {
    return IsOneOf(child.name, {"mu",
                                "mu1",
                                "mu2",
                                "kp",
                                "kd",
                                "maxVel",
                                "minDepth",
                                "gravity",
                                "turnGravityOff",
                                "selfCollide",
                                "dampingFactor",
                                "springStiffness",
                                "springReference",
                                "implicitSpringDamper",
                                "stopErp",
                                "stopCfm",
                                "static",
                                "fudgeFactor",
                                "provideFeedback",
                                "preserveFixedJoint"});
  });
}

// What stands beside links and joints.
void NoteOtherElements(const XmlElement& robot, UrdfContext* context) {
  for (const XmlElement& child : robot.children) {
    const std::string element = child.Describe();
    if (child.name == "material") {
      child.MarkAllAsRead();
      context->Note(NoteKind::kIgnored, child.where, element,
                    "is seen only: no effect on the motion");
    } else if (child.name == "transmission") {
      child.MarkAllAsRead();
      context->Note(NoteKind::kIgnored, child.where, element,
                    "nothing drives the joint here: drives are given in the scene");
    } else if (child.name == "sensor") {
      child.MarkAllAsRead();
      context->Note(NoteKind::kIgnored, child.where, element,
                    "is a sensor: no effect on the motion");
    } else if (child.name == "gazebo") {
      const std::string of(child.Peek("reference"));
      child.MarkAllAsRead();
      const bool acts = ChangesMotion(child);
      context->Note(acts ? NoteKind::kUnsupported : NoteKind::kIgnored, child.where,
                    of.empty() ? element : fmt::format("gazebo '{}'", of),
                    acts ? "settings of another program are left out: materials, springs and "
                           "gravity are those of the scene"
                         : "settings of another program are left out: plugins, sensors, looks");
    } else if (child.name.starts_with("xacro:")) {
      child.MarkAllAsRead();
      context->problems.Add(child.where, element,
                            "a macro of xacro, expected URDF: expand the file with xacro first");
    }
  }
}

// Namespaces mean something to other programs only.
void IgnoreNamespaces(const XmlElement& robot) {
  for (const XmlAttribute& attribute : robot.attributes) {
    if (attribute.name.starts_with("xmlns")) attribute.was_read = true;
  }
}

void NoteUnread(const XmlElement& robot, UrdfContext* context) {
  for (const UnreadXml& unread : ListUnread(robot)) {
    context->Note(
        NoteKind::kUnsupported, unread.where,
        unread.is_attribute ? fmt::format("{}.{}", unread.element, unread.name) : unread.element,
        "is not known and left out");
  }
}

// Puts links and joints together: URDF describes one tree.
class UrdfAssembler {
 public:
  UrdfAssembler(std::vector<BodySpec> links, std::vector<UrdfJoint> joints, UrdfContext* context)
      : links_(std::move(links)), joints_(std::move(joints)), context_(context) {}

  void Assemble(const XmlElement& robot, ImportedModel* out) {
    CheckLinkNames();
    const std::optional<std::string> root = FindRoot(robot);
    if (!root) return;
    CheckThatAllHangOn(*root);
    AddMimics(out);
    const bool root_is_world = *root == kWorldLink;
    for (BodySpec& link : links_) {
      if (link.name == kWorldLink && root_is_world) {
        TakeWorld(std::move(link), out);
      } else {
        out->spec.bodies.push_back(std::move(link));
      }
    }
    if (!root_is_world) out->spec.joints.push_back(MakeBase(*root, out->spec.bodies));
    for (UrdfJoint& joint : joints_) out->spec.joints.push_back(std::move(joint.spec));
  }

 private:
  // Parents and children that are links; each link hangs on one joint.
  void CheckLinkNames() {
    std::set<std::string_view> names;
    for (const BodySpec& link : links_) names.insert(link.name);
    for (const UrdfJoint& joint : joints_) {
      const std::string element = fmt::format("joint '{}'", joint.spec.name);
      const auto check = [&](const std::string& link, const SourceLocation& where,
                             const char* role) {
        if (link.empty() || names.contains(link)) return;
        context_->problems.Add(where, element,
                               fmt::format("{} link '{}' does not exist", role, link));
      };
      check(joint.spec.parent, joint.parent_where, "parent");
      check(joint.spec.child, joint.child_where, "child");
      if (joint.spec.child.empty()) continue;
      const auto [earlier, is_first] = joint_of_child_.emplace(joint.spec.child, &joint);
      if (is_first) continue;
      context_->problems.Add(
          joint.child_where, element,
          fmt::format("link '{}' is the child of joint '{}' already (line {}), expected a tree",
                      joint.spec.child, earlier->second->spec.name,
                      earlier->second->child_where.line));
    }
  }

  std::optional<std::string> FindRoot(const XmlElement& robot) {
    std::vector<const BodySpec*> roots;
    for (const BodySpec& link : links_) {
      if (!joint_of_child_.contains(link.name)) roots.push_back(&link);
    }
    if (links_.empty()) {
      context_->problems.Add(robot.where, robot.Describe(), "has no links, expected at least one");
    } else if (roots.empty()) {
      context_->problems.Add(robot.where, robot.Describe(),
                             "every link is the child of a joint, expected a tree with one root");
    }
    for (size_t i = 1; i < roots.size(); ++i) {
      context_->problems.Add(
          roots[i]->where, fmt::format("link '{}'", roots[i]->name),
          fmt::format("is the child of no joint, expected one root and that is '{}' (line {})",
                      roots[0]->name, roots[0]->where.line));
    }
    if (roots.size() != 1) return std::nullopt;
    return roots[0]->name;
  }

  // Whether there is a way from a link to the root. Each link is passed once: what `hangs` knows of
  // links nearer the root holds for those behind them. Links on the present way count as loose, so
  // that a circle ends.
  bool HangsOnRoot(std::string_view link, std::map<std::string_view, bool>* hangs) const {
    std::vector<std::string_view> way;
    std::string_view at = link;
    while (hangs->try_emplace(at, false).second) {
      way.push_back(at);
      const auto joint = joint_of_child_.find(at);
      if (joint == joint_of_child_.end()) break;
      at = joint->second->spec.parent;
    }
    const bool result = hangs->at(at);
    for (std::string_view passed : way) hangs->at(passed) = result;
    return result;
  }

  void CheckThatAllHangOn(const std::string& root) {
    std::map<std::string_view, bool> hangs = {{root, true}};
    for (const BodySpec& link : links_) {
      if (!HangsOnRoot(link.name, &hangs)) {
        context_->problems.Add(link.where, fmt::format("link '{}'", link.name),
                               fmt::format("is not connected to the root '{}'", root));
      }
      if (link.name == kWorldLink && root != kWorldLink) {
        context_->problems.Add(link.where, "link 'world'",
                               fmt::format("hangs on others, expected another name: 'world' is "
                                           "the ground and may be the root only, not '{}'",
                                           root));
      }
    }
  }

  // The root link called world is the ground: its shapes stay, its mass means nothing.
  void TakeWorld(BodySpec link, ImportedModel* out) {
    out->spec.world_geometry = std::move(link.geometry);
    if (link.mass_source != MassSource::kMassless) {
      context_->Note(NoteKind::kIgnored, link.where, "link 'world'",
                     "its mass has no effect: it is the ground");
    }
  }

  JointSpec MakeBase(const std::string& root, const std::vector<BodySpec>& bodies) const {
    JointSpec base;
    base.name = "world_to_" + root;
    base.child = root;
    const auto is_root = [&](const BodySpec& body) { return body.name == root; };
    base.where = std::find_if(bodies.begin(), bodies.end(), is_root)->where;
    return base;
  }

  void AddMimics(ImportedModel* out) {
    std::map<std::string_view, const UrdfJoint*> by_name;
    for (const UrdfJoint& joint : joints_) by_name.emplace(joint.spec.name, &joint);
    Starts starts;
    for (const UrdfJoint& joint : joints_) {
      if (joint.mimic) AddCoupler(*joint.mimic, by_name, out);
      const auto start = FindStart(joint, by_name, &starts);
      if (!start) {
        context_->problems.Add(
            joint.mimic->where, fmt::format("joint '{}': mimic", joint.spec.name),
            "goes round in a circle, expected a joint that mimics none in the end");
      } else if (*start != 0) {
        out->reference[joint.spec.name] = {*start};
      }
    }
  }

  void AddCoupler(const UrdfMimic& mimic,
                  const std::map<std::string_view, const UrdfJoint*>& joints, ImportedModel* out) {
    const std::string element = fmt::format("joint '{}': mimic", mimic.joint);
    const auto of = joints.find(mimic.of);
    if (of == joints.end()) {
      context_->problems.Add(mimic.where, element,
                             fmt::format("joint '{}' does not exist", mimic.of));
      return;
    }
    if (DofCount(of->second->spec.type) != 1) {
      context_->problems.Add(
          mimic.where, element,
          fmt::format("joint '{}' has no one coordinate, expected a revolute, continuous or "
                      "prismatic one",
                      mimic.of));
      return;
    }
    ConstraintSpec coupler;
    coupler.name = mimic.joint + "_mimics_" + mimic.of;
    coupler.where = mimic.where;
    coupler.kind =
        CouplerSpec{{{mimic.joint, 0, 1}, {mimic.of, 0, -mimic.multiplier}}, mimic.offset};
    out->spec.constraints.push_back(std::move(coupler));
  }

  // Where joints start that mimic others; nothing where mimics go round in a circle.
  using Starts = std::map<const UrdfJoint*, std::optional<double>>;

  // Follows mimics to a joint that stands on its own or is in *starts, and notes all on the way.
  static std::optional<double> FindStart(const UrdfJoint& joint,
                                         const std::map<std::string_view, const UrdfJoint*>& joints,
                                         Starts* starts) {
    std::vector<const UrdfJoint*> way;
    std::optional<double> start;
    for (const UrdfJoint* at = &joint;;) {
      start = at->start;
      if (!at->mimic) break;
      const auto [known, is_new] = starts->try_emplace(at, std::nullopt);
      start = is_new ? start : known->second;
      if (!is_new) break;
      way.push_back(at);
      const auto next = joints.find(at->mimic->of);
      if (next == joints.end()) break;
      at = next->second;
    }
    while (!way.empty()) {
      if (start) start = way.back()->mimic->offset + way.back()->mimic->multiplier * *start;
      (*starts)[way.back()] = start;
      way.pop_back();
    }
    return start;
  }

  std::vector<BodySpec> links_;
  std::vector<UrdfJoint> joints_;
  UrdfContext* context_;
  std::map<std::string_view, const UrdfJoint*> joint_of_child_;
};

ImportedModel ReadUrdf(const XmlElement& robot, UrdfContext* context) {
  robot.was_read = true;
  const XmlReader reader(robot, &context->problems);
  ImportedModel out;
  out.spec.name = reader.Text("name", context->file);
  reader.Text("version");
  IgnoreNamespaces(robot);
  std::vector<BodySpec> links;
  for (const XmlElement* link : robot.Children("link")) {
    links.push_back(ReadUrdfLink(*link, context));
  }
  std::vector<UrdfJoint> joints;
  for (const XmlElement* joint : robot.Children("joint")) {
    joints.push_back(ReadUrdfJoint(*joint, context));
  }
  UrdfAssembler(std::move(links), std::move(joints), context).Assemble(robot, &out);
  NoteOtherElements(robot, context);
  NoteUnread(robot, context);
  return out;
}

}  // namespace

ImportedModel ParseUrdf(const std::string& text, const std::string& name,
                        const UrdfOptions& options) {
  UrdfContext context;
  context.file = name;
  context.options = options;
  const XmlElement root = ParseXml(text, name, &context.problems);
  if (root.name != "robot") {
    context.problems.Add(root.where, root.name, "expected the element 'robot' of a URDF file");
    context.problems.ThrowIfAny();
  }
  ImportedModel out = ReadUrdf(root, &context);
  context.problems.ThrowIfAny();
  // Notes of meshes come from other files and stand at the end.
  std::stable_sort(
      context.notes.begin(), context.notes.end(), [&](const ImportNote& a, const ImportNote& b) {
        const bool a_is_here = a.where.file == name, b_is_here = b.where.file == name;
        if (!a_is_here || !b_is_here) return a_is_here && !b_is_here;
        return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
      });
  out.notes = std::move(context.notes);
  return out;
}

ImportedModel LoadUrdf(const std::string& path, const UrdfOptions& options) {
  return ParseUrdf(ReadTextFile(path), path, options);
}

}  // namespace voigt
