#include "reproduce/experiments.h"

#include "reproduce/experiment_list.h"

namespace voigt::reproduce {

const std::vector<Experiment>& ListExperiments() {
  static const std::vector<Experiment> experiments = {
      {"000-figure-1", Run000Figure1},
      {"000-figure-2", Run000Figure2},
      {"000-figure-3", Run000Figure3},
      {"000-figure-4", Run000Figure4},
      {"000-figure-6", Run000Figure6},
      {"000-figure-9", Run000Figure9},
      {"002-figure-2", Run002Figure2},
      {"002-figure-3", Run002Figure3},
      {"003-cart", Run003Cart},
      {"003-pin-joint", Run003PinJoint},
      {"003-point-on-line", Run003PointOnLine},
      {"003-point-in-plane", Run003PointInPlane},
      {"003-state-diagram", Run003StateDiagram},
      {"004-figure-1", Run004Figure1},
      {"004-figure-2", Run004Figure2},
  };
  return experiments;
}

}  // namespace voigt::reproduce
