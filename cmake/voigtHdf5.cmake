# The serial HDF5 library as the target voigt::hdf5, for the build and for those who link an installed
# voigt. CMake's own module asks for a C compiler and prefers whatever h5cc stands first in the path,
# which may be that of MPI.
if(NOT TARGET voigt::hdf5)
  find_path(VOIGT_HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
  find_library(VOIGT_HDF5_LIBRARY NAMES hdf5_serial hdf5)
  mark_as_advanced(VOIGT_HDF5_INCLUDE_DIR VOIGT_HDF5_LIBRARY)
  if(NOT VOIGT_HDF5_INCLUDE_DIR OR NOT VOIGT_HDF5_LIBRARY)
    message(FATAL_ERROR "voigt needs the serial HDF5 library (Debian: libhdf5-dev)")
  endif()
  add_library(voigt::hdf5 UNKNOWN IMPORTED)
  set_target_properties(voigt::hdf5 PROPERTIES IMPORTED_LOCATION "${VOIGT_HDF5_LIBRARY}")
endif()
