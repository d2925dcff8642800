#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "voigt/io/hdf5_file.h"
#include "voigt/io/recording_checks.h"
#include "voigt/io/recording_layout.h"
#include "voigt/io/recording_source.h"
#include "voigt/model/state.h"

namespace voigt {

// Where a recorded run stopped: all that is needed to go on bit for bit.
struct RecordingEnd {
  State state;
  std::int64_t steps = 0;                // since the run's start
  double t_start = 0, t_last = 0;        // of the first and the last row that stay, s
  double work = 0, constraint_work = 0;  // since the run's start, J
  double wall_time = 0;                  // spent so far, s
  // Since the last row that stays, where steps were taken after it.
  Audit audit;
  SolverTotals solver;
  std::vector<Transition> transitions;
  std::vector<std::int64_t> row_counts;  // of every table: what stays
};

// A recording, read from disk piece by piece as asked for. All members throw InputError where the
// file is not a recording or is damaged; what they return can be trusted to fit together
// (recording_checks.h), though not to be a run.
class Recording {
 public:
  explicit Recording(const std::string& path);

  const std::string& path() const { return path_; }
  const std::string& name() const { return name_; }   // of the model
  std::int64_t size() const { return counts_.rows; }  // recorded moments
  bool empty() const { return size() == 0; }
  const RecordingSizes& sizes() const { return counts_.sizes; }  // of rows

  double tolerance() const;  // of the solver's residuals

  RecordingSource source() const;

  // Throws where the tables are not those of this model, which came of the source.
  void CheckFits(const Model& model) const;

  // One table, row after row.
  std::vector<double> Numbers(RecordingTable table) const;
  std::vector<std::int64_t> Integers(RecordingTable table) const;

  // Any dataset of the model.
  std::vector<std::string> Texts(const std::string& object) const;
  std::vector<std::int64_t> ReadDataset(const std::string& object) const;  // of integers

  State ReadState(std::int64_t row) const;

  // Changes of what friction does, in the order of time.
  std::vector<Transition> ReadTransitions() const;

  // A last row that was recorded only because the run stopped there does not stay: a run that goes
  // on has the rows that it would have had.
  RecordingEnd FindEnd() const;

 private:
  template <typename Read>
  auto Try(Read read) const;
  std::int64_t ReadOne(RecordingTable table, std::int64_t row) const;

  std::string path_;
  Hdf5File file_;
  std::string name_;
  RecordingCounts counts_;
};

}  // namespace voigt
