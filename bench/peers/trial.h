#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/peers/engine.h"

namespace voigt::peers {

// A scene together with what is known about its motion from elsewhere.
struct Trial {
  Scene scene;
  std::string title;      // one line
  std::string what;       // a few sentences: the scene in words
  std::string reference;  // what `error` is measured against
  std::string unit = "m";

  // The error of the poses at time error_time (the end unless given).
  std::function<double(const std::vector<Pose>& poses, bool is_continuous)> error;
  double error_time = -1;
  // Instead: the largest overlap or joint gap over the run counts as the error.
  bool error_is_worst_overlap = false;

  // How far the tracked quantity has come, m; its mean rate over the second half of the run is the
  // creep. Null where nothing should stand still.
  std::function<double(const std::vector<Pose>& poses)> standing;
  // Why these poses, at the end, are a failure; empty if they are not.
  std::function<std::string(const std::vector<Pose>& poses)> failure;

  // Only engines whose names contain one of these, and voigt; all if empty.
  std::vector<std::string> engines;
  double patience = 1;     // how much longer than others it may run
  int watch_every = 1;     // steps
  double tolerance = 0;    // errors that differ by less are alike
  bool is_passive = true;  // nothing but gravity feeds energy in: gained energy is measured
};

// Each makes its trials; `quick` makes them short.
std::vector<Trial> MakeStackTrials(bool quick);
std::vector<Trial> MakeRampTrials(bool quick);
std::vector<Trial> MakeFoundationTrials(bool quick);
std::vector<Trial> MakeGranularTrials(bool quick);
std::vector<Trial> MakePendulumTrials(bool quick);
std::vector<Trial> MakeFourBarTrials(bool quick);
std::vector<Trial> MakeWallTrials(bool quick);
std::vector<Trial> MakeGripperTrials(bool quick);
std::vector<Trial> MakeHumanoidTrials(bool quick);

std::vector<Trial> ListTrials(bool quick);

// Spheres in layers of nx by ny above the floor of an open box, as in scenes/spheres_in_box.yaml.
Scene MakeBed(int nx, int ny, int layers, const Material& material);

}  // namespace voigt::peers
