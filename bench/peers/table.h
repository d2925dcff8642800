#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "bench/peers/measure.h"

namespace voigt::peers {

// All repetitions of one engine on one trial.
struct Row {
  std::string engine;
  Measurement first;            // everything but the time
  std::vector<double> seconds;  // of each repetition, per simulated second
  std::string difference = {};  // of the engine's scene from the one described; empty: none

  double Median() const;  // NaN where nothing ran
  // A number that may stand in a comparison: it ran, to the end, and did not fail.
  bool counts() const { return first.ok() && first.finished(); }
};

// Is the engine's scene the one that was described? Says what is not.
std::string DescribeDifference(const Scene& scene, const Measurement& m);

struct Result {
  Trial trial;
  std::vector<Row> rows;  // voigt first

  const Row* Find(const std::string& engine) const;
  // No other engine is both faster and more accurate.
  bool IsOnFront(const Row& row) const;
  // The engines that are both faster and more accurate.
  std::vector<std::string> ListBetter(const Row& row) const;
};

// Aligned text of one result: the same scene?, then the measurements.
std::string FormatResult(const Result& result);

// All engines of some results: some trials leave some out.
std::vector<std::string> ListEngineNames(const std::vector<Result>& results);

// voigt's time over that of every engine, all scenes at once. Words: "wins" for a peer that is both
// faster and more accurate, "failed", "–" for one that cannot have the scene or was left out.
std::vector<std::string> OverviewCells(const Result& result,
                                       const std::vector<std::string>& engines);
std::string FormatOverview(const std::vector<Result>& results);

// A word on the row: fine, stopped early, failed, or why it is absent.
std::string DescribeStatus(const Row& row);

// 1.2e-05, 0 or –.
std::string NumberText(double value);
// 0.0123 or –.
std::string TimeText(double value);

}  // namespace voigt::peers
