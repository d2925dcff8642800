// Which shapes touch: all contacts of a frozen random packing, from the broad phase to the last
// point, by voigt and by Bullet in double precision, alternately in one process and one thread.
// First the proof that both look at the same packing: how many pairs touch, and how deep the
// deepest. At the end the same spheres beside 10 000 boxes that are fixed to the world, and without
// them.

#include <btBulletCollisionCommon.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <memory>
#include <set>

#include "bench/side_by_side.h"
#include "tests/support/random_model.h"
#include "voigt/collision/contact_finder.h"
#include "voigt/model/model_builder.h"

namespace voigt::bench {
namespace {

using testing::Random;
using testing::RandomRotation;
using testing::Uniform;

constexpr int kRounds = 15;
constexpr double kStep = 1e-3;      // s, of a step that would follow
constexpr double kTouching = 1e-9;  // m, for counting: pairs whose gap is no more

struct Packing {
  std::vector<Shape> shapes;
  std::vector<Pose> poses;
};

// On a cubic lattice, each off its place by up to a twentieth of the spacing of 1 m in each
// direction: most touch some of their neighbours.
Packing MakePacking(int count, bool spheres) {
  Random random(1);
  Packing out;
  const int side = static_cast<int>(std::ceil(std::cbrt(count)));
  for (int k = 0; k < count; ++k) {
    const Vec3 place(k % side, k / side % side, k / (side * side));
    const auto off = [&] { return Uniform(&random, -0.05, 0.05); };
    const Vec3 shift(off(), off(), off());
    out.poses.push_back({RandomRotation(&random), place + shift});
    const auto size = [&] { return Uniform(&random, 0.6, 0.9); };
    if (spheres) {
      out.shapes.push_back(Sphere{Uniform(&random, 0.45, 0.55)});
    } else {
      const double x = size(), y = size(), z = size();
      out.shapes.push_back(Box{{x, y, z}});
    }
  }
  return out;
}

struct Found {
  int pairs = 0, points = 0;
  double deepest = kInfinity;
};

class VoigtFinder {
 public:
  explicit VoigtFinder(const Packing& packing, const Packing& scenery = {})
      : model_(MakeModel(packing, scenery)), kin_(model_), finder_(model_) {
    UpdatePositions(model_, model_.NeutralCoordinates(), &kin_);
    UpdateVelocities(model_, VecX::Zero(model_.nv()), &kin_);
  }
  void Find() { finder_.Find(model_, kin_, kStep); }
  Found Count() const {
    Found out;
    std::set<std::pair<int, int>> pairs;
    for (const Contact& contact : finder_.contacts()) {
      if (contact.phi > kTouching) continue;
      ++out.points;
      pairs.insert({contact.geometry_A, contact.geometry_B});
      out.deepest = std::min(out.deepest, contact.phi);
    }
    out.pairs = static_cast<int>(pairs.size());
    return out;
  }

 private:
  // One free body per shape. The bodies' frames are that of the world, so the shapes have the
  // poses.
  static Model MakeModel(const Packing& packing, const Packing& scenery) {
    ModelSpec spec;
    for (size_t k = 0; k < scenery.shapes.size(); ++k) {
      spec.world_geometry.push_back({"", scenery.shapes[k], scenery.poses[k], {}, {}, ""});
    }
    for (size_t k = 0; k < packing.shapes.size(); ++k) {
      BodySpec body;
      body.name = fmt::format("b{}", k);
      body.geometry.push_back({"shape", packing.shapes[k], packing.poses[k], 1000.0, {}, ""});
      spec.bodies.push_back(body);
      JointSpec joint;
      joint.name = body.name;
      joint.type = JointType::kFree;
      joint.parent = "world";
      joint.child = body.name;
      spec.joints.push_back(joint);
    }
    return ModelBuilder(std::move(spec)).Build();
  }

