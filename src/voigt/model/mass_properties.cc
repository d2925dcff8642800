#include "voigt/model/mass_properties.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

#include "voigt/model/convex_hull.h"

namespace voigt {
namespace {

Mat3 Diagonal(double x, double y, double z) { return Vec3(x, y, z).asDiagonal(); }

// -m [c]×²: what a mass m at c adds to the inertia about the origin.
Mat3 PointInertia(double m, const Vec3& c) {
  return m * (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
}

struct MassVisitor {
  using Result = std::optional<MassProperties>;
  double density;
  std::string* defect;

  Result operator()(const Sphere& s) const {
    const double m = density * 4.0 / 3.0 * kPi * s.radius * s.radius * s.radius;
    return MassProperties{m, Vec3::Zero(), 0.4 * m * s.radius * s.radius * Mat3::Identity()};
  }
  Result operator()(const Box& s) const {
    const double m = density * s.size.prod();
    const Vec3 d = s.size.cwiseAbs2() * (m / 12);
    return MassProperties{m, Vec3::Zero(), Diagonal(d[1] + d[2], d[0] + d[2], d[0] + d[1])};
  }
  Result operator()(const Cylinder& s) const {
    const double r2 = s.radius * s.radius;
    const double m = density * kPi * r2 * s.length;
    const double across = m * (3 * r2 + s.length * s.length) / 12;
    return MassProperties{m, Vec3::Zero(), Diagonal(across, across, 0.5 * m * r2)};
  }
  Result operator()(const Capsule& s) const {
    const double r = s.radius, l = s.length;
    const double m_cylinder = density * kPi * r * r * l;
    const double m_caps = density * 4.0 / 3.0 * kPi * r * r * r;
    // Each half-sphere has its centre of mass 3r/8 beyond the end of the cylinder.
    const double across = m_cylinder * (3 * r * r + l * l) / 12 +
                          m_caps * (0.4 * r * r + 0.25 * l * l + 0.375 * r * l);
    const double along = 0.5 * m_cylinder * r * r + 0.4 * m_caps * r * r;
    return MassProperties{m_cylinder + m_caps, Vec3::Zero(), Diagonal(across, across, along)};
  }
  Result operator()(const Ellipsoid& s) const {
    const double m = density * 4.0 / 3.0 * kPi * s.radii.prod();
    const Vec3 d = s.radii.cwiseAbs2() * (m / 5);
    return MassProperties{m, Vec3::Zero(), Diagonal(d[1] + d[2], d[0] + d[2], d[0] + d[1])};
  }
  Result operator()(const HalfSpace&) const {
    *defect = "a half-space has no finite mass";
    return std::nullopt;
  }
  Result operator()(const ContactPoints&) const {
    *defect = "points have no volume";
    return std::nullopt;
  }
  Result operator()(const Foundation&) const {
    *defect = "a foundation has no volume";
    return std::nullopt;
  }
  Result operator()(const HeightField&) const {
    *defect = "a height field has no bottom: it can have no density";
    return std::nullopt;
  }
  Result operator()(const ConvexHull& s) const {
    const auto mesh = MakeConvexHullMesh(s.points, defect);
    if (!mesh) return std::nullopt;
    return CalcPolyhedronMassProperties(*mesh, density);
  }
  Result operator()(const TriangleMesh& s) const {
    if (const auto solid_defect = DescribeSolidDefect(s)) {
      *defect = *solid_defect;
      return std::nullopt;
    }
    return CalcPolyhedronMassProperties(s, density);
  }
};

}  // namespace

std::optional<MassProperties> CalcShapeMassProperties(const Shape& shape, double density,
                                                      std::string* defect) {
  return std::visit(MassVisitor{density, defect}, shape);
}

MassProperties CalcPolyhedronMassProperties(const TriangleMesh& mesh, double density) {
  // Measured from the mean vertex, so that a mesh far from its origin loses no digits.
  Vec3 origin = Vec3::Zero();
  for (const Vec3& vertex : mesh.vertices) origin += vertex;
  origin /= static_cast<double>(mesh.vertices.size());

  double volume = 0;
  Vec3 first = Vec3::Zero();   // ∫ x dV
  Mat3 second = Mat3::Zero();  // ∫ x xᵀ dV
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]] - origin, b = mesh.vertices[t[1]] - origin,
               c = mesh.vertices[t[2]] - origin;
    const double v = a.dot(b.cross(c)) / 6;
    const Vec3 sum = a + b + c;
    volume += v;
    first += v / 4 * sum;
    second += v / 20 *
              (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }

  MassProperties out;
  out.mass = density * volume;
  const Vec3 com = first / volume;
  const Mat3 central = density * (second - volume * com * com.transpose());
  out.com = origin + com;
  out.inertia = central.trace() * Mat3::Identity() - central;
  return out;
}

MassProperties Transform(const Pose& X_AB, const MassProperties& in_B) {
  return {in_B.mass, X_AB * in_B.com, X_AB.R * in_B.inertia * X_AB.R.transpose()};
}

MassProperties Combine(const std::vector<MassProperties>& parts) {
  MassProperties out;
  for (const MassProperties& part : parts) {
    out.mass += part.mass;
    out.com += part.mass * part.com;
  }
  out.com /= out.mass;
  for (const MassProperties& part : parts) {
    out.inertia += part.inertia + PointInertia(part.mass, part.com - out.com);
  }
  return out;
}

PrincipalInertia CalcPrincipalInertia(const Mat3& inertia) {
  const Vec3 diagonal = inertia.diagonal();
  if (Mat3(diagonal.asDiagonal()) == inertia) return {diagonal, Mat3::Identity()};
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia);
  PrincipalInertia out{solver.eigenvalues(), solver.eigenvectors()};
  if (out.axes.col(0).cross(out.axes.col(1)).dot(out.axes.col(2)) < 0) out.axes.col(2) *= -1;
  return out;
}

std::optional<std::string> DescribeInertiaDefect(const Mat3& inertia) {
  if (!inertia.allFinite()) return "inertia is not finite";
  const double scale = inertia.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > 1e-12 * scale) {
    return "inertia is not symmetric";
  }
  const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(inertia).eigenvalues();
  const std::string text = fmt::format("principal moments of inertia are {:.6g}, {:.6g}, {:.6g}",
                                       moments[0], moments[1], moments[2]);
  if (!(moments[0] > 0)) return text + " kg m², expected all to be positive";
  // The slack admits flat bodies (a + b = c) given with rounded numbers.
  if (moments[2] > (moments[0] + moments[1]) * (1 + 1e-6)) {
    return text + " kg m²: no body has one larger than the sum of the other two";
  }
  return std::nullopt;
}

}  // namespace voigt
