#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/peers/scene.h"

namespace voigt::peers {

// A scene in some engine, ready to move. Bodies are numbered as in the scene.
class World {
 public:
  virtual ~World() = default;
  // One step of Scene::h. What is loaded acts during all of it.
  virtual void Step(const Loads& loads) = 0;

  virtual Pose BodyPose(int body) const = 0;
  virtual Vec3 Velocity(int body) const = 0;  // of the centre of mass, in world axes
  virtual Vec3 Spin(int body) const = 0;      // in world axes
  virtual double Mass(int body) const = 0;
  virtual double InertiaTrace(int body) const = 0;
  virtual int Contacts() const = 0;  // as the engine counts them, in the last step

  // What the engine itself says about the run; empty if all went well.
  virtual std::string Complaint() const { return ""; }
};

// Forces of joints as wrenches on the bodies of a world, for engines that do not know them.
std::vector<Wrench> SpreadLoads(const Scene& scene, const Loads& loads, const World& world);

// Why an engine cannot have a scene: the sentence stands in the table.
class NotExpressible : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Engine {
  std::string name;
  std::string settings;  // in words, for the report
  // Throws NotExpressible.
  std::function<std::unique_ptr<World>(const Scene&)> make;
  // Its steps are those of an integrator with error control: what it should reach is the
  // continuous solution, not that of semi-implicit Euler steps.
  bool is_continuous = false;
};

std::vector<Engine> ListVoigt();
std::vector<Engine> ListMujoco();
std::vector<Engine> ListOde();
std::vector<Engine> ListBullet();
std::vector<Engine> ListDart();
std::vector<Engine> ListSimbody();
std::vector<Engine> ListSiconos();

// The same with what their manuals advise for beds of many spheres, for bench_granular.
std::vector<Engine> ListMujocoForBeds();
std::vector<Engine> ListOdeForBeds();
std::vector<Engine> ListBulletForBeds();
std::vector<Engine> ListDartForBeds();

// voigt first, then those that were found when this was built.
std::vector<Engine> ListEngines();
std::vector<Engine> ListEnginesForBeds();
// Peers that were not found.
std::vector<std::string> ListMissingEngines();

}  // namespace voigt::peers
