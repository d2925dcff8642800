#include "reproduce/core/library.h"

#include <algorithm>

#include "voigt/base/errors.h"
#include "voigt/io/file_source.h"
#include "voigt/io/yaml_value.h"

namespace voigt::reproduce {
namespace {

std::string FindBuiltIn(const std::vector<BuiltInFile>& files, const std::string& name,
                        const std::string& file) {
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const BuiltInFile& each) { return each.name == name; });
  if (found == files.end()) {
    throw InputError({file, 0, 0}, "", "is not built into this program");
  }
  return std::string(found->text);
}

}  // namespace

ExperimentData Library::LoadData(const std::string& name) const {
  if (!data_folder_.empty()) {
    const std::string file = data_folder_ + "/" + name + ".yaml";
    return ParseExperimentData(ReadTextFile(file), file, name);
  }
  const std::string file = "reproduce/data/" + name + ".yaml";
  return ParseExperimentData(FindBuiltIn(ListDataFiles(), name, file), file, name);
}

Scene Library::LoadScene(const std::string& name, const std::vector<Override>& overrides) const {
  const std::string file = "scenes/" + name + ".yaml";
  std::vector<SourceFile> meshes;
  for (const BuiltInFile& mesh : ListMeshFiles()) {
    meshes.push_back({"scenes/" + std::string(mesh.name), std::string(mesh.text)});
  }
  const FileReplay replay(std::move(meshes));
  return ParseScene(FindBuiltIn(ListSceneFiles(), name, file), file, overrides);
}

}  // namespace voigt::reproduce
