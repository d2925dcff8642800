#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "voigt/base/errors.h"

namespace voigt {

struct XmlAttribute {
  std::string name, value;
  SourceLocation where;           // of the name
  mutable bool was_read = false;  // somebody asked for it
};

// An element of an XML document as plain data that knows where it was written and what of it was
// read: whoever reads a document asks for all it understands, and ListUnread tells the rest.
struct XmlElement {
  std::string name;
  std::vector<XmlAttribute> attributes;  // in the order of the file
  std::vector<XmlElement> children;
  std::string text;  // what stands between the tags, without blanks around it
  SourceLocation where;
  mutable bool was_read = false;

  // The attribute of that name, or nullptr; it counts as read then.
  const XmlAttribute* Find(std::string_view attribute) const;
  // The value of an attribute that does not count as read by that; empty if there is none.
  std::string_view Peek(std::string_view attribute) const;
  // The children of that name, in order; they count as read.
  std::vector<const XmlElement*> Children(std::string_view child) const;
  // Marks the element with all that stands in it.
  void MarkAllAsRead() const;
  // "joint 'elbow'", "joint" without a name: for messages.
  std::string Describe() const;
};

// Reads a document. Throws InputError where it is not well formed, not UTF-8 or nested too deeply;
// attributes that are given twice are added to *problems.
XmlElement ParseXml(const std::string& text, const std::string& file, ProblemList* problems);
// The same from a file. Throws InputError if it cannot be read.
XmlElement LoadXml(const std::string& path, ProblemList* problems);

// An element or an attribute that nobody asked for.
struct UnreadXml {
  SourceLocation where;
  std::string element;  // the element itself, or that of the attribute, as Describe() says it
  std::string name;     // of the element or attribute
  bool is_attribute = false;
};

// All that was not read below `root`, in the order of the file. Of an element that was not read,
// what stands in it is not listed.
std::vector<UnreadXml> ListUnread(const XmlElement& root);

}  // namespace voigt