  Model model_;
  Kinematics kin_;
  ContactFinder finder_;
};

class BulletFinder {
 public:
  explicit BulletFinder(const Packing& packing) : objects_(packing.shapes.size()) {
    for (size_t k = 0; k < packing.shapes.size(); ++k) {
      shapes_.push_back(MakeShape(packing.shapes[k]));
      btCollisionObject& object = objects_[k];
      object.setCollisionFlags(0);  // not fixed, or pairs would be left out
      object.setCollisionShape(shapes_.back().get());
      const Mat3& R = packing.poses[k].R;
      const Vec3& p = packing.poses[k].p;
      const btMatrix3x3 basis(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0),
                              R(2, 1), R(2, 2));
      object.setWorldTransform(btTransform(basis, btVector3(p[0], p[1], p[2])));
      world_.addCollisionObject(&object);
    }
  }
  ~BulletFinder() {
    for (btCollisionObject& object : objects_) world_.removeCollisionObject(&object);
  }
  BulletFinder(const BulletFinder&) = delete;
  BulletFinder& operator=(const BulletFinder&) = delete;

  void Find() { world_.performDiscreteCollisionDetection(); }
  Found Count() {
    Found out;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold* manifold = dispatcher_.getManifoldByIndexInternal(i);
      bool touches = false;
      for (int k = 0; k < manifold->getNumContacts(); ++k) {
        const double phi = manifold->getContactPoint(k).getDistance();
        if (phi > kTouching) continue;
        ++out.points;
        touches = true;
        out.deepest = std::min(out.deepest, phi);
      }
      out.pairs += touches;
    }
    return out;
  }

 private:
  static std::unique_ptr<btCollisionShape> MakeShape(const Shape& shape) {
    if (const auto* sphere = std::get_if<Sphere>(&shape)) {
      return std::make_unique<btSphereShape>(sphere->radius);
    }
    const Vec3 half = 0.5 * std::get<Box>(shape).size;
    return std::make_unique<btBoxShape>(btVector3(half[0], half[1], half[2]));
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btCollisionWorld world_{&dispatcher_, &broadphase_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<btCollisionObject> objects_;
};

void PrintFound(const char* name, const Found& found, double seconds) {
  fmt::print("  {:<8}{:>8}{:>9}{:>24.15f}{:>14.1f}\n", name, found.pairs, found.points,
             found.deepest, 1e6 * seconds);
}

void Compare(int count, bool spheres) {
  const Packing packing = MakePacking(count, spheres);
  VoigtFinder ours(packing);
  BulletFinder theirs(packing);
  const SideBySide times = Measure(kRounds, 5, [&] { ours.Find(); }, [&] { theirs.Find(); });
  fmt::print("{} {}\n  {:<8}{:>8}{:>9}{:>24}{:>14}\n", count, spheres ? "spheres" : "boxes", "",
             "pairs", "points", "deepest gap [m]", "time [us]");
  const Found own = ours.Count(), other = theirs.Count();
  PrintFound("voigt", own, times.ours);
  PrintFound("Bullet", other, times.theirs);
  // For boxes Bullet takes a face where the way out across two edges is shorter by less than a
  // twentieth.
  const double slack = spheres ? 0 : 0.05 * std::abs(own.deepest);
  const double deeper = own.deepest - other.deepest;
  if (own.pairs == other.pairs && deeper > -kTouching && deeper < slack + kTouching) {
    fmt::print("  voigt/Bullet {:.3f}\n", times.Ratio());
  } else {
    fmt::print("  not the same contacts, so no ratio\n");
  }
}

// What stands still costs no more than what is not there: boxes around the spheres, none of which
// is near enough to touch.
void CompareScenery(int count, int boxes) {
  const Packing packing = MakePacking(count, true);
  Packing scenery = MakePacking(boxes, false);
  for (Pose& pose : scenery.poses) pose.p += Vec3(30, 0, 0);
  VoigtFinder with(packing, scenery), without(packing);
  const SideBySide times = Measure(kRounds, 5, [&] { with.Find(); }, [&] { without.Find(); });
  fmt::print(
      "{} spheres beside {} fixed boxes: {} pairs touch in {:.1f} us; {} in {:.1f} us without\n",
      count, boxes, with.Count().pairs, 1e6 * times.ours, without.Count().pairs,
      1e6 * times.theirs);
  fmt::print("  with/without {:.3f}\n", times.Ratio());
}

}  // namespace
}  // namespace voigt::bench

int main() {
  voigt::bench::Compare(1001, true);
  voigt::bench::Compare(10000, true);
  voigt::bench::Compare(500, false);
  voigt::bench::CompareScenery(1001, 10000);
  return 0;
}
