// Siconos: the steps of Moreau and Jean with θ = 1 (positions move with the velocity at the end),
// contacts active where their gap closes within half a step, and the friction problem solved by its
// nonsmooth Gauss–Seidel method, warm-started. Its own collision detection is Bullet's in single
// precision, which cannot be in one program with Bullet in double: spheres and planes are found
// here.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <map>

#include "bench/peers/engine.h"

extern "C" {
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
}

namespace voigt::peers {
namespace {

using Block = Eigen::Matrix<double, 3, 6>;

// Its blocks, row by row, and what Siconos wants to see of them.
struct BlockMatrix {
  std::vector<Mat3> blocks;
  std::vector<double*> pointers;
  std::vector<size_t> row_starts, columns;
  std::vector<unsigned int> sizes;
  SparseBlockStructuredMatrix view = {};
  NumericsMatrix* matrix = nullptr;

  void Finish(int rows) {
    pointers.clear();
    sizes.clear();
    for (Mat3& block : blocks) pointers.push_back(block.data());
    for (int i = 0; i < rows; ++i) sizes.push_back(3 * (i + 1));
    view = {};
    view.nbblocks = static_cast<unsigned int>(blocks.size());
    view.block = pointers.data();
    view.blocknumber0 = view.blocknumber1 = rows;
    view.blocksize0 = view.blocksize1 = sizes.data();
    view.filled1 = row_starts.size();
    view.filled2 = columns.size();
    view.index1_data = row_starts.data();
    view.index2_data = columns.data();
    matrix = NM_create(NM_SPARSE_BLOCK, 3 * rows, 3 * rows);
    std::free(matrix->matrix1);
    matrix->matrix1 = &view;
  }
  void Release() {
    std::free(view.diagonal_blocks);
    matrix->matrix1 = nullptr;
    NM_clear(matrix);
    std::free(matrix);
  }
};

struct TouchingPair {
  int a, b;  // bodies; b is −1 for the ground
  long key;
  Block G_a, G_b;
};

class SiconosEngineWorld : public World {
 public:
  explicit SiconosEngineWorld(const Scene& scene) : scene_(scene) {
    if (!scene.joints.empty()) {
      throw NotExpressible("the adapter hands contacts alone to Siconos' numerics, no joints");
    }
    for (const Body& body : scene.bodies) {
      poses_.push_back(body.start);
      rates_.emplace_back();
      rates_.back() << body.velocity, body.spin;
      for (const Shape& shape : body.shapes) {
        const Shape sphere = AsSphere(shape);
        if (sphere.kind != ShapeKind::kSphere) {
          throw NotExpressible("the adapter finds contacts of spheres and planes only");
        }
        spheres_.push_back({static_cast<int>(&body - scene.bodies.data()), sphere});
      }
    }
    options_ = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = 1000;
    options_->dparam[SICONOS_DPARAM_TOL] = 1e-8;
  }
  ~SiconosEngineWorld() override { solver_options_delete(options_); }
  SiconosEngineWorld(const SiconosEngineWorld&) = delete;
  SiconosEngineWorld& operator=(const SiconosEngineWorld&) = delete;

  void Step(const Loads& loads) override {
    FindContacts();
    MakeFreeRates(loads);
    if (!contacts_.empty()) Solve();
    for (size_t b = 0; b < poses_.size(); ++b) {
      poses_[b].p += scene_.h * rates_[b].head<3>();
      const Vec3 turn = scene_.h * rates_[b].tail<3>();
      if (turn.norm() > 0) {
        poses_[b].R = Eigen::AngleAxisd(turn.norm(), turn.normalized()) * poses_[b].R;
      }
    }
  }
  Pose BodyPose(int body) const override { return poses_[body]; }
  Vec3 Velocity(int body) const override { return rates_[body].head<3>(); }
  Vec3 Spin(int body) const override { return rates_[body].tail<3>(); }
  double Mass(int body) const override { return scene_.bodies[body].mass; }
  double InertiaTrace(int body) const override { return scene_.bodies[body].inertia.sum(); }
  int Contacts() const override { return static_cast<int>(contacts_.size()); }
  std::string Complaint() const override {
    return failures_ == 0 ? "" : fmt::format("{} steps not solved to 1e-8", failures_);
  }

