#include "voigt/io/growing_file.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "voigt/base/check.h"

namespace voigt {

std::int64_t GrowingTable::RowBytes() const {
  std::int64_t bytes = static_cast<std::int64_t>(SizeOf(type));
  for (std::int64_t size : row_shape) bytes *= size;
  return bytes;
}

GrowingFile::GrowingFile(Start start, std::string path, std::vector<GrowingTable> tables,
                         std::vector<std::int64_t> row_counts)
    : path_(std::move(path)),
      spare_path_(SparePath(path_)),
      former_path_(path_ + ".former"),
      is_new_(start == Start::kNew) {
  VOIGT_CHECK(tables.size() == row_counts.size());
  for (size_t i = 0; i < tables.size(); ++i) {
    const std::int64_t count = row_counts[i];
    tables_.push_back({std::move(tables[i]), count, count, count, count, {}});
  }
}

GrowingFile::~GrowingFile() {
  std::error_code ignored;
  std::filesystem::remove(spare_path_, ignored);
}

void GrowingFile::Append(int table, const void* rows, std::int64_t count) {
  Table& t = tables_[table];
  const auto* bytes = static_cast<const std::uint8_t*>(rows);
  t.rows.insert(t.rows.end(), bytes, bytes + count * t.table.RowBytes());
  t.row_count += count;
}

void GrowingFile::MakeSpare() {
  // By name: a program that reads the old one keeps it, without a name, until it is done.
  std::error_code ignored;
  std::filesystem::remove(spare_path_, ignored);
  std::error_code error;
  std::filesystem::copy_file(path_, spare_path_, error);
  if (error) throw std::runtime_error(spare_path_ + ": cannot be written: " + error.message());
  for (Table& t : tables_) t.in_spare = t.in_file;
}

void GrowingFile::WriteSpare() {
  Hdf5File file = Hdf5File::OpenToWrite(spare_path_);
  for (const Table& t : tables_) {
    const std::int64_t skip = (t.in_spare - t.first_kept) * t.table.RowBytes();
    file.WriteRows(t.table.object, t.table.type, t.in_spare, t.row_count, t.rows.data() + skip);
  }
  file.Close();
}

void GrowingFile::Exchange() {
  // The former file gets a second name before its first one goes to the other copy. Where there are
  // no second names, it is lost, and the next commit makes a new copy.
  std::error_code error, ignored;
  std::filesystem::remove(former_path_, ignored);
  if (!is_new_) std::filesystem::create_hard_link(path_, former_path_, error);
  const bool has_former = !is_new_ && !error;
  std::filesystem::rename(spare_path_, path_, error);
  if (error) {
    std::filesystem::remove(former_path_, ignored);
    throw std::runtime_error(path_ + ": cannot be replaced: " + error.message());
  }
  is_new_ = false;
  has_spare_ = has_former;
  if (has_former) std::filesystem::rename(former_path_, spare_path_);
}

void GrowingFile::Commit() {
  // A spare that somebody reads, or that a full disk left unfinished, is replaced by a fresh copy.
  bool is_written = false;
  if (std::exchange(has_spare_, false)) {
    try {
      WriteSpare();
      is_written = true;
    } catch (const std::runtime_error&) {
    }
  }
  if (!is_written) {
    if (!is_new_) MakeSpare();
    WriteSpare();
  }
  Exchange();
  for (Table& t : tables_) {
    t.in_spare = std::exchange(t.in_file, t.row_count);
    // What both copies have is done with.
    const std::int64_t done = (t.in_spare - t.first_kept) * t.table.RowBytes();
    t.rows.erase(t.rows.begin(), t.rows.begin() + done);
    t.first_kept = t.in_spare;
  }
}

}  // namespace voigt
