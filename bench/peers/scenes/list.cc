#include <iterator>

#include "bench/peers/trial.h"

namespace voigt::peers {

std::vector<Trial> ListTrials(bool quick) {
  std::vector<Trial> out;
  for (const auto make : {MakeStackTrials, MakeRampTrials, MakeFoundationTrials, MakeGranularTrials,
                          MakePendulumTrials, MakeFourBarTrials, MakeWallTrials, MakeGripperTrials,
                          MakeHumanoidTrials}) {
    std::vector<Trial> more = make(quick);
    std::move(more.begin(), more.end(), std::back_inserter(out));
  }
  return out;
}

}  // namespace voigt::peers
