#pragma once

#include <Eigen/Core>
#include <limits>

// The vector and matrix types of the whole library. Everything is double precision.
namespace voigt {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec4 = Eigen::Vector4d;
using VecX = Eigen::VectorXd;
using Mat3 = Eigen::Matrix3d;
using MatX = Eigen::MatrixXd;

// Spatial vectors: [angular; linear]. Motions are [ω; v], forces [torque; force]. Unaligned, so
// that Eigen handles them number by number: they are mostly assembled from two three-vectors, and
// reading them back as packets at once stalls the pipeline (the bias of a humanoid takes 0.44 us
// this way, 0.76 us with packets).
using Vec6 = Eigen::Matrix<double, 6, 1, Eigen::DontAlign>;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using Mat6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kPi = 3.14159265358979323846;

}  // namespace voigt
