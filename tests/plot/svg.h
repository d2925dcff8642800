#pragma once

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace voigt::testing {

// An element of an SVG document, with the text directly inside it.
struct SvgElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;

  double Number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }
};

[[noreturn]] inline void FailSvg(const std::string& why) {
  throw std::runtime_error("bad SVG: " + why);
}

// Text between tags or quotes: no control characters, & only as one of the five entities.
inline void CheckSvgText(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) < 0x20 && text[i] != '\n' && text[i] != '\t') {
      FailSvg("a control character");
    }
    if (text[i] != '&') continue;
    bool known = false;
    for (std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"}) {
      known = known || text.substr(i).starts_with(entity);
    }
    if (!known) FailSvg("a stray &");
  }
}

// name a="b" c="d", without < > and the closing slash.
inline SvgElement ParseSvgTag(std::string_view tag) {
  constexpr std::string_view kSpace = " \n\t";
  SvgElement element;
  size_t at = std::min(tag.find_first_of(kSpace), tag.size());
  element.name = tag.substr(0, at);
  if (element.name.empty()) FailSvg("a tag without name");
  for (;;) {
    const size_t start = tag.find_first_not_of(kSpace, at);
    if (start == std::string_view::npos) return element;
    const size_t quote = tag.find("=\"", start);
    if (start == at || quote == std::string_view::npos) FailSvg(std::string(tag));
    const std::string name(tag.substr(start, quote - start));
    const size_t end = tag.find('"', quote + 2);
    if (end == std::string_view::npos || name.find_first_of("\"' \n<=") != std::string::npos) {
      FailSvg(std::string(tag));
    }
    const std::string value(tag.substr(quote + 2, end - quote - 2));
    CheckSvgText(value);
    if (value.find('<') != std::string::npos) FailSvg("< in an attribute");
    if (!element.attributes.emplace(name, value).second) FailSvg(name + " is given twice");
    at = end + 1;
  }
}

// All elements in the order of the document. Throws std::runtime_error where it is not well-formed
// XML: tags that do not match, attributes without quotes or given twice, stray < and &.
inline std::vector<SvgElement> ParseSvg(const std::string& svg) {
  std::vector<SvgElement> elements;
  std::vector<size_t> open;
  for (size_t at = 0; at < svg.size();) {
    const size_t tag = svg.find('<', at);
    const std::string text = svg.substr(at, tag - at);
    CheckSvgText(text);
    if (!open.empty()) {
      elements[open.back()].text += text;
    } else if (text.find_first_not_of(" \n") != std::string::npos) {
      FailSvg("text outside the root: " + text);
    }
    if (tag == std::string::npos) break;
    const size_t end = svg.find('>', tag);
    if (end == std::string::npos) FailSvg("a tag without end");
    std::string_view inside = std::string_view(svg).substr(tag + 1, end - tag - 1);
    at = end + 1;
    if (inside.starts_with('/')) {
      if (open.empty() || elements[open.back()].name != inside.substr(1)) {
        FailSvg("</" + std::string(inside));
      }
      open.pop_back();
      continue;
    }
    if (open.empty() && !elements.empty()) FailSvg("a second root");
    const bool closed = inside.ends_with('/');
    if (closed) inside.remove_suffix(1);
    elements.push_back(ParseSvgTag(inside));
    if (!closed) open.push_back(elements.size() - 1);
  }
  if (!open.empty() || elements.empty()) FailSvg("not closed");
  return elements;
}

}  // namespace voigt::testing
