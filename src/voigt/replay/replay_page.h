#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "voigt/replay/replay_frames.h"

namespace voigt {

// A table of the page's summary.
struct ReplayTable {
  struct Row {
    std::string label, value;
    bool is_bad = false;  // shown in the colour of warnings
  };
  std::string title;
  std::vector<Row> rows;
};

struct ReplayText {
  std::string title, description;
  std::vector<ReplayTable> tables;
};

// One page that holds everything it needs: the viewer's code, the model and the frames. Frames are
// thinned out until it is smaller than `most_bytes`. docs/replay.md tells what is inside.
std::string MakeReplayPage(const Model& model, const ReplayText& text, ReplayFrames frames,
                           size_t most_bytes = 20'000'000);

// The page without a run; empty if the library was built without the viewer.
std::string_view ReplayTemplate();

}  // namespace voigt
