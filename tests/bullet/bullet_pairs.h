#pragma once

#include <memory>
#include <optional>

#include "voigt/math/pose.h"
#include "voigt/model/geometry.h"

namespace voigt::testing {

// What Bullet (3.24, in double precision) says of two shapes: spheres, capsules, boxes, cylinders,
// ellipsoids, hulls, and half-spaces against these. No shape is shrunk or rounded: Bullet's margins
// are zero but for spheres and capsules, which consist of them. Bullet has no ellipsoid; here it
// gets one by its support function.
class BulletPairs {
 public:
  BulletPairs();
  ~BulletPairs();

  // The contact with the least φ, the normal from A to B, both surface points; nothing where Bullet
  // finds none, at whatever distance.
  struct Meeting {
    double phi = 0;
    Vec3 n_W = Vec3::UnitZ(), a_W = Vec3::Zero(), b_W = Vec3::Zero();
  };
  std::optional<Meeting> Find(const Shape& A, const Pose& X_WA, const Shape& B,
                              const Pose& X_WB) const;

  // How its expanding polytope, which finds depths, ended: at a plane n·x = depth with A - B below
  // it, as it has it, and after so many support points. Nothing where its GJK finds no overlap.
  struct Polytope {
    double depth = 0;
    Vec3 n_W = Vec3::UnitZ();
    int points = 0;
  };
  // It has room for 256 faces: those of so many points and the four corners that it starts with.
  static constexpr int kMostPoints = 126;
  static std::optional<Polytope> Expand(const Shape& A, const Pose& X_WA, const Shape& B,
                                        const Pose& X_WB);

 private:
  struct World;
  std::unique_ptr<World> world_;
};

}  // namespace voigt::testing
