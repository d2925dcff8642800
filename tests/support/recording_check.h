#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "voigt/base/errors.h"
#include "voigt/io/recording_reader.h"
#include "voigt/io/recording_writer.h"
#include "voigt/plot/recording_charts.h"
#include "voigt/replay/recording_replay.h"
#include "voigt/replay/replay_page.h"

// Recordings that are damaged, and what their readers may never do about it. For tests and a
// fuzzer.
namespace voigt::testing {

// Contacts that begin to slide, joint friction by the reaction, a loop, an actuator's state.
inline constexpr char kSmallRun[] = R"(name: Small
materials: {default: {friction: 0.3, static_friction: 0.5}}
world: {geometry: [{name: ground, shape: half-space}]}
bodies:
  - {name: box, geometry: [{shape: box, size: [0.2, 0.2, 0.2], density: 1000}]}
  - {name: arm, mass: 1, com: [0.1, 0, 0], inertia: [1e-2, 1e-2, 1e-2]}
joints:
  - {name: free, type: free, child: box}
  - {name: pin, type: revolute, child: arm, axis: [0, 1, 0], friction: {static: 0.2, radius: 0.01}}
loads: [{body: box, force: [100 * t, 0, 0]}]
initial: {free: {position: [0, 1, 0.1]}}
simulation: {step: 0.05, until: 1, record_interval: 0}
)";

inline void RecordSmallRun(const std::string& path) {
  const Scene scene = ParseScene(kSmallRun, "s.yaml");
  Simulator simulator(scene.model, scene.settings, scene.initial);
  RecordingWriter writer(path, {"s.yaml", {{"s.yaml", kSmallRun}}, {}, "test"}, &simulator);
  while (simulator.state().t < 0.99 && simulator.Step() == StepStatus::kOk) {
    writer.Offer(&simulator);
  }
  writer.Finish(&simulator);
}

// What `voigt replay`, `plot` and `sim --resume` do with a recording.
inline void ReplayRecording(const Recording& recording) {
  const Scene scene = LoadRecordedScene(recording.source());
  recording.CheckFits(scene.model);
  SummarizeRecording(recording);
  MakeReplayRun(scene.model, {}, ReadReplayFrames(recording, scene.model, 1.0 / 60), 1'000'000);
}

inline void PlotRecording(const Recording& recording) {
  std::vector<Chart> charts;
  for (NamedChart& chart : MakeRecordingCharts(recording)) charts.push_back(std::move(chart.chart));
  ChartsToSvg(recording.name(), charts);
}

inline void ResumeRecording(const Recording& recording) {
  const RecordingEnd end = recording.FindEnd();
  const Scene scene = LoadRecordedScene(recording.source());
  recording.CheckFits(scene.model);
  Simulator simulator(scene.model, scene.settings, end.state);
  simulator.Step();
}

inline void ReadAllOfRecording(const Recording& recording) {
  for (int table = 0; table < kRecordingTableCount; ++table) {
    recording.Numbers(static_cast<RecordingTable>(table));
  }
  recording.Integers(RecordingTable::kContactBody);
  recording.Integers(RecordingTable::kContactGeometry);
  for (std::int64_t row = 0; row < recording.size(); ++row) recording.ReadState(row);
}

// What an error may not be; empty if it says something of the file.
inline std::string DescribeErrorDefect(const InputError& error) {
  if (error.problems().empty()) return "no problem is named";
  if (error.problems()[0].message.empty()) return "a problem says nothing";
  if (error.what() == error.problems()[0].message) return "no file is named";
  return "";
}

// Reads any file as a recording: every reader ends well or with an InputError that names the file.
// Empty if so. How many of them ended well is added to *readers.
inline std::string DescribeRecordingDefect(const std::string& path, int* readers = nullptr) {
  std::optional<Recording> recording;
  try {
    recording.emplace(path);
  } catch (const InputError& error) {
    return DescribeErrorDefect(error);
  }
  for (auto read : {ReplayRecording, PlotRecording, ResumeRecording, ReadAllOfRecording}) {
    try {
      read(*recording);
      if (readers != nullptr) ++*readers;
    } catch (const InputError& error) {
      const std::string defect = DescribeErrorDefect(error);
      if (!defect.empty()) return defect;
    }
  }
  return "";
}

