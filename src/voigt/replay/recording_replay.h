#pragma once

#include "voigt/io/recording_reader.h"
#include "voigt/replay/replay_frames.h"
#include "voigt/sim/run.h"

namespace voigt {

// The moments of a recorded run at least `interval` s apart, and the last one. `model` is that of
// the recording and must outlive the frames. Throws InputError where the recording does not fit it.
ReplayFrames ReadReplayFrames(const Recording& recording, const Model& model, double interval);

// What a recorded run came to, as far as its file tells.
RunSummary SummarizeRecording(const Recording& recording);

}  // namespace voigt
