#include "tests/bullet/bullet_pairs.h"

#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include <Eigen/Geometry>
#include <stdexcept>

namespace voigt::testing {
namespace {

constexpr double kAnyDistance = 1e3;  // m, beyond all that is asked here

Vec3 ToEigen(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
btVector3 ToBullet(const Vec3& v) { return {v[0], v[1], v[2]}; }

btTransform ToBullet(const Pose& X) {
  const Mat3& R = X.R;
  const btMatrix3x3 basis(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1),
                          R(2, 2));
  return btTransform(basis, ToBullet(X.p));
}

// The point of the ellipsoid Σ (x_i/r_i)² = 1 farthest along d is r² d/‖r d‖.
class BulletEllipsoid : public btConvexInternalShape {
 public:
  explicit BulletEllipsoid(const btVector3& radii) : radii_(radii) {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
  }
  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& d) const override {
    const btVector3 scaled = radii_ * d;
    const btScalar length = scaled.length();
    return length > 0 ? radii_ * scaled / length : btVector3(radii_.x(), 0, 0);
  }
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* directions,
                                                         btVector3* out, int count) const override {
    for (int k = 0; k < count; ++k) out[k] = localGetSupportingVertexWithoutMargin(directions[k]);
  }
  void getAabb(const btTransform& X, btVector3& low, btVector3& high) const override {
    getAabbSlow(X, low, high);
  }
  void calculateLocalInertia(btScalar, btVector3& inertia) const override {
    inertia.setValue(1, 1, 1);
  }
  const char* getName() const override { return "ellipsoid"; }

 private:
  btVector3 radii_;
};

struct MakeBulletShape {
  using Result = std::unique_ptr<btCollisionShape>;
  Result operator()(const Sphere& s) const { return std::make_unique<btSphereShape>(s.radius); }
  Result operator()(const Box& s) const {
    return std::make_unique<btBoxShape>(ToBullet(0.5 * s.size));
  }
  Result operator()(const Capsule& s) const {
    return std::make_unique<btCapsuleShapeZ>(s.radius, s.length);
  }
  Result operator()(const Cylinder& s) const {
    return std::make_unique<btCylinderShapeZ>(btVector3(s.radius, s.radius, 0.5 * s.length));
  }
  Result operator()(const Ellipsoid& s) const {
    return std::make_unique<BulletEllipsoid>(ToBullet(s.radii));
  }
  Result operator()(const HalfSpace&) const {
    return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0);
  }
  Result operator()(const ConvexHull& s) const {
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vec3& point : s.points) hull->addPoint(ToBullet(point), false);
    hull->recalcLocalAabb();
    return hull;
  }
  template <typename Other>
  Result operator()(const Other&) const {
    throw std::logic_error("Bullet has no such shape");
  }
};

std::unique_ptr<btCollisionShape> MakeShape(const Shape& shape) {
  auto out = std::visit(MakeBulletShape{}, shape);
  if (!std::holds_alternative<Sphere>(shape) && !std::holds_alternative<Capsule>(shape)) {
    out->setMargin(0);
  }
  return out;
}

// A shape that counts how often its support points are asked for. What is asked for without margins
// may come as a whole, with them.
class Counting : public btConvexInternalShape {
 public:
  Counting(const btCollisionShape& shape, bool is_whole)
      : shape_(dynamic_cast<const btConvexShape&>(shape)), is_whole_(is_whole) {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    setMargin(is_whole ? 0 : shape_.getMargin());
  }
  int count() const { return count_; }

  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& d) const override {
    ++count_;
    return is_whole_ ? shape_.localGetSupportVertexNonVirtual(d)
                     : shape_.localGetSupportVertexWithoutMarginNonVirtual(d);
  }
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* directions,
                                                         btVector3* out, int count) const override {
    for (int k = 0; k < count; ++k) out[k] = localGetSupportingVertexWithoutMargin(directions[k]);
  }
  void getAabb(const btTransform& X, btVector3& low, btVector3& high) const override {
    shape_.getAabb(X, low, high);
  }
  void calculateLocalInertia(btScalar mass, btVector3& inertia) const override {
    shape_.calculateLocalInertia(mass, inertia);
  }
  const char* getName() const override { return shape_.getName(); }

 private:
  const btConvexShape& shape_;
  bool is_whole_;
  mutable int count_ = 0;
};

