#include "voigt/io/yaml_value.h"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "voigt/io/file_source.h"
#include "voigt/io/utf8.h"

namespace voigt {
namespace {

// Aliases can make a small file expand without end; no scene comes near these.
constexpr int kMaxDepth = 100;
constexpr long kMaxNodes = 2'000'000;
constexpr char kTooLarge[] = "the document is nested too deeply or too large";

class Converter {
 public:
  Converter(const std::string& file, ProblemList* problems) : file_(file), problems_(problems) {}

  YamlValue Convert(const YAML::Node& node, int depth) {
    YamlValue out;
    out.where = Locate(node.Mark());
    if (depth > kMaxDepth || ++nodes_ > kMaxNodes) {
      throw InputError(out.where, "", kTooLarge);
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
      return;
    }
    const auto earlier = std::find_if(map->entries.begin(), map->entries.end(),
                                      [&](const YamlEntry& e) { return e.key == key.Scalar(); });
    if (earlier != map->entries.end()) {
      problems_->Add(where, "",
                     fmt::format("key '{}' is given twice, first at line {}", key.Scalar(),
                                 earlier->where.line));
      return;
    }
    map->entries.push_back({key.Scalar(), where, Convert(value, depth + 1)});
    // What is not there is said to stand at whatever comes next.
    YamlValue& added = map->entries.back().value;
    if (added.kind == YamlValue::Kind::kNull) added.where = where;
  }

  const std::string& file_;
  ProblemList* problems_;
  long nodes_ = 0;
};

// Everything after this may be printed, drawn and written as JSON, all of which are UTF-8.
void CheckEncoding(const std::string& text, const std::string& file) {
  const auto bad = FindInvalidUtf8(text);
  if (!bad) return;
  SourceLocation where{file, 1, 1};
  for (char c : text.substr(0, *bad)) {
    const bool starts_character = (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    where.column += starts_character;
    if (c == '\n') where = {file, where.line + 1, 1};
  }
  throw InputError(
      where, "",
      fmt::format("byte {:#04x}, expected text in UTF-8", static_cast<unsigned char>(text[*bad])));
}

// Notes where documents and their contents start.
class DocumentWalk final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    start_ = mark;
    content_.reset();
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { Note(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                const std::string&) override {
    Note(mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    Note(mark);
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    Note(mark);
  }
  void OnMapEnd() override {}

  const YAML::Mark& start() const { return start_; }
  const std::optional<YAML::Mark>& content() const { return content_; }

 private:
  void Note(const YAML::Mark& mark) {
    if (!content_) content_ = mark;
  }

  YAML::Mark start_;
  std::optional<YAML::Mark> content_;
};

// Where a document after the first has something to say. yaml-cpp takes a stray , or ] between
// documents for one without contents and does not get past it: that is noticed here.
std::optional<SourceLocation> FindSecondDocument(const std::string& text, const std::string& file) {
  const auto locate = [&](const YAML::Mark& mark) {
    return SourceLocation{file, mark.line + 1, mark.column + 1};
  };
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentWalk walk;
  int last = -1;
  for (int count = 1; parser.HandleNextDocument(walk); ++count) {
    if (walk.start().pos == last) {
      throw InputError(locate(walk.start()), "", "not valid YAML: expected a key or a value");
    }
    last = walk.start().pos;
    if (count > 1 && walk.content()) return locate(*walk.content());
  }
  return std::nullopt;
}

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
  CheckEncoding(text, file);
  try {
    if (const auto second = FindSecondDocument(text, file)) {
      problems->Add(*second, "", "a second document starts here, expected one per file");
    }
    return Converter(file, problems).Convert(YAML::Load(text), 0);
  } catch (const YAML::DeepRecursion& error) {
    throw InputError({file, error.mark.line + 1, error.mark.column + 1}, "", kTooLarge);
  } catch (const YAML::Exception& error) {
    throw InputError({file, error.mark.line + 1, error.mark.column + 1}, "",
                     "not valid YAML: " + error.msg);
  }
}

std::string ReadTextFile(const std::string& path) { return ReadFile(path); }

}  // namespace voigt
