#pragma once

namespace voigt {

// A function of time at a moment: f, ḟ and f̈. Where it has a kink, those of the piece that begins
// there, the limits from the right.
struct TimeJet {
  double value = 0, rate = 0, curvature = 0;
};

}  // namespace voigt
