#include "apps/voigt/scene_notices.h"

#include <fmt/format.h>

#include <algorithm>

#include "voigt/collision/contact_finder.h"
#include "voigt/events/undetermined_friction.h"
#include "voigt/sim/overlaps.h"

namespace voigt {

namespace {

void AddOverlaps(const Scene& scene, std::vector<std::string>* notices) {
  constexpr size_t kShown = 5;
  const std::vector<ShapeOverlap> overlaps = ListShapeOverlaps(scene.model, scene.initial);
  for (size_t k = 0; k < std::min(kShown, overlaps.size()); ++k) {
    notices->push_back(fmt::format(
        "{} overlap by {:.3g} m at the start: they are let out at {:.3g} m/s at most "
        "(contact.recovery_speed)",
        overlaps[k].pair, overlaps[k].depth, scene.model.spec().contact.recovery_speed));
  }
  if (overlaps.size() > kShown) {
    notices->push_back(
        fmt::format("{} more pairs of shapes overlap at the start", overlaps.size() - kShown));
  }
}

}  // namespace

std::vector<std::string> ListSceneNotices(const Scene& scene) {
  std::vector<std::string> notices = scene.notices;
  const ContactFinder finder(scene.model);
  for (const UnsupportedPair& pair : finder.unsupported()) {
    notices.push_back(fmt::format("contact between {} and {} is not found yet", pair.A, pair.B));
  }
  if (!finder.empty() && scene.settings.integrator != Integrator::kSemiImplicitEuler &&
      scene.settings.integrator != Integrator::kEventDriven) {
    notices.push_back(fmt::format("contact does not act with the integrator {}",
                                  ToString(scene.settings.integrator)));
  }
  AddOverlaps(scene, &notices);
  const std::vector<std::string> open = ListUndeterminedFriction(scene.model, scene.initial);
  if (!open.empty()) {
    notices.push_back(fmt::format(
        "{}: rigid bodies leave open what load it comes from; constraints repeat each other, and "
        "what each of them bears is its share in the least-squares sense",
        fmt::join(open, ", ")));
  }
  if (scene.moved_start) {
    notices.emplace_back("values under 'initial' were changed to meet the constraints");
  }
  return notices;
}

}  // namespace voigt
