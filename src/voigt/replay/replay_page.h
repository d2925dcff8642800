#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "voigt/replay/replay_blocks.h"
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

// What of such a page is the run's own: it stands where the template has kPlaceOfRun. A page of
// several runs holds the template once (reproduce/core/html_report.cc).
inline constexpr std::string_view kPlaceOfRun = "<!--RUN-->";
std::string MakeReplayRun(const Model& model, const ReplayText& text, ReplayFrames frames,
                          size_t most_bytes);

// The description of a run without its frames: a JSON object with the members of "voigt-run" and
// the triangles of meshes ("data", base64 of the blocks).
std::string DescribeRun(const Model& model, const ReplayText& text);

// The member "tables" of an object.
void WriteReplayTables(const std::vector<ReplayTable>& tables, JsonWriter* out);

// The arrays of frames.
void AddFrameBlocks(const ReplayFrames& frames, ReplayBlocks* blocks);

// The page without a run; empty if the library was built without the viewer.
std::string_view ReplayTemplate();

}  // namespace voigt