 private:
  struct Sphere {
    int body;
    Shape shape;
  };

  // M⁻¹ of a body times a force and torque in the world.
  Vec6 ApplyInverseMass(int b, const Vec6& f) const {
    const Body& body = scene_.bodies[b];
    const Vec3 turn = poses_[b].R.transpose() * f.tail<3>();
    Vec6 out;
    out << f.head<3>() / body.mass, poses_[b].R * turn.cwiseQuotient(body.inertia);
    return out;
  }

  void MakeFreeRates(const Loads& loads) {
    for (size_t i = 0; i < rates_.size(); ++i) {
      const int b = static_cast<int>(i);
      const Body& body = scene_.bodies[i];
      const Vec3 w = poses_[i].R.transpose() * rates_[i].tail<3>();
      Vec6 f;
      f << body.mass * scene_.gravity, -(poses_[i].R * w.cross(body.inertia.cwiseProduct(w)));
      for (const Wrench& wrench : loads.wrenches) {
        if (wrench.body != b) continue;
        f.head<3>() += wrench.force;
        f.tail<3>() += wrench.torque;
      }
      rates_[i] += scene_.h * ApplyInverseMass(b, f);
    }
  }

  Vec3 PointVelocity(int b, const Vec3& p) const {
    return rates_[b].head<3>() + rates_[b].tail<3>().cross(p - poses_[b].p);
  }

  static Block PointRows(const Mat3& axes, const Vec3& arm) {
    Block out;
    for (int k = 0; k < 3; ++k) {
      out.block<1, 3>(k, 0) = axes.col(k).transpose();
      out.block<1, 3>(k, 3) = arm.cross(axes.col(k)).transpose();
    }
    return out;
  }

  void AddContact(int a, int b, const Vec3& n, const Vec3& p, double gap, long key) {
    const Vec3 slip = PointVelocity(a, p) - (b < 0 ? Vec3(0, 0, 0) : PointVelocity(b, p));
    if (gap + 0.5 * scene_.h * slip.dot(n) > 0) return;
    Mat3 axes;
    axes.col(0) = n;
    axes.col(1) = n.unitOrthogonal();
    axes.col(2) = n.cross(axes.col(1));
    contacts_.push_back({a, b, key, PointRows(axes, p - poses_[a].p),
                         b < 0 ? Block(Block::Zero()) : Block(-PointRows(axes, p - poses_[b].p))});
  }

  void FindContacts() {
    contacts_.clear();
    const long count = static_cast<long>(spheres_.size());
    std::vector<std::pair<double, int>> order;
    std::vector<Vec3> centres;
    for (long i = 0; i < count; ++i) {
      const Sphere& s = spheres_[i];
      centres.push_back(poses_[s.body] * s.shape.X_BS.p);
      order.emplace_back(centres[i][0] - s.shape.radius(), static_cast<int>(i));
      for (size_t g = 0; g < scene_.ground.size(); ++g) {
        const Pose& plane = scene_.ground[g].X_BS;
        const Vec3 n = plane.R.col(2);
        const double height = n.dot(centres[i] - plane.p);
        AddContact(s.body, -1, n, centres[i] - s.shape.radius() * n, height - s.shape.radius(),
                   -1 - i - count * static_cast<long>(g));
      }
    }
    std::sort(order.begin(), order.end());
    constexpr double kNear = 0.01;  // m beyond touching: no step closes more
    for (size_t i = 0; i < order.size(); ++i) {
      const Sphere& a = spheres_[order[i].second];
      const Vec3& p = centres[order[i].second];
      for (size_t j = i + 1; j < order.size(); ++j) {
        if (order[j].first > p[0] + a.shape.radius() + kNear) break;
        const Sphere& b = spheres_[order[j].second];
        if (a.body == b.body) continue;
        const Vec3 d = p - centres[order[j].second];
        const double reach = a.shape.radius() + b.shape.radius(), length = d.norm();
        if (length > reach + kNear) continue;
        AddContact(a.body, b.body, d / length, p - a.shape.radius() / length * d, length - reach,
                   order[i].second * count + order[j].second);
      }
    }
  }

