#pragma once

#include <string>
#include <vector>

#include "voigt/io/imported_model.h"
#include "voigt/io/scene_expansion.h"
#include "voigt/model/model.h"
#include "voigt/model/state.h"
#include "voigt/sim/settings.h"

namespace voigt {

// Everything a scene file says, ready to run:
//   Simulator simulator(scene.model, scene.settings, scene.initial);
struct Scene {
  std::string file;
  std::string description;
  Model model;
  SimulationSettings settings;
  State initial;                          // moved onto the constraints
  bool moved_start = false;               // so far that values under `initial` had to change
  std::vector<std::string> notices = {};  // of files that the scene names
  std::vector<ImportNote> notes = {};     // of robots: what is not taken over as it stands
};

// Reads a scene (docs/scenes.md describes the format), or a robot in URDF or MJCF as a scene of its
// own: docs/urdf.md tells what becomes of it, and overrides such as include.0.keyframe=home or
// simulation.until=5 apply to it like to a scene. Throws InputError that lists all problems
// with file, line and column.
Scene LoadScene(const std::string& path, const std::vector<Override>& overrides = {});

// The same from text; `name` stands for the file in messages.
Scene ParseScene(const std::string& text, const std::string& name,
                 const std::vector<Override>& overrides = {});

// How many notes of each kind there are, in one line; empty if there is none.
std::string SummarizeNotes(const Scene& scene);

}  // namespace voigt
