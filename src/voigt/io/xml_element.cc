#include "voigt/io/xml_element.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <pugixml.hpp>

#include "voigt/io/utf8.h"
#include "voigt/io/yaml_value.h"

namespace voigt {
namespace {

// Elements are handled by recursion; no robot comes near this.
constexpr int kMaxXmlDepth = 500;

bool IsXmlBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Turns bytes of a text into lines and columns. Documents are gone through from their start to
// their end, so columns are counted on from the last place: a file may be one line of many
// megabytes.
class XmlPlaces {
 public:
  XmlPlaces(const std::string& text, const std::string& file) : text_(text), file_(file) {
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') line_ends_.push_back(i);
    }
  }

  SourceLocation Locate(size_t byte) {
    byte = std::min(byte, text_.size());
    const auto end = std::lower_bound(line_ends_.begin(), line_ends_.end(), byte);
    const size_t start = end == line_ends_.begin() ? 0 : *(end - 1) + 1;
    if (last_byte_ < start || last_byte_ > byte) {
      last_byte_ = start;
      last_column_ = 0;
    }
    // Columns count characters: what continues one in UTF-8 is passed over.
    const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    last_column_ += std::count_if(text_.begin() + last_byte_, text_.begin() + byte, is_start);
    last_byte_ = byte;
    return {file_, static_cast<int>(end - line_ends_.begin()) + 1,
            static_cast<int>(last_column_) + 1};
  }

 private:
  const std::string& text_;
  const std::string& file_;
  std::vector<size_t> line_ends_;
  size_t last_byte_ = 0;
  std::ptrdiff_t last_column_ = 0;
};

// Makes plain data of what pugixml read.
class XmlConverter {
 public:
  XmlConverter(const std::string& text, const std::string& file, ProblemList* problems)
      : text_(text), places_(text, file), problems_(problems) {}

  SourceLocation Locate(size_t byte) { return places_.Locate(byte); }

  XmlElement Convert(const pugi::xml_node& node, int depth) {
    XmlElement out;
    out.name = node.name();
    const size_t start = static_cast<size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
    out.where = Locate(start);
    if (depth > kMaxXmlDepth) {
      throw InputError(out.where, out.name,
                       fmt::format("nested deeper than {} elements", kMaxXmlDepth));
    }
    AddAttributes(node, start + out.name.size(), &out);
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() == pugi::node_element) {
        out.children.push_back(Convert(child, depth + 1));
      } else {
        out.text += child.value();
      }
    }
    return out;
  }

 private:
  // pugixml does not say where attributes stand. They follow the name of their element: name, =,
  // and a value in quotes, which the parser has accepted.
  void AddAttributes(const pugi::xml_node& node, size_t byte, XmlElement* out) {
    std::map<std::string_view, int> lines;  // where each name stands first
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      byte = Skip(byte, IsXmlBlank);
      const SourceLocation where = Locate(byte);
      byte = Skip(byte, [](char c) { return c != '"' && c != '\''; });
      const char quote = byte < text_.size() ? text_[byte] : '"';
      byte = Skip(byte + 1, [&](char c) { return c != quote; }) + 1;
      const auto [earlier, is_new] = lines.try_emplace(attribute.name(), where.line);
      if (is_new) {
        out->attributes.push_back({attribute.name(), attribute.value(), where});
      } else {
        problems_->Add(where, out->name,
                       fmt::format("attribute '{}' is given twice, first at line {}",
                                   attribute.name(), earlier->second));
      }
    }
  }

  template <typename Accept>
  size_t Skip(size_t byte, Accept accept) const {
    while (byte < text_.size() && accept(text_[byte])) ++byte;
    return byte;
  }

  const std::string& text_;
  XmlPlaces places_;
  ProblemList* problems_;
};

void AddUnread(const XmlElement& element, std::vector<UnreadXml>* unread) {
  if (!element.was_read) {
    unread->push_back({element.where, element.Describe(), element.name, false});
    return;
  }
  const std::string description = element.Describe();
  for (const XmlAttribute& attribute : element.attributes) {
    if (attribute.was_read) continue;
    unread->push_back({attribute.where, description, attribute.name, true});
  }
  for (const XmlElement& child : element.children) AddUnread(child, unread);
}

}  // namespace

const XmlAttribute* XmlElement::Find(std::string_view attribute) const {
  for (const XmlAttribute& candidate : attributes) {
    if (candidate.name != attribute) continue;
    candidate.was_read = true;
    return &candidate;
  }
  return nullptr;
}

std::string_view XmlElement::Peek(std::string_view attribute) const {
  for (const XmlAttribute& candidate : attributes) {
    if (candidate.name == attribute) return candidate.value;
  }
  return {};
}

std::vector<const XmlElement*> XmlElement::Children(std::string_view child) const {
  std::vector<const XmlElement*> out;
  for (const XmlElement& candidate : children) {
    if (candidate.name != child) continue;
    candidate.was_read = true;
    out.push_back(&candidate);
  }
  return out;
}

void XmlElement::MarkAllAsRead() const {
  was_read = true;
  for (const XmlAttribute& attribute : attributes) attribute.was_read = true;
  for (const XmlElement& child : children) child.MarkAllAsRead();
}

std::string XmlElement::Describe() const {
  const std::string_view own = Peek("name");
  return ShortenMessage(own.empty() ? name : fmt::format("{} '{}'", name, own));
}

XmlElement ParseXml(const std::string& text, const std::string& file, ProblemList* problems) {
  XmlConverter converter(text, file, problems);
  if (const auto bad = FindInvalidUtf8(text)) {
    throw InputError(converter.Locate(*bad), "", "the text is not UTF-8");
  }
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_trim_pcdata, pugi::encoding_utf8);
  if (!result) {
    throw InputError(
        converter.Locate(static_cast<size_t>(std::max<std::ptrdiff_t>(result.offset, 0))), "",
        fmt::format("not well-formed XML: {}", result.description()));
  }
  XmlElement root;
  for (const pugi::xml_node& node : document.children()) {
    if (node.type() != pugi::node_element) continue;
    XmlElement element = converter.Convert(node, 1);
    if (root.name.empty()) {
      root = std::move(element);
    } else {
      problems->Add(element.where, element.name,
                    fmt::format("stands after the end of '{}', expected one element that holds all",
                                root.name));
    }
  }
  return root;
}

XmlElement LoadXml(const std::string& path, ProblemList* problems) {
  return ParseXml(ReadTextFile(path), path, problems);
}

std::vector<UnreadXml> ListUnread(const XmlElement& root) {
  std::vector<UnreadXml> unread;
  AddUnread(root, &unread);
  return unread;
}

}  // namespace voigt
