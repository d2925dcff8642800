#include <fmt/format.h>

#include "voigt/io/mjcf_context.h"

namespace voigt {
namespace {

void LeaveOut(const XmlElement& element, const std::string& consequence, MjcfContext* context) {
  element.MarkAllAsRead();
  context->Note(ImportNote::Kind::kUnsupported, element.where, element.Describe(), consequence);
}

}  // namespace

void ReadMjcfTendons(const XmlElement& section, MjcfContext* context) {
  section.was_read = true;
  for (const XmlElement& element : section.children) {
    LeaveOut(element, "tendons are left out", context);
  }
}

void ReadMjcfActuators(const XmlElement& section, MjcfContext* context) {
  section.was_read = true;
  for (const XmlElement& element : section.children) {
    LeaveOut(element, "actuators are left out", context);
    const std::string base = fmt::format("actuator{}", context->actuators.size());
    const std::string_view name = element.Peek("name");
    context->actuators.push_back(name.empty() ? base : std::string(name));
  }
}

void ReadMjcfTendonEquality(const XmlElement& element, MjcfContext* context) {
  LeaveOut(element, "constraints of tendons are left out", context);
}

}  // namespace voigt
