#include "voigt/events/event.h"

namespace voigt {

std::string_view ToString(EventKind kind) {
  switch (kind) {
    case EventKind::kImpact:
      return "impact";
    case EventKind::kRest:
      return "rest";
    case EventKind::kRelease:
      return "release";
    case EventKind::kStick:
      return "stick";
    case EventKind::kSlip:
      return "slip";
  }
  return "";
}

void EventTotals::Add(const Event& event) {
  impacts += event.kind == EventKind::kImpact;
  rests += event.kind == EventKind::kRest;
  releases += event.kind == EventKind::kRelease;
  sticks += event.kind == EventKind::kStick;
  slips += event.kind == EventKind::kSlip;
}

}  // namespace voigt
