#pragma once

#include <string>
#include <vector>

#include "reproduce/core/trial.h"
#include "voigt/formulations/formulation.h"

namespace voigt::reproduce {

// What one contact model did with the problems of a run, each solved once more for its time.
struct SolveTimes {
  std::vector<Vec2> points;  // (t [s], time of the processor [ms])
  double sum = 0;            // s
  long solves = 0;
  long failures = 0;  // not solved to the tolerance

  double mean() const { return sum / static_cast<double>(solves); }
};

// A run of an engine of contacts by one model, whose problems the other one solved, too.
struct EngineRun {
  SolveTimes dissipation, lcp;  // max-dissipation and stabilized-lcp
  double reached = 0;           // s
  double seconds = 0;           // of the processor, without solving again
  long events = 0;              // of an event-driven run
  long most_touching = 0;       // contacts of one impact
  double contacts = 0;          // of a problem, in the mean
  double most_contacts = 0;     // the same of time steps, at most
  double difference = 0;        // of both models' velocities, over the largest of them
  double least_loss = 0;  // of energy in contacts over an interval or step, J: negative if any
                          // gained
  double loss = 0;        // of all, J
  double work = 0;        // of the torque, J
  long not_solved = 0;    // steps of the run itself
};

// Event-driven: from impact to impact, with both models on each.
EngineRun RunEngineByEvents(const Trial& trial, const std::string& scene, FormulationKind kind,
                            double until);

// Time stepping. Both models solve every `every`-th problem; cones would have four directions, as
// the paper's.
EngineRun RunEngineBySteps(const Trial& trial, const std::string& scene, FormulationKind kind,
                           double until, int every);

}  // namespace voigt::reproduce