// Bullet's search for depths, and how it ended. The polytope starts from what GJK ends with, and
// asks for the three corners of its last face once more.
class Watched : public btGjkEpaPenetrationDepthSolver {
 public:
  bool calcPenDepth(btSimplexSolverInterface& simplex, const btConvexShape* A,
                    const btConvexShape* B, const btTransform& X_A, const btTransform& X_B,
                    btVector3& v, btVector3& on_A, btVector3& on_B, btIDebugDraw* draw) override {
    const Counting part_A(*A, false), part_B(*B, false);
    if (!btGjkEpaPenetrationDepthSolver::calcPenDepth(simplex, &part_A, &part_B, X_A, X_B, v, on_A,
                                                      on_B, draw)) {
      return false;
    }
    const Counting whole_A(*A, true), whole_B(*B, true);
    const btVector3 guess = btVector3(X_B.getOrigin() - X_A.getOrigin()).safeNormalize();
    btGjkEpaSolver2::sResults results;
    btGjkEpaSolver2::Distance(&whole_A, X_A, &whole_B, X_B, -guess, results);
    const Vec3 along = ToEigen(on_A - on_B);
    found_ = {along.norm(), along.normalized(), part_A.count() - whole_A.count() - 3};
    return true;
  }
  const std::optional<BulletPairs::Polytope>& found() const { return found_; }

 private:
  std::optional<BulletPairs::Polytope> found_;
};

// Bullet hands out points on the second object with its normal pointing to the first, and may swap
// the two.
class Deepest : public btCollisionWorld::ContactResultCallback {
 public:
  explicit Deepest(const btCollisionObject* A) : A_(A) {
    m_closestDistanceThreshold = kAnyDistance;
  }

  btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper* first, int, int,
                           const btCollisionObjectWrapper*, int, int) override {
    if (found_ && point.getDistance() >= found_->phi) return 0;
    BulletPairs::Meeting meeting;
    const bool in_order = first->getCollisionObject() == A_;
    const Vec3 on_first = ToEigen(point.getPositionWorldOnA());
    const Vec3 on_second = ToEigen(point.getPositionWorldOnB());
    meeting.phi = point.getDistance();
    meeting.n_W = (in_order ? -1 : 1) * ToEigen(point.m_normalWorldOnB);
    meeting.a_W = in_order ? on_first : on_second;
    meeting.b_W = in_order ? on_second : on_first;
    found_ = meeting;
    return 0;
  }
  const std::optional<BulletPairs::Meeting>& found() const { return found_; }

 private:
  const btCollisionObject* A_;
  std::optional<BulletPairs::Meeting> found_;
};

}  // namespace

struct BulletPairs::World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btCollisionWorld world{&dispatcher, &broadphase, &configuration};
};

BulletPairs::BulletPairs() : world_(std::make_unique<World>()) {}
BulletPairs::~BulletPairs() = default;

std::optional<BulletPairs::Meeting> BulletPairs::Find(const Shape& A, const Pose& X_WA,
                                                      const Shape& B, const Pose& X_WB) const {
  const auto shape_A = MakeShape(A), shape_B = MakeShape(B);
  btCollisionObject object_A, object_B;
  object_A.setCollisionShape(shape_A.get());
  object_B.setCollisionShape(shape_B.get());
  object_A.setWorldTransform(ToBullet(X_WA));
  object_B.setWorldTransform(ToBullet(X_WB));
  Deepest deepest(&object_A);
  world_->world.contactPairTest(&object_A, &object_B, deepest);
  return deepest.found();
}

std::optional<BulletPairs::Polytope> BulletPairs::Expand(const Shape& A, const Pose& X_WA,
                                                         const Shape& B, const Pose& X_WB) {
  const auto shape_A = MakeShape(A), shape_B = MakeShape(B);
  btVoronoiSimplexSolver simplex;
  Watched watched;
  btGjkPairDetector detector(dynamic_cast<const btConvexShape*>(shape_A.get()),
                             dynamic_cast<const btConvexShape*>(shape_B.get()), &simplex, &watched);
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA = ToBullet(X_WA);
  input.m_transformB = ToBullet(X_WB);
  btPointCollector collector;
  detector.getClosestPoints(input, collector, nullptr);
  return watched.found();
}

}  // namespace voigt::testing
