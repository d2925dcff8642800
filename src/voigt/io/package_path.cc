#include "voigt/io/package_path.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "voigt/io/file_source.h"

namespace voigt {
namespace {

namespace fs = std::filesystem;

bool IsRegularFile(const fs::path& path) { return FindPathKind(path.string()) == PathKind::kFile; }

// What stands after the scheme, if the text begins with it.
std::optional<std::string_view> AfterScheme(std::string_view uri, std::string_view scheme) {
  if (!uri.starts_with(scheme)) return std::nullopt;
  return uri.substr(scheme.size());
}

// Relative ones stay relative: where a run is taken up again from another folder, files have the
// same names.
std::vector<fs::path> FoldersAbove(const fs::path& from) {
  std::error_code ignored;
  std::vector<fs::path> folders;
  for (fs::path at = from.parent_path() / ".";; at = at / "..") {
    folders.push_back(at.lexically_normal());
    const fs::path absolute = fs::absolute(at, ignored).lexically_normal();
    if (absolute.empty() || absolute == absolute.root_path()) return folders;
  }
}

// The name of a folder, whatever its path looks like.
fs::path FolderName(const fs::path& folder) {
  std::error_code ignored;
  const fs::path absolute = fs::absolute(folder / ".", ignored).lexically_normal();
  return absolute.parent_path().filename();
}

std::vector<fs::path> FoldersOfEnvironment() {
  std::vector<fs::path> folders;
  const char* const value = std::getenv("ROS_PACKAGE_PATH");
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return folders;
}

FoundFile FindInPackage(std::string_view text, const fs::path& from,
                        const std::vector<fs::path>& packages) {
  const size_t slash = std::min(text.find('/'), text.size());
  const fs::path package = text.substr(0, slash);
  const fs::path rest = text.substr(std::min(slash + 1, text.size()));
  FoundFile found;
  if (package.empty() || rest.empty()) return found;
  std::vector<fs::path> roots = packages;
  const std::vector<fs::path> above = FoldersAbove(from), environment = FoldersOfEnvironment();
  roots.insert(roots.end(), above.begin(), above.end());
  roots.insert(roots.end(), environment.begin(), environment.end());
  for (const fs::path& root : roots) {
    const fs::path name = FolderName(root);
    for (const fs::path& folder : {name == package ? root : fs::path(), root / package}) {
      if (folder.empty()) continue;
      const fs::path path = (folder / rest).lexically_normal();
      if (IsRegularFile(path)) {
        found.path = path;
        return found;
      }
      const auto& seen = found.looked_at;
      const bool is_new = std::find(seen.begin(), seen.end(), path.string()) == seen.end();
      if (is_new) found.looked_at.push_back(path.string());
    }
  }
  return found;
}

}  // namespace

FoundFile FindRobotFile(std::string_view uri, const fs::path& from,
                        const std::vector<fs::path>& packages) {
  for (std::string_view scheme : {"package://", "model://"}) {
    if (const auto text = AfterScheme(uri, scheme)) return FindInPackage(*text, from, packages);
  }
  FoundFile found;
  const auto file = AfterScheme(uri, "file://");
  const fs::path path =
      (file ? fs::path(*file) : from.parent_path() / fs::path(uri)).lexically_normal();
  found.looked_at.push_back(path.string());
  if (IsRegularFile(path)) found.path = path;
  return found;
}

}  // namespace voigt
