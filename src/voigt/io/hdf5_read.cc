#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "voigt/io/hdf5_handle.h"

namespace voigt {

std::vector<std::string> Hdf5File::ListDatasets() const {
  std::vector<std::string> out;
  const auto look = [](hid_t, const char* name, const H5O_info_t* info, void* list) -> herr_t {
    if (info->type == H5O_TYPE_DATASET) {
      static_cast<std::vector<std::string>*>(list)->push_back(std::string("/") + name);
    }
    return 0;
  };
  Check(H5Ovisit(id_, H5_INDEX_NAME, H5_ITER_INC, look, &out), "cannot be listed");
  return out;
}

Hdf5File::Shape Hdf5File::ReadShape(const std::string& object) const {
  const Hdf5Handle dataset(H5Dopen2(id_, object.c_str(), H5P_DEFAULT), H5Dclose);
  Check(dataset, "has no " + object);
  return ReadShapeOf(dataset, object);
}

Hdf5File::Shape Hdf5File::ReadShapeOf(std::int64_t dataset, const std::string& object) const {
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> sizes(Check(H5Sget_simple_extent_ndims(space), "bad shape of " + object));
  Check(H5Sget_simple_extent_dims(space, sizes.data(), nullptr), "bad shape of " + object);
  return {sizes.begin(), sizes.end()};
}

std::optional<Hdf5Type> Hdf5File::ReadType(const std::string& object) const {
  const Hdf5Handle dataset(H5Dopen2(id_, object.c_str(), H5P_DEFAULT), H5Dclose);
  Check(dataset, "has no " + object);
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  for (Hdf5Type known : {Hdf5Type::kDouble, Hdf5Type::kInt64, Hdf5Type::kInt32, Hdf5Type::kUint64,
                         Hdf5Type::kUint8}) {
    if (H5Tequal(type, DiskType(known)) > 0) return known;
  }
  return std::nullopt;
}

// A file has room for what it says it holds: before memory is asked for.
void Hdf5File::CheckRoom(std::int64_t numbers, std::int64_t bytes_each,
                         const std::string& object) const {
  hsize_t size = 0;
  Check(H5Fget_filesize(id_, &size), "has no size");
  const auto room = static_cast<std::int64_t>(size);
  if (numbers < 0 || bytes_each <= 0 || numbers > room / bytes_each) {
    throw std::runtime_error(path_ + ": " + object + " is larger than the file");
  }
}

template <typename Number>
std::vector<Number> Hdf5File::ReadRows(const std::string& object, std::int64_t memory_type,
                                       std::int64_t first, std::int64_t count) const {
  const Hdf5Handle dataset(H5Dopen2(id_, object.c_str(), H5P_DEFAULT), H5Dclose);
  Check(dataset, "has no " + object);
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type);
  if (kind != H5T_INTEGER && (kind != H5T_FLOAT || std::is_integral_v<Number>)) {
    throw std::runtime_error(path_ + ": " + object + " holds no numbers of the kind expected");
  }
  Shape shape = ReadShapeOf(dataset, object);
  if (shape.empty() || first < 0 || count < 0 || first > shape[0] || count > shape[0] - first) {
    throw std::runtime_error(path_ + ": " + object + " has no such rows");
  }
  shape[0] = count;
  if (std::count(shape.begin(), shape.end(), 0) > 0) return {};
  std::int64_t numbers = 1;
  for (std::int64_t size : shape) {
    CheckRoom(size, numbers, object);
    numbers *= size;
  }
  CheckRoom(numbers, static_cast<std::int64_t>(H5Tget_size(type)), object);

  const auto sizes = ToSizes(shape);
  std::vector<hsize_t> start(sizes.size(), 0);
  start[0] = first;
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  const Hdf5Handle memory(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                          H5Sclose);
  Check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, sizes.data(), nullptr),
        "cannot address " + object);
  std::vector<Number> out(static_cast<size_t>(numbers));
  Check(H5Dread(dataset, memory_type, memory, space, H5P_DEFAULT, out.data()),
        "cannot read " + object);
  return out;
}

std::vector<double> Hdf5File::ReadDoubles(const std::string& object, std::int64_t first,
                                          std::int64_t count) const {
  return ReadRows<double>(object, H5T_NATIVE_DOUBLE, first, count);
}

