# make install, and find_package(voigt) for those who use it.
include(CMakePackageConfigHelpers)

install(TARGETS voigt EXPORT voigtTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY src/voigt DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "hdf5_handle.h" EXCLUDE)
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/voigt)
if(VOIGT_BUILD_APPS)
  install(TARGETS voigt_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(voigt_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/voigt)
install(EXPORT voigtTargets NAMESPACE voigt:: DESTINATION ${voigt_cmake_dir})
configure_package_config_file(cmake/voigtConfig.cmake.in ${PROJECT_BINARY_DIR}/voigtConfig.cmake
                              INSTALL_DESTINATION ${voigt_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/voigtConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/voigtConfig.cmake
              ${PROJECT_BINARY_DIR}/voigtConfigVersion.cmake
              cmake/voigtHdf5.cmake
        DESTINATION ${voigt_cmake_dir})
