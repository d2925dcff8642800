#include "voigt/io/hdf5_file.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "voigt/io/hdf5_handle.h"

namespace voigt {
namespace {

// Chunks of about this size: small enough that a short recording stays small, large enough that a
// long one has few.
constexpr std::int64_t kChunkBytes = 1 << 14;

// Before anything else. The library prints its errors unless told otherwise; here they are thrown.
// It also closes at the exit of the program what is still open. A file that could not be written to
// its end, on a full disk, cannot be closed either: the library keeps it, tries once more at the
// exit, and ends in a segmentation fault (1.10.8). All files here are closed by their destructors.
void PrepareLibrary() {
  [[maybe_unused]] static const herr_t done = H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

// The innermost reason of the last error.
std::string ExplainLastError() {
  std::string reason;
  const auto look = [](unsigned depth, const H5E_error2_t* error, void* out) -> herr_t {
    if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(out) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &reason);
  return reason;
}

hid_t MemoryType(Hdf5Type type) {
  switch (type) {
    case Hdf5Type::kDouble:
      return H5T_NATIVE_DOUBLE;
    case Hdf5Type::kInt64:
      return H5T_NATIVE_INT64;
    case Hdf5Type::kInt32:
      return H5T_NATIVE_INT32;
    case Hdf5Type::kUint64:
      return H5T_NATIVE_UINT64;
    case Hdf5Type::kUint8:
      return H5T_NATIVE_UINT8;
  }
  return -1;
}

// Links and attributes in the header of their group, however many they are: the library crashes
// while it lists those of a damaged heap, whose checksum it finds wrong (1.10.8).
hid_t MakeGroupSettings() {
  constexpr unsigned kMost = 65535;
  const hid_t settings = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_link_phase_change(settings, kMost, 0);
  H5Pset_attr_phase_change(settings, kMost, 0);
  return settings;
}

// Chunks with checksums; a dataset without numbers has none.
hid_t MakeDatasetSettings(const std::vector<hsize_t>& chunk) {
  const hid_t settings = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(settings, false);
  if (chunk.empty() || std::count(chunk.begin(), chunk.end(), 0u) > 0) return settings;
  H5Pset_chunk(settings, static_cast<int>(chunk.size()), chunk.data());
  H5Pset_fletcher32(settings);
  return settings;
}

// Of a dataset that does not grow: all of it, or as many rows as are about a megabyte.
std::vector<hsize_t> ChooseChunk(std::vector<hsize_t> sizes, size_t bytes_each) {
  hsize_t row_bytes = bytes_each;
  for (size_t i = 1; i < sizes.size(); ++i) row_bytes *= std::max<hsize_t>(sizes[i], 1);
  if (!sizes.empty()) {
    sizes[0] = std::min(sizes[0], std::max<hsize_t>((1 << 20) / row_bytes, 1));
  }
  return sizes;
}

// Locks keep the writer from a file that somebody reads. Where the file system has none, it goes
// without.
//
// The library trusts what it reads: damaged files end in segmentation faults and endless loops. It
// does check, before it looks at anything, the checksums that its format has for all metadata since
// 1.10, if the file was written so, and those of chunks (fletcher32), if they were asked for. So
// files are written in that format, with all data in chunks with checksums, and only such ones are
// opened (CheckFormat). Considered and rejected: a digest of the file beside it, which would have
// to be taken of the whole file anew whenever rows are added; reading in a process of its own,
// which does nothing for programs that use the library.
hid_t MakeAccess() {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_file_locking(access, true, true);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  return access;
}

// Files of an older kind have no checksums, and are not handed to the library.
void CheckFormat(const std::string& path) {
  constexpr std::string_view kMark = "\x89HDF\r\n\x1a\n\x03";  // with the version behind it
  char start[kMark.size()] = {};
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path + ": cannot be opened");
  in.read(start, sizeof start);
  const std::string_view found(start, static_cast<size_t>(in.gcount()));
  const std::string_view signature = kMark.substr(0, 8);
  if (found == kMark) return;
  throw std::runtime_error(path + (found.starts_with(signature)
                                       ? ": is HDF5 of an older kind, without checksums"
                                       : ": does not begin as HDF5 does"));
}

// One after the other, each as long as the longest.
std::string Pack(const std::vector<std::string>& texts, size_t length) {
  std::string out;
  for (const std::string& text : texts) out.append(text).append(length - text.size(), '\0');
  return out;
}

}  // namespace

size_t SizeOf(Hdf5Type type) {
  return type == Hdf5Type::kUint8 ? 1 : type == Hdf5Type::kInt32 ? 4 : 8;
}

void Hdf5File::Fail(const std::string& what) const {
  throw std::runtime_error(path_ + ": " + what + ": " + ExplainLastError());
}

std::int64_t Hdf5File::Check(std::int64_t result, const std::string& what) const {
  if (result < 0) Fail(what);
  return result;
}

Hdf5File Hdf5File::Create(const std::string& path) {
  PrepareLibrary();
  const Hdf5Handle access(MakeAccess(), H5Pclose), settings(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_obj_track_times(settings, false);
  Hdf5File file(path, H5Fcreate(path.c_str(), H5F_ACC_TRUNC, settings, access));
  if (file.id_ < 0) file.Fail("cannot be written");
  return file;
}

Hdf5File Hdf5File::OpenToRead(const std::string& path) {
  CheckFormat(path);
  PrepareLibrary();
  const Hdf5Handle access(MakeAccess(), H5Pclose);
  Hdf5File file(path, H5Fopen(path.c_str(), H5F_ACC_RDONLY, access));
  if (file.id_ < 0) file.Fail("cannot be read as HDF5");
  return file;
}

Hdf5File Hdf5File::OpenToWrite(const std::string& path) {
  CheckFormat(path);
  PrepareLibrary();
  const Hdf5Handle access(MakeAccess(), H5Pclose);
  Hdf5File file(path, H5Fopen(path.c_str(), H5F_ACC_RDWR, access));
  if (file.id_ < 0) file.Fail("cannot be written");
  return file;
}

Hdf5File::Hdf5File(Hdf5File&& other) noexcept
    : path_(std::move(other.path_)), id_(std::exchange(other.id_, -1)) {}

Hdf5File::~Hdf5File() {
  if (id_ >= 0) H5Fclose(id_);
}

void Hdf5File::Close() { Check(H5Fclose(std::exchange(id_, -1)), "cannot be written to its end"); }

void Hdf5File::MakeGroup(const std::string& group) {
  MakeGroupsTo(group);
  const Hdf5Handle settings(MakeGroupSettings(), H5Pclose);
  Hdf5Handle made(H5Gcreate2(id_, group.c_str(), H5P_DEFAULT, settings, H5P_DEFAULT), H5Gclose);
  Check(made, "cannot make " + group);
  Check(made.Close(), "cannot make " + group);
}

void Hdf5File::MakeGroupsTo(const std::string& object) {
  const size_t end = object.rfind('/');
  if (end == 0 || end == object.npos) return;
  const std::string group = object.substr(0, end);
  MakeGroupsTo(group);
  if (Check(H5Lexists(id_, group.c_str(), H5P_DEFAULT), "cannot look for " + group) == 0) {
    MakeGroup(group);
  }
}

void Hdf5File::WriteAll(const std::string& object, std::int64_t disk_type, std::int64_t memory_type,
                        const Shape& shape, const void* data) {
  MakeGroupsTo(object);
  const auto sizes = ToSizes(shape);
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                         H5Sclose);
  const Hdf5Handle settings(MakeDatasetSettings(ChooseChunk(sizes, H5Tget_size(disk_type))),
                            H5Pclose);
  Hdf5Handle dataset(
      H5Dcreate2(id_, object.c_str(), disk_type, space, H5P_DEFAULT, settings, H5P_DEFAULT),
      H5Dclose);
  Check(dataset, "cannot make " + object);
  if (std::count(shape.begin(), shape.end(), 0) == 0) {
    Check(H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
          "cannot write " + object);
  }
  Check(dataset.Close(), "cannot write " + object);
}

void Hdf5File::Write(const std::string& object, Hdf5Type type, const Shape& shape,
                     const void* data) {
  WriteAll(object, DiskType(type), MemoryType(type), shape, data);
}

void Hdf5File::WriteDoubles(const std::string& object, const Shape& shape,
                            const std::vector<double>& data) {
  Write(object, Hdf5Type::kDouble, shape, data.data());
}

void Hdf5File::WriteIntegers(const std::string& object, const std::vector<std::int64_t>& data) {
  Write(object, Hdf5Type::kInt64, {static_cast<std::int64_t>(data.size())}, data.data());
}

void Hdf5File::WriteTexts(const std::string& object, const std::vector<std::string>& texts) {
  const Hdf5Handle type(MakeTextType(texts), H5Tclose);
  WriteAll(object, type, type, {static_cast<std::int64_t>(texts.size())},
           Pack(texts, H5Tget_size(type)).data());
}

void Hdf5File::SetAttribute(const std::string& object, const std::string& name,
                            std::int64_t disk_type, std::int64_t memory_type, const void* data,
                            const Shape& shape) {
  const auto sizes = ToSizes(shape);
  const Hdf5Handle space(
      sizes.empty() ? H5Screate(H5S_SCALAR)
                    : H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
      H5Sclose);
  Hdf5Handle attribute(H5Acreate_by_name(id_, object.c_str(), name.c_str(), disk_type, space,
                                         H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Aclose);
  Check(attribute, "cannot make " + object + ":" + name);
  Check(H5Awrite(attribute, memory_type, data), "cannot write " + object + ":" + name);
  Check(attribute.Close(), "cannot write " + object + ":" + name);
}

void Hdf5File::SetTexts(const std::string& object, const std::string& name,
                        const std::vector<std::string>& texts) {
  const Hdf5Handle type(MakeTextType(texts), H5Tclose);
  SetAttribute(object, name, type, type, Pack(texts, H5Tget_size(type)).data(),
               {static_cast<std::int64_t>(texts.size())});
}

void Hdf5File::SetText(const std::string& object, const std::string& name,
                       const std::string& text) {
  const Hdf5Handle type(MakeTextType({text}), H5Tclose);
  SetAttribute(object, name, type, type, Pack({text}, H5Tget_size(type)).data());
}

void Hdf5File::SetNumber(const std::string& object, const std::string& name, double value) {
  SetAttribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void Hdf5File::SetInteger(const std::string& object, const std::string& name, std::int64_t value) {
  SetAttribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void Hdf5File::MakeTable(const std::string& object, Hdf5Type type, const Shape& row_shape) {
  MakeGroupsTo(object);
  std::int64_t row_bytes = static_cast<std::int64_t>(SizeOf(type));
  for (std::int64_t size : row_shape) row_bytes *= std::max<std::int64_t>(size, 1);
  std::vector<hsize_t> sizes{0}, largest{H5S_UNLIMITED};
  std::vector<hsize_t> chunk{std::max<hsize_t>(kChunkBytes / row_bytes, 1)};
  // Rows of no numbers, as of a model without rates, are allowed only where they could grow.
  for (std::int64_t size : row_shape) {
    sizes.push_back(size);
    largest.push_back(size == 0 ? H5S_UNLIMITED : size);
    chunk.push_back(std::max<std::int64_t>(size, 1));
  }
  const int rank = static_cast<int>(sizes.size());
  const Hdf5Handle space(H5Screate_simple(rank, sizes.data(), largest.data()), H5Sclose);
  const Hdf5Handle settings(MakeDatasetSettings(chunk), H5Pclose);
  Hdf5Handle dataset(
      H5Dcreate2(id_, object.c_str(), DiskType(type), space, H5P_DEFAULT, settings, H5P_DEFAULT),
      H5Dclose);
  Check(dataset, "cannot make " + object);
  Check(dataset.Close(), "cannot write " + object);
}

void Hdf5File::WriteRows(const std::string& object, Hdf5Type type, std::int64_t first,
                         std::int64_t row_count, const void* data) {
  Hdf5Handle dataset(H5Dopen2(id_, object.c_str(), H5P_DEFAULT), H5Dclose);
  Check(dataset, "cannot open " + object);
  auto sizes = ToSizes(ReadShape(object));
  sizes[0] = row_count;
  Check(H5Dset_extent(dataset, sizes.data()), "cannot extend " + object);
  auto count = sizes;
  count[0] = row_count - first;
  if (std::count(count.begin(), count.end(), 0u) > 0) {
    Check(dataset.Close(), "cannot write " + object);
    return;
  }
  std::vector<hsize_t> start(sizes.size(), 0);
  start[0] = first;
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  const Hdf5Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                          H5Sclose);
  Check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
        "cannot address " + object);
  Check(H5Dwrite(dataset, MemoryType(type), memory, space, H5P_DEFAULT, data),
        "cannot write " + object);
  Check(dataset.Close(), "cannot write " + object);
}

}  // namespace voigt
