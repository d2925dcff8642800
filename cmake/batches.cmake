# Compiles the files of a target in batches of up to `size` files of one folder (CMake calls it a
# unity build). Most of a file's compile time goes into Eigen's templates, and files of one folder use
# the same ones: measured on src/voigt/dynamics, 61 s file by file and 23 s in batches of ten.
#
# Files of a batch share their unnamed namespaces, so a helper of one file must not have the name of
# another's; headers that both need are the place for it.
function(voigt_compile_in_batches target size)
  if(NOT VOIGT_BATCHES)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(SORT sources)
  set(last_folder)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source PARENT_PATH folder)
    if(NOT folder STREQUAL last_folder)
      set(last_folder ${folder})
      set(index 0)
    endif()
    # Named after the folder: a new file moves no batches but those of its own folder.
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
    string(MAKE_C_IDENTIFIER ${name} name)
    math(EXPR batch "${index} / ${size}")
    math(EXPR index "${index} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${batch})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
