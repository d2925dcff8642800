#include "bench/peers/engine.h"

namespace voigt::peers {

namespace {

struct Peer {
  const char* package;
  std::vector<Engine> (*list)();      // null where it was not found
  std::vector<Engine> (*for_beds)();  // null where it has none
};

std::vector<Peer> ListPeers() {
  return {
#ifdef VOIGT_PEERS_MUJOCO
      {"libmujoco-dev", ListMujoco, ListMujocoForBeds},
#else
      {"libmujoco-dev", nullptr, nullptr},
#endif
#ifdef VOIGT_PEERS_BULLET
      {"libbullet-dev", ListBullet, ListBulletForBeds},
#else
      {"libbullet-dev", nullptr, nullptr},
#endif
#ifdef VOIGT_PEERS_ODE
      {"libode-dev", ListOde, ListOdeForBeds},
#else
      {"libode-dev", nullptr, nullptr},
#endif
#ifdef VOIGT_PEERS_DART
      {"libdart-collision-ode-dev", ListDart, ListDartForBeds},
#else
      {"libdart-collision-ode-dev", nullptr, nullptr},
#endif
#ifdef VOIGT_PEERS_SIMBODY
      {"libsimbody-dev", ListSimbody, nullptr},
#else
      {"libsimbody-dev", nullptr, nullptr},
#endif
#ifdef VOIGT_PEERS_SICONOS
      {"libsiconos-numerics-dev", ListSiconos, nullptr},
#else
      {"libsiconos-numerics-dev", nullptr, nullptr},
#endif
  };
}

}  // namespace

std::vector<Engine> ListEngines() {
  std::vector<Engine> out = ListVoigt();
  for (const Peer& peer : ListPeers()) {
    if (peer.list == nullptr) continue;
    for (Engine& engine : peer.list()) out.push_back(std::move(engine));
  }
  return out;
}

std::vector<Engine> ListEnginesForBeds() {
  std::vector<Engine> out = ListVoigt();
  for (const Peer& peer : ListPeers()) {
    if (peer.for_beds == nullptr) continue;
    for (Engine& engine : peer.for_beds()) out.push_back(std::move(engine));
  }
  return out;
}

std::vector<std::string> ListMissingEngines() {
  std::vector<std::string> out;
  for (const Peer& peer : ListPeers()) {
    if (peer.list == nullptr) out.emplace_back(peer.package);
  }
  return out;
}

std::vector<Wrench> SpreadLoads(const Scene& scene, const Loads& loads, const World& world) {
  std::vector<Pose> poses;
  if (!loads.joint_forces.empty()) {
    for (size_t b = 0; b < scene.bodies.size(); ++b) {
      poses.push_back(world.BodyPose(static_cast<int>(b)));
    }
  }
  return SpreadLoads(scene, loads, poses);
}

}  // namespace voigt::peers
