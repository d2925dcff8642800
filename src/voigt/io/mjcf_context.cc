#include "voigt/io/mjcf_context.h"

#include <fmt/format.h>

namespace voigt {

void MjcfContext::Note(ImportNote::Kind kind, const SourceLocation& where, std::string element,
                       std::string consequence) {
  out.notes.push_back(
      {kind, where, ShortenMessage(std::move(element)), ShortenMessage(std::move(consequence))});
}

void MjcfContext::NoteTogether(ImportNote::Kind kind, const SourceLocation& where,
                               const std::string& element, const std::string& consequence) {
  Together& entry = together[element + ": " + consequence];
  if (entry.count++ == 0) {
    entry.note = {kind, where, ShortenMessage(element), ShortenMessage(consequence)};
  }
}

void MjcfContext::IgnoreElement(const XmlElement& element, const std::string& consequence) {
  element.MarkAllAsRead();
  NoteTogether(ImportNote::Kind::kIgnored, element.where, element.name, consequence);
}

void MjcfContext::AddTogetherNotes() {
  for (const auto& [key, entry] : together) {
    out.notes.push_back(entry.note);
    if (entry.count > 1) out.notes.back().element += fmt::format(" ({} of them)", entry.count);
  }
}

XmlReader MjcfContext::ReaderOf(const XmlElement& element,
                                std::initializer_list<std::string_view> tags,
                                const std::string& inherited) {
  std::string name = inherited;
  if (const XmlAttribute* own = element.Find("class")) {
    name = own->value;
    if (!defaults.Has(name)) {
      problems.Add(own->where, element.Describe(),
                   fmt::format("default class '{}' is not described", name));
    }
  }
  return XmlReader(element, &problems, defaults.Layers(tags, name));
}

const MjcfBody* MjcfContext::FindBody(const std::string& name) const {
  for (const MjcfBody& body : bodies) {
    if (body.name == name) return &body;
  }
  return nullptr;
}

const JointSpec* MjcfContext::FindJoint(const std::string& name) const {
  for (const MjcfJoint& joint : joints) {
    if (out.spec.joints[joint.spec].name == name) return &out.spec.joints[joint.spec];
  }
  return nullptr;
}

double MjcfContext::FindReference(const std::string& joint) const {
  const auto entry = out.reference.find(joint);
  return entry == out.reference.end() ? 0 : entry->second[0];
}

double MjcfContext::FindSpringReference(const std::string& joint) const {
  for (const MjcfJoint& known : joints) {
    if (out.spec.joints[known.spec].name == joint) return known.spring_reference;
  }
  return 0;
}

std::string TakeName(const std::string& base, std::set<std::string>* taken) {
  std::string name = base;
  for (int i = 2; !taken->insert(name).second; ++i) name = fmt::format("{}_{}", base, i);
  return name;
}

}  // namespace voigt
