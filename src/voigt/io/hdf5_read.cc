#include <algorithm>
#include <functional>
#include <numeric>

#include "voigt/io/hdf5_handle.h"

namespace voigt {
namespace {

size_t CountNumbers(const Hdf5File::Shape& shape, std::int64_t rows) {
  return static_cast<size_t>(
      std::accumulate(shape.begin() + 1, shape.end(), rows, std::multiplies<>()));
}

}  // namespace

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
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> sizes(Check(H5Sget_simple_extent_ndims(space), "bad shape of " + object));
  Check(H5Sget_simple_extent_dims(space, sizes.data(), nullptr), "bad shape of " + object);
  return {sizes.begin(), sizes.end()};
}

void Hdf5File::ReadRows(const std::string& object, std::int64_t memory_type, std::int64_t first,
                        std::int64_t count, void* data) const {
  const Hdf5Handle dataset(H5Dopen2(id_, object.c_str(), H5P_DEFAULT), H5Dclose);
  Check(dataset, "has no " + object);
  auto sizes = ToSizes(ReadShape(object));
  sizes[0] = count;
  if (std::count(sizes.begin(), sizes.end(), 0u) > 0) return;
  std::vector<hsize_t> start(sizes.size(), 0);
  start[0] = first;
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  const Hdf5Handle memory(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                          H5Sclose);
  Check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, sizes.data(), nullptr),
        "cannot address " + object);
  Check(H5Dread(dataset, memory_type, memory, space, H5P_DEFAULT, data), "cannot read " + object);
}

std::vector<double> Hdf5File::ReadDoubles(const std::string& object, std::int64_t first,
                                          std::int64_t count) const {
  std::vector<double> out(CountNumbers(ReadShape(object), count));
  ReadRows(object, H5T_NATIVE_DOUBLE, first, count, out.data());
  return out;
}

std::vector<double> Hdf5File::ReadDoubles(const std::string& object) const {
  return ReadDoubles(object, 0, ReadShape(object).at(0));
}

std::vector<std::int64_t> Hdf5File::ReadIntegers(const std::string& object, std::int64_t first,
                                                 std::int64_t count) const {
  std::vector<std::int64_t> out(CountNumbers(ReadShape(object), count));
  ReadRows(object, H5T_NATIVE_INT64, first, count, out.data());
  return out;
}

std::vector<std::int64_t> Hdf5File::ReadIntegers(const std::string& object) const {
  return ReadIntegers(object, 0, ReadShape(object).at(0));
}

std::vector<std::uint64_t> Hdf5File::ReadUnsigned(const std::string& object) const {
  const std::int64_t count = ReadShape(object).at(0);
  std::vector<std::uint64_t> out(CountNumbers(ReadShape(object), count));
  ReadRows(object, H5T_NATIVE_UINT64, 0, count, out.data());
  return out;
}

std::vector<std::uint8_t> Hdf5File::ReadBytes(const std::string& object, std::int64_t first,
                                              std::int64_t count) const {
  std::vector<std::uint8_t> out(CountNumbers(ReadShape(object), count));
  ReadRows(object, H5T_NATIVE_UINT8, first, count, out.data());
  return out;
}

std::vector<std::string> Hdf5File::ReadTexts(const std::string& object) const {
  const Hdf5Handle dataset(H5Dopen2(id_, object.c_str(), H5P_DEFAULT), H5Dclose);
  Check(dataset, "has no " + object);
  const Hdf5Handle type(MakeTextType(), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  std::vector<char*> pointers(Check(H5Sget_simple_extent_npoints(space), "bad " + object));
  if (pointers.empty()) return {};
  Check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()),
        "cannot read " + object);
  std::vector<std::string> out;
  for (const char* text : pointers) out.emplace_back(text == nullptr ? "" : text);
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  return out;
}

void Hdf5File::GetAttribute(const std::string& object, const std::string& name,
                            std::int64_t memory_type, void* data) const {
  const Hdf5Handle attribute(
      H5Aopen_by_name(id_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  Check(attribute, "has no " + object + ":" + name);
  const Hdf5Handle space(H5Aget_space(attribute), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != 1) Fail("not one value at " + object + ":" + name);
  Check(H5Aread(attribute, memory_type, data), "cannot read " + object + ":" + name);
}

std::string Hdf5File::GetText(const std::string& object, const std::string& name) const {
  const Hdf5Handle type(MakeTextType(), H5Tclose);
  char* text = nullptr;
  GetAttribute(object, name, type, &text);
  const std::string out = text == nullptr ? "" : text;
  H5free_memory(text);
  return out;
}

std::int64_t Hdf5File::GetInteger(const std::string& object, const std::string& name) const {
  std::int64_t value = 0;
  GetAttribute(object, name, H5T_NATIVE_INT64, &value);
  return value;
}

double Hdf5File::GetNumber(const std::string& object, const std::string& name) const {
  double value = 0;
  GetAttribute(object, name, H5T_NATIVE_DOUBLE, &value);
  return value;
}

}  // namespace voigt
