#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "voigt/io/hdf5_file.h"

namespace voigt {

// A dataset of an HDF5 file that grows by rows.
struct GrowingTable {
  std::string object;
  Hdf5Type type = Hdf5Type::kDouble;
  Hdf5File::Shape row_shape = {};

  std::int64_t RowBytes() const;
};

// An HDF5 file whose tables grow while a program runs, and which any HDF5 program can open at every
// moment, also when this one was killed in the middle of whatever it did.
//
// A file that the HDF5 library has open for writing is torn: its index of chunks, its headers and
// its data are written at different times, in several places, and a process that is killed within a
// flush leaves a mixture of old and new that no other program reads. So nobody ever writes to the
// file at `path`. There are two copies. Commit opens the other one, adds what it lacks, closes it,
// and only then gives it the name, by a rename, which the file system does entirely or not at all;
// the former file becomes the copy to write to next time. What a copy lacks are the rows of the
// last two commits, which are kept in memory. The price is twice the disk space, while the run
// lasts, and twice the writing; no more than what is new is ever written.
//
// Programs may read the file meanwhile. One that has the former file open has it locked, as all
// HDF5 programs do; it is then left to that program, and a fresh copy is made.
//
// Considered and rejected: flushing the one file (torn, as above; also with its metadata flushed
// last, since a kill can fall between two of its pages); the library's single-writer mode (needs
// readers that know of it, and marks killed files as open); a journal beside the file (h5dump does
// not read it); a second process that writes (a kill may reach both); writing a new file each time
// (the whole run, every second).
//
// This is about killed programs. After a loss of power the file may be as old as the operating
// system's last writing of its buffers.
class GrowingFile {
 public:
  enum class Start {
    kNew,       // the file is at SparePath(path), its tables are empty, and it gets its name by the
                // first Commit, in the place of whatever is there
    kExisting,  // the file is at `path`
  };

  // Takes a complete file that has these tables, of which the first `row_counts` rows are to stay.
  GrowingFile(Start start, std::string path, std::vector<GrowingTable> tables,
              std::vector<std::int64_t> row_counts);
  // Leaves the file as the last Commit did.
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  // Adds rows, in memory.
  void Append(int table, const void* rows, std::int64_t count);
  std::int64_t CountRows(int table) const { return tables_[table].row_count; }

  // Brings all rows into the file at `path`. Throws std::runtime_error where that cannot be done;
  // the file is then as it was.
  void Commit();

  // The name of the other copy.
  static std::string SparePath(const std::string& path) { return path + ".spare"; }

 private:
  struct Table {
    GrowingTable table;
    std::int64_t row_count = 0;              // in all
    std::int64_t in_file = 0, in_spare = 0;  // of these
    std::int64_t first_kept = 0;             // the first row in `rows`
    std::vector<std::uint8_t> rows;
  };

  void MakeSpare();
  void WriteSpare();
  void Exchange();

  std::string path_, spare_path_, former_path_;
  bool is_new_;
  bool has_spare_ = false;
  std::vector<Table> tables_;
};

}  // namespace voigt
