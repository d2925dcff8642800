# Writes files into a source file: cmake -DOUT=… -DDATA=folder -DSCENES=folder -P embed.cmake.
# Raw strings need an end that no file contains.
function(append_list function folder)
  file(GLOB files ${folder}/*.yaml)
  list(SORT files)
  set(text "const std::vector<BuiltInFile>& ${function}() {\n  static const std::vector<BuiltInFile> files = {\n")
  foreach(file ${files})
    cmake_path(GET file STEM LAST_ONLY name)
    file(READ ${file} content)
    string(APPEND text "      {\"${name}\", R\"~yaml~(${content})~yaml~\"},\n")
  endforeach()
  string(APPEND text "  };\n  return files;\n}\n\n")
  file(APPEND ${OUT} "${text}")
endfunction()

file(WRITE ${OUT} "#include \"reproduce/core/library.h\"\n\nnamespace voigt::reproduce {\n\n")
append_list(ListDataFiles ${DATA})
append_list(ListSceneFiles ${SCENES})
file(APPEND ${OUT} "}  // namespace voigt::reproduce\n")
