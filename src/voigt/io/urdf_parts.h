#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "voigt/io/imported_model.h"
#include "voigt/io/urdf.h"
#include "voigt/io/xml_reader.h"

// The parts of a URDF file, one function each. All add what is wrong to the context's problems.
namespace voigt {

using NoteKind = ImportNote::Kind;

struct UrdfContext {
  std::string file;
  UrdfOptions options;
  ProblemList problems;
  std::vector<ImportNote> notes;
  std::map<std::string, TriangleMesh> meshes;  // that were read, by path and scale

  void Note(NoteKind kind, const SourceLocation& where, std::string element,
            std::string consequence);
};

// xyz and rpy of the child `origin`; the identity if there is none.
Pose ReadUrdfOrigin(const XmlReader& owner);

BodySpec ReadUrdfLink(const XmlElement& element, UrdfContext* context);

// A joint whose coordinate follows another's: q = multiplier q_of + offset.
struct UrdfMimic {
  std::string joint, of;
  double multiplier = 1, offset = 0;
  SourceLocation where;
};

// The joint; where it starts, if not at zero; whom it mimics, if anybody.
struct UrdfJoint {
  JointSpec spec;
  SourceLocation parent_where, child_where;
  double start = 0;
  std::optional<UrdfMimic> mimic;
};

UrdfJoint ReadUrdfJoint(const XmlElement& element, UrdfContext* context);

}  // namespace voigt
