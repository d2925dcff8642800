#include "voigt/io/recording_reader.h"

#include <fmt/format.h>

#include <stdexcept>

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

// What the HDF5 library complains of is a fault of the file.
template <typename Read>
auto Recording::Try(Read read) const {
  try {
    return read();
  } catch (const InputError&) {
    throw;
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
    size_ = file_.ReadShape(TablePath(RecordingTable::kTime)).at(0);
  });
}

RecordingSource Recording::source() const {
  return Try([&] { return ReadRecordingSource(file_); });
}

std::vector<double> Recording::Numbers(RecordingTable table) const {
  return Try([&] { return file_.ReadDoubles(TablePath(table)); });
}

std::vector<std::int64_t> Recording::Integers(RecordingTable table) const {
  return Try([&] { return file_.ReadIntegers(TablePath(table)); });
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
    const std::int64_t total = file_.ReadShape(bytes).at(0);
    if (start < 0 || count < 0 || start > total || count > total - start) {
      throw std::runtime_error(fmt::format("the state of row {} lies outside of {}", row, bytes));
    }
    return State::Restore(file_.ReadBytes(bytes, start, count));
  });
}

std::vector<Transition> Recording::ReadTransitions() const {
  return Try([&] {
    const auto t = file_.ReadDoubles(TablePath(RecordingTable::kTransitionTime));
    const auto id = file_.ReadUnsigned(TablePath(RecordingTable::kTransitionId));
    const auto from = file_.ReadIntegers(TablePath(RecordingTable::kTransitionFrom));
    const auto to = file_.ReadIntegers(TablePath(RecordingTable::kTransitionTo));
    const auto mode = [](std::int64_t number) {
      if (number < 0 || number > static_cast<int>(Stiction::kOpen)) {
        throw std::runtime_error(fmt::format("a state of friction is {}", number));
      }
      return static_cast<Stiction>(number);
    };
    std::vector<Transition> out;
    for (size_t k = 0; k < t.size(); ++k) {
      out.push_back({t[k], id.at(k), mode(from.at(k)), mode(to.at(k))});
    }
    return out;
  });
}

RecordingEnd Recording::FindEnd() const {
  if (empty()) throw InputError({path_, 0, 0}, "", "holds no recorded moment to go on from");
  return Try([&] {
    RecordingEnd end;
    const std::int64_t last = size_ - 1;
    end.state = ReadState(last);
    end.steps = ReadOne(RecordingTable::kStep, last);
    end.wall_time = file_.ReadDoubles(TablePath(RecordingTable::kWallTime), last, 1).at(0);
    const auto energy = file_.ReadDoubles(TablePath(RecordingTable::kEnergy), last, 1);
    end.work = energy.at(3);
    end.constraint_work = energy.at(4);
    // The first row is on time by definition.
    const bool stays = last == 0 || ReadOne(RecordingTable::kOnTime, last) != 0;
    const std::int64_t rows = stays ? size_ : last;
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
    if (changes < 0 || changes > static_cast<std::int64_t>(all.size())) {
      throw std::runtime_error("a row names transitions that are not there");
    }
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
