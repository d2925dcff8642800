#pragma once

#include <string>
#include <vector>

#include "voigt/io/recording_reader.h"
#include "voigt/plot/chart.h"

namespace voigt {

// What to show of a recording; where nothing is named, what moves most.
struct RecordingChartOptions {
  std::vector<std::string> coordinates;  // joints, or single coordinates as /model/coordinates/name
  std::vector<std::string> contacts;     // bodies
};

struct NamedChart {
  std::string name;  // short, for a file
  Chart chart;
};

// The charts of a recorded run: energy, audit, gaps and penetration, coordinates, forces of
// contacts, and states of friction, each where there is something to show. Throws InputError for
// names that are not in the recording, with those that are.
std::vector<NamedChart> MakeRecordingCharts(const Recording& recording,
                                            const RecordingChartOptions& options = {});

}  // namespace voigt