  void Solve() {
    const int count = static_cast<int>(contacts_.size());
    VecX q(3 * count), mu = VecX::Constant(count, scene_.material.mu);
    VecX reaction = VecX::Zero(3 * count), velocity(3 * count);
    for (int i = 0; i < count; ++i) {
      const TouchingPair& c = contacts_[i];
      q.segment<3>(3 * i) = c.G_a * rates_[c.a];
      if (c.b >= 0) q.segment<3>(3 * i) += c.G_b * rates_[c.b];
      const auto last = last_.find(c.key);
      if (last != last_.end()) reaction.segment<3>(3 * i) = last->second;
    }
    FillMatrix();
    FrictionContactProblem* const problem =
        frictionContactProblem_new_with_data(3, count, matrix_.matrix, q.data(), mu.data());
    failures_ += fc3d_driver(problem, reaction.data(), velocity.data(), options_) != 0;
    std::free(problem);
    matrix_.Release();
    last_.clear();
    for (int i = 0; i < count; ++i) {
      const TouchingPair& c = contacts_[i];
      const Vec3 r = reaction.segment<3>(3 * i);
      last_[c.key] = r;
      rates_[c.a] += ApplyInverseMass(c.a, c.G_a.transpose() * r);
      if (c.b >= 0) rates_[c.b] += ApplyInverseMass(c.b, c.G_b.transpose() * r);
    }
  }

  // W = G M⁻¹ Gᵀ: a block for every two contacts that share a body.
  void FillMatrix() {
    std::vector<std::vector<int>> on(poses_.size());
    const int count = static_cast<int>(contacts_.size());
    std::vector<Block> weighted_a(count), weighted_b(count);  // (M⁻¹ Gᵀ)ᵀ
    for (int i = 0; i < count; ++i) {
      const TouchingPair& c = contacts_[i];
      on[c.a].push_back(i);
      if (c.b >= 0) on[c.b].push_back(i);
      for (int k = 0; k < 3; ++k) {
        weighted_a[i].row(k) = ApplyInverseMass(c.a, c.G_a.row(k).transpose()).transpose();
        if (c.b < 0) continue;
        weighted_b[i].row(k) = ApplyInverseMass(c.b, c.G_b.row(k).transpose()).transpose();
      }
    }
    matrix_ = BlockMatrix();
    matrix_.row_starts = {0};
    for (int i = 0; i < count; ++i) {
      std::map<int, Mat3> row;
      const TouchingPair& c = contacts_[i];
      for (int body : {c.a, c.b}) {
        if (body < 0) continue;
        const Block& G = body == c.a ? c.G_a : c.G_b;
        for (int j : on[body]) {
          const Block& other = contacts_[j].a == body ? weighted_a[j] : weighted_b[j];
          const auto place = row.emplace(j, Mat3::Zero()).first;
          place->second += G * other.transpose();
        }
      }
      for (const auto& [j, block] : row) {
        matrix_.columns.push_back(j);
        matrix_.blocks.push_back(block);
      }
      matrix_.row_starts.push_back(matrix_.columns.size());
    }
    matrix_.Finish(count);
  }

  Scene scene_;
  std::vector<Pose> poses_;
  std::vector<Vec6> rates_;  // velocity and spin
  std::vector<Sphere> spheres_;
  std::vector<TouchingPair> contacts_;
  std::map<long, Vec3> last_;
  BlockMatrix matrix_;
  SolverOptions* options_;
  int failures_ = 0;
};

}  // namespace

std::vector<Engine> ListSiconos() {
  return {
      {"Siconos",
       "Moreau–Jean steps with θ = 1, rigid contacts with Coulomb's cones, nonsmooth Gauss–Seidel "
       "(fc3d NSGS) on sparse blocks to 1e-8, at most 1000 sweeps, warm-started; contacts of "
       "spheres and planes are found by the adapter",
       [](const Scene& scene) { return std::make_unique<SiconosEngineWorld>(scene); }}};
}

}  // namespace voigt::peers
