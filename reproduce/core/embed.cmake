# Writes files into a source file: cmake -DOUT=… -DDATA=folder -DSCENES=folder -P embed.cmake.
# Raw strings need an end that no file contains. Meshes are named by their paths from the scenes.
function(append_files function folder names)
  set(text "const std::vector<BuiltInFile>& ${function}() {\n  static const std::vector<BuiltInFile> files = {\n")
  foreach(name ${names})
    file(READ ${folder}/${name} content)
    string(REGEX REPLACE "[.]yaml$" "" name ${name})
    string(APPEND text "      {\"${name}\", R\"~file~(${content})~file~\"},\n")
  endforeach()
  string(APPEND text "  };\n  return files;\n}\n\n")
  file(APPEND ${OUT} "${text}")
endfunction()

function(append_list function folder)
  file(GLOB names RELATIVE ${folder} ${folder}/*.yaml)
  append_files(${function} ${folder} "${names}")
endfunction()

function(append_meshes function folder)
  file(GLOB_RECURSE names RELATIVE ${folder} ${folder}/meshes/*.obj)
  append_files(${function} ${folder} "${names}")
endfunction()

file(WRITE ${OUT} "#include \"reproduce/core/library.h\"\n\nnamespace voigt::reproduce {\n\n")
append_list(ListDataFiles ${DATA})
append_list(ListSceneFiles ${SCENES})
append_meshes(ListMeshFiles ${SCENES})
file(APPEND ${OUT} "}  // namespace voigt::reproduce\n")
