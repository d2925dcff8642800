#include "tests/fcl/fcl_pairs.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/halfspace.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <limits>
#include <string>
#include <vector>

#include "voigt/model/convex_hull.h"

namespace voigt::testing {
namespace {

using Made = std::shared_ptr<fcl::CollisionGeometryd>;

struct Maker {
  Made operator()(const Sphere& s) const { return std::make_shared<fcl::Sphered>(s.radius); }
  Made operator()(const Box& s) const { return std::make_shared<fcl::Boxd>(s.size); }
  Made operator()(const Capsule& s) const {
    return std::make_shared<fcl::Capsuled>(s.radius, s.length);
  }
  Made operator()(const Cylinder& s) const {
    return std::make_shared<fcl::Cylinderd>(s.radius, s.length);
  }
  Made operator()(const Ellipsoid& s) const { return std::make_shared<fcl::Ellipsoidd>(s.radii); }
  Made operator()(const HalfSpace&) const {
    return std::make_shared<fcl::Halfspaced>(fcl::Vector3d::UnitZ(), 0);
  }
  Made operator()(const ConvexHull& s) const {
    std::string defect;
    const TriangleMesh mesh = MakeConvexHullMesh(s.points, &defect).value();
    auto faces = std::make_shared<std::vector<int>>();
    for (const auto& [a, b, c] : mesh.triangles) faces->insert(faces->end(), {3, a, b, c});
    auto vertices = std::make_shared<const std::vector<fcl::Vector3d>>(mesh.vertices);
    return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(mesh.triangles.size()), faces);
  }
  Made operator()(const TriangleMesh& mesh) const {
    auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    std::vector<fcl::Triangle> triangles;
    for (const auto& [a, b, c] : mesh.triangles) triangles.emplace_back(a, b, c);
    model->beginModel();
    model->addSubModel(mesh.vertices, triangles);
    model->endModel();
    return model;
  }
  Made operator()(const HeightField& field) const { return (*this)(MakeMesh(field)); }
  template <typename Other>
  Made operator()(const Other&) const {
    return nullptr;
  }
};

fcl::Transform3d ToFcl(const Pose& X) {
  fcl::Transform3d out = fcl::Transform3d::Identity();
  out.linear() = X.R;
  out.translation() = X.p;
  return out;
}

}  // namespace

struct FclShape::Geometry {
  Made made;
};

FclShape::FclShape(const Shape& shape)
    : geometry_(std::make_unique<Geometry>(Geometry{std::visit(Maker{}, shape)})) {}

FclShape::~FclShape() = default;

bool FclShape::Touch(const FclShape& A, const Pose& X_WA, const FclShape& B, const Pose& X_WB) {
  fcl::CollisionResultd result;
  return fcl::collide(A.geometry_->made.get(), ToFcl(X_WA), B.geometry_->made.get(), ToFcl(X_WB),
                      fcl::CollisionRequestd(), result) > 0;
}

double FclShape::CalcDistance(const FclShape& A, const Pose& X_WA, const FclShape& B,
                              const Pose& X_WB) {
  fcl::DistanceRequestd request;
  request.distance_tolerance = 1e-10;
  fcl::DistanceResultd result;
  fcl::distance(A.geometry_->made.get(), ToFcl(X_WA), B.geometry_->made.get(), ToFcl(X_WB), request,
                result);
  return result.min_distance;
}

std::optional<FclShape::Depth> FclShape::FindDepth(const FclShape& half_space, const Pose& X_WA,
                                                   const FclShape& mesh, const Pose& X_WB) {
  const fcl::CollisionRequestd all(std::numeric_limits<int>::max(), true);
  fcl::CollisionResultd result;
  fcl::collide(mesh.geometry_->made.get(), ToFcl(X_WB), half_space.geometry_->made.get(),
               ToFcl(X_WA), all, result);
  std::optional<Depth> out;
  for (size_t k = 0; k < result.numContacts(); ++k) {
    const fcl::Contactd& contact = result.getContact(k);
    if (out && out->depth >= contact.penetration_depth) continue;
    out = Depth{contact.penetration_depth, -contact.normal};  // theirs is from the mesh
  }
  return out;
}

}  // namespace voigt::testing
