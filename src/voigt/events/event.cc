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
    case EventKind::kTurn:
      return "turn";
    case EventKind::kLock:
      return "lock";
    case EventKind::kTouch:
      return "touch";
    case EventKind::kBreakaway:
      return "breakaway";
    case EventKind::kSlowdown:
      return "slowdown";
  }
  return "";
}

void EventTotals::Add(const Event& event) {
  impacts += event.kind == EventKind::kImpact;
  rests += event.kind == EventKind::kRest;
  releases += event.kind == EventKind::kRelease;
  sticks += event.kind == EventKind::kStick;
  slips += event.kind == EventKind::kSlip;
  turns += event.kind == EventKind::kTurn;
  locks += event.kind == EventKind::kLock;
  touches += event.kind == EventKind::kTouch;
  breakaways += event.kind == EventKind::kBreakaway;
  slowdowns += event.kind == EventKind::kSlowdown;
}

}  // namespace voigt
