// docs/recordings.md against the code: every dataset of a recording is in its tables, with its
// shape and type, and nothing else is.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "tests/io/recording_support.h"
#include "voigt/io/file_source.h"

namespace voigt {
namespace {

using testing::RecordedRun;

// Rows "| `/object` | … |" of the page, by object.
std::map<std::string, std::string> DocumentedObjects() {
  std::map<std::string, std::string> out;
  std::istringstream page(ReadFile(std::string(VOIGT_SOURCE_DIR) + "/docs/recordings.md"));
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `/")) continue;
    const size_t end = line.find('`', 3);
    out[line.substr(3, end - 3)] = line.substr(end + 1);
  }
  return out;
}

std::string DescribeColumn(const RecordingColumn& column, const char* rows) {
  std::string shape = rows;
  for (std::int64_t size : column.table.row_shape) {
    shape += size == 1001   ? " × nq"
             : size == 1002 ? " × nv"
             : size == 1003 ? " × nb"
             : size == 1004 ? " × nj"
             : size == 1005 ? " × ng"
             : size == 1006 ? " × nr"
                            : fmt::format(" × {}", size);
  }
  const std::map<Hdf5Type, const char*> types = {{Hdf5Type::kDouble, "float64"},
                                                 {Hdf5Type::kInt64, "int64"},
                                                 {Hdf5Type::kInt32, "int32"},
                                                 {Hdf5Type::kUint64, "uint64"},
                                                 {Hdf5Type::kUint8, "uint8"}};
  return fmt::format(" | {} | {} | ", shape, types.at(column.table.type));
}

class RecordingDocs : public testing::RecordingFolder {};

TEST_F(RecordingDocs, DescribeEveryTable) {
  const auto documented = DocumentedObjects();
  const auto columns = ListRecordingColumns({1001, 1002, 1003, 1004, 1005, 1006});
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto table = static_cast<RecordingTable>(i);
    const char* rows = table < kFirstContactTable             ? "n"
                       : table == RecordingTable::kStateBytes ? "k"
                       : table >= kFirstTransitionTable       ? "c"
                                                              : "m";
    const auto found = documented.find(columns[i].table.object);
    ASSERT_NE(found, documented.end()) << columns[i].table.object;
    EXPECT_EQ(found->second.find(DescribeColumn(columns[i], rows)), 0u) << found->second;
  }
}

TEST_F(RecordingDocs, NameEveryObjectAndNoOther) {
  {
    RecordedRun run(Path("run.h5"),
                    "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n"
                    "joints: [{name: j, type: free, child: b}]\n");
    run.writer.Finish(&run.simulator);
  }
  const Hdf5File file = Hdf5File::OpenToRead(Path("run.h5"));
  std::set<std::string> described;
  for (const auto& [object, text] : DocumentedObjects()) described.insert(object);
  std::set<std::string> there = {"/", "/model", "/settings", "/source"};
  for (const std::string& object : file.ListDatasets()) there.insert(object);
  EXPECT_EQ(described, there);
}

}  // namespace
}  // namespace voigt
