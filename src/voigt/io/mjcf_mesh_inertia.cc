#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

#include "voigt/io/mjcf_context.h"
#include "voigt/model/mass_properties.h"

namespace voigt {
namespace {

struct MeshSums {
  double volume = 0;           // or area
  Vec3 first = Vec3::Zero();   // ∫ x
  Mat3 second = Mat3::Zero();  // ∫ x xᵀ
};

// Over the pyramids from `apex` to the triangles, or over the triangles of a shell. Unless exact,
// pyramids that lie outside count as if they were inside, as MuJoCo 2 has it.
MeshSums SumMesh(const TriangleMesh& mesh, const Vec3& apex, bool exact, bool is_shell) {
  MeshSums sums;
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]] - apex, b = mesh.vertices[t[1]] - apex,
               c = mesh.vertices[t[2]] - apex;
    const Vec3 normal = (b - a).cross(c - a);  // twice the area
    double part = is_shell ? normal.norm() / 2 : a.dot(normal) / 6;
    if (!exact) part = std::abs(part);
    const Vec3 sum = a + b + c;
    sums.volume += part;
    sums.first += part / (is_shell ? 3 : 4) * sum;
    sums.second +=
        part / (is_shell ? 12 : 20) *
        (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  return sums;
}

// The mean of the surface.
Vec3 CalcSurfaceCentre(const TriangleMesh& mesh) {
  double area = 0;
  Vec3 centre = Vec3::Zero();
  for (const auto& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const double part = (b - a).cross(c - a).norm();
    area += part;
    centre += part / 3 * (a + b + c);
  }
  return area > 0 ? Vec3(centre / area) : Vec3(Vec3::Zero());
}

}  // namespace

MassProperties CalcMjcfMeshMass(const TriangleMesh& mesh, bool exact, bool is_shell) {
  MassProperties out;
  const Vec3 centre = CalcSurfaceCentre(mesh);
  const MeshSums about_centre = SumMesh(mesh, centre, exact, is_shell);
  if (!(about_centre.volume > 0)) return out;
  out.com = centre + about_centre.first / about_centre.volume;
  // Again about the centre of mass: unless exact, the volume depends on the apex.
  const MeshSums sums = SumMesh(mesh, out.com, exact, is_shell);
  if (!(sums.volume > 0)) return out;
  out.inertia = sums.second.trace() * Mat3::Identity() - sums.second;
  out.mass = sums.volume;
  if (exact || is_shell) return out;
  // MuJoCo 2 gives the mesh the mass of the box that has its inertia.
  const double box = 8 * FitInertiaBox(out).half.prod();
  out.inertia *= box / out.mass;
  out.mass = box;
  return out;
}

MjcfInertiaBox FitInertiaBox(const MassProperties& mass) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(mass.inertia);
  // The smallest moment belongs to the longest edge: last.
  const Vec3 moments = solver.eigenvalues().reverse();
  MjcfInertiaBox box;
  box.axes = solver.eigenvectors().rowwise().reverse();
  if (box.axes.col(0).cross(box.axes.col(1)).dot(box.axes.col(2)) < 0) box.axes.col(0) *= -1;
  for (int i = 0; i < 3; ++i) {
    const double square = 6 * (moments.sum() - 2 * moments[i]) / mass.mass;
    box.half[i] = std::sqrt(std::max(square, 0.0)) / 2;
  }
  return box;
}

}  // namespace voigt
