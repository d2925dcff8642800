#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "voigt/base/errors.h"
#include "voigt/model/model_spec.h"

// Checks of a ModelSpec element by element. Each adds every problem it finds to the list, naming
// the element, and goes on.
namespace voigt {

void CheckNames(const ModelSpec& spec, ProblemList* problems);
void CheckEnds(const ModelSpec& spec, ProblemList* problems);  // of joints: the bodies they connect
void CheckGeometry(const ModelSpec& spec, ProblemList* problems);
void CheckJoints(const ModelSpec& spec, ProblemList* problems);
void CheckMaterials(const ModelSpec& spec, ProblemList* problems);
void CheckContactFilters(const ModelSpec& spec, ProblemList* problems);
void CheckLoads(const ModelSpec& spec, ProblemList* problems);

// The mass properties of one body in its own frame. Where they are not physical, the problem is
// listed and zeros are returned.
MassProperties CalcBodyMass(const BodySpec& body, ProblemList* problems);

// "body 'arm'", "joint 'elbow'": how elements are called in messages.
std::string Describe(const BodySpec& body);
std::string Describe(const JointSpec& joint);

// "body 'arm', box 'hand'": a shape of an owner, which may be the world.
std::string Describe(const Geometry& geometry, const std::string& owner);

// What several of these checks use: whether a pose is one, and every name that a body answers to,
// the world's included.
void CheckPose(const Pose& X, const SourceLocation& where, const std::string& element,
               std::string_view what, ProblemList* problems);
std::unordered_set<std::string> BodyNames(const ModelSpec& spec);

}  // namespace voigt
