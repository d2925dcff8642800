#pragma once

#include "voigt/io/hdf5_file.h"
#include "voigt/io/recording_layout.h"

namespace voigt {

// How much of everything a recording holds.
struct RecordingCounts {
  RecordingSizes sizes;  // of its model
  std::int64_t shapes = 0;
  std::int64_t rows = 0, contacts = 0, transitions = 0, bytes = 0;  // of the tables that grow
};

// Looks whether the tables of a recording have the types and shapes that its model asks for, as
// many rows as one another, and numbers that point to what is there; after this, readers need not.
// Throws std::runtime_error that names the table.
RecordingCounts CheckRecording(const Hdf5File& file);

// The same for the numbers of one table, which is read only when it is needed.
void CheckRecordedIntegers(RecordingTable table, const RecordingCounts& counts,
                           const std::vector<std::int64_t>& numbers);

}  // namespace voigt
