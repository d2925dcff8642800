#pragma once

#include <string>

#include "voigt/io/file_source.h"
#include "voigt/io/scene.h"

namespace voigt::testing {

// Reads any text as a scene, without files beside it: it is one, or a problem that says something.
// What is wrong otherwise, or nothing.
inline std::string DescribeSceneReadingDefect(const std::string& text) {
  const FileReplay no_files({});
  try {
    const Scene scene = ParseScene(text, "fuzz.yaml");
    const State& start = scene.initial;
    if (start.q.size() != scene.model.nq() || start.v.size() != scene.model.nv()) {
      return "the start is of another size than the model";
    }
    return start.q.allFinite() && start.v.allFinite() ? "" : "the start is not finite";
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) {
      if (problem.message.empty()) return "a problem says nothing";
    }
    return error.problems().empty() ? "no problem is named" : "";
  }
}

}  // namespace voigt::testing
