#include "voigt/io/recording_checks.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "voigt/base/errors.h"
#include "voigt/sim/friction_element.h"

namespace voigt {
namespace {

using RT = RecordingTable;

[[noreturn]] void Refuse(const std::string& object, const std::string& why) {
  throw std::runtime_error(object + " " + why);
}

std::string JoinSizes(const Hdf5File::Shape& shape) {
  std::string text;
  for (std::int64_t size : shape) text += (text.empty() ? "" : " × ") + std::to_string(size);
  return text.empty() ? "one number" : text;
}

// Lists that say something of the same things, one each.
std::int64_t CountSame(const Hdf5File& file, std::initializer_list<const char*> objects) {
  const std::int64_t count = file.CountRows(*objects.begin());
  for (const char* object : objects) {
    const std::int64_t other = file.CountRows(object);
    if (other == count) continue;
    Refuse(object, fmt::format("has {} rows, expected {} as {}", other, count, *objects.begin()));
  }
  return count;
}

int CountFew(const Hdf5File& file, std::initializer_list<const char*> objects) {
  const std::int64_t count = CountSame(file, objects);
  if (count != static_cast<int>(count)) Refuse(*objects.begin(), "is too long");
  return static_cast<int>(count);
}

void CheckShape(const Hdf5File& file, const GrowingTable& table, std::int64_t rows) {
  if (file.ReadType(table.object) != table.type)
    Refuse(table.object, "has numbers of another type");
  Hdf5File::Shape expected = table.row_shape;
  expected.insert(expected.begin(), rows);
  const Hdf5File::Shape shape = file.ReadShape(table.object);
  if (shape == expected) return;
  Refuse(table.object, fmt::format("has {} numbers, expected {} as the model and the other tables",
                                   JoinSizes(shape), JoinSizes(expected)));
}

void CheckIntegers(const std::string& object, const std::vector<std::int64_t>& numbers,
                   std::int64_t least, std::int64_t most) {
  for (size_t row = 0; row < numbers.size(); ++row) {
    if (numbers[row] >= least && numbers[row] <= most) continue;
    Refuse(object,
           fmt::format("holds {} at number {}, expected {} to {}", numbers[row], row, least, most));
  }
}

// Rows that belong to a moment: from where and how many.
void CheckParts(const Hdf5File& file, RT start, RT count, std::int64_t total) {
  const auto first = file.ReadIntegers(TablePath(start)),
             many = file.ReadIntegers(TablePath(count));
  CheckIntegers(TablePath(start), first, 0, total);
  for (size_t row = 0; row < first.size(); ++row) {
    if (many[row] >= 0 && many[row] <= total - first[row]) continue;
    Refuse(TablePath(count),
           fmt::format("holds {} at row {}, expected 0 to {}", many[row], row, total - first[row]));
  }
}

// A change concerns either a joint or guided point, or two shapes.
void CheckChanges(const Hdf5File& file, const RecordingCounts& counts) {
  const auto guide = file.ReadIntegers(TablePath(RT::kTransitionGuide));
  const auto shapes = file.ReadIntegers(TablePath(RT::kTransitionGeometry));
  CheckRecordedIntegers(RT::kTransitionGuide, counts, guide);
  CheckRecordedIntegers(RT::kTransitionGeometry, counts, shapes);
  for (size_t row = 0; row < guide.size(); ++row) {
    if (guide[row] >= 0 || (shapes[2 * row] >= 0 && shapes[2 * row + 1] >= 0)) continue;
    Refuse(TablePath(RT::kTransitionGeometry), fmt::format("names no two shapes at row {}", row));
  }
}

void CheckTimes(const Hdf5File& file) {
  const std::string& object = TablePath(RT::kTime);
  const std::vector<double> t = file.ReadDoubles(object);
  for (size_t row = 0; row < t.size(); ++row) {
    if (std::isfinite(t[row]) && (row == 0 || t[row] >= t[row - 1])) continue;
    Refuse(object, fmt::format("holds {} at row {}, expected times in their order", t[row], row));
  }
}

RecordingCounts CountAll(const Hdf5File& file) {
  RecordingCounts out;
  out.sizes.nq = CountFew(file, {"/model/coordinates/name", "/model/coordinates/unit"});
  out.sizes.nv = CountFew(file, {"/model/rates/name", "/model/rates/unit"});
  out.sizes.nb = CountFew(file, {"/model/bodies/name"});
  out.sizes.nj = CountFew(file, {"/model/joints/name"});
  out.sizes.ng = CountFew(file, {"/model/guides/name"});
  out.sizes.nr = CountFew(file, {"/model/constraint_rows/name", "/model/constraint_rows/unit"});
  out.shapes = CountFew(file, {"/model/geometry/name", "/model/geometry/body"});
  out.rows = file.CountRows(TablePath(RT::kTime));
  out.contacts = file.CountRows(TablePath(kFirstContactTable));
  out.transitions = file.CountRows(TablePath(kFirstTransitionTable));
  out.bytes = file.CountRows(TablePath(RT::kStateBytes));
  return out;
}

}  // namespace

RecordingCounts CheckRecording(const Hdf5File& file) {
  const RecordingCounts counts = CountAll(file);
  const std::vector<RecordingColumn> columns = ListRecordingColumns(counts.sizes);
  for (int i = 0; i < kRecordingTableCount; ++i) {
    const auto table = static_cast<RT>(i);
    CheckShape(file, columns[i].table,
               table == RT::kStateBytes         ? counts.bytes
               : table >= kFirstTransitionTable ? counts.transitions
               : table >= kFirstContactTable    ? counts.contacts
                                                : counts.rows);
  }
  CheckTimes(file);
  CheckRecordedIntegers(RT::kStep, counts, file.ReadIntegers(TablePath(RT::kStep)));
  CheckParts(file, RT::kContactStart, RT::kContactCount, counts.contacts);
  CheckParts(file, RT::kStateStart, RT::kStateCount, counts.bytes);
  CheckParts(file, RT::kTransitionStart, RT::kTransitionCount, counts.transitions);
  CheckChanges(file, counts);
  CheckIntegers("/model/geometry/body", file.ReadIntegers("/model/geometry/body"), 0,
                counts.sizes.nb - 1);
  return counts;
}

void CheckRecordedIntegers(RecordingTable table, const RecordingCounts& counts,
                           const std::vector<std::int64_t>& numbers) {
  constexpr auto kLastMode = static_cast<std::int64_t>(Stiction::kOpen);
  constexpr std::int64_t kMostSteps = std::int64_t{1} << 60;
  const auto check = [&](std::int64_t least, std::int64_t most) {
    CheckIntegers(TablePath(table), numbers, least, most);
  };
  switch (table) {
    case RT::kStep:
      return check(0, kMostSteps);
    case RT::kContactBody:
      return check(0, counts.sizes.nb - 1);
    case RT::kContactGeometry:
      return check(0, counts.shapes - 1);
    case RT::kContactState:
      return check(0, static_cast<std::int64_t>(ContactState::kSlip));
    case RT::kContactLaw:
      return check(0, static_cast<std::int64_t>(NormalLaw::kHuntCrossley));
    case RT::kGuideState:
    case RT::kTransitionFrom:
    case RT::kTransitionTo:
      return check(0, kLastMode);
    case RT::kTransitionGuide:
      return check(-1, counts.sizes.ng - 1);
    case RT::kTransitionGeometry:
      return check(-1, counts.shapes - 1);
    default:
      return;
  }
}

}  // namespace voigt
