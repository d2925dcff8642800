#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "voigt/math/types.h"

// The same scene in several engines, behind one face.
namespace voigt::bench {

// Spheres above each other that fall on the ground and become a stack.
struct StackSpec {
  int count = 100;
  double radius = 0.5, mass = 1, gap = 0.1;  // m, kg, m
  double stiffness = 1e11, damping = 1;      // of each contact: N/m, N s/m
  double mu = 0.5;
  double gravity = 9.81, h = 0.01;  // m/s², s

  double StartHeight(int i) const { return radius + gap + i * (2 * radius + gap); }
  // Of sphere i = 0 … at rest, which carries the weight of all above it.
  double RestHeight(int i) const;
};

// A cube on per_side² springs at the cell centres of its bottom, without friction, under a vertical
// load that runs around on its top.
struct FoundationSpec {
  int per_side = 30;
  double side = 1, mass = 8;       // m, kg
  double modulus = 1e7;            // Pa, of a layer 1 m thick
  double damping = 1;              // of each spring, N s/m
  double load = 5;                 // N
  double gravity = 9.8, h = 0.01;  // m/s², s

  int points() const { return per_side * per_side; }
  double stiffness() const { return modulus * side * side / points(); }  // of each, N/m
  double inertia() const { return mass * side * side / 6; }
  Vec3 Point(int i) const;  // in the cube's frame
  Vec3 LoadPoint(double t) const;
};

// Spheres in an open box, as in scenes/spheres_in_box.yaml: nx by ny in layers. Each contact has
// half the stiffness and damping of the scene's material.
struct BedSpec {
  int nx = 7, ny = 11, layers = 13;
  double radius = 0.04, pitch = 0.085, density = 2500;  // m, m, kg/m³
  double stiffness = 1e5, damping = 25;                 // of each contact: N/m, N s/m
  double mu = 0.3;
  double gravity = 9.81, h = 0.002;  // m/s², s
  // Where the spheres start, at rest; StartOnGrid() is the start of the scene.
  std::vector<Vec3> start;

  int count() const { return nx * ny * layers; }
  double mass() const;     // of each, kg
  double inertia() const;  // kg m²
  std::vector<Vec3> StartOnGrid() const;
  // The floor, and the four walls with normals along ±x and ±y: n · x = offset.
  struct Wall {
    Vec3 n = Vec3::UnitZ();
    double offset = 0;
  };
  std::vector<Wall> Walls() const;
};

// A scene in some engine, ready to move.
class World {
 public:
  virtual ~World() = default;
  virtual void Step() = 0;
  // Bodies are counted from zero, from below.
  virtual double Mass(int body) const = 0;
  virtual Vec3 Position(int body) const = 0;
  virtual Vec3 Up(int body) const = 0;  // the body's z axis in the world
  virtual Vec3 Velocity(int body) const = 0;
  virtual Vec3 Spin(int body) const = 0;  // in axes of the engine's own
  virtual int Contacts() const = 0;       // of the last step: those that the engine treated
  // Steps that left contacts out, for want of room.
  virtual int CrowdedSteps() const { return 0; }
};

using MakeStack = std::function<std::unique_ptr<World>(const StackSpec&)>;
using MakeFoundation = std::function<std::unique_ptr<World>(const FoundationSpec&)>;
// Nothing where the engine has no room for so many spheres.
using MakeBed = std::function<std::unique_ptr<World>(const BedSpec&)>;

// An engine with its settings. Makers may be absent.
struct Engine {
  std::string name;
  MakeStack stack;
  MakeFoundation foundation;
  MakeBed bed;
};

Engine MakeVoigtEngine();
std::vector<Engine> MakeBulletEngines();
std::vector<Engine> MakeDartEngines();
std::vector<Engine> MakeMujocoEngines();
std::vector<Engine> MakeOdeEngines();

// voigt first, then those that were found when this was built.
std::vector<Engine> MakeEngines();

}  // namespace voigt::bench
