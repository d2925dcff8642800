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
      {"000-figure-7", Run000Figure7},
      {"000-figure-9", Run000Figure9},
      {"000-figure-10", Run000Figure10},
      {"000-table-1", Run000Table1},
      {"000-table-2", Run000Table2},
      {"001-figure-2", Run001Figure2},
      {"001-figure-4", Run001Figure4},
      {"001-figure-5", Run001Figure5},
      {"001-figure-8", Run001Figure8},
      {"001-figure-9", Run001Figure9},
      {"002-figure-2", Run002Figure2},
      {"002-figure-3", Run002Figure3},
      {"002-figure-5", Run002Figure5},
      {"002-figure-6", Run002Figure6},
      {"002-figure-7", Run002Figure7},
      {"002-figure-8", Run002Figure8},
      {"002-timings", Run002Timings},
      {"003-cart", Run003Cart},
      {"003-pin-joint", Run003PinJoint},
      {"003-point-on-line", Run003PointOnLine},
      {"003-point-in-plane", Run003PointInPlane},
      {"003-state-diagram", Run003StateDiagram},
      {"003-turning-rod", Run003TurningRod},
      {"004-figure-1", Run004Figure1},
      {"004-figure-2", Run004Figure2},
      {"004-figure-3", Run004Figure3},
      {"004-figure-4", Run004Figure4},
      {"004-grasp", Run004Grasp},
  };
  return experiments;
}

}  // namespace voigt::reproduce
