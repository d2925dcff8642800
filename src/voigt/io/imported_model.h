#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "voigt/model/model_spec.h"

// Robots in the formats of other programs, and what became of them.
namespace voigt {

// Something of a file that is not taken over as it stands.
struct ImportNote {
  enum class Kind {
    kIgnored,       // no effect on the motion: sensors, cameras, what is only seen
    kApproximated,  // taken over with a difference
    kUnsupported,   // affects the motion and is left out
  };

  Kind kind = Kind::kIgnored;
  SourceLocation where;
  std::string element;      // "joint 'elbow'"
  std::string consequence;  // what the model does instead

  // "robot.xml:12:5: joint 'elbow': approximated: …"
  std::string ToString() const;
};

// "ignored", "approximated", "unsupported".
std::string_view ToString(ImportNote::Kind kind);

// A state that a file names. Joints that are not listed have the reference pose and are at rest.
struct ImportedKeyframe {
  std::string name;
  double time = 0;                               // s
  std::map<std::string, std::vector<double>> q;  // by joint
  std::map<std::string, std::vector<double>> v;  // by joint
  std::map<std::string, double> inputs;          // by actuator
  std::map<std::string, double> activations;     // by actuator
  SourceLocation where = {};
};

struct ImportedModel {
  ModelSpec spec;
  // Where the joints stand in the file's reference pose; those that are not listed are at zero.
  std::map<std::string, std::vector<double>> reference;
  std::vector<ImportedKeyframe> keyframes;
  std::optional<double> step;     // s
  std::vector<ImportNote> notes;  // in the order of the file
};

}  // namespace voigt
