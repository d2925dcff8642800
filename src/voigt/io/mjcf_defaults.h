#pragma once

#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "voigt/io/xml_element.h"

namespace voigt {

// The tree of default classes of an MJCF file. A class inherits from the one around it; several
// sections may add to the outermost, which is called "main" where it has no name.
class MjcfDefaults {
 public:
  // Adds what stands in one <default> section of the file's top level.
  void Add(const XmlElement& section, ProblemList* problems);

  bool Has(const std::string& name) const { return classes_.contains(name); }
  const std::string& main() const { return main_; }

  // The elements that give values to an element with one of these names in a class, nearest first.
  // The class must exist or be empty, which is the outermost.
  std::vector<const XmlElement*> Layers(std::initializer_list<std::string_view> tags,
                                        const std::string& name) const;

  // Counts as read what no element of the file could have taken: it has no effect.
  void MarkUnused() const;

 private:
  struct Class {
    std::string parent;
    std::vector<const XmlElement*> elements;  // in the order of the file
  };

  void AddClass(const XmlElement& section, const std::string& parent, ProblemList* problems);

  std::map<std::string, Class> classes_;
  std::string main_ = "main";
  mutable std::set<const XmlElement*> used_;
};

}  // namespace voigt
