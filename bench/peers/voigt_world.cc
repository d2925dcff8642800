// voigt as a user runs it: the scenes of scenes/, loaded and stepped.

#include <fmt/format.h>

#include "bench/peers/peer.h"
#include "voigt/voigt.h"

namespace voigt::bench {
namespace {

class VoigtWorld : public World {
 public:
  explicit VoigtWorld(const Scene& scene)
      : simulator_(scene.model, scene.settings, scene.initial), kin_(scene.model) {}

  void Step() override { simulator_.Step(); }
  double Mass(int body) const override { return model().body(body + 1).mass.mass; }
  Vec3 Position(int body) const override { return BodyPose(body).p; }
  Vec3 Up(int body) const override { return BodyPose(body).R.col(2); }
  // Of those that are close enough to be in the problem, those that push.
  int Contacts() const override { return static_cast<int>(simulator_.state().contacts.size()); }

 private:
  const Model& model() const { return simulator_.model(); }
  Pose BodyPose(int body) const {
    UpdatePositions(model(), simulator_.state().q, &kin_);
    return CalcBodyPose(model(), kin_, body + 1);
  }

  Simulator simulator_;
  mutable Kinematics kin_;
};

Override Set(const char* key, double value) { return {key, fmt::format("{}", value)}; }

std::unique_ptr<World> LoadWorld(const char* name, const std::vector<Override>& overrides) {
  return std::make_unique<VoigtWorld>(
      LoadScene(fmt::format("{}/scenes/{}.yaml", VOIGT_SOURCE_DIR, name), overrides));
}

}  // namespace

Engine MakeVoigtEngine() {
  Engine engine;
  engine.name = "voigt";
  engine.stack = [](const StackSpec& spec) {
    return LoadWorld("sphere_stack",
                     {Set("parameters.n", spec.count), Set("parameters.K", spec.stiffness),
                      Set("parameters.B", spec.damping), Set("parameters.r", spec.radius),
                      Set("parameters.m", spec.mass), Set("parameters.gap", spec.gap),
                      Set("materials.default.friction", spec.mu), Set("simulation.step", spec.h),
                      Override{"gravity", fmt::format("[0, 0, {}]", -spec.gravity)}});
  };
  engine.foundation = [](const FoundationSpec& spec) {
    return LoadWorld("foundation",
                     {Set("parameters.n", spec.per_side), Set("parameters.E", spec.modulus),
                      Set("parameters.load", spec.load), Set("parameters.s", spec.side),
                      Set("parameters.m", spec.mass), Set("simulation.step", spec.h),
                      Override{"gravity", fmt::format("[0, 0, {}]", -spec.gravity)}});
  };
  return engine;
}

}  // namespace voigt::bench
