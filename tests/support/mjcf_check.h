#pragma once

#include <string>

#include "voigt/io/mjcf.h"
#include "voigt/model/model_builder.h"

namespace voigt::testing {

// Reads any text as MJCF: it is a model that the builder accepts or refuses with reasons, or a
// problem that says something. What is wrong otherwise, or nothing.
inline std::string DescribeMjcfReadingDefect(const std::string& text) {
  try {
    const ImportedModel imported = ParseMjcf(text, "fuzz/fuzz.xml");
    for (const ImportNote& note : imported.notes) {
      if (note.consequence.empty() || note.element.empty()) return "a note says nothing";
    }
    ModelBuilder(imported.spec).Build();
    return "";
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) {
      if (problem.message.empty()) return "a problem says nothing";
    }
    return error.problems().empty() ? "no problem is named" : "";
  }
}

}  // namespace voigt::testing
