#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "voigt/base/stopwatch.h"
#include "voigt/io/growing_file.h"
#include "voigt/io/recording_layout.h"
#include "voigt/io/recording_reader.h"
#include "voigt/io/recording_source.h"
#include "voigt/sim/friction_element.h"
#include "voigt/sim/simulator.h"

namespace voigt {

// Records a run in an HDF5 file (docs/recordings.md), while it runs: whenever the program is
// killed, the file is whole, and lacks at most the last second (growing_file.h tells how).
//
//   RecordingWriter writer("run.h5", source, &simulator);
//   while (…) {
//     simulator.Step();
//     writer.Offer(&simulator);
//   }
//   writer.Finish(&simulator);
class RecordingWriter {
 public:
  // Seconds of wall time; for tests.
  using Clock = std::function<double()>;

  // Begins a recording with the simulator's present state, in a new file that takes the place of
  // one that is there. At most one row per settings().record_interval; 0 records every step. Throws
  // InputError if the file cannot be written.
  RecordingWriter(const std::string& path, const RecordingSource& source, Simulator* simulator,
                  Clock clock = nullptr);

  // Goes on with a recording; the simulator is where `end` is.
  RecordingWriter(const std::string& path, const RecordingEnd& end, Simulator* simulator,
                  Clock clock = nullptr);

  // After every step: records the state if its time has come. Throws std::runtime_error if the file
  // cannot be written any more, on a full disk for instance; it is then as before.
  void Offer(Simulator* simulator);

  // At the end: records the last state, unless it is, and writes everything.
  void Finish(Simulator* simulator);

  std::int64_t rows() const;

  // Rows wait for so long, s of wall time, and the step in between, until they are in the file.
  static constexpr double kLongestWait = 0.5;

 private:
  void Prepare(GrowingFile::Start start, Simulator* simulator,
               const std::vector<std::int64_t>& row_counts);
  void Record(Simulator* simulator, bool on_time);
  void RecordContacts(Simulator* simulator);
  void RecordTransitions(const Model& model);
  void RecordReactions(Simulator* simulator);
  void RecordForces(Simulator* simulator);
  void RecordGuides(Simulator* simulator);
  void Commit();
  template <typename T>
  void Append(RecordingTable table, const T* values, std::int64_t rows = 1);
  template <typename T>
  void AppendOne(RecordingTable table, T value);
  double DueTime(double t) const;

  std::string path_;
  Clock clock_;
  std::unique_ptr<GrowingFile> file_;
  Kinematics kin_;
  std::optional<FrictionNames> names_;
  double interval_ = 0, tolerance_ = 0;
  double t_start_ = 0, next_due_ = 0;
  std::int64_t steps_before_ = 0;
  double wall_before_ = 0, wall_start_ = 0;

  // Since the last row that stays.
  AuditTotals audit_;
  SolverTotals solver_;
  std::vector<Transition> transitions_;
  long steps_seen_ = 0, steps_recorded_ = 0;

  // Of rows that are not in the file yet.
  bool is_waiting_ = false;
  double waiting_since_ = 0, last_offer_ = 0;

  std::vector<ContactReport> contacts_;
  std::vector<GuideReport> guides_;
  std::vector<std::uint8_t> states_;
  Reactions reactions_;
  std::vector<ConstraintForce> constraint_rows_;  // of the table
  ForceReport forces_;
  std::vector<double> numbers_;
};

}  // namespace voigt
