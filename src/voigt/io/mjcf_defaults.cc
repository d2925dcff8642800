#include "voigt/io/mjcf_defaults.h"

#include <fmt/format.h>

#include <algorithm>

namespace voigt {

void MjcfDefaults::Add(const XmlElement& section, ProblemList* problems) {
  section.was_read = true;
  const XmlAttribute* name = section.Find("class");
  if (classes_.empty() && name != nullptr && !name->value.empty()) main_ = name->value;
  if (name != nullptr && name->value != main_) {
    problems->Add(
        name->where, "default",
        fmt::format("the outermost class is called '{}' already, expected no other name", main_));
  }
  AddClass(section, "", problems);
}

void MjcfDefaults::AddClass(const XmlElement& section, const std::string& parent,
                            ProblemList* problems) {
  section.was_read = true;
  const XmlAttribute* attribute = section.Find("class");
  const std::string name = attribute == nullptr ? "" : attribute->value;
  if (!parent.empty() && (name.empty() || classes_.contains(name))) {
    problems->Add(section.where, "default",
                  name.empty() ? "'class' is missing, expected a name"
                               : fmt::format("class '{}' is described twice", name));
    return;
  }
  const std::string key = parent.empty() ? main_ : name;
  classes_[key].parent = parent;
  for (const XmlElement& child : section.children) {
    child.was_read = true;
    if (child.name == "default") {
      AddClass(child, key, problems);
    } else {
      classes_[key].elements.push_back(&child);
    }
  }
}

std::vector<const XmlElement*> MjcfDefaults::Layers(std::initializer_list<std::string_view> tags,
                                                    const std::string& name) const {
  std::vector<const XmlElement*> layers;
  auto entry = classes_.find(name.empty() ? main_ : name);
  while (entry != classes_.end()) {
    const std::vector<const XmlElement*>& elements = entry->second.elements;
    for (auto element = elements.rbegin(); element != elements.rend(); ++element) {
      if (std::find(tags.begin(), tags.end(), (*element)->name) == tags.end()) continue;
      layers.push_back(*element);
      used_.insert(*element);
    }
    entry = entry->second.parent.empty() ? classes_.end() : classes_.find(entry->second.parent);
  }
  return layers;
}

void MjcfDefaults::MarkUnused() const {
  for (const auto& [name, entry] : classes_) {
    for (const XmlElement* element : entry.elements) {
      if (!used_.contains(element)) element->MarkAllAsRead();
    }
  }
}

}  // namespace voigt