inline std::string ReadBytesOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void WriteBytesTo(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// A table of numbers or texts as it is in a file, to be changed.
struct RawTable {
  std::string object;
  std::optional<Hdf5Type> type;  // nothing for texts
  Hdf5File::Shape shape;
  std::vector<double> numbers;         // of doubles
  std::vector<std::int64_t> integers;  // of others; those without signs as their bits
  std::vector<std::string> texts;
};

inline RawTable ReadRawTable(const Hdf5File& file, const std::string& object) {
  RawTable out{object, file.ReadType(object), file.ReadShape(object), {}, {}, {}};
  if (!out.type) {
    out.texts = file.ReadTexts(object);
  } else if (*out.type == Hdf5Type::kDouble) {
    out.numbers = file.ReadDoubles(object);
  } else if (*out.type == Hdf5Type::kUint64) {
    for (std::uint64_t number : file.ReadUnsigned(object)) {
      out.integers.push_back(static_cast<std::int64_t>(number));
    }
  } else {
    out.integers = file.ReadIntegers(object);
  }
  return out;
}

template <typename Number>
void WriteRawNumbers(const RawTable& table, Hdf5File* file) {
  std::vector<Number> data(table.integers.begin(), table.integers.end());
  size_t size = 1;
  for (std::int64_t n : table.shape) size *= static_cast<size_t>(n);
  data.resize(size);
  file->Write(table.object, *table.type, table.shape, data.data());
}

inline void WriteRawTable(const RawTable& table, Hdf5File* file) {
  if (!table.type) return file->WriteTexts(table.object, table.texts);
  switch (*table.type) {
    case Hdf5Type::kDouble: {
      std::vector<double> data = table.numbers;
      data.insert(data.end(), table.integers.begin(), table.integers.end());
      size_t size = 1;
      for (std::int64_t n : table.shape) size *= static_cast<size_t>(n);
      data.resize(size);
      return file->Write(table.object, *table.type, table.shape, data.data());
    }
    case Hdf5Type::kInt64:
    case Hdf5Type::kUint64:
      return WriteRawNumbers<std::int64_t>(table, file);
    case Hdf5Type::kInt32:
      return WriteRawNumbers<std::int32_t>(table, file);
    case Hdf5Type::kUint8:
      return WriteRawNumbers<std::uint8_t>(table, file);
  }
}

// A sound HDF5 file with the contents of another one, changed: what checksums do not find.
inline void RewriteRecording(const std::string& from, const std::string& to,
                             const std::function<void(std::vector<RawTable>*)>& change) {
  const Hdf5File in = Hdf5File::OpenToRead(from);
  std::vector<RawTable> tables;
  for (const std::string& object : in.ListDatasets()) tables.push_back(ReadRawTable(in, object));
  change(&tables);
  Hdf5File out = Hdf5File::Create(to);
  for (const RawTable& table : tables) WriteRawTable(table, &out);
  out.SetText("/", "format", in.GetText("/", "format"));
  out.SetInteger("/", "version", in.GetInteger("/", "version"));
  out.SetText("/model", "name", in.GetText("/model", "name"));
  out.SetText("/source", "scene", in.GetText("/source", "scene"));
  out.SetText("/source", "program", in.GetText("/source", "program"));
  out.MakeGroup("/settings");
  out.SetNumber("/settings", "tolerance", in.GetNumber("/settings", "tolerance"));
  out.Close();
}

// Changes one table by what these numbers say.
inline void ChangeTable(std::uint32_t what, std::uint32_t where, double number, RawTable* table) {
  const auto pick = [&](auto* list, auto value) {
    if (!list->empty()) (*list)[where % list->size()] = value;
  };
  const bool fits = number > -9e18 && number < 9e18;
  const std::int64_t integer = fits ? static_cast<std::int64_t>(number) : INT64_MIN;
  switch (what % 7) {
    case 0:
      pick(&table->numbers, number);
      pick(&table->integers, integer);
      pick(&table->texts, std::to_string(number));
      break;
    case 1:  // a few more or fewer rows
      if (!table->shape.empty()) {
        table->shape[0] = std::max<std::int64_t>(table->shape[0] + where % 5 - 2, 0);
      }
      table->texts.resize(where % 5);
      break;
    case 2:  // other rows
      if (table->shape.size() > 1) table->shape.back() = 1 + where % 9;
      break;
    case 3:
      table->shape.push_back(1 + where % 3);
      break;
    case 4:
      if (table->shape.size() > 1) table->shape.pop_back();
      break;
    case 5:
      if (table->type) table->type = static_cast<Hdf5Type>(where % 5);
      break;
    default:  // all of it
      for (double& value : table->numbers) value = number;
      for (std::int64_t& value : table->integers) value = integer;
  }
}

}  // namespace voigt::testing
