#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace voigt {

// What datasets hold, little-endian.
enum class Hdf5Type { kDouble, kInt64, kInt32, kUint64, kUint8 };

size_t SizeOf(Hdf5Type type);

// An HDF5 file: the part of the format that recordings use. Every member throws std::runtime_error,
// with the file's name and the library's reason, where it cannot do its work. All that is written
// has checksums, and what does not agree with them is not read. What readers return has the type
// that they are asked for, and is never larger than eight times the file. Nothing that is written
// depends on the time of day: the same content gives the same bytes.
class Hdf5File {
 public:
  using Shape = std::vector<std::int64_t>;

  // Replaces a file that is there.
  static Hdf5File Create(const std::string& path);
  static Hdf5File OpenToRead(const std::string& path);
  // Fails while another program has the file open.
  static Hdf5File OpenToWrite(const std::string& path);

  Hdf5File(Hdf5File&& other) noexcept;
  Hdf5File& operator=(Hdf5File&&) = delete;
  ~Hdf5File();

  // What is written is certain to be in the file after this and not before.
  void Close();

  // Groups on the way to an object are made as needed.
  void MakeGroup(const std::string& group);
  void Write(const std::string& object, Hdf5Type type, const Shape& shape, const void* data);
  void WriteDoubles(const std::string& object, const Shape& shape, const std::vector<double>& data);
  void WriteIntegers(const std::string& object, const std::vector<std::int64_t>& data);
  void WriteTexts(const std::string& object, const std::vector<std::string>& texts);

  // Attributes of a dataset or group.
  void SetText(const std::string& object, const std::string& name, const std::string& text);
  void SetTexts(const std::string& object, const std::string& name,
                const std::vector<std::string>& texts);
  void SetNumber(const std::string& object, const std::string& name, double value);
  void SetInteger(const std::string& object, const std::string& name, std::int64_t value);

  // A dataset of rows, none yet, that can grow.
  void MakeTable(const std::string& object, Hdf5Type type, const Shape& row_shape);
  // Gives it `row_count` rows, of which those from `first` on are these.
  void WriteRows(const std::string& object, Hdf5Type type, std::int64_t first,
                 std::int64_t row_count, const void* data);

  // The paths of all datasets.
  std::vector<std::string> ListDatasets() const;
  // Of a dataset; empty for a scalar.
  Shape ReadShape(const std::string& object) const;
  std::int64_t CountRows(const std::string& object) const;  // fails for a scalar
  // What it holds; nothing for what is none of these.
  std::optional<Hdf5Type> ReadType(const std::string& object) const;
  // All numbers of a dataset, or those of `count` rows from `first` on. Integers are never read
  // from numbers that are none.
  std::vector<double> ReadDoubles(const std::string& object) const;
  std::vector<double> ReadDoubles(const std::string& object, std::int64_t first,
                                  std::int64_t count) const;
  std::vector<std::int64_t> ReadIntegers(const std::string& object) const;
  // Of numbers that may be larger than the largest of those.
  std::vector<std::uint64_t> ReadUnsigned(const std::string& object) const;
  std::vector<std::int64_t> ReadIntegers(const std::string& object, std::int64_t first,
                                         std::int64_t count) const;
  std::vector<std::uint8_t> ReadBytes(const std::string& object, std::int64_t first,
                                      std::int64_t count) const;
  std::vector<std::string> ReadTexts(const std::string& object) const;
  std::string GetText(const std::string& object, const std::string& name) const;
  std::int64_t GetInteger(const std::string& object, const std::string& name) const;
  double GetNumber(const std::string& object, const std::string& name) const;

 private:
  void MakeGroupsTo(const std::string& object);
  Hdf5File(std::string path, std::int64_t id) : path_(std::move(path)), id_(id) {}
  void WriteAll(const std::string& object, std::int64_t disk_type, std::int64_t memory_type,
                const Shape& shape, const void* data);
  template <typename Number>
  std::vector<Number> ReadRows(const std::string& object, std::int64_t memory_type,
                               std::int64_t first, std::int64_t count) const;
  Shape ReadShapeOf(std::int64_t dataset, const std::string& object) const;
  void CheckRoom(std::int64_t numbers, std::int64_t bytes_each, const std::string& object) const;
  void SetAttribute(const std::string& object, const std::string& name, std::int64_t disk_type,
                    std::int64_t memory_type, const void* data, const Shape& shape = {});
  template <typename Read>
  void GetAttribute(const std::string& object, const std::string& name, Read read) const;
  [[noreturn]] void Fail(const std::string& what) const;
  std::int64_t Check(std::int64_t result, const std::string& what) const;

  std::string path_;
  std::int64_t id_;
};

}  // namespace voigt
