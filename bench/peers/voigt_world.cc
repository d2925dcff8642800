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
  Vec3 Velocity(int body) const override { return Rates(body).head<3>(); }
  Vec3 Spin(int body) const override { return Rates(body).tail<3>(); }
  // Of those that are close enough to be in the problem, those that push.
  int Contacts() const override { return static_cast<int>(simulator_.state().contacts.size()); }

 private:
  const Model& model() const { return simulator_.model(); }
  // Of a body on a free joint: velocity and spin.
  Vec6 Rates(int body) const {
    return simulator_.state().v.segment<6>(model().tree().v_start[body + 1]);
  }
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

std::unique_ptr<World> MakeBedOfSpheres(const BedSpec& spec) {
  Scene scene = LoadScene(
      fmt::format("{}/scenes/spheres_in_box.yaml", VOIGT_SOURCE_DIR),
      {Set("parameters.nx", spec.nx), Set("parameters.ny", spec.ny),
       Set("parameters.layers", spec.layers), Set("parameters.radius", spec.radius),
       Set("parameters.pitch", spec.pitch), Set("materials.default.stiffness", 2 * spec.stiffness),
       Set("materials.default.damping", 2 * spec.damping),
       Set("materials.default.friction", spec.mu), Set("simulation.step", spec.h),
       Override{"gravity", fmt::format("[0, 0, {}]", -spec.gravity)}});
  // Bodies and coordinates are in the order of the scene: position and quaternion of each.
  for (int i = 0; i < spec.count(); ++i) scene.initial.q.segment<3>(7 * i) = spec.start[i];
  return std::make_unique<VoigtWorld>(scene);
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
  engine.bed = MakeBedOfSpheres;
  return engine;
}

}  // namespace voigt::bench
