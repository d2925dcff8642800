#pragma once

#include <hdf5.h>

#include <cstdint>
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

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

inline std::vector<hsize_t> ToSizes(const Hdf5File::Shape& shape) {
  return {shape.begin(), shape.end()};
}

inline hid_t MakeTextType() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

}  // namespace voigt