std::vector<double> Hdf5File::ReadDoubles(const std::string& object) const {
  return ReadDoubles(object, 0, CountRows(object));
}

std::vector<std::int64_t> Hdf5File::ReadIntegers(const std::string& object, std::int64_t first,
                                                 std::int64_t count) const {
  return ReadRows<std::int64_t>(object, H5T_NATIVE_INT64, first, count);
}

std::vector<std::int64_t> Hdf5File::ReadIntegers(const std::string& object) const {
  return ReadIntegers(object, 0, CountRows(object));
}

std::vector<std::uint64_t> Hdf5File::ReadUnsigned(const std::string& object) const {
  return ReadRows<std::uint64_t>(object, H5T_NATIVE_UINT64, 0, CountRows(object));
}

std::vector<std::uint8_t> Hdf5File::ReadBytes(const std::string& object, std::int64_t first,
                                              std::int64_t count) const {
  return ReadRows<std::uint8_t>(object, H5T_NATIVE_UINT8, first, count);
}

std::int64_t Hdf5File::CountRows(const std::string& object) const {
  const Shape shape = ReadShape(object);
  if (shape.empty()) throw std::runtime_error(path_ + ": " + object + " has no rows");
  return shape[0];
}

namespace {

// A text of so many bytes, with zeros behind it.
std::string TrimText(const char* bytes, size_t length) { return {bytes, strnlen(bytes, length)}; }

// Of a text of fixed length; 0 for all else.
size_t TextLength(hid_t type) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) return 0;
  return H5Tget_size(type);
}

}  // namespace

std::vector<std::string> Hdf5File::ReadTexts(const std::string& object) const {
  const Hdf5Handle dataset(H5Dopen2(id_, object.c_str(), H5P_DEFAULT), H5Dclose);
  Check(dataset, "has no " + object);
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  const size_t length = TextLength(type);
  const Shape shape = ReadShapeOf(dataset, object);
  if (length == 0 || shape.size() != 1) {
    throw std::runtime_error(path_ + ": " + object + " is no list of texts");
  }
  if (shape[0] == 0) return {};
  CheckRoom(shape[0], static_cast<std::int64_t>(length), object);
  std::vector<char> bytes(shape[0] * length);
  Check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()),
        "cannot read " + object);
  std::vector<std::string> out;
  for (size_t at = 0; at < bytes.size(); at += length) {
    out.push_back(TrimText(bytes.data() + at, length));
  }
  return out;
}

template <typename Read>
void Hdf5File::GetAttribute(const std::string& object, const std::string& name, Read read) const {
  const std::string full_name = object + ":" + name;
  const Hdf5Handle attribute(
      H5Aopen_by_name(id_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  Check(attribute, "has no " + full_name);
  const Hdf5Handle space(H5Aget_space(attribute), H5Sclose), type(H5Aget_type(attribute), H5Tclose);
  if (H5Sget_simple_extent_npoints(space) != 1) Fail("not one value at " + full_name);
  Check(read(attribute, type, full_name), "cannot read " + full_name);
}

std::string Hdf5File::GetText(const std::string& object, const std::string& name) const {
  std::string text;
  GetAttribute(object, name, [&](hid_t attribute, hid_t type, const std::string& full_name) {
    const size_t length = TextLength(type);
    if (length == 0) return -1;
    CheckRoom(1, static_cast<std::int64_t>(length), full_name);
    std::vector<char> bytes(length);
    const herr_t result = H5Aread(attribute, type, bytes.data());
    text = TrimText(bytes.data(), length);
    return static_cast<int>(result);
  });
  return text;
}

std::int64_t Hdf5File::GetInteger(const std::string& object, const std::string& name) const {
  std::int64_t value = 0;
  GetAttribute(object, name, [&](hid_t attribute, hid_t type, const std::string&) {
    return H5Tget_class(type) == H5T_INTEGER ? H5Aread(attribute, H5T_NATIVE_INT64, &value) : -1;
  });
  return value;
}

double Hdf5File::GetNumber(const std::string& object, const std::string& name) const {
  double value = 0;
  GetAttribute(object, name, [&](hid_t attribute, hid_t type, const std::string&) {
    return H5Tget_class(type) == H5T_FLOAT ? H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) : -1;
  });
  return value;
}

}  // namespace voigt
