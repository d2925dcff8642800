#include <fmt/format.h>

#include <filesystem>

#include "voigt/io/mjcf_context.h"

namespace voigt {
namespace {

// Files that were opened, in order: MuJoCo opens none twice, which also ends circles.
struct IncludeState {
  std::filesystem::path folder;
  std::set<std::string> opened;
  ProblemList* problems;
};

void ExpandMjcfIncludes(XmlElement* element, IncludeState* state);

// The children of the document that an <include> names.
std::vector<XmlElement> LoadIncluded(const XmlElement& include, IncludeState* state) {
  const XmlReader reader(include, state->problems);
  const std::string file = reader.RequiredText("file");
  if (file.empty()) return {};
  // Names are taken from the folder of the outermost file, wherever the <include> stands.
  const std::string path = (state->folder / file).lexically_normal().string();
  if (!state->opened.insert(path).second) {
    reader.Fail(fmt::format("file '{}' is included twice", file));
    return {};
  }
  try {
    XmlElement document = LoadXml(path, state->problems);
    ExpandMjcfIncludes(&document, state);
    return std::move(document.children);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) {
      state->problems->Add(problem.where.line > 0 ? problem.where : include.where,
                           problem.where.line > 0 ? problem.element : "include", problem.message);
    }
    return {};
  }
}

void ExpandMjcfIncludes(XmlElement* element, IncludeState* state) {
  std::vector<XmlElement> expanded;
  for (XmlElement& child : element->children) {
    if (child.name == "include") {
      for (XmlElement& included : LoadIncluded(child, state)) {
        expanded.push_back(std::move(included));
      }
    } else {
      ExpandMjcfIncludes(&child, state);
      expanded.push_back(std::move(child));
    }
  }
  element->children = std::move(expanded);
}

}  // namespace

XmlElement LoadMjcfDocument(const std::string& text, const std::string& file,
                            ProblemList* problems) {
  XmlElement document = ParseXml(text, file, problems);
  const std::filesystem::path path(file);
  IncludeState state{path.parent_path(), {path.lexically_normal().string()}, problems};
  ExpandMjcfIncludes(&document, &state);
  return document;
}

}  // namespace voigt
