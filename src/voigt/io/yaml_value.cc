#include "voigt/io/yaml_value.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <fstream>
#include <iterator>

namespace voigt {
namespace {

// Aliases can make a small file expand without end; no scene comes near these.
constexpr int kMaxDepth = 100;
constexpr long kMaxNodes = 20'000'000;

class Converter {
 public:
  Converter(const std::string& file, ProblemList* problems) : file_(file), problems_(problems) {}

  YamlValue Convert(const YAML::Node& node, int depth) {
    YamlValue out;
    out.where = Locate(node.Mark());
    if (depth > kMaxDepth || ++nodes_ > kMaxNodes) {
      throw InputError(out.where, "", "the document is nested too deeply or too large");
    }
    if (node.IsScalar()) {
      out.kind = YamlValue::Kind::kScalar;
      out.text = node.Scalar();
    } else if (node.IsSequence()) {
      out.kind = YamlValue::Kind::kList;
      for (const auto& item : node) out.items.push_back(Convert(item, depth + 1));
    } else if (node.IsMap()) {
      out.kind = YamlValue::Kind::kMap;
      for (const auto& entry : node) AddEntry(entry.first, entry.second, depth, &out);
    }
    return out;
  }

 private:
  SourceLocation Locate(const YAML::Mark& mark) const {
    return {file_, mark.line + 1, mark.column + 1};
  }

  void AddEntry(const YAML::Node& key, const YAML::Node& value, int depth, YamlValue* map) {
    const SourceLocation where = Locate(key.Mark());
    if (!key.IsScalar()) {
      problems_->Add(where, "", "a key must be plain text");
    } else if (const YamlValue* earlier = map->Find(key.Scalar())) {
      problems_->Add(where, "",
                     fmt::format("key '{}' is given twice, first at line {}", key.Scalar(),
                                 earlier->where.line));
    } else {
      map->entries.push_back({key.Scalar(), where, Convert(value, depth + 1)});
    }
  }

  const std::string& file_;
  ProblemList* problems_;
  long nodes_ = 0;
};

}  // namespace

const YamlValue* YamlValue::Find(std::string_view key) const {
  for (const YamlEntry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

YamlValue* YamlValue::Find(std::string_view key) {
  return const_cast<YamlValue*>(static_cast<const YamlValue*>(this)->Find(key));
}

std::string YamlValue::Describe() const {
  switch (kind) {
    case Kind::kNull:
      return "nothing";
    case Kind::kScalar:
      return fmt::format("'{}'", text);
    case Kind::kList:
      return fmt::format("a list of {}", items.size());
    case Kind::kMap:
      return "a map";
  }
  return "";
}

YamlValue ParseYaml(const std::string& text, const std::string& file, ProblemList* problems) {
  try {
    return Converter(file, problems).Convert(YAML::Load(text), 0);
  } catch (const YAML::Exception& error) {
    throw InputError({file, error.mark.line + 1, error.mark.column + 1}, "",
                     "not valid YAML: " + error.msg);
  }
}

std::string ReadTextFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw InputError({path, 0, 0}, "", "cannot be read: does the file exist?");
  return text;
}

}  // namespace voigt
