#pragma once

#include <string>
#include <vector>

#include "voigt/io/hdf5_file.h"
#include "voigt/model/model.h"
#include "voigt/sim/settings.h"

namespace voigt {

// Names and units of a model's coordinates q or rates v, one each: "elbow" for the only one of a
// joint, else "shoulder.qw", "base.x".
struct NumberNames {
  std::vector<std::string> names, units;
};
NumberNames ListCoordinates(const Model& model);
NumberNames ListRates(const Model& model);
// Of the forces on rows of constraints (ListConstraintRows): "limits of joint 'knee', row 1".
NumberNames ListConstraintForces(const Model& model);

// Everything of a model that a replay or a plot asks for, into the group /model: bodies, joints,
// coordinates, shapes with their meshes.
void WriteRecordingModel(const Model& model, Hdf5File* file);

// Into the group /settings.
void WriteRecordingSettings(const SimulationSettings& settings, Hdf5File* file);

}  // namespace voigt
