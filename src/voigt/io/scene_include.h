#pragma once

#include <optional>
#include <string>
#include <vector>

#include "voigt/io/imported_model.h"
#include "voigt/io/scene_sections.h"

namespace voigt {

// What the robots of a scene bring along beside what they add to its spec.
struct IncludedParts {
  std::vector<InitialJoint> initial;
  std::vector<ImportNote> notes;
  std::optional<double> step;  // s, of the first that says something
};

// A scene that holds one robot and says nothing else.
YamlValue MakeSceneOfRobot(const std::string& file);

// Reads the list under `include` and adds the models to *spec, which holds the scene's own gravity,
// materials and contact rules. Where the scene says nothing about gravity and contact rules, those
// of the first model hold. Throws InputError if a robot cannot be read: nobody could say then
// whether the rest of the scene fits.
//
// With `robot_text`, the scene is that of MakeSceneOfRobot: the text is the robot's, which need not
// be read again, and its name and its default material are the scene's.
IncludedParts ReadIncludes(ObjectReader* scene, const std::string* robot_text, ModelSpec* spec);

}  // namespace voigt
