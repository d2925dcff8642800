#pragma once

#include <string>
#include <vector>

#include "voigt/io/object_reader.h"
#include "voigt/model/model_spec.h"

// The parts of a scene file, one function each. All report what is wrong to the reader's context.
namespace voigt {

std::vector<Material> ReadMaterials(ObjectReader* scene);
ContactSettings ReadContactSettings(ObjectReader* scene);
std::vector<Geometry> ReadGeometry(ObjectReader* owner);
BodySpec ReadBody(ObjectReader* reader);
JointSpec ReadJoint(ObjectReader* reader);
void ReadLoad(ObjectReader* reader, ModelSpec* spec);
void ReadDrive(ObjectReader* reader, ModelSpec* spec);

// Where a joint starts. Either list may be empty: zero.
struct InitialJoint {
  std::string joint;
  std::vector<double> q, v;
  SourceLocation where;
};

// The map under `initial`, joint names with coordinates and rates, or a list that names joints
// inside its elements.
std::vector<InitialJoint> ReadInitial(ObjectReader* scene, const ModelSpec& spec);

}  // namespace voigt
