#pragma once

#include <cstdint>

#include "voigt/math/types.h"
#include "voigt/model/geometry.h"

namespace voigt {

// Where two shapes touch, or will: what the files for pairs of shapes find. The normal n is of unit
// length and points from the first shape to the second; the gap φ along it is negative where the
// shapes overlap; p is midway between the two surfaces.
struct ContactPoint {
  Vec3 p_W = Vec3::Zero();
  Vec3 n_W = Vec3::UnitZ();
  double phi = 0;  // m
};

// The same, between two shapes of a model, with the points of faces that meet in one plane
// (LevelManifold). The shape that comes first in Model::geometry() is A, so
// that body_A ≤ body_B, and n points from A to B. φ̇ = n · (v_B − v_A), both taken at p.
struct Contact {
  std::uint64_t id = 0;  // the same as long as the same features of the same shapes are near
  int geometry_A = 0, geometry_B = 0;
  int body_A = 0, body_B = 0;
  int feature = 0;            // which of the points or elements of a shape that has several
  double radius = kInfinity;  // of relative curvature at the contact, m (RelativeCurvature)
  double ratio = 1;           // of the principal relative curvatures there
  double area = kNaN;         // of the element of a foundation that it is, m²; NaN for others
  Vec3 p_W = Vec3::Zero();
  Vec3 n_W = Vec3::UnitZ();
  double phi = 0;  // m
};

// The number of shapes that ids have room for.
inline constexpr int kMaxGeometryCount = 1 << 21;

// Ids order contacts by A, B and feature. The highest bit is set in every id of a contact, and left
// to them.
inline std::uint64_t MakeContactId(int geometry_A, int geometry_B, int feature) {
  static_assert(kMaxGeometryCount == 1 << 21 && kMaxContactPoints == 1 << 21);
  return std::uint64_t{1} << 63 | std::uint64_t(geometry_A) << 42 |
         std::uint64_t(geometry_B) << 21 | std::uint64_t(feature);
}

// What an id of a contact was made of.
inline bool IsContactId(std::uint64_t id) { return id >> 63 != 0; }
inline int GeometryA(std::uint64_t id) { return static_cast<int>(id >> 42 & 0x1fffff); }
inline int GeometryB(std::uint64_t id) { return static_cast<int>(id >> 21 & 0x1fffff); }
inline int FeatureOf(std::uint64_t id) { return static_cast<int>(id & 0x1fffff); }

// Whether two ids are of contacts between the same shapes.
inline bool IsSamePair(std::uint64_t a, std::uint64_t b) { return a >> 21 == b >> 21; }

}  // namespace voigt
