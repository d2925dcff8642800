#pragma once

#include <string>

#include "voigt/io/imported_model.h"

namespace voigt {

// Reads a robot or a scene in MJCF, the format of MuJoCo (docs/mjcf.md tells what is read and what
// becomes of it). Joints keep MuJoCo's coordinates, rates and names; everything that is not taken
// over as it stands has a note. Throws InputError that lists all problems with file, line and
// column.
ImportedModel LoadMjcf(const std::string& path);

// The same from text; `name` stands for the file in messages, and other files that the text names
// are looked for beside it.
ImportedModel ParseMjcf(const std::string& text, const std::string& name);

}  // namespace voigt
