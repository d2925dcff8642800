#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "voigt/io/object_reader.h"
#include "voigt/model/model_spec.h"
#include "voigt/sim/settings.h"

// The parts of a scene file, one function each. All report what is wrong to the reader's context.
namespace voigt {

// The value of a key of the scene; a section that is still to be filled in counts as missing.
const YamlValue* FindSection(ObjectReader* scene, std::string_view key);

// The map under `simulation`; the step of an included robot counts where none is given.
SimulationSettings ReadSimulation(ObjectReader* scene, std::optional<double> included_step);

std::vector<Material> ReadMaterials(ObjectReader* scene);
ContactSettings ReadContactSettings(ObjectReader* scene);
std::vector<Geometry> ReadGeometry(ObjectReader* owner);
BodySpec ReadBody(ObjectReader* reader);
// Shapes of points and triangles: with the keys beside `shape`.
Shape ReadContactPoints(ObjectReader* reader);
Shape ReadHull(ObjectReader* reader);
Shape ReadMesh(ObjectReader* reader);
Shape ReadHeightField(ObjectReader* reader);
JointSpec ReadJoint(ObjectReader* reader);
void ReadLoad(ObjectReader* reader, ModelSpec* spec);
void ReadDrive(ObjectReader* reader, ModelSpec* spec);
void ReadConstraint(ObjectReader* reader, ModelSpec* spec);
void ReadTendon(ObjectReader* reader, ModelSpec* spec);
void ReadActuator(ObjectReader* reader, ModelSpec* spec);

// The list under `terms`: joints with factors.
std::vector<JointTerm> ReadTerms(ObjectReader* reader);

// Three functions of t under a key; zeros if it is missing.
std::array<TimeFunction, 3> ReadComponents(ObjectReader* reader, std::string_view key);

// The functions under a key, one for each degree of freedom of a joint. Where there are none, zeros
// stand for them, as many as the joint needs: one complaint is enough.
std::vector<TimeFunction> ReadFunctions(ObjectReader* reader, std::string_view key,
                                        const std::string& joint, const ModelSpec& spec);

// Friction that comes from reactions, from the keys of its own map; `with_radius` for bearings. The
// coefficient that is not given is the other one.
ReactionFriction ReadReactionFriction(ObjectReader* friction, bool with_radius);

// Coordinates of a joint under a key, as numbers or, for ball and free joints, as a pose.
std::vector<double> ReadCoordinates(ObjectReader* reader, std::string_view key, JointType type);

// Where a joint starts. Either list may be empty: zero.
struct InitialJoint {
  std::string joint;
  std::vector<double> q, v;
  SourceLocation where;
  bool keep = true;  // where constraints allow it; otherwise it is a first guess
};

// The map under `initial`, joint names with coordinates and rates, or a list that names joints
// inside its elements.
std::vector<InitialJoint> ReadInitial(ObjectReader* scene, const ModelSpec& spec);

}  // namespace voigt
