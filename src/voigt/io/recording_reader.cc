#include "voigt/io/recording_reader.h"

#include <fmt/format.h>

#include <iterator>
#include <stdexcept>
#include <utility>

#include "voigt/base/errors.h"

namespace voigt {
namespace {

Hdf5File OpenRecording(const std::string& path) {
  switch (FindPathKind(path)) {
    case PathKind::kMissing:
      throw InputError({path, 0, 0}, "", "cannot be read: does the file exist?");
    case PathKind::kOther:
      throw InputError({path, 0, 0}, "", "is not a file, expected a recording");
    case PathKind::kFile:
      break;
  }
  try {
    return Hdf5File::OpenToRead(path);
  } catch (const std::runtime_error& error) {
    throw InputError({path, 0, 0}, "",
                     std::string("is not a recording of voigt (HDF5): ") + error.what());
  }
}

}  // namespace

// What the HDF5 library complains of is a fault of the file, and so are states that are none.
template <typename Read>
auto Recording::Try(Read read) const {
  try {
    return read();
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) {
      if (problem.where.file.empty()) problem.where.file = path_;
    }
    throw InputError(std::move(problems));
  } catch (const std::runtime_error& error) {
    throw InputError({path_, 0, 0}, "", std::string("is damaged: ") + error.what());
  }
}

Recording::Recording(const std::string& path) : path_(path), file_(OpenRecording(path)) {
  try {
    const std::string format = file_.GetText("/", "format");
    if (format != kRecordingFormat) throw std::runtime_error("format '" + format + "'");
  } catch (const std::runtime_error&) {
    throw InputError({path, 0, 0}, "", "is HDF5, but not a recording of voigt");
  }
  Try([&] {
    const std::int64_t version = file_.GetInteger("/", "version");
    if (version != kRecordingVersion) {
      throw InputError(
          {path, 0, 0}, "",
          fmt::format("is a recording of version {}, expected {}", version, kRecordingVersion));
    }
    name_ = file_.GetText("/model", "name");
    counts_ = CheckRecording(file_);
  });
}

void Recording::CheckFits(const Model& model) const {
  const RecordingSizes sizes = MakeRecordingSizes(model);
  if (sizes == counts_.sizes && counts_.shapes == std::ssize(model.geometry())) return;
  throw InputError({path_, 0, 0}, "", "is damaged: its tables are of another model than its scene");
}

double Recording::tolerance() const {
  return Try([&] { return file_.GetNumber("/settings", "tolerance"); });
}

RecordingSource Recording::source() const {
  return Try([&] { return ReadRecordingSource(file_); });
}

std::vector<double> Recording::Numbers(RecordingTable table) const {
  return Try([&] { return file_.ReadDoubles(TablePath(table)); });
}

std::vector<std::int64_t> Recording::Integers(RecordingTable table) const {
  return Try([&] {
    std::vector<std::int64_t> numbers = file_.ReadIntegers(TablePath(table));
    CheckRecordedIntegers(table, counts_, numbers);
    return numbers;
  });
}

std::vector<std::string> Recording::Texts(const std::string& object) const {
  return Try([&] { return file_.ReadTexts(object); });
}

std::vector<std::int64_t> Recording::ReadDataset(const std::string& object) const {
  return Try([&] { return file_.ReadIntegers(object); });
}

std::int64_t Recording::ReadOne(RecordingTable table, std::int64_t row) const {
  return file_.ReadIntegers(TablePath(table), row, 1).at(0);
}

State Recording::ReadState(std::int64_t row) const {
  return Try([&] {
    const std::int64_t start = ReadOne(RecordingTable::kStateStart, row);
    const std::int64_t count = ReadOne(RecordingTable::kStateCount, row);
    const std::string& bytes = TablePath(RecordingTable::kStateBytes);
    State state = State::Restore(file_.ReadBytes(bytes, start, count));
    for (int mode : state.modes) {
      if (mode >= 0 && mode <= static_cast<int>(Stiction::kOpen)) continue;
      throw std::runtime_error(
          fmt::format("the state of row {} in {} has a mode {}", row, bytes, mode));
    }
    return state;
  });
}

std::vector<Transition> Recording::ReadTransitions() const {
  return Try([&] {
    const auto t = file_.ReadDoubles(TablePath(RecordingTable::kTransitionTime));
    const auto id = file_.ReadUnsigned(TablePath(RecordingTable::kTransitionId));
    const auto from = Integers(RecordingTable::kTransitionFrom);
    const auto to = Integers(RecordingTable::kTransitionTo);
    std::vector<Transition> out;
    for (size_t k = 0; k < t.size(); ++k) {
      out.push_back({t[k], id[k], static_cast<Stiction>(from[k]), static_cast<Stiction>(to[k])});
    }
    return out;
  });
}

RecordingEnd Recording::FindEnd() const {
  if (empty()) throw InputError({path_, 0, 0}, "", "holds no recorded moment to go on from");
  return Try([&] {
    RecordingEnd end;
    const std::int64_t last = size() - 1;
    end.state = ReadState(last);
    end.steps = ReadOne(RecordingTable::kStep, last);
    end.wall_time = file_.ReadDoubles(TablePath(RecordingTable::kWallTime), last, 1).at(0);
    const auto energy = file_.ReadDoubles(TablePath(RecordingTable::kEnergy), last, 1);
    end.work = energy.at(3);
    end.constraint_work = energy.at(4);
    // The first row is on time by definition.
    const bool stays = last == 0 || ReadOne(RecordingTable::kOnTime, last) != 0;
    const std::int64_t rows = stays ? size() : last;
    end.t_start = file_.ReadDoubles(TablePath(RecordingTable::kTime), 0, 1).at(0);
    end.t_last = file_.ReadDoubles(TablePath(RecordingTable::kTime), rows - 1, 1).at(0);
    if (!stays) {
      const auto audit = file_.ReadDoubles(TablePath(RecordingTable::kAudit), last, 1);
      const auto solver = file_.ReadDoubles(TablePath(RecordingTable::kSolver), last, 1);
      end.audit = AuditFromNumbers(audit.data());
      end.solver = SolverFromNumbers(solver.data());
    }
    const std::int64_t changes = ReadOne(RecordingTable::kTransitionStart, rows - 1) +
                                 ReadOne(RecordingTable::kTransitionCount, rows - 1);
    const std::vector<Transition> all = ReadTransitions();
    end.transitions.assign(all.begin() + changes, all.end());
    const std::int64_t contacts = ReadOne(RecordingTable::kContactStart, rows - 1) +
                                  ReadOne(RecordingTable::kContactCount, rows - 1);
    const std::int64_t bytes = ReadOne(RecordingTable::kStateStart, rows - 1) +
                               ReadOne(RecordingTable::kStateCount, rows - 1);
    for (int table = 0; table < kRecordingTableCount; ++table) {
      const bool is_contact = table >= static_cast<int>(kFirstContactTable);
      const bool is_change = table >= static_cast<int>(kFirstTransitionTable);
      const bool is_bytes = table == static_cast<int>(RecordingTable::kStateBytes);
      end.row_counts.push_back(is_bytes     ? bytes
                               : is_change  ? changes
                               : is_contact ? contacts
                                            : rows);
    }
    return end;
  });
}

}  // namespace voigt
