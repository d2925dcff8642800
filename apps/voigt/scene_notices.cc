#include "apps/voigt/scene_notices.h"

#include <fmt/format.h>

#include "voigt/collision/contact_finder.h"
#include "voigt/events/undetermined_friction.h"

namespace voigt {

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
