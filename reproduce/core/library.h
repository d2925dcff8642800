#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reproduce/core/data_file.h"
#include "voigt/io/scene.h"

namespace voigt::reproduce {

// A file that the program carries in itself, so that it finds it wherever it is installed.
struct BuiltInFile {
  std::string_view name;  // without folder and ending; of a mesh its path from scenes/
  std::string_view text;
};

// Of reproduce/data and scenes/; made at build time by core/embed.cmake.
const std::vector<BuiltInFile>& ListDataFiles();
const std::vector<BuiltInFile>& ListSceneFiles();
const std::vector<BuiltInFile>& ListMeshFiles();

// Where data files and scenes come from.
class Library {
 public:
  // `data_folder`: data files are read from there instead of those built in; empty: not.
  explicit Library(std::string data_folder = "") : data_folder_(std::move(data_folder)) {}

  // Throw InputError where there is no such file, or something is wrong with it.
  ExperimentData LoadData(const std::string& name) const;
  Scene LoadScene(const std::string& name, const std::vector<Override>& overrides = {}) const;

 private:
  std::string data_folder_;
};

}  // namespace voigt::reproduce
