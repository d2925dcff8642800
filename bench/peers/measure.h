#pragma once

#include <cmath>
#include <string>

#include "bench/peers/trial.h"

namespace voigt::peers {

// One run of one engine on one trial. Plain data: it comes through a pipe. NaN: not measured.
struct Measurement {
  double seconds = 0;  // of the processor, in the steps of the watched run alone
  long steps = 0, wanted = 0;
  double pace = 0;  // of the processor, per simulated second: of runs that nobody watched
  double error = NAN, penetration = NAN, violation = NAN, energy_gain = NAN, creep = NAN;
  int contacts = 0;  // as the engine counts them, after the last step

  // Of the scene as the engine has it before the first step, for the proof that it is the same.
  double mass = 0, inertia = 0;         // sums
  double misplaced = 0, misturned = 0;  // largest distance from the description, m and rad
  double misrated = 0;                  // largest difference of velocities, m/s and rad/s
  double least_gap = 0;                 // m
  int near = 0;                         // pairs closer than 0.1 mm
  double first_fall = 0;                // how far the centre of mass moved in the first step, m

  char failure[200] = "";    // empty: none
  char complaint[200] = "";  // what the engine says
  char absent[200] = "";     // why there is no run

  bool ran() const { return absent[0] == 0; }
  bool ok() const { return ran() && failure[0] == 0; }
  bool finished() const { return steps == wanted; }
};

struct RunLimits {
  double seconds = 10;    // of stepping; what takes longer ends early
  double memory_gb = 12;  // of the process
};

// Runs in a process of its own: whatever the engine does, crash or hang, is a failure in the table.
// The scene is run twice or more: once watched, and then for the time alone; what takes long is
// timed while it is watched, without the watching. Without `is_watched` only times are measured.
Measurement RunApart(const Engine& engine, const Trial& trial, const RunLimits& limits,
                     bool is_watched);

}  // namespace voigt::peers
