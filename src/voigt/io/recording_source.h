#pragma once

#include <string>
#include <vector>

#include "voigt/io/file_source.h"
#include "voigt/io/hdf5_file.h"
#include "voigt/io/override.h"
#include "voigt/io/scene.h"

namespace voigt {

// What a run was made from, so that it can be taken up again without the originals.
struct RecordingSource {
  std::string scene;              // the scene's path, one of the files
  std::vector<SourceFile> files;  // all that were read, FileRecord::files()
  std::vector<Override> overrides;
  std::string program = "voigt";  // who recorded, with its version
};

// Into and out of the group /source.
void WriteRecordingSource(const RecordingSource& source, Hdf5File* file);
RecordingSource ReadRecordingSource(const Hdf5File& file);

// Reads the scene again from the recorded files, with further overrides after the recorded ones.
Scene LoadRecordedScene(const RecordingSource& source, const std::vector<Override>& more = {});

}  // namespace voigt
