#pragma once

#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "voigt/io/hdf5_file.h"

// For hdf5_file.cc and hdf5_read.cc, which alone know the library.
namespace voigt {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

// Closes what it holds.
class Hdf5Handle {
 public:
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  // What was written is in the file only if this is not negative: a dataset writes its last chunks
  // when it is closed.
  herr_t Close() { return close_(std::exchange(id_, -1)); }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

inline std::vector<hsize_t> ToSizes(const Hdf5File::Shape& shape) {
  return {shape.begin(), shape.end()};
}

inline hid_t DiskType(Hdf5Type type) {
  switch (type) {
    case Hdf5Type::kDouble:
      return H5T_IEEE_F64LE;
    case Hdf5Type::kInt64:
      return H5T_STD_I64LE;
    case Hdf5Type::kInt32:
      return H5T_STD_I32LE;
    case Hdf5Type::kUint64:
      return H5T_STD_U64LE;
    case Hdf5Type::kUint8:
      return H5T_STD_U8LE;
  }
  return -1;
}

// Of the length of the longest: texts of variable length lie in a heap without checksums.
inline hid_t MakeTextType(const std::vector<std::string>& texts) {
  size_t length = 1;
  for (const std::string& text : texts) length = std::max(length, text.size());
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, length);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

}  // namespace voigt
