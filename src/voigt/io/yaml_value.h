#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "voigt/base/errors.h"

namespace voigt {

struct YamlEntry;

// A YAML document as plain data that knows where each piece was written.
struct YamlValue {
  enum class Kind { kNull, kScalar, kList, kMap };

  Kind kind = Kind::kNull;
  std::string text;                // of a scalar
  std::vector<YamlValue> items;    // of a list
  std::vector<YamlEntry> entries;  // of a map, in the order of the file
  SourceLocation where;

  bool IsScalar() const { return kind == Kind::kScalar; }
  bool IsList() const { return kind == Kind::kList; }
  bool IsMap() const { return kind == Kind::kMap; }

  // The value of a key of a map, or nullptr.
  const YamlValue* Find(std::string_view key) const;
  YamlValue* Find(std::string_view key);

  // "'abc'", "a list of 3", "a map", "nothing": for messages.
  std::string Describe() const;
};

struct YamlEntry {
  std::string key;
  SourceLocation where;  // of the key
  YamlValue value;
};

// Reads one YAML document. Throws InputError at a syntax error and where the text is not UTF-8;
// duplicate keys, keys that are not plain text and further documents are added to *problems.
YamlValue ParseYaml(const std::string& text, const std::string& file, ProblemList* problems);

// Reads a file of text: ReadFile (file_source.h).
std::string ReadTextFile(const std::string& path);

}  // namespace voigt
