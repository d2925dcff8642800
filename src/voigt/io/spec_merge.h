#pragma once

#include <map>
#include <string>
#include <vector>

#include "voigt/base/errors.h"
#include "voigt/model/model_spec.h"

// Models as parts of others.
namespace voigt {

// Coordinates of joints by name.
using JointValues = std::map<std::string, std::vector<double>>;

// Puts the prefix before the name of everything that has one, and wherever it is named; the world
// and groups of shapes keep theirs. A material of shapes that name none gets the name
// `default_material`, so that it is not that of other parts.
void AddPrefix(const std::string& prefix, const std::string& default_material, ModelSpec* spec);

// Places what is fixed to the world, and with it all that hangs on it: X is the part's own world in
// the new one. Loads in world axes and prescribed motion in the world turn along; gravity does not.
void PlaceInWorld(const Pose& X, ModelSpec* spec);

// Lets bodies go that fixed joints hold to the world. Returns how many.
int FreeBase(ModelSpec* spec);

// Holds bodies where they start that free joints connect to the world: their coordinates are taken
// out of *start and *rates. Returns how many.
int FixBase(ModelSpec* spec, JointValues* start, JointValues* rates);

// Meshes become their convex hulls.
void UseConvexHulls(ModelSpec* spec);

// No body of the model touches another of them.
void ExcludeSelfContact(ModelSpec* spec);

// Adds all elements of `part`. Gravity, contact rules and the name are those of *whole.
void AppendSpec(ModelSpec part, ModelSpec* whole);

}  // namespace voigt
