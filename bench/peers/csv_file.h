#pragma once

#include <string>
#include <vector>

#include "bench/peers/table.h"

namespace voigt::peers {

// One line per row, appended as soon as it is there.
std::string CsvHeader();
std::string CsvLine(const Result& result, const Row& row);

// Results out of files that were written so, of whole runs or of parts: rows in the order of
// `engines`, scenes in the order of `trials`. A row that stands twice counts with its last line.
// Throws std::runtime_error with file and line where a file cannot be read.
std::vector<Result> ReadCsvFiles(const std::vector<std::string>& paths,
                                 const std::vector<Trial>& trials,
                                 const std::vector<Engine>& engines);

}  // namespace voigt::peers
