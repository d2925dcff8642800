#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "voigt/io/imported_model.h"

namespace voigt {

// How a URDF robot is taken over.
struct UrdfOptions {
  // Folders of packages, for names that begin with package://.
  std::vector<std::filesystem::path> packages = {};
};

// Reads a robot in the Unified Robot Description Format; docs/urdf.md tells what becomes of each
// element. Links become bodies, joints keep their names. A fixed joint, called "world_to_" and the
// link's name, holds the root link; FreeBase (spec_merge.h) lets it go. A root link called "world"
// is the world itself.
//
// Joints start at zero, or, where their limits exclude it, in the middle between them; joints that
// mimic others start where these put them.
//
// Throws InputError that lists all problems with file, line and column.
ImportedModel LoadUrdf(const std::string& path, const UrdfOptions& options = {});

// The same from text; `name` stands for the file in messages and where files are looked for.
ImportedModel ParseUrdf(const std::string& text, const std::string& name,
                        const UrdfOptions& options = {});

}  // namespace voigt
